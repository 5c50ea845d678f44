/**
 * The code that a customer tells whoever hands the food over: the pickup code of an order that is fetched, else the last
 * digits of the customer's telephone, as the field does it.
 */
import type { Order } from '../orders/order.ts'

export function deliveryCodeOf({ fulfillment, customer }: Order): string | undefined {
  const { pickupCode } = fulfillment.takeout ?? {}
  return pickupCode ?? customer?.phone.number.replaceAll(/\D/g, '').slice(-4)
}
