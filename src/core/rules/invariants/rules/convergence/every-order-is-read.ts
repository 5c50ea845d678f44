/** CV-2: every order of which the service accepted an event is read with GET, however often reads failed before. */
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import { createUnreadEvents } from '../../tracking/unread-events.ts'
import { atTimeOfDay, durationText, orderName } from '../../tracking/wording.ts'
import type { TrackedOrder } from '../../tracking/tracker-state.ts'

/** The first event of the order was processed. */
const isHeard = new WeakSet<TrackedOrder>()
const unread = createUnreadEvents()

function recordReceipt(order: TrackedOrder | undefined, report: InvariantReporter): void {
  if (!order?.firstReceipt || isHeard.has(order) || order.isForeign) return
  isHeard.add(order)
  report.premise()
  if (order.firstSnapshot) return
  const { since, eventType, evidence } = order.firstReceipt
  unread.add(order, { eventType, emittedAt: 0, since, evidence })
}

export const everyOrderIsRead = defineInvariant({
  id: 'CV-2',
  name: 'every-order-is-read',
  sentence: 'Must read every order that it received an event of.',
  remedy:
    'Call GET /orders/{orderId} for each order with a new event, and retry until it is answered 200.',
  kind: 'liveness',
  clauses: ['ORD-FLO-03', 'ORD-GEN-05', 'ORD-GEN-03'],
  premise: 'the service received an event of an order',
  calls: ['getOrder'],
  handover: (_state, { order }, _watch, report) => recordReceipt(order, report),
  acknowledgment: (_state, { order }, _watch, report) => recordReceipt(order, report),
  call: (_state, exchange) => unread.clearOnRead(exchange),
  end(_state, tracker, report) {
    unread.reportOverdue(tracker, report, ({ eventType, since }, { orderId }) => {
      const name = orderName(tracker, orderId)
      return `The service never read ${name}: it received ${eventType} ${atTimeOfDay(since)}, and no GET of it was answered 200 in the ${durationText(tracker.now - since)} since.`
    })
  },
})
