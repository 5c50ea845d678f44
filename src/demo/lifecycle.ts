/** The life of an order as the documents print it: its statuses, what follows which, and what events say of them. */
import type { Wrong } from './defects.ts'

export const statuses = [
  'CREATED',
  'CONFIRMED',
  'PREPARING',
  'READY',
  'IN_DELIVERY',
  'DELIVERED',
  'CANCELLED',
  'CONCLUDED',
] as const
export type OrderStatus = (typeof statuses)[number]

export const profiles = ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const
export type Profile = (typeof profiles)[number]

/** No order goes back, so of two statuses the one with the higher rank is the newer one. */
export const rankOf = (status: OrderStatus): number => statuses.indexOf(status)

/** Nothing is left to do for the store. CONCLUDED may follow, whenever the originator likes, or never. */
export const isOver = (status: OrderStatus | undefined): boolean =>
  status !== undefined && rankOf(status) >= rankOf('DELIVERED')

export interface Step {
  readonly operation: string
  /** The last segment of its path. */
  readonly call: string
  readonly to: OrderStatus
}

const step = (operation: string, call: string, to: OrderStatus): Step => ({ operation, call, to })

const confirm = step('confirmOrder', 'confirm', 'CONFIRMED')
const preparing = step('setOrderPreparing', 'preparing', 'PREPARING')
const ready = step('setOrderReadyForPickup', 'ready-for-pickup', 'READY')
const dispatch = step('dispatchOrder', 'dispatch', 'IN_DELIVERY')
const delivered = step('setOrderDelivered', 'delivered', 'DELIVERED')

export const steps: readonly Step[] = [confirm, preparing, ready, dispatch, delivered]

/** What a store does next about an order of this profile. */
export function stepAfter(status: OrderStatus, profile: Profile, wrong: Wrong): Step | undefined {
  const leaves = profile === 'DELIVERY' ? dispatch : delivered
  switch (status) {
    case 'CREATED':
      return confirm
    case 'CONFIRMED':
      return preparing
    case 'PREPARING':
      return wrong('dispatches-when-preparing') ? leaves : ready
    case 'READY':
      return leaves
    case 'IN_DELIVERY':
      return delivered
    default:
      return undefined
  }
}

/** The status that an event announces; informational events announce none. */
export const announced: ReadonlyMap<string, OrderStatus> = new Map([
  ['CREATED', 'CREATED'],
  ['CONFIRMED', 'CONFIRMED'],
  ['PREPARING', 'PREPARING'],
  ['READY_FOR_PICKUP', 'READY'],
  ['DISPATCHED', 'IN_DELIVERY'],
  ['ORDER_COLLECTED', 'IN_DELIVERY'],
  ['DELIVERED', 'DELIVERED'],
  ['CANCELLED', 'CANCELLED'],
  ['CONCLUDED', 'CONCLUDED'],
])

/** Events that tell of a courier: an order that nobody delivers must not have them. */
const courierEvents: ReadonlySet<string> = new Set([
  'PICKUP_ONGOING',
  'RIDER_ARRIVED_AT_STORE',
  'DISPATCHED',
  'ORDER_COLLECTED',
  'DELIVERY_ONGOING',
  'ARRIVED_AT_CUSTOMER',
])

export const isForbidden = (eventType: string, profile: Profile | undefined): boolean =>
  profile !== undefined && profile !== 'DELIVERY' && courierEvents.has(eventType)
