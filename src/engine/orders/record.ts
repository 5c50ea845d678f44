/** Finds an order at the Ordering Application, and renders it as GET returns it. */
import { compact } from '../../compact.ts'
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
    ...compact({ lastEvent: record.lastEvent }),
  }
}

/** Cache limits: records remembered as read once, per generation; and characters of cached text per generation. */
const mostReadOnce = 2000
const mostLetters = 4_000_000

let readOnce = new WeakSet<OrderRecord>()
let readOnceCount = 0
let young = new WeakMap<OrderRecord, string>()
let old = young
let letters = 0

/** Whether the record was read before, recently. */
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
 * The order as JSON, cached by record: records are immutable, so an order read a thousand times is serialised twice.
 * Most are read only once; their texts are not cached, or every order would be in memory twice. Two generations of
 * texts evict those no longer read.
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
