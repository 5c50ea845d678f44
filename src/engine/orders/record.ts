/** Finding an order at the Ordering Application, and seeing it as GET answers it. */
import type { Order } from '../../protocol/orders/order.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Refusal } from '../refusal.ts'
import type { OrderRecord, World } from '../world.ts'

export function findOrder(orderId: string, world: World): Result<OrderRecord, Refusal> {
  const record = world.ordering.orders.get(orderId)
  return record ? ok(record) : no({ code: 'NOT_FOUND', message: `there is no order ${orderId}` })
}

/**
 * The order with its authoritative status. Kept by record: a record never changes, so the view of it does not either,
 * and an order that is read a thousand times is composed once.
 */
const views = new WeakMap<OrderRecord, Order>()

export function orderView(record: OrderRecord): Order {
  const known = views.get(record)
  if (known) return known
  const { status: _status, lastEvent: _lastEvent, ...document } = record.order
  const view = {
    ...document,
    status: record.status,
    ...(record.lastEvent === undefined ? {} : { lastEvent: record.lastEvent }),
  } as Order
  views.set(record, view)
  return view
}
