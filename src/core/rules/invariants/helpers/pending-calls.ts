/**
 * Failed calls that an order still needs, and whether it does: after a cancellation, a failed confirmation need not be
 * retried.
 */
import type { Instant } from '../../../engine/instant.ts'
import type { OrderStatus } from '../../../protocol/orders/order.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import type { VerdictContext } from '../tracking/tracker-state.ts'
import { orderIdOfCall } from './call-outcome.ts'
import { statusRank } from '../tracking/status-rank.ts'

/** The order status that the call leads to: once it is reached the call is no longer needed. */
const targetStatuses: Readonly<Partial<Record<OperationId, OrderStatus>>> = {
  getOrder: 'DELIVERED',
  confirmOrder: 'CONFIRMED',
  setOrderPreparing: 'PREPARING',
  setOrderReadyForPickup: 'READY',
  dispatchOrder: 'IN_DELIVERY',
  setOrderDelivered: 'DELIVERED',
  checkDeliveryAvailability: 'IN_DELIVERY',
  setDeliveryReadyForPickup: 'IN_DELIVERY',
}

export const awaitedOperations = [
  ...(Object.keys(targetStatuses) as OperationId[]),
  'createDelivery',
  'cancelDelivery',
] as readonly OperationId[]

/** A call that has not succeeded yet. */
export interface PendingCall {
  readonly operation: OperationId
  readonly orderId: string
  /** The last failure. */
  readonly failed: ObservedExchange
  /** Earliest retry. */
  readonly since: Instant
  /** Total number of failed tries. */
  readonly tries: number
  /** The service acted as if the call had succeeded. */
  isAssumedDone?: boolean
}

const names: ReadonlySet<string> = new Set(awaitedOperations)

export function pendingCallOf(
  observed: ObservedExchange,
  since: Instant,
  tries: number,
): PendingCall | undefined {
  const { operation } = observed
  const orderId = orderIdOfCall(observed)
  if (operation === undefined || orderId === undefined || !names.has(operation)) return undefined
  return { operation, orderId, failed: observed, since, tries }
}

/** Delivery statuses in which it can no longer be changed. */
const finalDeliveryStatuses: ReadonlySet<string> = new Set([
  'DELIVERED',
  'CANCELLED',
  'FAILED',
  'IN_TRANSIT',
])

export function isStillPending(
  { operation, orderId, tries, isAssumedDone }: PendingCall,
  { orders, world, operatorCancellations }: VerdictContext,
): boolean {
  const order = orders.get(orderId)
  const delivery = world.logistics.deliveries.get(orderId)
  // The order was evicted.
  if (!order) return false
  if (operation === 'cancelDelivery')
    return delivery !== undefined && !finalDeliveryStatuses.has(delivery.status)
  if (order.cancellation === 'asked') return false
  if (operation === 'createDelivery') {
    // Nor is a delivery ordered for an order that a person has decided to cancel, whatever becomes of the request.
    const isAbandoned = order.wasCancelled || operatorCancellations.has(orderId)
    if (delivery !== undefined || isAbandoned) return false
    // After a refused try the store may deliver the food itself; then it asks nothing more of the platform.
    return (
      isAssumedDone === true ||
      tries === 1 ||
      statusRank(order.hostStatus) < statusRank('IN_DELIVERY')
    )
  }
  const targetStatus = targetStatuses[operation]
  return targetStatus !== undefined && statusRank(order.hostStatus) < statusRank(targetStatus)
}
