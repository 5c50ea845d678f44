/**
 * RT-4. After a reply with Retry-After the operation is not called before that time (TRN-STA-10), by any part of the
 * service and for any order. Calls in flight at that moment are excused.
 */
import type { Instant } from '../../../engine/instant.ts'
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { callKey, isAnybodys, retryAfter } from '../../helpers/call-outcome.ts'
import { everyRole } from '../../helpers/roles.ts'
import { answerName, callName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { lasting } from '../../tracking/wording.ts'

interface RequestedPause {
  readonly until: Instant
  readonly by: SeenExchange
  readonly key: string | undefined
  /** The origin it applies to: another host may serve the same operation. */
  readonly origin: string
}

/** The last Retry-After pauses by operation; several, since replies may arrive late. */
type State = Map<string, readonly RequestedPause[]>

const maxOperations = 200
const maxPauses = 4
/** In ms: timers fire slightly early, and a date has no milliseconds. */
const toleranceMs = 100

const originOf = (url: string): string => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

export const retryAfterIsWaitedOut = defineInvariant<State>({
  id: 'RT-4',
  name: 'retry-after-is-waited-out',
  sentence:
    'After an answer with Retry-After the service makes no call of that kind before that time is over.',
  kind: 'timing',
  clauses: ['TRN-STA-10', 'TRN-STA-12'],
  premise: 'the service got an answer with Retry-After',
  binds: everyRole,
  sees: { failures: 'all' },
  start: () => new Map(),
  minds: (gates) => gates.size > 0,
  shown: {
    exchange(state, exchange, tracker, report) {
      const { operation, began, ended } = exchange
      if (exchange.by !== 'subject' || operation === undefined) return
      if (isAnybodys(exchange, tracker)) return
      const { url } = exchange.exchange.request
      for (const pause of state.get(operation) ?? []) {
        const { by, until, origin, key } = pause
        // The call that received the reply knows at once; others may be in flight.
        const knows = by.ended + (key === callKey(exchange) ? 0 : tracker.patience.inFlightMs)
        if (began < knows || exchange.exchange.seq <= by.exchange.seq) continue
        if (began >= until - toleranceMs || !url.startsWith(origin)) continue
        report.broken({
          because: `The service made ${callName(exchange, tracker)} ${lasting(began - by.ended)} after ${answerName(by)}.`,
          evidence: [by.cite, exchange.cite],
          orderId: exchange.orderId,
          once: `${by.exchange.seq}`,
        })
      }
      const until = exchange.ok ? undefined : retryAfter(exchange)
      if (until === undefined || until <= ended) return
      report.premise()
      const pause = { until, by: exchange, key: callKey(exchange), origin: originOf(url) }
      const before = state.get(operation) ?? []
      setBounded(state, operation, [...before.slice(1 - maxPauses), pause], maxOperations)
    },
  },
})
