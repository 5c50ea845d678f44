/**
 * RT-6. A call that an order waits for, and that failed in a way which another try may mend, is made again, or has become
 * needless (TRN-STA-10 to 12). A person's wish to cancel is not among them: nobody may repeat it unasked.
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

/** Calls that failed and were not made again. */
type State = Map<string, Wanted>

const most = 5000

/** Calls about a delivery that make sense only when it is there. */
const ofDelivery: ReadonlySet<string> = new Set(['getDelivery', 'setDeliveryReadyForPickup'])

/** The service takes the delivery of an order for created. */
function rely(state: State, { orderId, exchange }: SeenExchange): void {
  const wanted = state.get(`createDelivery ${exchange.to.role} ${orderId}`)
  if (wanted) wanted.relied = true
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
  minds: (wanted) => wanted.size > 0,
  shown: {
    exchange(state, exchange, _watch, tell) {
      if (exchange.by !== 'subject' || (exchange.ok && state.size === 0)) return
      const key = callKey(exchange)
      if (key === undefined) return
      if (ofDelivery.has(exchange.operation ?? '')) rely(state, exchange)
      const before = state.get(key)
      // Two that were under way together: the one that began last counts.
      if (before && exchange.began < before.failed.began) return
      state.delete(key)
      if (!mayBeTriedAgain(told(exchange))) return
      const since = Math.max(exchange.ended, retryAfter(exchange) ?? 0)
      const wanted = wantedOf(exchange, since, (before?.tries ?? 0) + 1)
      if (!wanted) return
      tell.premise()
      setBounded(state, key, wanted, most)
    },
  },
  end(state, watch, tell) {
    for (const [key, wanted] of state) {
      if (!isStillWanted(wanted, watch)) continue
      const { failed, since, tries, orderId } = wanted
      if (!watch.overdue(since)) {
        tell.open()
        continue
      }
      tell.broken({
        because: `The service tried ${callName(failed, watch)} ${timesName(tries)}, got ${answerName(failed)}, and has not come back to it for ${lasting(watch.now - failed.ended)}.`,
        evidence: [failed.cite],
        orderId,
        once: key,
      })
    }
  },
})
