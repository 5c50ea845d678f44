/**
 * Pane 4, present: lifecycle of the chosen order or entity: past, current and possible statuses, and the moves with
 * their digits; moves that need force come last, behind `!`. Low panes show it as a strip.
 */
import { firstOrderHint } from '../../model/key-outcomes.ts'
import { effectsText } from '../../../../core/views/effects-text.ts'
import type { OrderDetail } from '../../../../core/session-api/session-api.ts'
import { failedRulesOfOrder, type RuleFailure } from '../../model/failed-rules.ts'
import { listHeight, type Model, tabNames } from '../../model/model.ts'
import { chosenDetail } from '../../model/present.ts'
import { wordWrap } from '../text/cells.ts'
import { columnSpans, type Row, row, span } from '../text/row.ts'
import { contactPanelRows, isContactAwaited } from '../contact.ts'
import { hintRows, type Pane, type PaneInput, shortId } from './pane.ts'
import { titleRow } from './title.ts'
import { lifecycleRows, lifecycleStripRow, moveSummaryRows, rowsWithMoves } from './lifecycle.ts'
import type { EntityDetail } from '../../../../core/session-api/entities.ts'
import { recordingLaneRows } from './recording.ts'

export const orderPane: Pane = {
  id: 'order',
  rows(input) {
    const { playback } = input.model.snapshot ?? {}
    if (playback && input.model.tab === 'order') return recordingLaneRows(input, playback)
    const detail = chosenDetail(input.model)
    if (!detail) return emptyRows(input)
    const { rect, model, glyphs } = input
    const isOrder = 'events' in detail
    const title = isOrder ? orderTitle(detail, input) : entityTitle(detail, input)
    if (rect.height < 10)
      return [
        title,
        lifecycleStripRow(detail, rect.width, glyphs),
        ...failedRuleSummary(input),
        ...moveSummaryRows(model, rect.width),
      ]
    return [title, ...(isOrder ? orderRows(detail, input) : entityRows(detail, input))]
  },
}

function emptyRows(input: PaneInput): readonly Row[] {
  const { model, rect } = input
  const { tab, snapshot } = model
  const title = titleRow(input, 'order')
  if (tab !== 'order')
    return [title, ...hintRows(rect.width, `No ${tabNames[tab][1].toLowerCase()} is chosen.`)]
  if (snapshot && isContactAwaited(model) && !isPanelInTraffic(model))
    return [title, ...contactPanelRows(snapshot.info, rect.width, rect.height - 1)]
  const hint =
    (snapshot?.orders.length ?? 0) === 0 ? firstOrderHint(model) : 'Choose one in pane 3.'
  return [title, ...hintRows(rect.width, 'No order is chosen.', hint)]
}

/** Whether the traffic is visible, which then has the panel. */
const isPanelInTraffic = (model: Model): boolean => listHeight(model, 'traffic') > 0

const orderTitle = ({ row: order }: OrderDetail, input: PaneInput): Row =>
  titleRow(
    input,
    'order',
    [span(`${order.displayId} ${order.profile}`, 'strong')],
    [span(shortId(order.orderId), 'muted')],
  )

const entityTitle = ({ row: entity }: EntityDetail, input: PaneInput): Row =>
  titleRow(
    input,
    'order',
    [span(entity.label, 'strong')],
    [span(shortId(entity.orderId ?? entity.id), 'muted')],
  )

const orderRows = (detail: OrderDetail, input: PaneInput): readonly Row[] =>
  rowsWithMoves(
    [
      headRow(detail, input),
      ...failedRuleRows(input),
      ...lifecycleRows(detail, input),
      ...disagreementRows(detail),
    ],
    [['events', eventRows(detail, input.rect.width)]],
    input,
  )

const entityRows = (detail: EntityDetail, input: PaneInput): readonly Row[] =>
  rowsWithMoves([row(span(` ${detail.row.text}`)), ...lifecycleRows(detail, input)], [], input)

/** Number of failed rules that are explained in full, and of rows for each. */
const maxRulesInFull = 3
const maxRuleRows = 4

const failedRulesHere = (model: Model): readonly RuleFailure[] =>
  model.tab === 'order' ? failedRulesOfOrder(model, model.orderId) : []

function failedRuleRows({ model, rect, glyphs }: PaneInput): readonly Row[] {
  const rules = failedRulesHere(model)
  const explained = rules.slice(0, maxRulesInFull).flatMap(({ id, because }) =>
    wordWrap(`${glyphs.failed} ${id} ${because}`, Math.max(1, rect.width - 2))
      .slice(0, maxRuleRows)
      .map((line, index) => row(span(` ${index === 0 ? '' : '  '}${line}`, 'err'))),
  )
  const more = rules.length - maxRulesInFull
  return more > 0 ? [...explained, row(span(` ${more} more: I lists them`, 'err'))] : explained
}

/** The failed rules on one row, for low panes. */
function failedRuleSummary({ model, rect, glyphs }: PaneInput): readonly Row[] {
  const rules = failedRulesHere(model)
  const [first] = rules
  if (!first) return []
  const others = rules.length > 1 ? ` (${rules.length - 1} more: I)` : ''
  const text = `${glyphs.failed} ${first.id}${others} ${first.because}`
  return [row(...columnSpans(rect.width - 1, [{ text: ` ${text}`, tone: 'err' }]))]
}

function headRow({ row: order }: OrderDetail, { rect }: PaneInput): Row {
  return {
    spans: columnSpans(rect.width, [
      { text: ` ${order.merchant}${order.customer === undefined ? '' : ` for ${order.customer}`}` },
      { text: order.amount, width: Math.min(12, order.amount.length), align: 'right' },
    ]),
  }
}

function disagreementRows({ row: order, effects }: OrderDetail): readonly Row[] {
  const { believed, status, cancellation } = order
  const rows: Row[] = []
  if (believed !== undefined && believed !== status)
    rows.push(row(span(` ! SS believes ${believed}`, 'warn')))
  if (effects) rows.push(row(span(` ${effectsText(effects)}`, 'muted')))
  if (cancellation !== undefined) rows.push(row(span(` ! cancellation: ${cancellation}`, 'warn')))
  return rows
}

const eventRows = ({ events }: OrderDetail, width: number): readonly Row[] =>
  events.map(({ eventType, state }) => ({
    spans: columnSpans(width, [
      { text: ` ${eventType}`, width: Math.min(30, Math.floor(width / 2)) },
      { text: state, tone: 'muted' },
    ]),
  }))
