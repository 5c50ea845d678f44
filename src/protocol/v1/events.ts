/**
 * The events of V1 (fields.md, 4.3): fewer than V2 has, and four that V2 has no more. V1 has no status to GET, so what
 * an event says of the order is all that there is to know of it.
 */
import type { OrderEventType } from '../orders/events.ts'
import type { OrderStatus, OrderType } from '../orders/order.ts'
import type { V1Flags } from './flags.ts'

/** Those that V2 has as well. */
const shared = [
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

/** Those that went with it. */
const v1OnlyEventTypes = [
  'PICKUP_AREA_ASSIGNED',
  'PICKED_UP',
  'ORDER_CANCELLATION_REQUEST',
  'CANCELLED_DENIED',
] as const

export const v1EventTypes = [...shared, ...v1OnlyEventTypes] as const
export type V1EventType = (typeof v1EventTypes)[number]

/** The text of V1 calls the last one otherwise than its own list does; both are understood. */
const otherNames: Readonly<Record<string, V1EventType>> = {
  CANCELLATION_DENIED: 'CANCELLED_DENIED',
}

export const v1EventType = (type: string): V1EventType | undefined =>
  v1EventTypes.find((each) => each === type) ??
  (Object.hasOwn(otherNames, type) ? otherNames[type] : undefined)

const projections: Readonly<Partial<Record<V1EventType, OrderStatus>>> = {
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

/** The status that an event says the order has; undefined for one that only informs, or that nobody knows. */
export function v1Projection(type: string | undefined): OrderStatus | undefined {
  const known = type === undefined ? undefined : v1EventType(type)
  return known && projections[known]
}

/** How far along an order is. A refused cancellation announces nothing anew, so the furthest that was heard is it. */
const way: readonly OrderStatus[] = [
  'CREATED',
  'CONFIRMED',
  'PREPARING',
  'READY',
  'IN_DELIVERY',
  'DELIVERED',
  'CANCELLED',
  'CONCLUDED',
]

/** The later of two statuses that were heard of; events may come late and out of order. */
export const furtherOf = (
  one: OrderStatus | undefined,
  other: OrderStatus | undefined,
): OrderStatus | undefined => {
  if (one === undefined || other === undefined) return one ?? other
  return way.indexOf(one) >= way.indexOf(other) ? one : other
}

/**
 * What V1 says where V2 says this about an order of this profile; undefined where it says nothing. The end of an order
 * is announced where the merchant brings it about: PICKED_UP for what is fetched, DELIVERED for what is brought.
 */
export function v1EventOf(
  type: OrderEventType,
  profile: OrderType,
  flags: V1Flags,
): V1EventType | undefined {
  if (type !== 'DELIVERED') return shared.find((each) => each === type)
  if (profile === 'DELIVERY')
    return flags.sendDelivered || flags.deliveredBy === 'MARKETPLACE' ? 'DELIVERED' : undefined
  return flags.sendPickedUp ? 'PICKED_UP' : undefined
}
