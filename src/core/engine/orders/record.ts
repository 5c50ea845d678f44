/** Finds an order at the Ordering Application, and renders it as GET returns it. */
import { compact } from '../../base/compact.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Refusal } from '../refusal.ts'
import type { OrderRecord, World } from '../world.ts'

export function findOrder(orderId: string, world: World): Result<OrderRecord, Refusal> {
  const record = world.ordering.orders.get(orderId)
  return record ? ok(record) : err({ code: 'NOT_FOUND', message: `there is no order ${orderId}` })
}

/** The order with its authoritative status. */
export function orderView(record: Pick<OrderRecord, 'order' | 'status' | 'lastEvent'>): Order {
  const { status: _status, lastEvent: _lastEvent, ...document } = record.order
  return {
    ...document,
    status: record.status,
    ...compact({ lastEvent: record.lastEvent }),
  }
}
