/**
 * RT-6. A call that an order needs and that failed retryably is retried, unless it became unnecessary (TRN-STA-10 to
 * 12). Cancellation requests are exempt: they express a person's decision.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import {
  callKey,
  isRetryable,
  retryAfterInstant,
  callResultOf,
} from '../../helpers/call-outcome.ts'
import {
  isStillPending,
  type PendingCall,
  pendingCallOf,
  awaitedOperations,
} from '../../helpers/pending-calls.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { callName, durationText, replyName } from '../../tracking/wording.ts'
import { timesText } from '../../../../protocol/count-text.ts'

/** Failed calls that were not retried yet, by retry key. */
type State = Map<string, PendingCall>

const maxEntries = 5000

/** Calls that require the delivery to exist. */
const ofDelivery: ReadonlySet<string> = new Set(['getDelivery', 'setDeliveryReadyForPickup'])

/** The service acts as if the delivery existed. */
function assumeDeliveryExists(state: State, { orderId, exchange }: ObservedExchange): void {
  const pending = state.get(`createDelivery ${exchange.to.role} ${orderId}`)
  if (pending) pending.isAssumedDone = true
}

export const failuresAreTriedAgain = defineInvariant<State>({
  id: 'RT-6',
  name: 'failures-are-tried-again',
  sentence: 'Must retry a call that an order needs after a temporary failure.',
  remedy:
    'Retry after 429, 5xx and missing replies, with growing pauses, until the call succeeds or is no longer needed.',
  kind: 'liveness',
  clauses: ['TRN-STA-10', 'TRN-STA-11', 'TRN-STA-12'],
  premise: 'a call that an order needs failed temporarily',
  calls: [...awaitedOperations, 'getDelivery'],
  start: () => new Map(),
  call(state, exchange, _watch, report) {
    if (exchange.ok && state.size === 0) return
    const key = callKey(exchange)
    if (key === undefined) return
    if (ofDelivery.has(exchange.operation ?? '')) assumeDeliveryExists(state, exchange)
    const before = state.get(key)
    // Of overlapping tries the one that began last counts.
    if (before && exchange.began < before.failed.began) return
    state.delete(key)
    if (!isRetryable(callResultOf(exchange))) return
    const since = Math.max(exchange.ended, retryAfterInstant(exchange) ?? 0)
    const pending = pendingCallOf(exchange, since, (before?.tries ?? 0) + 1)
    if (!pending) return
    report.premise()
    setBounded(state, key, pending, maxEntries)
  },
  end(state, tracker, report) {
    for (const [key, pending] of state) {
      if (!isStillPending(pending, tracker)) continue
      const { failed: lastFailure, since, tries, orderId } = pending
      report.due(tracker.deadline(since), () => ({
        because: `The service tried ${callName(lastFailure, tracker)} ${timesText(tries)}, got ${replyName(lastFailure)}, and has not retried it for ${durationText(tracker.now - lastFailure.ended)}.`,
        evidence: [lastFailure.evidence],
        orderId,
        deduplicationKey: key,
      }))
    }
  },
})
