/** Rows of recorded exchanges, and rules from accepted differences. */
import { compact } from '../base/compact.ts'
import type { PlaybackViewRow } from '../session-api/playback.ts'
import { eventTypeOf } from '../traffic/recording/split-by-event.ts'
import { type Exchange, wallDurationMs } from '../traffic/exchange.ts'
import { trafficRow } from './traffic-rows.ts'
import type { Comparator, Difference, Rule } from '../traffic/recording/difference.ts'

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

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** JSON Pointer token to JSONPath step; an array index becomes a wildcard. */
function stepOf(token: string): string {
  if (/^\d+$/.test(token)) return '[*]'
  const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
  if (plainName.test(name)) return `.${name}`
  return `['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`
}

/** `/body/items/0/price` as `$.body.items[*].price`. */
export const jsonPathOfPointer = (pointer: string): string =>
  `$${pointer.split('/').slice(1).map(stepOf).join('')}`

/** Rule that accepts this difference and all similar ones. */
export const ruleForDifference = (
  { side, where }: Difference,
  compare: Comparator,
  about: { readonly operation?: string | undefined; readonly seq: number },
): Rule => ({
  at: jsonPathOfPointer(where),
  side,
  ...compact({ operation: about.operation }),
  compare,
  from: 'user',
  reason: `accepted by hand, at exchange ${about.seq}`,
})
