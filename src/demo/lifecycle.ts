/** The order lifecycle of the protocol: statuses, transitions, and the status that each event announces. */
import type { DefectSwitch } from './defects.ts'

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

/** Statuses never go back, so the higher rank is the newer status. */
export const statusRank = (status: OrderStatus): number => statuses.indexOf(status)

/** No step is left for the store. CONCLUDED may follow at any time, or never. */
export const isOver = (status: OrderStatus | undefined): boolean =>
  status !== undefined && statusRank(status) >= statusRank('DELIVERED')

export interface Step {
  readonly operation: string
  /** The last segment of its URL path. */
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

/** The next step of a store for an order of this profile. */
export function nextStepFor(
  status: OrderStatus,
  profile: Profile,
  wrong: DefectSwitch,
): Step | undefined {
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

/** The status that an event type announces; informational types are absent. */
export const statusByEventType: ReadonlyMap<string, OrderStatus> = new Map([
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

/** Courier events, which orders without delivery must not have. */
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
