/** Announcing something about an order: the event gets its id here, once, and never changes (ORD-GEN-02). */
import type { OrderEventType } from '../../protocol/orders/events.ts'
import type { Order } from '../../protocol/orders/order.ts'
import type { Context } from '../decision.ts'
import type { EmittedEvent, Fact } from '../fact.ts'
import { isoOf } from '../instant.ts'

/** The fact of an event; none for a type that this session declares unsupported (DIS-ORD-03). */
export function emitted(
  order: Order,
  eventType: OrderEventType,
  context: Context,
  metadata?: Readonly<Record<string, unknown>>,
): readonly Fact[] {
  const { settings, now, chance } = context
  if (settings.conduct.unsupportedEvents.includes(eventType)) return []
  const event: EmittedEvent = {
    eventId: chance('events').uuid(),
    eventType,
    orderId: order.id,
    merchantId: order.merchant.id,
    createdAt: isoOf(now),
    ...(order.sourceAppId === undefined ? {} : { sourceAppId: order.sourceAppId }),
    ...(metadata ? { metadata } : {}),
  }
  return [{ kind: 'event.emitted', event }]
}
