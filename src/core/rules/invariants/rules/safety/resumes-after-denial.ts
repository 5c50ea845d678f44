/**
 * SE-12: a 202 to a cancellation request cancels nothing. If the request is denied the order goes on to its end, even
 * if the denial event was lost: GET shows it.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import type { Evidence } from '../../verdict.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { atTimeOfDay, durationText, orderName } from '../../tracking/wording.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'

export const resumesAfterDenial = defineInvariant({
  id: 'SE-12',
  name: 'resumes-after-denial',
  sentence: 'Must continue an order to its end after a cancellation request for it was denied.',
  remedy:
    'Handle CANCELLATION_REQUEST_DENIED: read the order and continue from the status that GET shows.',
  kind: 'liveness',
  clauses: ['ORD-CAN-04', 'ORD-CAN-06', 'ORD-EVT-15'],
  premise: 'a request of the service to cancel an order was denied',
  calls: ['requestCancellation'],
  start: () => ({
    /** The last cancellation request per order. */
    requests: new Map<string, Evidence>(),
    /** Orders with a denied request, by the instant of the denial. */
    denied: new Map<string, Instant>(),
  }),
  call({ requests }, { orderId, evidence }) {
    if (orderId !== undefined) setBounded(requests, orderId, evidence, maxTrackedKeys)
  },
  facts: {
    'order.moved'({ denied }, { orderId, to }) {
      if (isFinalStatus(to)) denied.delete(orderId)
    },
    'cancellation.answered'({ requests, denied }, { orderId, answer }, tracker, report) {
      const order = answer === 'deny' ? tracker.orders.get(orderId) : undefined
      if (!order || !requests.has(orderId) || isFinalStatus(order.hostStatus)) return
      report.premise()
      setBounded(denied, orderId, tracker.now, maxTrackedKeys)
    },
  },
  end({ requests, denied }, tracker, report) {
    for (const [orderId, since] of denied) {
      const order = tracker.orders.get(orderId)
      if (!order) continue
      // An accepted request that has not taken effect yet is Sparring's turn.
      const timing = tracker.deadline(since)
      if (timing.outcome === 'fine' || tracker.pendingWork.affectsOrder(orderId)) {
        report.open()
        continue
      }
      const name = orderName(tracker, orderId)
      report.failed({
        timing,
        because: `The cancellation request for ${name} was denied ${atTimeOfDay(since)}, and ${durationText(tracker.now - since)} later the order is still ${order.hostStatus}.`,
        evidence: [requests.get(orderId), order.lastCall],
        orderId,
      })
    }
  },
})
