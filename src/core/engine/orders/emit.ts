/** Emits events of orders: an event gets its id here, once, and never changes (ORD-GEN-02). */
import type { OrderEventType } from '../../protocol/orders/events.ts'
import type { Order } from '../../protocol/orders/order.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type EmittedEvent, newEventId } from '../emitted-event.ts'
import { isoOf } from '../instant.ts'
import { eventTypeInDialect } from '../v1/call-in-dialect.ts'

type Metadata = Readonly<Record<string, unknown>>

/**
 * The fact of an emitted event; none for a type that this session declares unsupported, or that its dialect lacks
 * (DIS-ORD-03).
 */
export function orderEventFacts(
  order: Order,
  eventType: OrderEventType,
  context: DecisionContext,
  metadata?: Metadata,
): readonly Fact[] {
  const dialectType = eventTypeInDialect(order, eventType, context.settings)
  return dialectType === undefined ? [] : [eventEmittedFact(order, dialectType, context, metadata)]
}

/** The fact of an emitted event, for a type that is known to be supported. */
export function eventEmittedFact(
  order: Order,
  eventType: EmittedEvent['eventType'],
  { now, chance, settings }: DecisionContext,
  metadata?: Metadata,
): Fact {
  const { id: orderId, sourceAppId } = order
  const merchantId = order.merchant.id
  const eventId = newEventId(chance('events'))
  const createdAt = isoOf(now + settings.conduct.clockSkew)
  const event: EmittedEvent =
    sourceAppId === undefined
      ? { eventId, eventType, orderId, merchantId, createdAt }
      : { eventId, eventType, orderId, merchantId, createdAt, sourceAppId }
  return { kind: 'event.emitted', event: metadata ? { ...event, metadata } : event }
}
