/**
 * The code that the customer shows at the handover of the food: the pickup code of a TAKEOUT order, else the last four
 * digits of the customer's telephone number, as real partners do.
 */
import type { Order } from './order.ts'

export function deliveryCodeOf({ fulfillment, customer }: Order): string | undefined {
  const { pickupCode } = fulfillment.takeout ?? {}
  return pickupCode ?? customer?.phone.number.replaceAll(/\D/g, '').slice(-4)
}
