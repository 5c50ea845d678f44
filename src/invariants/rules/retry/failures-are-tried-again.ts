/**
 * RT-6. A call that an order needs and that failed retryably is retried, unless it became unnecessary (TRN-STA-10 to
 * 12). Cancellation requests are exempt: they express a person's decision.
 */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { callKey, mayBeTriedAgain, retryAfter, told } from '../../helpers/call-outcome.ts'
import {
  isStillWanted,
  type Wanted,
  wantedOf,
  wantedOperations,
} from '../../helpers/pending-calls.ts'
import { answerName, callName, timesName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { lasting } from '../../tracking/wording.ts'

/** Failed calls that were not retried yet, by retry key. */
type State = Map<string, Wanted>

const maxEntries = 5000

/** Calls that require the delivery to exist. */
const ofDelivery: ReadonlySet<string> = new Set(['getDelivery', 'setDeliveryReadyForPickup'])

/** The service acts as if the delivery existed. */
function assumeDeliveryExists(state: State, { orderId, exchange }: SeenExchange): void {
  const pending = state.get(`createDelivery ${exchange.to.role} ${orderId}`)
  if (pending) pending.relied = true
}

export const failuresAreTriedAgain = defineInvariant<State>({
  id: 'RT-6',
  name: 'failures-are-tried-again',
  sentence: 'A call that an order waits for and that failed for the moment is made again.',
  kind: 'liveness',
  clauses: ['TRN-STA-10', 'TRN-STA-11', 'TRN-STA-12'],
  premise: 'a call that an order waits for failed in a way which another try may mend',
  binds: ['software-service'],
  sees: { failures: [...wantedOperations, 'getDelivery'] },
  start: () => new Map(),
  minds: (pending) => pending.size > 0,
  shown: {
    exchange(state, exchange, _watch, report) {
      if (exchange.by !== 'subject' || (exchange.ok && state.size === 0)) return
      const key = callKey(exchange)
      if (key === undefined) return
      if (ofDelivery.has(exchange.operation ?? '')) assumeDeliveryExists(state, exchange)
      const before = state.get(key)
      // Of overlapping tries the one that began last counts.
      if (before && exchange.began < before.failed.began) return
      state.delete(key)
      if (!mayBeTriedAgain(told(exchange))) return
      const since = Math.max(exchange.ended, retryAfter(exchange) ?? 0)
      const pending = wantedOf(exchange, since, (before?.tries ?? 0) + 1)
      if (!pending) return
      report.premise()
      setBounded(state, key, pending, maxEntries)
    },
  },
  end(state, tracker, report) {
    for (const [key, pending] of state) {
      if (!isStillWanted(pending, tracker)) continue
      const { failed: lastFailure, since, tries, orderId } = pending
      if (!tracker.overdue(since)) {
        report.open()
        continue
      }
      report.broken({
        because: `The service tried ${callName(lastFailure, tracker)} ${timesName(tries)}, got ${answerName(lastFailure)}, and has not come back to it for ${lasting(tracker.now - lastFailure.ended)}.`,
        evidence: [lastFailure.cite],
        orderId,
        once: key,
      })
    }
  },
})
