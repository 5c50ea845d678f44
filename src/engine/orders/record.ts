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
export function orderView(record: Pick<OrderRecord, 'order' | 'status' | 'lastEvent'>): Order {
  const { status: _status, lastEvent: _lastEvent, ...document } = record.order
  return {
    ...document,
    status: record.status,
    ...(record.lastEvent === undefined ? {} : { lastEvent: record.lastEvent }),
  }
}

/** Records that were read once lately, of a generation; and letters of the texts that are kept of one. */
const mostReadOnce = 2000
const mostLetters = 4_000_000

let readOnce = new WeakSet<OrderRecord>()
let readOnceCount = 0
let young = new WeakMap<OrderRecord, string>()
let old = young
let letters = 0

/** Whether it was read before, not long ago. */
function isReadAgain(record: OrderRecord): boolean {
  if (readOnce.has(record)) return true
  if (++readOnceCount > mostReadOnce) {
    readOnce = new WeakSet()
    readOnceCount = 1
  }
  readOnce.add(record)
  return false
}

/**
 * The order as JSON. Kept by record: a record never changes, so its text does not either, and an order that is read a
 * thousand times is written twice. Most are read once and not again: their texts are not kept, or every order would be
 * in memory twice. Of those that are, what nobody reads any more is forgotten.
 */
export function orderText(record: OrderRecord): string {
  const known = young.get(record)
  if (known !== undefined) return known
  const aged = old.get(record)
  const text = aged ?? JSON.stringify(orderView(record))
  if (aged === undefined && !isReadAgain(record)) return text
  letters += text.length
  if (letters > mostLetters) {
    old = young
    young = new WeakMap()
    letters = text.length
  }
  young.set(record, text)
  return text
}
