/**
 * SE-5: a refused or failed call is no reason to cancel an order. The wire does not show whether a person wanted it, so
 * only a cancellation right after such a failure counts, unless an operator requested it.
 */
import { setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import type { Cited } from '../../verdict.ts'
import { mostKept } from '../../tracking/bounded-map.ts'
import { orderIdOf } from '../../tracking/subject-order.ts'
import { progressions } from '../../tracking/progress.ts'
import { cites, lasting, nameOf, outcomeOf } from '../../tracking/wording.ts'

interface Failure {
  readonly operation: string
  readonly outcome: string
  readonly ended: Instant
  readonly cite: Cited
}

/** The last call about each order, if it failed. */
type State = Map<string, Failure>

/** A rejected token says nothing about the order. */
const isFailure = ({ ok, status }: SeenExchange): boolean => !ok && status !== 401

export const noCancellationUnasked = defineInvariant<State>({
  id: 'SE-5',
  name: 'no-cancellation-unasked',
  sentence:
    'The service asks to cancel an order because somebody wants it, never because a call failed.',
  kind: 'safety',
  clauses: ['ORD-OPS-10', 'TRN-STA-12'],
  premise: 'a call about an order was refused or failed',
  binds: ['software-service'],
  sees: {
    failures: [...progressions, 'getOrder', 'createDelivery', 'requestCancellation'],
  },
  start: () => new Map(),
  minds: (failures) => failures.size > 0,
  shown: {
    exchange(failures, seen, tracker, report) {
      if (seen.by !== 'subject') return
      const orderId = orderIdOf(seen)
      if (orderId === undefined) return
      if (seen.operation !== 'requestCancellation') {
        if (!isFailure(seen)) failures.delete(orderId)
        else {
          report.premise()
          const { operation = '', ended } = seen
          const failure = { operation, outcome: outcomeOf(seen), ended, cite: seen.cite }
          setBounded(failures, orderId, failure, mostKept)
        }
        return
      }
      const failed = failures.get(orderId)
      if (!failed || tracker.asked.has(orderId)) return
      const later = seen.began - failed.ended
      if (later < 0 || later > tracker.patience.graceMs) return
      const name = nameOf(tracker, orderId)
      report.broken({
        because: `The service asked to cancel ${name} ${later === 0 ? 'as soon as' : `${lasting(later)} after`} its ${failed.operation} was ${failed.outcome}; nobody had said that it was to be cancelled.`,
        evidence: cites(failed.cite, seen.cite),
        orderId,
        once: orderId,
      })
    },
  },
})
