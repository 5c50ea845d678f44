/**
 * What the Software Service knows of an order, and which call belongs to which trigger. It learns from events and from
 * GET only: what the other side of the world holds is a stranger's business.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import { v2NameOf } from '../../protocol/v1/names.ts'
import type { Context } from '../decision.ts'
import { partnerOf, type Ticket } from '../world.ts'

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
  (Object.keys(operationOf) as Asked[]).find((asked) => operationOf[asked] === v2NameOf(operation))

/** The statuses in which a Software Service has nothing left to do. */
export const isOver = (status: OrderStatus | undefined): boolean =>
  status === 'DELIVERED' || status === 'CANCELLED' || status === 'CONCLUDED'

/** What it asked for may only be slow: it is not asked for again before two reads without news (ORD-EVR-06). */
export const isWaiting = ({ asked, quiet }: Ticket): boolean => asked !== undefined && quiet < 2

/** The Ordering Application's manifest is valid: before that no business call goes there (DIS-GEN-02). */
export const mayCall = ({ world }: Context): boolean =>
  partnerOf(world, 'software-service', 'ordering-application')?.state === 'accepted'

/** Both sides declare that single lines can be cancelled (ORD-ITM-06). */
export function cancelsItems({ settings, world }: Context): boolean {
  const partner = partnerOf(world, 'software-service', 'ordering-application')?.manifest
  return (
    !settings.conduct.withheldOperations.includes('partialItemCancellation') &&
    (partner?.capabilities['orders']?.operations.includes('partialItemCancellation') ?? false)
  )
}

/** Reads in a row without news, after which an order counts as stuck and is left alone. */
export const mostQuietReads = 10
