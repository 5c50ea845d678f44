/**
 * AK-4. A service that acknowledges the event that reveals an order must read the order, even if the first GETs fail
 * (ORD-FLO-03). It counts once the host accepted the acknowledgment, even if the reply was lost: the event will not
 * come again.
 */
import { defineInvariant } from '../../invariant.ts'
import { acknowledgments, isAcknowledgment } from '../../helpers/polling.ts'
import {
  answerFor,
  createResponsibility,
  hearOfRead,
  type Responsibility,
  tellUnread,
} from '../../helpers/taken-orders.ts'
import { reads, revealing } from '../../helpers/order-reads.ts'

export const acknowledgedOrdersAreRead = defineInvariant<Responsibility>({
  id: 'AK-4',
  name: 'acknowledged-orders-are-read',
  sentence:
    'An order whose CREATED was acknowledged is read in the end, even when the first GETs fail.',
  kind: 'liveness',
  clauses: ['ORD-FLO-03', 'ORD-GEN-05'],
  premise: 'the service acknowledged the event that reveals an order',
  binds: ['software-service'],
  sees: { exchanges: [...acknowledgments, ...reads] },
  start: createResponsibility,
  shown: {
    exchange(state, exchange, tracker, report) {
      if (hearOfRead(state, exchange) || !isAcknowledgment(exchange)) return
      for (const { event } of exchange.named() ?? []) {
        if (!event || !revealing.has(event.eventType) || event.orderId === undefined) continue
        // Events that the host did not mark as acknowledged come again.
        if (!event.taken) continue
        if (answerFor(state, event.orderId, exchange, tracker)) report.premise()
      }
    },
  },
  end: (state, tracker, report) =>
    tellUnread(state, tracker, report, (order) => `acknowledged CREATED of ${order}`),
})
