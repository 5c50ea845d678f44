/** Why an order will never have a status: its profile, its end, or a status that is behind it. */
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { OrderDetail } from '../session-api/session-api.ts'

/** The profiles of which no order has a status. */
const impossible: Readonly<Partial<Record<OrderStatus, readonly OrderType[]>>> = {
  IN_DELIVERY: ['TAKEOUT', 'INDOOR'],
}

/** Why the order will never have the status; undefined while it may. */
export function neverReason(
  { row, statusHistory, regularStatuses }: OrderDetail,
  wanted: OrderStatus,
): string | undefined {
  const { status, profile } = row
  if (impossible[wanted]?.includes(profile)) return `a ${profile} order is never ${wanted}`
  const isCancelled = statusHistory.some((each) => each.status === 'CANCELLED')
  if (isCancelled && wanted !== 'CANCELLED') return 'it was cancelled'
  if (status === 'CONCLUDED') return 'it is CONCLUDED, which is its end'
  const [now, then] = [regularStatuses.indexOf(status), regularStatuses.indexOf(wanted)]
  return then >= 0 && now > then ? `it is ${status} already, past ${wanted}` : undefined
}
