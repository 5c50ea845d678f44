/**
 * Calls whose effect an order waits for, and whether it still does: a failed confirmation of an order that somebody
 * cancelled since then is nobody's loss.
 */
import type { Instant } from '../../engine/instant.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { SeenExchange } from '../judge/observations.ts'
import type { Present } from '../tracking/tracker-state.ts'
import { rankOf } from '../tracking/progress.ts'
import { orderOf } from './call-outcome.ts'

/** What an order must not be yet, for the call to be of use. */
const aims: Readonly<Partial<Record<OperationId, OrderStatus>>> = {
  getOrder: 'DELIVERED',
  getOrderV1: 'DELIVERED',
  confirmOrder: 'CONFIRMED',
  confirmOrderV1: 'CONFIRMED',
  setOrderPreparing: 'PREPARING',
  setOrderPreparingV1: 'PREPARING',
  setOrderReadyForPickup: 'READY',
  setOrderReadyForPickupV1: 'READY',
  dispatchOrder: 'IN_DELIVERY',
  dispatchOrderV1: 'IN_DELIVERY',
  setOrderDelivered: 'DELIVERED',
  setOrderDeliveredV1: 'DELIVERED',
  checkDeliveryAvailability: 'IN_DELIVERY',
  setDeliveryReadyForPickup: 'IN_DELIVERY',
}

export const wantedOperations = [
  ...(Object.keys(aims) as OperationId[]),
  'createDelivery',
  'cancelDelivery',
] as readonly OperationId[]

/** A call that has not had its answer yet. */
export interface Wanted {
  readonly operation: OperationId
  readonly orderId: string
  /** Its last failure. */
  readonly failed: SeenExchange
  /** From when on it may be made again. */
  readonly since: Instant
  /** Tries that failed, in all. */
  readonly tries: number
  /** The service went on as if it had worked. */
  relied?: boolean
}

const names: ReadonlySet<string> = new Set(wantedOperations)

export function wantedOf(seen: SeenExchange, since: Instant, tries: number): Wanted | undefined {
  const { operation } = seen
  const orderId = orderOf(seen)
  if (operation === undefined || orderId === undefined || !names.has(operation)) return undefined
  return { operation, orderId, failed: seen, since, tries }
}

/** Deliveries that can no longer be changed. */
const settled: ReadonlySet<string> = new Set(['DELIVERED', 'CANCELLED', 'FAILED', 'IN_TRANSIT'])

export function isStillWanted(
  { operation, orderId, tries, relied }: Wanted,
  { orders, world }: Present,
): boolean {
  const order = orders.get(orderId)
  const delivery = world.logistics.deliveries.get(orderId)
  // Of what was forgotten nothing is known.
  if (!order) return false
  if (operation === 'cancelDelivery') return delivery !== undefined && !settled.has(delivery.status)
  if (order.cancellation === 'asked') return false
  if (operation === 'createDelivery') {
    if (delivery !== undefined || order.wasCancelled) return false
    // A store that has tried may bring the food itself; but then it asks nothing more of the platform.
    return relied === true || tries === 1 || rankOf(order.truth) < rankOf('IN_DELIVERY')
  }
  const aim = aims[operation]
  return aim !== undefined && rankOf(order.truth) < rankOf(aim)
}
