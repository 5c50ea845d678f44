/**
 * SE-3: once the service knows that an order is cancelled, by its own acknowledgment or read, it makes no further
 * progress call. Calls in flight at that instant are excused. Orders that the host itself moved on are exempt.
 */
import { defineInvariant, type Tell } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { orderIn } from '../../tracking/subject-order.ts'
import { isCancelled, progressions } from '../../tracking/progress.ts'
import { cites, did, howKnown, lasting, nameOf } from '../../tracking/wording.ts'
import type { OrderWatch, Watch } from '../../tracking/tracker-state.ts'

interface State {
  /** Orders whose premise was reported. */
  readonly met: WeakSet<OrderWatch>
}

function reportPremise(reported: State['met'], order: OrderWatch | undefined, report: Tell): void {
  if (!order?.known.has('CANCELLED') || reported.has(order) || !isCancelled(order)) return
  reported.add(order)
  report.premise()
}

function checkCall(exchange: SeenExchange, tracker: Watch, report: Tell): void {
  if (exchange.by !== 'subject') return
  const order = orderIn(exchange, tracker)
  const knowledge = order?.known.get('CANCELLED')
  if (!order || !knowledge || !isCancelled(order)) return
  const late = exchange.began - knowledge.since
  if (late <= tracker.patience.inFlightMs) return
  const name = nameOf(tracker, order.orderId)
  report.broken({
    because: `The service ${did(exchange, name)} ${lasting(late)} after it ${howKnown(knowledge)}.`,
    evidence: cites(knowledge.cite, exchange.cite),
    orderId: order.orderId,
    once: `${order.orderId} ${exchange.operation}`,
  })
}

export const nothingAfterCancelled = defineInvariant<State>({
  id: 'SE-3',
  name: 'nothing-after-cancelled',
  sentence:
    'Once the service knows that an order is cancelled it takes it no further: no progress, no item cancelled, no delivery asked for.',
  kind: 'safety',
  clauses: ['ORD-CAN-02', 'ORD-EVT-16'],
  premise: 'the service came to know that an order is cancelled',
  binds: ['software-service'],
  sees: {
    exchanges: [...progressions, 'cancelOrderItem', 'createDelivery', 'getOrder'],
    acknowledgments: (eventType) => eventType === 'CANCELLED',
  },
  start: () => ({ met: new WeakSet() }),
  shown: {
    acknowledgment: ({ met: reported }, { order }, _watch, report) =>
      reportPremise(reported, order, report),
    exchange({ met: reported }, exchange, tracker, report) {
      if (exchange.operation === 'getOrder') reportPremise(reported, exchange.order, report)
      else checkCall(exchange, tracker, report)
    },
  },
})
