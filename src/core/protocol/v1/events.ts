/**
 * The event types of V1 (fields.md, 4.3): fewer than in V2, and four that V2 has dropped. A V1 order has no status
 * field, so its status is derived from its events.
 */
import type { OrderEventType } from '../orders/events.ts'
import { type OrderStatus, orderStatuses, type OrderType } from '../orders/order.ts'
import type { V1Flags } from './flags.ts'

/** Event types of V1 and V2. */
const sharedEventTypes = [
  'CREATED',
  'CONFIRMED',
  'PREPARATION_REQUESTED',
  'PREPARING',
  'DISPATCHED',
  'READY_FOR_PICKUP',
  'DELIVERED',
  'CONCLUDED',
  'CANCELLATION_REQUESTED',
  'CANCELLATION_REQUEST_DENIED',
  'CANCELLED',
] as const satisfies readonly OrderEventType[]

/** Event types of V1 only. */
const v1OnlyEventTypes = [
  'PICKUP_AREA_ASSIGNED',
  'PICKED_UP',
  'ORDER_CANCELLATION_REQUEST',
  'CANCELLED_DENIED',
] as const

export const v1EventTypes = [...sharedEventTypes, ...v1OnlyEventTypes] as const
export type V1EventType = (typeof v1EventTypes)[number]

/** Aliases: the text of V1 names CANCELLED_DENIED differently from its own list; both are accepted. */
const eventTypeAliases: Readonly<Record<string, V1EventType>> = {
  CANCELLATION_DENIED: 'CANCELLED_DENIED',
}

export const parseV1EventType = (type: string): V1EventType | undefined =>
  v1EventTypes.find((each) => each === type) ??
  (Object.hasOwn(eventTypeAliases, type) ? eventTypeAliases[type] : undefined)

const statusByEventType: Readonly<Partial<Record<V1EventType, OrderStatus>>> = {
  CREATED: 'CREATED',
  CONFIRMED: 'CONFIRMED',
  PREPARING: 'PREPARING',
  READY_FOR_PICKUP: 'READY',
  DISPATCHED: 'IN_DELIVERY',
  PICKED_UP: 'DELIVERED',
  DELIVERED: 'DELIVERED',
  CANCELLED: 'CANCELLED',
  CONCLUDED: 'CONCLUDED',
}

/** The order status that an event implies; undefined for an informational or unknown event. */
export function v1StatusOfEvent(type: string | undefined): OrderStatus | undefined {
  const known = type === undefined ? undefined : parseV1EventType(type)
  return known && statusByEventType[known]
}

/** The status of an order that shows its last event: what is to be prepared was confirmed. */
export const v1StatusOfLastEvent = (type: string | undefined): OrderStatus | undefined =>
  type === 'PREPARATION_REQUESTED' ? 'CONFIRMED' : v1StatusOfEvent(type)

/**
 * The further of two known statuses; events may arrive late and out of order. A denied cancellation repeats no event, so the
 * furthest known status is the current one.
 */
export const furtherStatus = (
  one: OrderStatus | undefined,
  other: OrderStatus | undefined,
): OrderStatus | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  return orderStatuses.indexOf(one) >= orderStatuses.indexOf(other) ? one : other
}

/**
 * The V1 event type for a V2 event of an order of this profile; undefined when V1 has none. The flags decide whether the
 * completion is announced: PICKED_UP for orders that are fetched, DELIVERED for deliveries.
 */
export function v1EventTypeFor(
  type: OrderEventType,
  profile: OrderType,
  flags: V1Flags,
): V1EventType | undefined {
  if (type !== 'DELIVERED') return sharedEventTypes.find((each) => each === type)
  if (profile === 'DELIVERY')
    return flags.sendDelivered || flags.deliveredBy === 'MARKETPLACE' ? 'DELIVERED' : undefined
  return flags.sendPickedUp ? 'PICKED_UP' : undefined
}
