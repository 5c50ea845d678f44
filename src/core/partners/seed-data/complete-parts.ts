/** Completes the parts of an order beside its items: customer, fulfillment, timing and totals. */
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { priceFromUnits } from '../../protocol/orders/price.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { unitsOf } from './complete-items.ts'

/** A field that is an object; an empty one where it is none. */
export const recordAt = (value: unknown, key: string): UnknownRecord => {
  const inner = isUnknownRecord(value) ? value[key] : undefined
  return isUnknownRecord(inner) ? inner : {}
}

/** The block of `fulfillment` of each profile. */
export const fulfillmentBlocks = {
  DELIVERY: 'delivery',
  TAKEOUT: 'takeout',
  INDOOR: 'indoor',
} as const

/** Customers are known by name; the same unknown one has the same id in every order. */
export function completeCustomer(
  given: unknown,
  base: Order['customer'],
  isKnown: boolean,
  chance: Chance,
): unknown {
  if (given === undefined) return base
  if (!isUnknownRecord(given)) return given
  const { name, phone } = given
  if (isKnown || typeof name !== 'string') return { ...base, ...given }
  const number = recordAt(given, 'phone')['number']
  const own = chance.fork(`customer ${JSON.stringify([name, number])}`)
  const digits = String(own.below(10_000_000)).padStart(7, '0')
  return {
    id: own.uuid(),
    ordersCountOnMerchant: 0,
    ...given,
    // No subscriber has 0 after the mobile prefix 9.
    phone: phone === undefined ? { number: `+551190${digits}` } : phone,
  }
}

export function completeFulfillment(given: unknown, base: Order['fulfillment']): unknown {
  if (given === undefined) return base
  if (!isUnknownRecord(given)) return given
  const block = fulfillmentBlocks[base.orderType]
  const own = given[block]
  const isKept = own !== undefined && !isUnknownRecord(own)
  return { ...base, ...given, [block]: isKept ? own : { ...base[block], ...own } }
}

const quarterHourMs = 900_000
const scheduledAfterMs = 2 * 3_600_000

export function completeTiming(given: unknown, base: Order['timing'], now: Instant): unknown {
  if (given === undefined) return base
  if (!isUnknownRecord(given)) return given
  const { orderTiming, schedule } = given
  if (orderTiming === undefined && schedule === undefined) return { ...base, ...given }
  const start = Math.ceil((now + scheduledAfterMs) / quarterHourMs) * quarterHourMs
  const isScheduled = orderTiming === undefined || orderTiming === 'SCHEDULED'
  return {
    orderTiming: 'SCHEDULED',
    ...given,
    ...(isScheduled && schedule === undefined
      ? {
          schedule: {
            scheduledDateTimeStart: isoOf(start),
            scheduledDateTimeEnd: isoOf(start + 2 * quarterHourMs),
          },
        }
      : {}),
  }
}

const sumOf = (entries: unknown, price: (entry: UnknownRecord) => unknown): number =>
  Array.isArray(entries)
    ? entries.filter(isUnknownRecord).reduce((sum, entry) => sum + unitsOf(price(entry)), 0)
    : 0

/** The totals; those of the document are kept, and others computed. */
export function completeTotal(given: unknown, parts: UnknownRecord, currency: string): unknown {
  if (given !== undefined && !isUnknownRecord(given)) return given
  const items = sumOf(parts['items'], (item) => recordAt(item, 'pricing')['totalPrice'])
  const fees = sumOf(parts['otherFees'], (fee) => fee['price'])
  const discount = sumOf(parts['discounts'], ({ amount }) => amount)
  return {
    itemsPrice: priceFromUnits(items, currency),
    otherFees: priceFromUnits(fees, currency),
    discount: priceFromUnits(discount, currency),
    orderAmount: priceFromUnits(Math.max(0, items + fees - discount), currency),
    ...given,
  }
}
