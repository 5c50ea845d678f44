/**
 * WH-1. A service that answers 2xx to the webhook of an event that reveals an order must read the order, even if the
 * first GETs fail (ORD-OPS-03, ORD-GEN-05): after a 2xx the event is not sent again.
 */
import { defineInvariant } from '../../invariant.ts'
import {
  answerFor,
  createResponsibility,
  hearOfRead,
  type Responsibility,
  tellUnread,
} from '../../helpers/taken-orders.ts'
import { reads, revealing } from '../../helpers/order-reads.ts'
import { isForged } from '../../helpers/webhooks.ts'

export const webhooksAreSafeOnceAnswered = defineInvariant<Responsibility>({
  id: 'WH-1',
  name: 'webhooks-are-safe-once-answered',
  sentence:
    'An order whose CREATED was answered 2xx on the webhook is read in the end, even when the first GETs fail.',
  kind: 'liveness',
  clauses: ['ORD-OPS-03', 'ORD-GEN-05'],
  premise: 'the service answered the webhook of an event that reveals an order with 2xx',
  binds: ['software-service'],
  sees: {
    exchanges: reads,
    acknowledgments: (eventType = '', channel) => channel === 'webhook' && revealing.has(eventType),
  },
  start: createResponsibility,
  shown: {
    acknowledgment(state, { orderId, exchange }, tracker, report) {
      if (orderId === undefined || isForged(exchange)) return
      if (answerFor(state, orderId, exchange, tracker)) report.premise()
    },
    exchange: (state, exchange) => void hearOfRead(state, exchange),
  },
  end: (state, tracker, report) =>
    tellUnread(
      state,
      tracker,
      report,
      (order, { status }) => `answered the webhook of CREATED of ${order} with ${status}`,
    ),
})
