/**
 * CV-6: in the end the service reports the host's status of an order, where it can be probed. CONCLUDED is optional, so
 * it equals the status that it follows.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { OrderStatus } from '../../../../protocol/orders/order.ts'
import { defineInvariant } from '../../invariant.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { isCancelledAtHost } from '../../tracking/progress.ts'
import { atTimeOfDay, durationText, orderName } from '../../tracking/wording.ts'
import { allOf } from '../../tracking/timing.ts'
import type { TrackedOrder } from '../../tracking/tracker-state.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'

/** Mismatches by order: the status that the service reported, and when. */
type State = Map<string, { readonly status: OrderStatus | undefined; readonly at: Instant }>

/** Maps CONCLUDED to the final status before it. */
function same(order: TrackedOrder, one: OrderStatus): boolean {
  const folded = (status: OrderStatus): OrderStatus =>
    status !== 'CONCLUDED' ? status : isCancelledAtHost(order) ? 'CANCELLED' : 'DELIVERED'
  return folded(one) === folded(order.hostStatus)
}

export const viewsAgree = defineInvariant<State>({
  id: 'CV-6',
  name: 'views-agree',
  sentence: 'Must end with the same status of every order as its host.',
  remedy:
    'Take the status from GET instead of from the sequence of events, and read an order again after each of its events.',
  kind: 'liveness',
  clauses: ['ORD-EVR-01', 'ORD-OPS-04'],
  premise: 'the service was asked for its own status of an order that it had received an event of',
  start: () => new Map(),
  probe(views, observed, tracker, report) {
    const { orderId, status: reported, at } = observed
    const order = tracker.orders.get(orderId)
    if (!order?.firstReceipt || order.isForeign) return
    const status = OrderStatus.safeParse(reported).data
    // Status names outside the protocol cannot be compared, and a finished order may be deleted.
    if (
      (reported !== undefined && status === undefined) ||
      (reported === undefined && isFinalStatus(order.hostStatus))
    )
      return
    report.premise()
    if (status !== undefined && same(order, status)) views.delete(orderId)
    else setBounded(views, orderId, { status, at }, maxTrackedKeys)
  },
  end(views, tracker, report) {
    for (const [orderId, { status, at }] of views) {
      const order = tracker.orders.get(orderId)
      // The order moved since the probe: only another probe shows more.
      if (!order?.firstReceipt || order.hostStatusSince > at) continue
      const since = Math.max(
        order.hostStatusSince,
        order.firstReceipt.since,
        tracker.faultFreeSince() ?? 0,
      )
      // The probe shows the state of its own time.
      const timing = allOf(
        tracker.deadline(since),
        tracker.timing.atMost(since, at, tracker.limits.convergeMs),
      )
      if (timing.outcome === 'fine') {
        report.open()
        continue
      }
      const says = status === undefined ? 'reported no status of it' : `reported ${status}`
      const last = order.lastSnapshot?.evidence
      const read = last ? ` It last read it ${atTimeOfDay(last.at)}.` : ''
      report.failed({
        timing,
        because: `${orderName(tracker, orderId)} is ${order.hostStatus} since ${atTimeOfDay(order.hostStatusSince).slice(3)}, and ${durationText(at - order.hostStatusSince)} later the service ${says}.${read}`,
        evidence: [order.firstReceipt.evidence, last, order.lastCall],
        orderId,
      })
    }
  },
})
