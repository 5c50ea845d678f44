/** Mapping between V2 and V1 operations, so that code that plans calls is independent of the version in use. */
import type { OperationId } from '../catalogue.ts'

const v1Names: Readonly<Partial<Record<OperationId, OperationId>>> = {
  pollingEvents: 'pollEventsV1',
  acknowledgeEvents: 'acknowledgeEventsV1',
  receiveOrderEvent: 'receiveOrderEventV1',
  getOrder: 'getOrderV1',
  confirmOrder: 'confirmOrderV1',
  setOrderPreparing: 'setOrderPreparingV1',
  setOrderReadyForPickup: 'setOrderReadyForPickupV1',
  dispatchOrder: 'dispatchOrderV1',
  setOrderDelivered: 'setOrderDeliveredV1',
  sendOrderTracking: 'sendOrderTrackingV1',
  requestCancellation: 'requestCancellationV1',
}

const v2Names = new Map(Object.entries(v1Names).map(([v2, v1]) => [v1, v2 as OperationId]))

export const v1OperationOf = (operation: OperationId): OperationId | undefined => v1Names[operation]

/** The V2 operation of a V1 one; a V2 operation maps to itself. Picked up in V1 is delivered in V2. */
export const v2OperationOf = (operation: OperationId): OperationId =>
  operation === 'setOrderPickedUpV1' ? 'setOrderDelivered' : (v2Names.get(operation) ?? operation)
