/** Finding an order at the Ordering Application, and seeing it as GET answers it. */
import type { Order } from '../../protocol/orders/order.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Refusal } from '../refusal.ts'
import type { OrderRecord, World } from '../world.ts'

export function findOrder(orderId: string, world: World): Result<OrderRecord, Refusal> {
  const record = world.ordering.orders.get(orderId)
  return record ? ok(record) : no({ code: 'NOT_FOUND', message: `there is no order ${orderId}` })
}

/** The order with its authoritative status. */
export function orderView(record: OrderRecord): Order {
  const { status: _status, lastEvent: _lastEvent, ...document } = record.order
  return {
    ...document,
    status: record.status,
    ...(record.lastEvent === undefined ? {} : { lastEvent: record.lastEvent }),
  }
}

/** Texts of a generation; two generations are kept, however many orders there are. */
const mostTexts = 2000
let young = new WeakMap<OrderRecord, string>()
let old = young
let count = 0

/**
 * The order as JSON. Kept by record: a record never changes, so its text does not either, and an order that is read a
 * thousand times is written once. What nobody reads any more is forgotten, or every order would be in memory twice.
 */
export function orderText(record: OrderRecord): string {
  const known = young.get(record)
  if (known !== undefined) return known
  const text = old.get(record) ?? JSON.stringify(orderView(record))
  if (++count > mostTexts) {
    old = young
    young = new WeakMap()
    count = 1
  }
  young.set(record, text)
  return text
}
