/** Creates an order requested by an operator: from a complete document, or generated from the seed. */
import type { NewOrder } from '../session-api/session-api.ts'
import type { Chance } from '../engine/chance.ts'
import { type Instant, isoOf } from '../engine/instant.ts'
import type { Refusal } from '../engine/refusal.ts'
import { refuse } from '../engine/refusal.ts'
import { generateOrder } from '../seed-data/orders.ts'
import { Order, orderTypes } from '../protocol/orders/order.ts'
import { ok, type Result } from '../protocol/result.ts'
import type { Population } from '../seed-data/types.ts'

/**
 * Validates a complete order document. A missing id is generated; status and last event are reset, so a document taken
 * mid-lifecycle starts over.
 */
function readOrder(input: unknown, chance: Chance, now: Instant): Result<Order, Refusal> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return refuse('INVALID_PAYLOAD', 'an order is an object')
  const { lastEvent: _lastEvent, ...document } = input as Record<string, unknown>
  const order = {
    ...document,
    id: document['id'] ?? chance.uuid(),
    createdAt: document['createdAt'] ?? isoOf(now),
    status: 'CREATED',
  }
  const parsed = Order.safeParse(order)
  // Keep the document as given: the schema's output would reorder its members.
  if (parsed.success) return ok(order as unknown as Order)
  const issue = parsed.error.issues[0]
  return refuse(
    'INVALID_PAYLOAD',
    `the order is invalid at ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

/** Maximum number of lines of a generated order. */
const maxLines = 500

/** Why a request is invalid. In-process requests are not checked by a schema before. */
function invalidReason({ type, items, order }: NewOrder): string | undefined {
  if (order !== undefined)
    return type === undefined && items === undefined
      ? undefined
      : 'an order that is given whole takes neither type nor items beside it'
  if (type !== undefined && !orderTypes.includes(type))
    return `type is ${JSON.stringify(type)}, and it must be ${orderTypes.join(', ')}`
  if (items !== undefined && !(Number.isInteger(items) && items >= 1 && items <= maxLines))
    return `items is ${JSON.stringify(items)}, and it must be a whole number from 1 to ${maxLines}`
  return undefined
}

export function makeRequestedOrder(
  request: NewOrder,
  population: Population,
  chance: Chance,
  now: Instant,
): Result<Order, Refusal> {
  const reason = invalidReason(request)
  if (reason !== undefined) return refuse('INVALID_PAYLOAD', reason)
  if (request.order !== undefined) return readOrder(request.order, chance, now)
  return ok(generateOrder({ population, chance, now, type: request.type, lines: request.items }))
}
