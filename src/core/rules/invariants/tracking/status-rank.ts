/** Rank of statuses in the lifecycle. */
import { type OrderStatus, orderStatuses } from '../../../protocol/orders/order.ts'

const ranks = Object.fromEntries(orderStatuses.map((status, rank) => [status, rank])) as Readonly<
  Record<OrderStatus, number>
>

/** Orders never go back: of two statuses the higher-ranked one is newer. */
export const statusRank = (status: OrderStatus): number => ranks[status]

/** Final: nothing is left to do. CONCLUDED may follow, or never. */
export const isFinalStatus = (status: OrderStatus): boolean => ranks[status] >= ranks.DELIVERED
