/** How far in its life a status is. */
import { type OrderStatus, orderStatuses } from '../../protocol/orders/order.ts'

const ranks = Object.fromEntries(orderStatuses.map((status, rank) => [status, rank])) as Readonly<
  Record<OrderStatus, number>
>

/** No order goes back: of two statuses the one with the higher rank is the newer one. */
export const rankOf = (status: OrderStatus): number => ranks[status]

/** Nothing is left to do for it; CONCLUDED may follow, or never. */
export const isOver = (status: OrderStatus): boolean => ranks[status] >= ranks.DELIVERED
