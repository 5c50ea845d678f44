/** Makes a new order of one that was looked at: `orders show --json` can be fed back to `orders create`. */
import { type Instant, isoOf } from '../engine/instant.ts'
import { isUnknownRecord, type UnknownRecord } from '../protocol/unknown-record.ts'

/** Fields of an order that hold an instant. */
const timeFields: ReadonlySet<string> = new Set([
  'estimatedDeliveryDateTime',
  'preparationStartDateTime',
  'scheduledDateTimeStart',
  'scheduledDateTimeEnd',
])

/** The value with all its instants later by `byMs`. */
function shifted(value: unknown, byMs: number): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => shifted(each, byMs))
  if (!isUnknownRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const instant =
        timeFields.has(name) && typeof each === 'string' ? Date.parse(each) : Number.NaN
      return [name, Number.isNaN(instant) ? shifted(each, byMs) : isoOf(instant + byMs)]
    }),
  )
}

/** An item without what has become of it. */
function asOrdered(item: unknown): unknown {
  if (!isUnknownRecord(item)) return item
  const { status: _status, quantityCancelled: _cancelled, ...ordered } = item
  return ordered
}

function withoutAccount(fulfillment: unknown): unknown {
  if (!isUnknownRecord(fulfillment) || !isUnknownRecord(fulfillment['indoor'])) return fulfillment
  const { account: _account, ...indoor } = fulfillment['indoor']
  return { ...fulfillment, indoor }
}

function copyOf(document: UnknownRecord, now: Instant): UnknownRecord {
  const { id: _id, displayId: _number, createdAt, items, total, payments, ...others } = document
  const isChanged =
    Array.isArray(items) &&
    items.some((item) => isUnknownRecord(item) && item['quantityCancelled'] !== undefined)
  const since = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN
  const copy: UnknownRecord = {
    ...others,
    fulfillment: withoutAccount(others['fulfillment']),
    ...(Array.isArray(items) ? { items: items.map(asOrdered) } : {}),
    // They were reduced when items were cancelled.
    ...(isChanged ? {} : { total, payments }),
  }
  return Number.isNaN(since) ? copy : (shifted(copy, now - since) as UnknownRecord)
}

/** The input; a copy of its document, with fresh ids and times, where it is an order in detail. */
export function copiedOrder(input: unknown, now: Instant): unknown {
  if (!isUnknownRecord(input)) return input
  const { row, document } = input
  return isUnknownRecord(row) && isUnknownRecord(document) ? copyOf(document, now) : input
}
