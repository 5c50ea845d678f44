/**
 * Pane 2, past: exchanges, one per row. Rows are ASCII: they change with every frame, and an ASCII frame costs the
 * terminal half as much.
 */
import { firstOrderHint } from '../../model/key-outcomes.ts'
import { compact } from '../../../../core/base/compact.ts'
import type { SessionInfo, TrafficRow } from '../../../../core/session-api/session-api.ts'
import { shortRoleName } from '../../../../core/protocol/role.ts'
import { contactPanelRows, isContactAwaited } from '../contact.ts'
import { hidesOthers } from '../../model/query.ts'
import { failedRulesOfExchange } from '../../model/failed-rules.ts'
import { focusOf, listHeight, type Model } from '../../model/model.ts'
import {
  type Cell,
  columnSpans,
  emptyRow,
  type Row,
  type Span,
  span,
  type Tone,
} from '../text/row.ts'
import { shortDurationText, timeText } from '../text/time.ts'
import { logWindow } from '../../update/logs.ts'
import { hintRows, listRow, type Pane, type PaneInput, shortId } from './pane.ts'
import { recordingRows } from './recording.ts'
import { followText, onlyOrderText, titleRow } from './title.ts'

export const trafficPane: Pane = {
  id: 'traffic',
  rows(input) {
    const { model } = input
    const { playback } = model.snapshot ?? {}
    if (playback) return recordingRows(input, playback)
    const rows = model.snapshot?.traffic ?? []
    const [filter, narrowed] = [filterText(input), onlyOrderText(model)]
    const between = filter.length > 0 && narrowed.length > 0 ? [span(' ')] : []
    const left = [...filter, ...between, ...narrowed]
    const title = titleRow(input, 'traffic', left, followText(model, 'traffic'))
    if (rows.length === 0) return [title, ...emptyText(input)]
    const height = listHeight(model, 'traffic')
    const { top, chosen } = logWindow(rows, model.traffic, height)
    const focused = focusOf(model) === 'traffic'
    const list = rows.slice(top, top + height).map((exchange, index): Row => {
      const here = top + index === chosen && focused
      const spans = [span(here ? '>' : ' '), ...trafficSpans(exchange, input)]
      return listRow(spans, exchange.seq, here ? 'here' : undefined)
    })
    return [title, ...list, ...contactBelow(input, height - list.length)]
  },
}

/** The first calls of a service may fail: what it needs stays below them until it has connected. */
function contactBelow({ model, rect }: PaneInput, height: number): readonly Row[] {
  if (!model.snapshot || height < minContactHeight || !isContactAwaited(model)) return []
  return [emptyRow, ...contactPanelRows(model.snapshot.info, rect.width, height - 1)]
}

/** Minimum number of free rows for the panel. */
const minContactHeight = 5

function filterText({ model, rect }: PaneInput): readonly Span[] {
  const { filter, snapshot } = model
  const count = snapshot?.hidden ?? 0
  if (filter.draft === '') return count > 0 ? hiddenText(model, count, rect.width) : []
  const hidden = count > 0 ? [span(` (${count} hidden)`, 'muted')] : []
  return [span(`/${filter.draft}`, filter.problem === undefined ? 'info' : 'err'), ...hidden]
}

/** What is hidden by default: exchanges without the user's service, and idle polls. */
function hiddenText(model: Model, count: number, width: number): readonly Span[] {
  const polls = width < 66 ? '' : ` idle poll${count === 1 ? '' : 's'}`
  if (!hidesOthers(model)) return [span(`${count}${polls} hidden`, 'muted')]
  return [
    span(width < 66 ? 'yours' : 'with your service', 'info'),
    span(` ${count} hidden`, 'muted'),
  ]
}

function emptyText({ model, rect }: PaneInput): readonly Row[] {
  if (model.filter.draft !== '')
    return hintRows(
      rect.width,
      'No exchange matches the filter.',
      '/ changes it, esc takes it away.',
    )
  if (model.only) return hintRows(rect.width, 'Nothing was said about this order yet.')
  if (model.snapshot && isContactAwaited(model))
    return contactPanelRows(model.snapshot.info, rect.width, rect.height - 1)
  if ((model.snapshot?.hidden ?? 0) > 0)
    return hidesOthers(model)
      ? hintRows(
          rect.width,
          'No exchange with your service but idle polls lately.',
          '* shows those of the others, b idle polls.',
        )
      : hintRows(rect.width, 'Nothing but idle polls lately.', 'b shows them.')
  if ((model.snapshot?.info.counts.exchanges ?? 1) > 0) return []
  return hintRows(
    rect.width,
    'Waiting for the first request.',
    `Listening: ${listeningText(model.snapshot?.info)}`,
    firstOrderHint(model),
  )
}

const listeningText = (info: SessionInfo | undefined): string =>
  (info?.counterparts ?? []).map(({ role, url }) => `${shortRoleName[role]} ${url}`).join('  ')

function trafficSpans(
  exchange: TrafficRow,
  { model, rect: { width }, glyphs }: PaneInput,
): readonly Span[] {
  const { orderId } = model
  const roomy = width >= 80
  const failed = new Set(failedRulesOfExchange(model, exchange.seq).map(({ id }) => id))
  const [rule = ''] = failed
  const rules = failed.size > 1 ? `${rule} +${failed.size - 1}` : rule
  const isExplained = exchange.reason !== undefined || exchange.advice !== undefined
  const { tone, mark, status } = statusMark(exchange)
  const isOfChosenOrder = exchange.orderId !== undefined && exchange.orderId === orderId
  const order: Cell = {
    text: shortId(exchange.orderId),
    width: 8,
    tone: isOfChosenOrder ? 'accent' : 'muted',
  }
  const direction = `${shortRoleName[exchange.from]}>${shortRoleName[exchange.to]}`
  return columnSpans(width - 1, [
    { text: timeText(exchange.startedAt, roomy), width: roomy ? 12 : 8, tone: 'muted' },
    { text: direction, width: 6, tone: exchange.subject ? 'info' : 'plain' },
    ...callCells(exchange, width, rules),
    { text: status, width: 3, tone },
    rules === '' ? { text: mark, width: 1, tone } : { text: glyphs.failed, width: 1, tone: 'err' },
    { text: shortDurationText(exchange.tookMs), width: 6, align: 'right', tone: 'muted' },
    ...(width >= (isExplained ? reasonMinWidth : orderColumnMinWidth) ? [order] : []),
  ])
}

/** Minimum width in cells for the order column; narrower panes show the order in the path, if at all. */
const orderColumnMinWidth = 58
/** Minimum width in cells for method and path; narrower panes name the operation. */
const pathMinWidth = 72
/** Cells of all columns but the path's, with their gaps, where the pane is roomy. */
const otherColumnsWidth = 48
/** Minimum width in cells for path, reason and order; a narrower row with a reason has neither path nor order. */
const reasonMinWidth = 120

/**
 * Method and path, or operation. The order id, which has its own column, is shortened in a path that would be cut off.
 * What is wrong comes first, since the end may be cut off; in front of the reason the operation is enough.
 */
function callCells(exchange: TrafficRow, width: number, rules: string): readonly Cell[] {
  const { orderId, failure, fault, operation, method, reason, advice, resendOf, event } = exchange
  const said = event === undefined ? '' : ` ${event}`
  const path = `${exchange.path}${said}`
  const more = reason ?? advice
  // Distortion by a fault comes first, so that the reader looks for no other cause.
  const distorted = fault === undefined ? '' : `~${fault.split(' ')[0]} `
  const broken = rules === '' ? '' : `${rules} `
  // It was not the service that sent it.
  const again = resendOf === undefined ? '' : `again #${resendOf} `
  const failed = `${again}${broken}${distorted}${failure === undefined ? '' : `${failure} `}`
  const style = rules === '' ? {} : ({ tone: 'err' } as const)
  const isShort = width < pathMinWidth && width >= orderColumnMinWidth
  if (operation !== undefined && (isShort || (more !== undefined && width < reasonMinWidth)))
    return [{ text: `${failed}${operation}${said}`, ...compact({ more }), ...style }]
  const withId = (id: string): string =>
    `${failed}${orderId === undefined ? path : path.replaceAll(orderId, id)}`
  // The longest spelling that leaves the path whole; a reason behind it needs the room.
  const spellings = [orderId ?? '', shortId(orderId)].map(withId)
  const room = more === undefined ? width - otherColumnsWidth : 0
  const text =
    width < orderColumnMinWidth
      ? withId(shortId(orderId))
      : (spellings.find(({ length }) => length <= room) ?? withId('*'))
  return [
    { text: method, width: 4 },
    { text, ...compact({ more }), ...style },
  ]
}

/** Colour, sign and digits agree: `!` marks an error status, `x` a missing reply. */
function statusMark({ status }: TrafficRow): {
  readonly tone: Tone
  readonly mark: string
  readonly status: string
} {
  if (status === 0) return { tone: 'err', mark: 'x', status: '---' }
  if (status >= 500) return { tone: 'err', mark: '!', status: String(status) }
  if (status >= 400) return { tone: 'warn', mark: '!', status: String(status) }
  return { tone: status >= 300 ? 'info' : 'ok', mark: ' ', status: String(status) }
}
