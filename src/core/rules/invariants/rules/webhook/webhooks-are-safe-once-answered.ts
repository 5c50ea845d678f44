/**
 * WH-1. A service that answers 2xx to the webhook of an event that reveals an order must read the order, even if the
 * first GETs fail (ORD-OPS-03, ORD-GEN-05): after a 2xx the event is not sent again.
 */
import { defineInvariant } from '../../invariant.ts'
import {
  acceptOrder,
  eventuallyRead,
  recordOrderRead,
  revealingEventType,
} from '../../helpers/accepted-orders.ts'
import { isForgedWebhook } from '../../helpers/webhooks.ts'

export const webhooksAreSafeOnceAnswered = defineInvariant({
  id: 'WH-1',
  name: 'webhooks-are-safe-once-answered',
  sentence:
    'Must read an order after answering the webhook of its CREATED with 2xx, even when the first GETs fail.',
  remedy:
    'Store the event before you answer 2xx, and retry GET /orders/{orderId} until it is answered.',
  kind: 'liveness',
  clauses: ['ORD-OPS-03', 'ORD-GEN-05'],
  premise: 'the service answered the webhook of an event that reveals an order with 2xx',
  calls: ['getOrder'],
  call: recordOrderRead,
  acknowledgment(state, { eventType, orderId, channel, exchange }, tracker, report) {
    if (channel === 'polling' || eventType !== revealingEventType) return
    if (orderId === undefined || isForgedWebhook(exchange)) return
    if (acceptOrder(state, orderId, exchange, tracker)) report.premise()
  },
  ...eventuallyRead(
    (order, { status }) => `answered the webhook of CREATED of ${order} with ${status}`,
  ),
})
