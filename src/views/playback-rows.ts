/** Rows of recorded exchanges. */
import { compact } from '../compact.ts'
import type { PlaybackViewRow } from '../session-api/playback.ts'
import { eventTypeOf } from '../traffic/difference/split-by-event.ts'
import { type Exchange, wallDurationMs } from '../traffic/exchange.ts'
import { trafficRow } from './traffic-rows.ts'

/** Short text of an exchange: `confirmOrder`, `receiveOrderEvent CONFIRMED`, `GET /orders`. */
export function exchangeText(exchange: Exchange): string {
  const { operation, request } = exchange
  const type = eventTypeOf(exchange)
  const name = operation ?? `${request.method} ${trafficRow(exchange).path}`
  return type === undefined ? name : `${name} ${type}`
}

/** Row without playback state: status and bookmark. */
export function playbackRow(recorded: Exchange, place: number, sent: boolean): PlaybackViewRow {
  const { seq, startedAt, from, to, operation, orderId, fault, reply } = recorded
  return {
    place,
    seq,
    startedAt,
    tookMs: wallDurationMs(recorded),
    from: from.role,
    to: to.role,
    ...compact({ operation }),
    text: exchangeText(recorded),
    status: reply?.status ?? 0,
    ...compact({ orderId, fault }),
    sent,
  }
}
