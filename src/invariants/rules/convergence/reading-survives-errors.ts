/** CV-4: one failed read does not end reading: an open order is read again. */
import { setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import type { Cited } from '../../verdict.ts'
import { isRefusal } from '../../tracking/subject-order.ts'
import { mostKept } from '../../tracking/bounded-map.ts'
import { isOver, progressions, progressOf } from '../../tracking/progress.ts'
import { atClock, cites, lasting, nameOf, outcomeOf } from '../../tracking/wording.ts'

interface Failure {
  readonly outcome: string
  readonly began: Instant
  readonly ended: Instant
  readonly cite: Cited
}

/** The last read of each order, if it failed. */
type State = Map<string, Failure>

/** A 404 is no final refusal here: the service knows that the order exists. */
const hasFailed = (seen: SeenExchange): boolean =>
  !seen.ok && (seen.status === 404 || !isRefusal(seen))

export const readingSurvivesErrors = defineInvariant<State>({
  id: 'CV-4',
  name: 'reading-survives-errors',
  sentence: 'The service reads an open order again after a reading that failed.',
  kind: 'liveness',
  clauses: ['ORD-EVR-06', 'TRN-STA-12'],
  premise: 'reading an order that had been read before failed',
  binds: ['software-service'],
  sees: { failures: [...progressions, 'getOrder'] },
  start: () => new Map(),
  minds: (failures) => failures.size > 0,
  shown: {
    exchange(failures, seen, tracker, report) {
      if (seen.by !== 'subject' || seen.orderId === undefined) return
      const { orderId } = seen
      // A progress call shows that the service learned the state by other means.
      const isStep = progressOf(seen) !== undefined
      const before = failures.get(orderId)
      if (before && seen.began >= before.began) failures.delete(orderId)
      const order = tracker.orders.get(orderId)
      if (isStep || !order?.read || isOver(order.truth) || !hasFailed(seen)) return
      report.premise()
      const { began, ended } = seen
      const failure = { outcome: outcomeOf(seen), began, ended, cite: seen.cite }
      setBounded(failures, orderId, failure, mostKept)
    },
  },
  end(failures, tracker, report) {
    for (const [orderId, failed] of failures) {
      const order = tracker.orders.get(orderId)
      if (!order || isOver(order.truth) || order.isForeign) continue
      if (!tracker.overdue(failed.ended)) {
        report.open()
        continue
      }
      report.broken({
        because: `The service has not read ${nameOf(tracker, orderId)} again since its GET ${atClock(failed.began)} was ${failed.outcome}; that was ${lasting(tracker.now - failed.ended)} ago, and the order is ${order.truth}.`,
        evidence: cites(order.read?.cite, failed.cite),
        orderId,
      })
    }
  },
})
