/** Recorded exchanges as the rows of a list. */
import { compact } from '../compact.ts'
import type { PlaybackViewRow } from '../session-api/playback.ts'
import { eventTypeOf } from '../traffic/difference/split-by-event.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { trafficRow } from './traffic-rows.ts'

/** What an exchange was, in a few words: `confirmOrder`, `receiveOrderEvent CONFIRMED`, `GET /orders`. */
export function exchangeText(exchange: Exchange): string {
  const { operation, request } = exchange
  const type = eventTypeOf(exchange)
  const name = operation ?? `${request.method} ${trafficRow(exchange).path}`
  return type === undefined ? name : `${name} ${type}`
}

/** Without what a playback adds to it: what came of it, and its bookmark. */
export function playbackRow(recorded: Exchange, place: number, sent: boolean): PlaybackViewRow {
  const { seq, startedAt, tookMs, from, to, operation, orderId, fault, reply } = recorded
  return {
    place,
    seq,
    startedAt,
    tookMs,
    from: from.role,
    to: to.role,
    ...compact({ operation }),
    text: exchangeText(recorded),
    status: reply?.status ?? 0,
    ...compact({ orderId, fault }),
    sent,
  }
}
