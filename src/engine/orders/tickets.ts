/**
 * What the Software Service knows of an order, and which call belongs to which trigger. It learns from events and from
 * GET only: what the other side of the world holds is a stranger's business.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'

export type Asked = ProgressionTrigger | 'cancel' | 'cancel-item'

export const operationOf: Readonly<Record<Asked, OperationId>> = {
  confirm: 'confirmOrder',
  preparing: 'setOrderPreparing',
  'ready-for-pickup': 'setOrderReadyForPickup',
  dispatch: 'dispatchOrder',
  delivered: 'setOrderDelivered',
  cancel: 'requestCancellation',
  'cancel-item': 'cancelOrderItem',
}

export const askedBy = (operation: OperationId): Asked | undefined =>
  (Object.keys(operationOf) as Asked[]).find((asked) => operationOf[asked] === operation)

/** The statuses in which a Software Service has nothing left to do. */
export const isOver = (status: OrderStatus | undefined): boolean =>
  status === 'DELIVERED' || status === 'CANCELLED' || status === 'CONCLUDED'

/** Reads in a row without news, after which an order counts as stuck and is left alone. */
export const mostQuietReads = 10
