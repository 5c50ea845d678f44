/**
 * AK-4. A service that acknowledges the event that reveals an order must read the order, even if the first GETs fail
 * (ORD-FLO-03). It counts once the host accepted the acknowledgment, even if the reply was lost: the event will not
 * come again.
 */
import { defineInvariant } from '../../invariant.ts'
import {
  acceptOrder,
  eventuallyRead,
  recordOrderRead,
  revealingEventType,
} from '../../helpers/accepted-orders.ts'

export const acknowledgedOrdersAreRead = defineInvariant({
  id: 'AK-4',
  name: 'acknowledged-orders-are-read',
  sentence: 'Must read an order after acknowledging its CREATED, even when the first GETs fail.',
  remedy:
    'Store the event before you acknowledge it, and retry GET /orders/{orderId} until it is answered.',
  kind: 'liveness',
  clauses: ['ORD-FLO-03', 'ORD-GEN-05'],
  premise: 'the service acknowledged the event that reveals an order',
  calls: ['acknowledgeEvents', 'getOrder'],
  call(state, exchange, tracker, report) {
    if (exchange.operation === 'getOrder') return recordOrderRead(state, exchange)
    for (const { event } of exchange.namedEvents() ?? []) {
      if (event?.eventType !== revealingEventType || event.orderId === undefined) continue
      // Events that the host did not mark as acknowledged come again.
      if (!event.isAcknowledged) continue
      if (acceptOrder(state, event.orderId, exchange, tracker)) report.premise()
    }
  },
  ...eventuallyRead((order) => `acknowledged CREATED of ${order}`),
})
