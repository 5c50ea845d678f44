/** Panes 3 and 4 for a recording: the orders mentioned so far, and the exchanges of one order. */
import { shortRoleName } from '../../../protocol/role.ts'
import type { PlaybackSnapshot, PlaybackViewRow } from '../../../session-api/playback.ts'
import { focusOf, listHeight } from '../../model/model.ts'
import { columnSpans, type Row, row, span, type Tone } from '../text/row.ts'
import { ageText, timeText } from '../text/time.ts'
import { hintRows, listRow, type PaneInput, shortId } from './pane.ts'
import { standingSigns } from './recording.ts'
import { isFailureStatus } from './strip.ts'
import { titleRow } from './title.ts'

export function recordingOrderRows(input: PaneInput, playback: PlaybackSnapshot): readonly Row[] {
  const { model, rect } = input
  const { orders, orderCount, now } = playback
  const title = titleRow(input, 'orders', [], [span(`${orderCount} so far`, 'muted')])
  if (orders.length === 0)
    return [title, ...hintRows(rect.width, 'No exchange up to here is about an order.')]
  const chosen = focusOf(model) === 'orders' ? 'here' : 'elsewhere'
  const from = Math.max(0, model.orders.top - (model.seen?.query.ordersOffset ?? 0))
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
