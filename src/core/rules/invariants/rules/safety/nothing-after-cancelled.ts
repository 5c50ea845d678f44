/**
 * SE-3: once the service knows that an order is cancelled, by its own acknowledgment or read, it makes no further
 * progress call. Calls in flight at that instant are excused. Orders that the host itself moved on are exempt.
 */
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { orderOfExchange } from '../../tracking/exchange-fields.ts'
import { isCancelledAtHost, progressOperations } from '../../tracking/progress.ts'
import { actionText, knowledgeText, durationText, orderName } from '../../tracking/wording.ts'
import type { TrackedOrder, TrackerState } from '../../tracking/tracker-state.ts'

interface State {
  /** Orders whose premise was reported. */
  readonly met: WeakSet<TrackedOrder>
}

function reportPremise(
  reported: State['met'],
  order: TrackedOrder | undefined,
  report: InvariantReporter,
): void {
  if (!order?.knownStatuses.has('CANCELLED') || reported.has(order) || !isCancelledAtHost(order))
    return
  reported.add(order)
  report.premise()
}

function checkCall(
  exchange: ObservedExchange,
  tracker: TrackerState,
  report: InvariantReporter,
): void {
  const order = orderOfExchange(exchange, tracker)
  const knowledge = order?.knownStatuses.get('CANCELLED')
  if (!order || !knowledge || !isCancelledAtHost(order)) return
  const late = exchange.began - knowledge.since
  const { inFlightMs } = tracker.limits
  const timing = tracker.timing.atMost(knowledge.since, exchange.began, inFlightMs)
  if (timing.outcome === 'fine') return
  const name = orderName(tracker, order.orderId)
  report.failed({
    timing,
    because: `The service ${actionText(exchange, name)} ${durationText(late)} after it ${knowledgeText(knowledge)}.`,
    evidence: [knowledge.evidence, exchange.evidence],
    orderId: order.orderId,
    deduplicationKey: `${order.orderId} ${exchange.operation}`,
  })
}

export const nothingAfterCancelled = defineInvariant<State>({
  id: 'SE-3',
  name: 'nothing-after-cancelled',
  sentence:
    'Must not progress or change an order, or request its delivery, after learning that the order is cancelled.',
  remedy:
    'Check for CANCELLED before each call about an order, and stop all pending work of a cancelled order.',
  kind: 'safety',
  clauses: ['ORD-CAN-02', 'ORD-EVT-16'],
  premise: 'the service came to know that an order is cancelled',
  calls: [...progressOperations, 'cancelOrderItem', 'createDelivery', 'getOrder'],
  start: () => ({ met: new WeakSet() }),
  acknowledgment({ met: reported }, { eventType, order }, _tracker, report) {
    if (eventType === 'CANCELLED') reportPremise(reported, order, report)
  },
  call({ met: reported }, exchange, tracker, report) {
    if (exchange.operation === 'getOrder') reportPremise(reported, exchange.order, report)
    else checkCall(exchange, tracker, report)
  },
})
