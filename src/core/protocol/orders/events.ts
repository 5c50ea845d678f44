/**
 * The event table of Orders: the status that each event projects, and whether an order profile must, may or must not
 * have it (document 2, Events; ORD-EVT-01 to 18).
 */
import { compact } from '../../base/compact.ts'
import type { OrderStatus, OrderType } from './order.ts'

export const orderEventTypes = [
  'CREATED',
  'CONFIRMED',
  'PREPARATION_REQUESTED',
  'PREPARING',
  'READY_FOR_PICKUP',
  'PICKUP_ONGOING',
  'RIDER_ARRIVED_AT_STORE',
  'DISPATCHED',
  'ORDER_COLLECTED',
  'DELIVERY_ONGOING',
  'ARRIVED_AT_CUSTOMER',
  'DELIVERED',
  'CANCELLATION_REQUESTED',
  'CANCELLATION_REQUEST_ACCEPTED',
  'CANCELLATION_REQUEST_DENIED',
  'CANCELLED',
  'CONCLUDED',
  'ITEM_CANCELLED',
] as const
export type OrderEventType = (typeof orderEventTypes)[number]

/** `not listed` is a gap in the specified table (PREPARATION_REQUESTED for INDOOR): tolerated, never emitted by us. */
export type EventObligation = 'MUST' | 'MAY' | 'MUST NOT' | 'not listed'

export interface OrderEventRow {
  /** The order status that the event implies; absent when it is informational. */
  readonly projects?: OrderStatus
  readonly obligation: Readonly<Record<OrderType, EventObligation>>
  readonly clause: string
}

/** The obligations are in the column order of the document: DELIVERY, TAKEOUT, INDOOR. */
const row = (
  clause: string,
  projects: OrderStatus | undefined,
  [delivery, takeout, indoor]: readonly [EventObligation, EventObligation, EventObligation],
): OrderEventRow => ({
  ...compact({ projects }),
  obligation: { DELIVERY: delivery, TAKEOUT: takeout, INDOOR: indoor },
  clause,
})

export const orderEvents: Readonly<Record<OrderEventType, OrderEventRow>> = {
  CREATED: row('ORD-EVT-01', 'CREATED', ['MUST', 'MUST', 'MUST']),
  CONFIRMED: row('ORD-EVT-02', 'CONFIRMED', ['MUST', 'MUST', 'MUST']),
  PREPARATION_REQUESTED: row('ORD-EVT-03', undefined, ['MAY', 'MAY', 'not listed']),
  PREPARING: row('ORD-EVT-04', 'PREPARING', ['MAY', 'MAY', 'MAY']),
  READY_FOR_PICKUP: row('ORD-EVT-05', 'READY', ['MAY', 'MUST', 'MAY']),
  PICKUP_ONGOING: row('ORD-EVT-06', undefined, ['MAY', 'MUST NOT', 'MUST NOT']),
  RIDER_ARRIVED_AT_STORE: row('ORD-EVT-07', undefined, ['MAY', 'MUST NOT', 'MUST NOT']),
  DISPATCHED: row('ORD-EVT-08', 'IN_DELIVERY', ['MAY', 'MUST NOT', 'MUST NOT']),
  ORDER_COLLECTED: row('ORD-EVT-09', 'IN_DELIVERY', ['MAY', 'MUST NOT', 'MUST NOT']),
  DELIVERY_ONGOING: row('ORD-EVT-10', undefined, ['MAY', 'MUST NOT', 'MUST NOT']),
  ARRIVED_AT_CUSTOMER: row('ORD-EVT-11', undefined, ['MAY', 'MUST NOT', 'MUST NOT']),
  DELIVERED: row('ORD-EVT-12', 'DELIVERED', ['MUST', 'MUST', 'MAY']),
  CANCELLATION_REQUESTED: row('ORD-EVT-13', undefined, ['MAY', 'MAY', 'MAY']),
  CANCELLATION_REQUEST_ACCEPTED: row('ORD-EVT-14', undefined, ['MAY', 'MAY', 'MAY']),
  CANCELLATION_REQUEST_DENIED: row('ORD-EVT-15', undefined, ['MAY', 'MAY', 'MAY']),
  CANCELLED: row('ORD-EVT-16', 'CANCELLED', ['MUST', 'MUST', 'MUST']),
  CONCLUDED: row('ORD-EVT-17', 'CONCLUDED', ['MAY', 'MAY', 'MAY']),
  ITEM_CANCELLED: row('ORD-EVT-18', undefined, ['MUST', 'MUST', 'MUST']),
}

export const isOrderEventType = (type: string): type is OrderEventType =>
  Object.hasOwn(orderEvents, type)

/** Whether the profile forbids the event: a receiver answers it with 422 (ORD-EVR-07). */
export const isForbiddenForProfile = (type: OrderEventType, profile: OrderType): boolean =>
  orderEvents[type].obligation[profile] === 'MUST NOT'
