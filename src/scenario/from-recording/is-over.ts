/** Whether an order has reached a final status. */
import type { OrderStatus } from '../../protocol/orders/order.ts'

const over: ReadonlySet<OrderStatus> = new Set(['DELIVERED', 'CANCELLED', 'CONCLUDED'])

export function isOrderOver({
  statusHistory,
}: {
  readonly statusHistory: readonly OrderStatus[]
}): boolean {
  const last = statusHistory.at(-1)
  return last !== undefined && over.has(last)
}
