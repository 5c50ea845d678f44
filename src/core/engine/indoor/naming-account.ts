/**
 * Adds the account id to an order that the Ordering Application generates, when it knows the account of the order's
 * place (IND-FLD-03).
 */
import type { Order } from '../../protocol/orders/order.ts'
import type { World } from '../world.ts'
import { activeTableAt } from './tables.ts'

export function withAccountId(order: Order, world: World): Order {
  const { indoor } = order.fulfillment
  if (!indoor) return order
  const { operationMode, identifier } = indoor
  const merchantId = order.merchant.id
  const id = activeTableAt({ operationMode, identifier, merchantId }, world.indoor.guest)?.accountId
  return id === undefined
    ? order
    : { ...order, fulfillment: { ...order.fulfillment, indoor: { ...indoor, account: { id } } } }
}
