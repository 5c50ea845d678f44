/**
 * SE-3: once the service knows that an order is cancelled, by its own acknowledgment or read, it makes no further
 * progress call. Calls in flight at that instant are excused, with advice where the service had read the order before.
 * Orders that the host itself moved on are exempt.
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
  const name = orderName(tracker, order.orderId)
  if (timing.outcome === 'fine') {
    const read = order.lastSnapshot
    if (read?.status === 'CANCELLED' && read.ended < exchange.began) {
      const known = { ...read, status: read.status, since: read.ended, source: 'read' } as const
      report.failed({
        advice: true,
        because: `The service ${actionText(exchange, name)} ${durationText(exchange.began - read.ended)} after it ${knowledgeText(known)}: so soon that the call may have been under way.`,
        evidence: [read.evidence, exchange.evidence],
        orderId: order.orderId,
        deduplicationKey: `soon ${order.orderId} ${exchange.operation}`,
      })
    }
    return
  }
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
  adviceMeaning: 'the call may have been under way when GET was answered',
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
