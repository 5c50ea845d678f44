/**
 * Completes a part of an order document: what is missing is made up from the seed, consistently with what is there, and
 * sums are computed. An order whose items are named has no made-up fees, discounts or remarks, so that its amount is known.
 * Values of a wrong type are kept, for the schema to report.
 */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
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
import {
  completeCustomer,
  completeFulfillment,
  completeTiming,
  completeTotal,
  fulfillmentBlocks,
  recordAt,
} from './complete-parts.ts'
import { completePayments } from './complete-payments.ts'
import { findSeedCustomer, findMerchant, merchantRemedy } from './lookup.ts'
import { seedCurrency } from './money.ts'
import { generateOrder, paymentSituationOf } from './orders.ts'
import type { Population, SeedCustomer, SeedMerchant } from './types.ts'

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

/** A merchant that sells the items, or most of them: what it lacks is reported. */
function merchantThatSells(
  items: readonly ItemRequest[] = [],
  { population: { openMerchants }, chance }: OrderCompletionContext,
): SeedMerchant {
  const countAt = (merchant: SeedMerchant): number =>
    items.filter((item) => offerOf(item, merchant)).length
  const most = Math.max(...openMerchants.map(countAt))
  return chance.pick(openMerchants.filter((merchant) => countAt(merchant) === most))
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
  const { merchant: given } = document
  const references = merchantReferences(document)
  for (const reference of references) {
    const merchant = findMerchant(context.population, reference)
    if (merchant && isUnknownRecord(given))
      return { merchant, document: { ...merchantFields(merchant), ...given } }
  }
  if (isUnknownRecord(given) && typeof given['id'] === 'string')
    return { merchant: undefined, document: given }
  const merchant = merchantThatSells(items, context)
  const [reference] = references
  if (given === undefined) return { merchant, document: merchantFields(merchant) }
  if (reference === undefined) return { merchant, document: given }
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
  const given = request.items === undefined ? request.document['items'] : undefined
  const list: readonly unknown[] = Array.isArray(given) ? given : []
  return requested
    ? requested.map((item, index) =>
        index in list && !isUnknownRecord(list[index])
          ? list[index]
          : completeItem(item, index, { ...context, chance }),
      )
    : given
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
