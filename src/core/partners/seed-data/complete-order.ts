/**
 * Completes a part of an order document: what is missing is made up from the seed, consistently with what is there, and
 * sums are computed. An order whose items are named has no made-up fees, discounts or remarks, so that its amount is known.
 * Values of a wrong type are kept, for the schema to report.
 */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'
import { OperationMode } from '../../protocol/indoor/labels.ts'
import { type Order, type OrderType, orderTypes } from '../../protocol/orders/order.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import {
  completeItem,
  type FieldProblem,
  type ItemRequest,
  offerOf,
  unitsOf,
} from './complete-items.ts'
import { completePayments } from './complete-payments.ts'
import { findMerchant, findSeedCustomer, merchantRemedy } from './lookup.ts'
import { seedCurrency } from './money.ts'
import { generateOrder, paymentSituationOf } from './orders.ts'
import type { Population, SeedCustomer, SeedMerchant } from './types.ts'
import { priceFromUnits } from '../../protocol/orders/price.ts'

// Completes the parts of an order beside its items: customer, fulfillment, timing and totals.

/** A field that is an object; an empty one where it is none. */
const recordAt = (value: unknown, key: string): UnknownRecord => {
  const inner = isUnknownRecord(value) ? value[key] : undefined
  return isUnknownRecord(inner) ? inner : {}
}

/** The block of `fulfillment` of each profile. */
const fulfillmentBlocks = {
  DELIVERY: 'delivery',
  TAKEOUT: 'takeout',
  INDOOR: 'indoor',
} as const

/** Customers are known by name; the same unknown one has the same id in every order. */
function completeCustomer(
  input: unknown,
  base: Order['customer'],
  isKnown: boolean,
  chance: Chance,
): unknown {
  if (input === undefined) return base
  if (!isUnknownRecord(input)) return input
  const { name, phone } = input
  if (isKnown || typeof name !== 'string') return { ...base, ...input }
  const number = recordAt(input, 'phone')['number']
  const own = chance.fork(`customer ${JSON.stringify([name, number])}`)
  const digits = String(own.below(10_000_000)).padStart(7, '0')
  return {
    id: own.uuid(),
    ordersCountOnMerchant: 0,
    ...input,
    // No subscriber has 0 after the mobile prefix 9.
    phone: phone === undefined ? { number: `+551190${digits}` } : phone,
  }
}

function completeFulfillment(input: unknown, base: Order['fulfillment']): unknown {
  if (input === undefined) return base
  if (!isUnknownRecord(input)) return input
  const block = fulfillmentBlocks[base.orderType]
  const own = input[block]
  const isKept = own !== undefined && !isUnknownRecord(own)
  return { ...base, ...input, [block]: isKept ? own : { ...base[block], ...own } }
}

const quarterHourMs = 900_000
const scheduledAfterMs = 2 * 3_600_000

function completeTiming(input: unknown, base: Order['timing'], now: Instant): unknown {
  if (input === undefined) return base
  if (!isUnknownRecord(input)) return input
  const { orderTiming, schedule } = input
  if (orderTiming === undefined && schedule === undefined) return { ...base, ...input }
  const start = Math.ceil((now + scheduledAfterMs) / quarterHourMs) * quarterHourMs
  const isScheduled = orderTiming === undefined || orderTiming === 'SCHEDULED'
  return {
    orderTiming: 'SCHEDULED',
    ...input,
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
export function completeTotal(input: unknown, parts: UnknownRecord, currency: string): unknown {
  if (input !== undefined && !isUnknownRecord(input)) return input
  const items = sumOf(parts['items'], (item) => recordAt(item, 'pricing')['totalPrice'])
  const fees = sumOf(parts['otherFees'], (fee) => fee['price'])
  const discount = sumOf(parts['discounts'], ({ amount }) => amount)
  return {
    itemsPrice: priceFromUnits(items, currency),
    otherFees: priceFromUnits(fees, currency),
    discount: priceFromUnits(discount, currency),
    orderAmount: priceFromUnits(Math.max(0, items + fees - discount), currency),
    ...input,
  }
}

export interface OrderRequest {
  readonly document: UnknownRecord
  /** Items in place of those of the document. */
  readonly items?: readonly ItemRequest[] | undefined
  /** Number of items, where none are named. */
  readonly lines?: number | undefined
  readonly type?: OrderType | undefined
}

export interface OrderCompletionContext {
  readonly population: Population
  readonly chance: Chance
  readonly now: Instant
}

interface CompletedOrder {
  /** An order, unless values of the document are wrong. */
  readonly document: UnknownRecord
  readonly problems: readonly FieldProblem[]
}

/** The profile that the document names, or whose block it has. */
function typeOf({ document, type }: OrderRequest): OrderType | undefined {
  const { orderType, ...fulfillment } = recordAt(document, 'fulfillment')
  return (
    type ??
    orderTypes.find((each) => each === orderType) ??
    orderTypes.find((each) => fulfillmentBlocks[each] in fulfillment)
  )
}

/** The texts by which a document names its merchant. */
const merchantReferences = ({ merchant }: UnknownRecord): readonly string[] =>
  isUnknownRecord(merchant)
    ? [merchant['id'], merchant['externalCode'], merchant['name']].filter(
        (key) => typeof key === 'string',
      )
    : []

/**
 * A merchant that sells the items, or most of them: what it lacks is reported. Orders for named tables are all of the first one:
 * a second order for table 12 comes to the account of table 12.
 */
function merchantThatSells(
  document: UnknownRecord,
  items: readonly ItemRequest[] = [],
  { population: { openMerchants }, chance }: OrderCompletionContext,
): SeedMerchant {
  const { identifier } = recordAt(recordAt(document, 'fulfillment'), 'indoor')
  const countAt = (merchant: SeedMerchant): number =>
    items.filter((item) => offerOf(item, merchant)).length
  const most = Math.max(...openMerchants.map(countAt))
  const best = openMerchants.filter((merchant) => countAt(merchant) === most)
  return chance.pick(identifier === undefined ? best : best.slice(0, 1))
}

interface MerchantChoice {
  readonly document: unknown
  /** Undefined for a merchant with a menu that is not known here. */
  readonly merchant: SeedMerchant | undefined
}

const merchantFields = ({ id, externalCode, name }: SeedMerchant) => ({ id, externalCode, name })

/** The merchant that the document names, one of this session or not; else one of this session. */
function chooseMerchant(
  document: UnknownRecord,
  items: readonly ItemRequest[] | undefined,
  context: OrderCompletionContext,
  report: (problem: FieldProblem) => void,
): MerchantChoice {
  const { merchant: input } = document
  const references = merchantReferences(document)
  for (const reference of references) {
    const merchant = findMerchant(context.population, reference)
    if (merchant && isUnknownRecord(input))
      return { merchant, document: { ...merchantFields(merchant), ...input } }
  }
  if (isUnknownRecord(input) && typeof input['id'] === 'string')
    return { merchant: undefined, document: input }
  const merchant = merchantThatSells(document, items, context)
  const [reference] = references
  if (input === undefined) return { merchant, document: merchantFields(merchant) }
  if (reference === undefined) return { merchant, document: input }
  report({
    path: 'merchant',
    wrong: `this session has no merchant "${reference}"`,
    remedy: merchantRemedy(context.population, reference),
  })
  return { merchant, document: merchantFields(merchant) }
}

/** The items as requests; undefined where the order names none. */
function requestedItems({ document, items }: OrderRequest): readonly ItemRequest[] | undefined {
  if (items) return items
  const { items: input } = document
  if (!Array.isArray(input)) return undefined
  return input.map((fields: unknown) => ({ fields: isUnknownRecord(fields) ? fields : {} }))
}

function currencyOf(items: readonly ItemRequest[] | undefined, merchant: SeedMerchant | undefined) {
  for (const { fields } of items ?? []) {
    const { currency } = recordAt(recordAt(fields, 'pricing'), 'unitPrice')
    if (typeof currency === 'string') return currency
  }
  return merchant?.currency ?? seedCurrency
}

/** The items with what they leave out; an entry of a wrong type stays as it is. */
function itemsOf(
  request: OrderRequest,
  requested: readonly ItemRequest[] | undefined,
  context: Omit<Parameters<typeof completeItem>[2], 'chance'>,
  chance: Chance,
): unknown {
  const input = request.items === undefined ? request.document['items'] : undefined
  const list: readonly unknown[] = Array.isArray(input) ? input : []
  return requested
    ? requested.map((item, index) =>
        index in list && !isUnknownRecord(list[index])
          ? list[index]
          : completeItem(item, index, { ...context, chance }),
      )
    : input
}

/** The base with the fields of the document over it. */
function drawBase(
  request: OrderRequest,
  merchant: SeedMerchant | undefined,
  known: SeedCustomer | undefined,
  context: OrderCompletionContext,
): Order {
  const { operationMode, identifier } = recordAt(request.document['fulfillment'], 'indoor')
  const mode = OperationMode.safeParse(operationMode)
  return generateOrder({
    ...context,
    type: typeOf(request),
    merchantId: merchant?.id,
    lines: request.lines,
    customer: known,
    place: {
      ...(mode.success ? { operationMode: mode.data } : {}),
      ...(typeof identifier === 'string' ? { identifier } : {}),
    },
  })
}

const billFields = ['items', 'otherFees', 'discounts', 'total'] as const

/** What may be in a made-up order, but in none whose items or amounts are named. */
const extraFields = [
  'otherFees',
  'discounts',
  'taxInvoice',
  'context',
  'observations',
  'extraInfo',
  'unavailabilityPreference',
] as const

export function completeOrder(
  request: OrderRequest,
  context: OrderCompletionContext,
): CompletedOrder {
  const { document } = request
  const { chance, now, population } = context
  const problems: FieldProblem[] = []
  const report = (problem: FieldProblem): void => void problems.push(problem)
  const requested = requestedItems(request)
  const chosen = chooseMerchant(document, requested, context, report)
  const { merchant } = chosen
  const { name } = recordAt(document, 'customer')
  const known = typeof name === 'string' ? findSeedCustomer(population, name) : undefined
  const base = drawBase(request, merchant, known, context)
  const hasOwnBill = requested !== undefined || billFields.some((field) => field in document)
  const extras = new Set<string>(hasOwnBill ? extraFields : [])
  const drawn = Object.fromEntries(Object.entries(base).filter(([field]) => !extras.has(field)))
  const currency = currencyOf(requested, merchant)
  const items = itemsOf(request, requested, { merchant, currency, report }, chance) ?? base.items
  const parts: UnknownRecord = { ...drawn, ...document, items }
  const total = completeTotal(document['total'], parts, currency)
  const payments =
    hasOwnBill || document['payments'] !== undefined
      ? completePayments(document['payments'], {
          chance,
          situation: paymentSituationOf(base.fulfillment.orderType, base.fulfillment),
          amountUnits: unitsOf(recordAt({ total }, 'total')['orderAmount']),
          currency,
        })
      : base.payments
  const customer = completeCustomer(
    document['customer'],
    base.customer,
    known !== undefined,
    chance,
  )
  return {
    document: {
      ...parts,
      merchant: chosen.document,
      fulfillment: completeFulfillment(document['fulfillment'], base.fulfillment),
      ...compact({ customer }),
      timing: completeTiming(document['timing'], base.timing, now),
      total,
      payments,
    },
    problems,
  }
}
