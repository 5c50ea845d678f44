/**
 * SE-5: a refused or failed call is no reason to cancel an order. The wire does not show whether a person wanted it, so
 * only a cancellation right after such a failure counts, unless an operator requested it.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import type { Moment } from '../../tracking/service-clock.ts'
import { defineInvariant } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Evidence } from '../../verdict.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { orderIdOfExchange } from '../../tracking/exchange-fields.ts'
import { progressOperations } from '../../tracking/progress.ts'
import { durationText, orderName, replyText } from '../../tracking/wording.ts'

interface Failure {
  readonly operation: string
  readonly outcome: string
  readonly end: Moment
  readonly cite: Evidence
}

/** A rejected token says nothing about the order. */
const isFailure = ({ ok, status }: ObservedExchange): boolean => !ok && status !== 401

export const noCancellationUnasked = defineInvariant({
  id: 'SE-5',
  name: 'no-cancellation-unasked',
  sentence: 'Must not request the cancellation of an order only because a call failed.',
  remedy:
    'Retry the failed call, and request a cancellation only for a business reason, such as an item that is not available.',
  kind: 'safety',
  clauses: ['ORD-OPS-10', 'TRN-STA-12'],
  premise: 'a call about an order was refused or failed',
  calls: [...progressOperations, 'getOrder', 'createDelivery', 'requestCancellation'],
  /** The last call about each order, if it failed. */
  start: () => new Map<string, Failure>(),
  call(failures, observed, tracker, report) {
    const orderId = orderIdOfExchange(observed)
    if (orderId === undefined) return
    if (observed.operation !== 'requestCancellation') {
      if (!isFailure(observed)) failures.delete(orderId)
      else {
        report.premise()
        const { operation = '', end } = observed
        const failure = { operation, outcome: replyText(observed), end, cite: observed.evidence }
        setBounded(failures, orderId, failure, maxTrackedKeys)
      }
      return
    }
    const failed = failures.get(orderId)
    if (!failed || tracker.operatorCancellations.has(orderId)) return
    const later = tracker.timing.longestMs(failed.end, observed.start)
    if (later < 0 || later > tracker.limits.graceMs) return
    const name = orderName(tracker, orderId)
    report.failed({
      timing: tracker.timing.atLeast(failed.end, observed.start, tracker.limits.graceMs),
      because: `The service requested the cancellation of ${name} ${later === 0 ? 'as soon as' : `${durationText(later)} after`} its ${failed.operation} was ${failed.outcome}; no operator had cancelled the order.`,
      evidence: [failed.cite, observed.evidence],
      orderId,
    })
  },
})
