/** Pane 3, present: orders, or entities of another kind, with status and time since its last change. */
import { firstOrderHint } from '../../model/key-outcomes.ts'
import type { OrderRow } from '../../../../core/session-api/session-api.ts'
import { failedRulesOfOrder, ruleIdsText } from '../../model/failed-rules.ts'
import {
  focusOf,
  listHeight,
  type Model,
  pinnedRowCount,
  shownInstant,
  tabNames,
} from '../../model/model.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { type Cell, columnSpans, type Row, type Span, span, type Tone } from '../text/row.ts'
import { ageText } from '../text/time.ts'
import { hintRows, listRow, noMatchRows, type Pane, type PaneInput, shortId } from './pane.ts'
import { newRowsText, onlyOrderText, titleRow } from './title.ts'
import { chosenId } from '../../model/present.ts'
import type { EntityRow } from '../../../../core/session-api/entities.ts'
import { isFailureStatus } from './lifecycle.ts'
import { recordingOrderRows } from './recording.ts'

export const ordersPane: Pane = {
  id: 'orders',
  rows(input) {
    const { model, rect, glyphs } = input
    if (model.tab !== 'order') return entityListRows(input)
    const { snapshot } = model
    if (snapshot?.playback) return recordingOrderRows(input, snapshot.playback)
    const counts = snapshot?.info.counts
    const total = counts ? [span(`${counts.orders}, ${counts.open} open`, 'muted')] : []
    const right = [...newRowsText(input), ...total]
    const title = titleRow(input, 'orders', onlyOrderText(model), right)
    const pinned = pinnedOrders(model, rect.height - 1)
    const rows = [...pinned, ...shownOrders(model)]
    const none =
      counts?.orders === 0
        ? hintRows(rect.width, 'No orders yet.', firstOrderHint(model))
        : noMatchRows(input, 'orders')
    if (rows.length === 0) return [title, ...none]
    const chosen = focusOf(model) === 'orders' ? 'here' : 'elsewhere'
    return [
      title,
      ...rows.map((order, index): Row => {
        const here = order.orderId === model.orderId
        const sign = here ? '>' : index < pinned.length ? '^' : ' '
        const spans = [span(sign), ...orderSpans(order, rect.width, model, glyphs)]
        return listRow(spans, order.orderId, here ? chosen : undefined)
      }),
    ]
  },
}

/** Pinned orders are shown above the list as well as in it. */
const pinnedOrders = (model: Model, innerHeight: number): readonly OrderRow[] =>
  (model.snapshot?.pinned ?? []).slice(0, pinnedRowCount(model, innerHeight))

/** Visible rows: the loaded ones start a screenful above them. */
function shownOrders(model: Model): readonly OrderRow[] {
  const { snapshot, only } = model
  if (!snapshot) return []
  if (only) return snapshot.order ? [snapshot.order.row] : []
  const from = Math.max(0, model.orders.top - snapshot.query.ordersOffset)
  return snapshot.orders.slice(from, from + listHeight(model, 'orders'))
}

function orderSpans(order: OrderRow, width: number, model: Model, glyphs: Glyphs): readonly Span[] {
  const { mark, tone } = statusSign(order, glyphs)
  const identifier: Cell = { text: shortId(order.orderId), width: 8, tone: 'muted' }
  const amount: Cell = { text: order.amount, width: 10, align: 'right' }
  const now = shownInstant(model)
  const rules = ruleIdsText(failedRulesOfOrder(model, order.orderId))
  return columnSpans(width - 1, [
    { text: order.displayId, width: 6, tone: 'strong' },
    { text: rules === '' ? '' : glyphs.failed, width: 1, tone: 'err' },
    ...(width >= 68 ? [identifier] : []),
    { text: order.profile.slice(0, 1), width: 1, tone: 'muted' },
    { text: mark, width: 1, tone },
    { text: order.status, width: 11, tone },
    remarkCell(order, rules),
    ...(width >= 80 ? [amount] : []),
    { text: ageText(now - order.since), width: 6, align: 'right', tone: 'muted' },
  ])
}

/** What is wrong with the order, or else its merchant. */
function remarkCell(order: OrderRow, rules: string): Cell {
  const text = remark(order)
  if (rules !== '') return { text: `${rules} ${text || order.merchant}`, tone: 'err' }
  return text === '' ? { text: order.merchant } : { text, tone: 'warn' }
}

/** Disagreement of the two sides on the status, or a cancellation that waits for an answer. */
function remark({ believed, status, cancellation }: OrderRow): string {
  if (believed !== undefined && believed !== status) return `SS ${believed}`
  return cancellation === 'asked' ? 'cancel asked' : ''
}

function statusSign(
  { status }: Pick<OrderRow, 'status'>,
  glyphs: Glyphs,
): { readonly mark: string; readonly tone: Tone } {
  if (status === 'CANCELLED') return { mark: glyphs.failed, tone: 'err' }
  if (status === 'CONCLUDED' || status === 'DELIVERED') return { mark: glyphs.done, tone: 'ok' }
  return { mark: glyphs.now, tone: 'plain' }
}

export function entityListRows(input: PaneInput): readonly Row[] {
  const { model, rect } = input
  const { snapshot, tab } = model
  const right = snapshot ? [...newRowsText(input), span(String(snapshot.entityCount), 'muted')] : []
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
  const { snapshot, only, tab, orderId } = model
  if (!snapshot) return []
  const rows = snapshot.entities.filter(({ kind }) => kind === tab)
  if (only) return rows.filter((entity) => entity.orderId === orderId)
  const from = Math.max(0, model.orders.top - snapshot.query.ordersOffset)
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
