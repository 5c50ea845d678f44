/** An order at the Ordering Application: found, judged by its lifecycle, and rendered as GET returns it. */
import { compact } from '../../base/compact.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { orderLifecycleIn } from '../../protocol/orders/lifecycle.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Refusal } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import type { OrderRecord, World } from '../world.ts'

export function findOrder(orderId: string, world: World): Result<OrderRecord, Refusal> {
  const record = world.ordering.orders.get(orderId)
  return record ? ok(record) : err({ code: 'NOT_FOUND', message: `there is no order ${orderId}` })
}

/** Whether the order can still be cancelled. */
export const isCancellable = (
  { order, status }: Pick<OrderRecord, 'order' | 'status'>,
  conduct: Settings['conduct'],
): boolean =>
  orderLifecycleIn(conduct).step(status, 'cancel', order.fulfillment.orderType).kind === 'moves'

/** The order with its authoritative status. */
export function orderView(record: Pick<OrderRecord, 'order' | 'status' | 'lastEvent'>): Order {
  const { status: _status, lastEvent: _lastEvent, ...document } = record.order
  return {
    ...document,
    status: record.status,
    ...compact({ lastEvent: record.lastEvent }),
  }
}
