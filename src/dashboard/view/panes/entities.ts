/** Pane 3 on any tab but orders: entities of one kind, with status and time since its last change. */
import { focusOf, listHeight, type Model, shownInstant } from '../../model/model.ts'
import { chosenId } from '../../model/present.ts'
import { columnSpans, type Row, type Span, span } from '../text/row.ts'
import { ageText } from '../text/time.ts'
import { hintRows, listRow, noMatchRows, type PaneInput, shortId } from './pane.ts'
import { isFailureStatus } from './strip.ts'
import { newRowsText, onlyOrderText, titleRow } from './title.ts'
import { tabNames } from '../../model/tabs.ts'
import type { EntityRow } from '../../../session-api/entities.ts'

export function entityListRows(input: PaneInput): readonly Row[] {
  const { model, rect } = input
  const { seen, tab } = model
  const right = seen ? [...newRowsText(input), span(String(seen.entityCount), 'muted')] : []
  const title = titleRow(input, 'orders', onlyOrderText(model), right)
  const rows = shown(model)
  const none = noMatchRows(input, 'orders')
  if (rows.length === 0 && none.length > 0) return [title, ...none]
  if (rows.length === 0)
    return [title, ...hintRows(rect.width, `No ${tabNames[tab][0].toLowerCase()} yet.`)]
  const chosen = focusOf(model) === 'orders' ? 'here' : 'elsewhere'
  return [
    title,
    ...rows.map((entity): Row => {
      const here = entity.id === chosenId(model)
      const spans = [span(here ? '>' : ' '), ...entitySpans(entity, rect.width, model)]
      return listRow(spans, entity.id, here ? chosen : undefined)
    }),
  ]
}

/** Visible rows: the loaded ones start a screenful above them. */
function shown(model: Model): readonly EntityRow[] {
  const { seen, only, tab, orderId } = model
  if (!seen) return []
  const rows = seen.entities.filter(({ kind }) => kind === tab)
  if (only) return rows.filter((entity) => entity.orderId === orderId)
  const from = Math.max(0, model.orders.top - seen.query.ordersOffset)
  return rows.slice(from, from + listHeight(model, 'orders'))
}

function entitySpans(entity: EntityRow, width: number, model: Model): readonly Span[] {
  const tone = isFailureStatus(entity.status) ? 'err' : 'plain'
  const now = shownInstant(model)
  return columnSpans(width - 1, [
    { text: entity.label, width: Math.min(18, Math.floor(width / 3)), tone: 'strong' },
    { text: entity.status, width: 11, tone },
    { text: entity.text },
    ...(width >= 64 && entity.orderId !== undefined
      ? [{ text: shortId(entity.orderId), width: 8, tone: 'muted' as const }]
      : []),
    { text: ageText(now - entity.since), width: 6, align: 'right', tone: 'muted' },
  ])
}
