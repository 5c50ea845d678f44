/**
 * Panes for a recording: in 2 its exchanges with the result of each, where the current one is always marked and everything
 * below it is still to come; in 3 and 4 the orders mentioned so far, and the exchanges of one order.
 */
import { shortRoleName } from '../../../../core/protocol/role.ts'
import type { PlaybackSnapshot, PlaybackViewRow } from '../../../../core/session-api/playback.ts'
import { focusOf, listHeight, type Model } from '../../model/model.ts'
import { hidesIdle } from '../../model/query.ts'
import { currentPlace, recordingWindow } from '../../model/recording.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { totalText } from '../timeline.ts'
import { columnSpans, type Row, row, type Span, span, type Tone } from '../text/row.ts'
import { ageText, shortDurationText, timeText } from '../text/time.ts'
import { hintRows, listRow, type PaneInput, shortId } from './pane.ts'
import { titleRow } from './title.ts'
import type { Standing } from '../../../../core/traffic/recording/standing.ts'
import { isFailureStatus } from './lifecycle.ts'

/** Sign for each result, ASCII in every glyph set: rows that change often are ASCII. */
export const standingSigns: Readonly<Record<Standing, readonly [sign: string, tone: Tone]>> = {
  same: ['=', 'ok'],
  noise: ['~', 'ok'],
  gone: ['g', 'ok'],
  late: ['t', 'warn'],
  changed: ['!', 'err'],
  identity: ['#', 'err'],
  missing: ['-', 'err'],
  extra: ['+', 'err'],
  blocked: ['|', 'warn'],
  unresolved: ['?', 'warn'],
  auth: ['a', 'err'],
  error: ['x', 'err'],
}

export function recordingRows(input: PaneInput, playback: PlaybackSnapshot): readonly Row[] {
  const { model, rect } = input
  const { rows, total, at } = playback
  const place = Math.min(at + 1, total)
  const title = titleRow(input, 'traffic', filterText(model, playback), [
    span(`${place} of ${totalText(playback)}`, 'muted'),
  ])
  if (rows.length === 0) return [title, ...emptyText(model, playback, rect.width)]
  const height = listHeight(model, 'traffic')
  const { top, chosen } = recordingWindow(model, height)
  // The current exchange may be hidden: the next one that is shown stands for it.
  const current = rows.find((each) => each.place >= currentPlace(model))?.place ?? total
  const focused = focusOf(model) === 'traffic'
  return [
    title,
    ...rows.slice(top, top + height).map((each, index): Row => {
      const here = top + index === chosen
      const spans = [
        // Without colours only the sign marks the chosen row.
        span(here && focused ? '>' : ' '),
        ...exchangeSpans(each, { current, width: rect.width, model, glyphs: input.glyphs }),
      ]
      return listRow(spans, each.place, here ? (focused ? 'here' : 'elsewhere') : undefined)
    }),
  ]
}

function filterText(model: Model, { passing, tried, problem }: PlaybackSnapshot): readonly Span[] {
  const { filter } = model
  if (filter.draft === '') return hidesIdle(model) ? [span('no idle polls', 'muted')] : []
  const progress = tried === undefined ? `${passing} fit` : `${passing} fit of ${tried} tried`
  return [
    span(`/${filter.draft}`, filter.problem === undefined ? 'info' : 'err'),
    span(problem === undefined ? ` (${progress})` : '', 'muted'),
  ]
}

function emptyText(
  { filter }: Model,
  { total, tried }: PlaybackSnapshot,
  width: number,
): readonly Row[] {
  if (total === 0) return hintRows(width, 'The recording has no exchanges.')
  if (tried !== undefined) return hintRows(width, `Looking: ${tried} of ${total} tried.`)
  if (filter.draft === '') return []
  return hintRows(width, 'No exchange matches the filter.', '/ changes it, esc takes it away.')
}

interface RowContext {
  readonly current: number
  readonly width: number
  readonly model: Model
  readonly glyphs: Glyphs
}

const callTone = (status: number): Tone =>
  status === 0 || status >= 500 ? 'err' : status >= 400 ? 'warn' : 'plain'

/** Sign of the result; a dot while it is still to be sent, blank when it is not sent. */
function resultSign({ standing, sent }: PlaybackViewRow): readonly [sign: string, tone: Tone] {
  if (standing !== undefined) return standingSigns[standing]
  return [sent ? '.' : ' ', 'muted']
}

/** With the fault that disturbed it, and whether it is edited. */
function rowText({ text, fault, edited }: PlaybackViewRow): string {
  const disturbed = fault === undefined ? text : `~${fault.split(' ')[0]} ${text}`
  return edited ? `edited ${disturbed}` : disturbed
}

function exchangeSpans(
  exchange: PlaybackViewRow,
  { current, width, model, glyphs }: RowContext,
): readonly Span[] {
  const { place, seq, startedAt, from, to, status, tookMs, orderId, mark } = exchange
  const isCurrent = place === current
  const past = place < current
  const [sign, tone] = resultSign(exchange)
  const isOfChosenOrder = orderId !== undefined && orderId === model.orderId
  const roomy = width >= 70
  const playedTone: Tone = past || isCurrent ? 'plain' : 'muted'
  return [
    span(isCurrent ? glyphs.next : ' ', 'accent'),
    span(mark === undefined ? ' ' : '*', 'accent'),
    ...columnSpans(width - 3, [
      { text: sign, width: 1, tone },
      { text: `#${seq}`, width: 7, align: 'right', tone: isCurrent ? 'accent' : 'muted' },
      { text: timeText(startedAt, roomy), width: roomy ? 12 : 8, tone: 'muted' },
      {
        text: `${shortRoleName[from]}>${shortRoleName[to]}`,
        width: 6,
        tone: exchange.sent ? 'info' : playedTone,
      },
      { text: rowText(exchange), tone: exchange.edited ? 'accent' : playedTone },
      { text: status === 0 ? '---' : String(status), width: 3, tone: callTone(status) },
      ...(roomy
        ? [{ text: shortDurationText(tookMs), width: 6, align: 'right', tone: 'muted' } as const]
        : []),
      ...(width >= 58
        ? [
            {
              text: shortId(orderId),
              width: 8,
              tone: isOfChosenOrder ? 'accent' : 'muted',
            } as const,
          ]
        : []),
    ]),
  ]
}

export function recordingOrderRows(input: PaneInput, playback: PlaybackSnapshot): readonly Row[] {
  const { model, rect } = input
  const { orders, orderCount, now } = playback
  const title = titleRow(input, 'orders', [], [span(`${orderCount} so far`, 'muted')])
  if (orders.length === 0)
    return [title, ...hintRows(rect.width, 'No exchange up to here is about an order.')]
  const chosen = focusOf(model) === 'orders' ? 'here' : 'elsewhere'
  const from = Math.max(0, model.orders.top - (model.snapshot?.query.ordersOffset ?? 0))
  return [
    title,
    ...orders.slice(from, from + listHeight(model, 'orders')).map((order): Row => {
      const here = order.orderId === model.orderId
      const spans = [
        span(here ? '>' : ' '),
        ...columnSpans(rect.width - 1, [
          { text: shortId(order.orderId), width: 13, tone: 'strong' },
          { text: order.status ?? '', width: 11, tone: statusTone(order.status) },
          { text: order.text, tone: 'muted' },
          { text: ageText(now - order.at), width: 6, align: 'right', tone: 'muted' },
        ]),
      ]
      return listRow(spans, order.orderId, here ? chosen : undefined)
    }),
  ]
}

const statusTone = (status: string | undefined): Tone =>
  status !== undefined && isFailureStatus(status) ? 'err' : 'plain'

/** Sequence diagram with a lane per role: `*` marks the sender, an arrow the receiver. */
export function recordingLaneRows(input: PaneInput, playback: PlaybackSnapshot): readonly Row[] {
  const { model, rect } = input
  const right = model.orderId === undefined ? [] : [span(shortId(model.orderId), 'muted')]
  const title = titleRow(input, 'order', [], right)
  if (model.orderId === undefined) return [title, ...hintRows(rect.width, 'No order is chosen.')]
  if (playback.lane.length === 0)
    return [title, ...hintRows(rect.width, 'No exchange up to here is about this order.')]
  const parties = [...new Set(playback.lane.flatMap(({ from, to }) => [from, to]))].toSorted()
  const height = Math.max(0, rect.height - 2)
  const heads = parties.map((role) => ({
    text: shortRoleName[role],
    width: 4,
    tone: 'strong' as const,
  }))
  return [
    title,
    row(...columnSpans(rect.width, [{ text: '', width: 9 }, ...heads, { text: '' }])),
    ...playback.lane.slice(-height).map((each) => laneRow(each, parties, rect.width)),
  ]
}

function laneRow(
  { startedAt, from, to, text, status, standing }: PlaybackViewRow,
  parties: readonly PlaybackViewRow['from'][],
  width: number,
): Row {
  const [source, target] = [parties.indexOf(from), parties.indexOf(to)]
  const lanes = parties.map((role) => {
    if (role === from) return { text: target > source ? '*-->' : '*', width: 4 }
    if (role === to) return { text: target > source ? '|' : '|<--', width: 4 }
    return { text: '|', width: 4, tone: 'muted' as const }
  })
  const [sign, tone] = standing === undefined ? [' ', 'muted' as const] : standingSigns[standing]
  return row(
    ...columnSpans(width, [
      { text: timeText(startedAt, false), width: 9, tone: 'muted' },
      ...lanes,
      { text },
      {
        text: status === 0 ? '---' : String(status),
        width: 3,
        tone: status >= 400 || status === 0 ? 'warn' : 'plain',
      },
      { text: sign, width: 1, tone },
    ]),
  )
}
