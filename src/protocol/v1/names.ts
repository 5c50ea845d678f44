/** What V1 calls the operations of V2, so that whoever plans a call need not know which of the two is spoken. */
import type { OperationId } from '../catalogue.ts'

const names: Readonly<Partial<Record<OperationId, OperationId>>> = {
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

const back = new Map(Object.entries(names).map(([v2, v1]) => [v1, v2 as OperationId]))

export const v1NameOf = (operation: OperationId): OperationId | undefined => names[operation]

/** The operation of V2 that stands for one of V1; one of V2 stands for itself. What was fetched is delivered. */
export const v2NameOf = (operation: OperationId): OperationId =>
  operation === 'setOrderPickedUpV1' ? 'setOrderDelivered' : (back.get(operation) ?? operation)
