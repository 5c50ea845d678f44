/** Finds an order at the Ordering Application, and renders it as GET returns it. */
import { compact } from '../../compact.ts'
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

/** Cache limits: records remembered as read once, per generation; and characters of cached text per generation. */
const maxReadOnce = 2000
const maxCharacters = 4_000_000

let readOnce = new WeakSet<OrderRecord>()
let readOnceCount = 0
let youngTexts = new WeakMap<OrderRecord, string>()
let oldTexts = youngTexts
let youngCharacters = 0

/** Whether the record was read before, recently. */
function isReadAgain(record: OrderRecord): boolean {
  if (readOnce.has(record)) return true
  if (++readOnceCount > maxReadOnce) {
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
  const youngText = youngTexts.get(record)
  if (youngText !== undefined) return youngText
  const oldText = oldTexts.get(record)
  const text = oldText ?? JSON.stringify(orderView(record))
  if (oldText === undefined && !isReadAgain(record)) return text
  youngCharacters += text.length
  if (youngCharacters > maxCharacters) {
    oldTexts = youngTexts
    youngTexts = new WeakMap()
    youngCharacters = text.length
  }
  youngTexts.set(record, text)
  return text
}
