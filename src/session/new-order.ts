/** An order that a person asks for: given whole, or made up from the seed. */
import type { NewOrder } from '../session-api/session-api.ts'
import type { Chance } from '../engine/chance.ts'
import { type Instant, isoOf } from '../engine/instant.ts'
import type { Refusal } from '../engine/refusal.ts'
import { refuse } from '../engine/refusal.ts'
import { makeOrder } from '../seed-data/orders.ts'
import { Order, orderTypes } from '../protocol/orders/order.ts'
import { ok, type Result } from '../protocol/result.ts'
import type { Population } from '../seed-data/types.ts'

/**
 * Reads a whole order. Its id is kept, or made up when it has none; its status and its last event are the session's to
 * say, so a document that was caught in the middle of its life begins it anew.
 */
function readOrder(given: unknown, chance: Chance, now: Instant): Result<Order, Refusal> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse('INVALID_PAYLOAD', 'an order is an object')
  const { lastEvent: _lastEvent, ...document } = given as Record<string, unknown>
  const order = {
    ...document,
    id: document['id'] ?? chance.uuid(),
    createdAt: document['createdAt'] ?? isoOf(now),
    status: 'CREATED',
  }
  const parsed = Order.safeParse(order)
  // The document goes on as it was given: what the schema gives back has its members in another order.
  if (parsed.success) return ok(order as unknown as Order)
  const issue = parsed.error.issues[0]
  return refuse(
    'INVALID_PAYLOAD',
    `the order is invalid at ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

/** Lines of an order that is made up. */
const mostLines = 500

/** Why no order can be made up so: a wish from this process was checked by nobody yet. */
function whyNotSo({ type, items, order }: NewOrder): string | undefined {
  if (order !== undefined)
    return type === undefined && items === undefined
      ? undefined
      : 'an order that is given whole takes neither type nor items beside it'
  if (type !== undefined && !orderTypes.includes(type))
    return `type is ${JSON.stringify(type)}, and it must be ${orderTypes.join(', ')}`
  if (items !== undefined && !(Number.isInteger(items) && items >= 1 && items <= mostLines))
    return `items is ${JSON.stringify(items)}, and it must be a whole number from 1 to ${mostLines}`
  return undefined
}

export function newOrder(
  wish: NewOrder,
  population: Population,
  chance: Chance,
  now: Instant,
): Result<Order, Refusal> {
  const wrong = whyNotSo(wish)
  if (wrong !== undefined) return refuse('INVALID_PAYLOAD', wrong)
  if (wish.order !== undefined) return readOrder(wish.order, chance, now)
  return ok(makeOrder({ population, chance, now, type: wish.type, lines: wish.items }))
}
