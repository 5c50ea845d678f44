/**
 * Creates an order requested by an operator: from a document, whole or in part, or from a few words about it. What is
 * missing is generated from the seed; everything that is wrong is reported at once.
 */
import { compact } from '../base/compact.ts'
import type { CreatedOrder, NewOrder, NewOrderItem } from '../session-api/new-order.ts'
import type { Chance } from '../engine/chance.ts'
import { type Instant, isoOf } from '../engine/instant.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import { checkSchema } from '../runtime/files/schema-errors.ts'
import type { ProtocolGeneration } from '../protocol/dialects/settings.ts'
import { Order, type OrderType } from '../protocol/orders/order.ts'
import { sumProblems } from '../protocol/orders/totals.ts'
import { ok, type Result } from '../protocol/result.ts'
import { isUnknownRecord, type UnknownRecord } from '../protocol/unknown-record.ts'
import { NewOrderRequest, placeOf } from '../session-api/configuration/new-order.ts'
import { applySample } from '../partners/seed-data/apply-sample.ts'
import { type SampleName, sampleNamed } from '../partners/seed-data/samples.ts'
import { completeOrder, type OrderRequest } from '../partners/seed-data/complete-order.ts'
import type { ItemRequest } from '../partners/seed-data/complete-items.ts'
import { findMerchant, merchantRemedy } from '../partners/seed-data/lookup.ts'
import { generateOrder } from '../partners/seed-data/orders.ts'
import type { Population } from '../partners/seed-data/types.ts'

// Makes a new order of one that was looked at: `orders show --json` can be fed back to `orders
// create`.

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
function copiedOrder(input: unknown, now: Instant): unknown {
  if (!isUnknownRecord(input)) return input
  const { row, document } = input
  return isUnknownRecord(row) && isUnknownRecord(document) ? copyOf(document, now) : input
}

interface RequestedOrder extends Pick<CreatedOrder, 'warnings'> {
  readonly order: Order
  /** No document has an order like this. */
  readonly outside?: true
}

interface OrderSource {
  readonly population: Population
  readonly chance: Chance
  readonly now: Instant
  /** The version in which the order is shown. */
  readonly speaks?: ProtocolGeneration | undefined
}

/** All errors at once: one as a sentence, several as lines. */
function refused(errors: readonly { readonly wrong: string; readonly remedy: string }[]) {
  const [only = '', ...others] = errors.map(({ wrong, remedy }) => `${wrong}. ${remedy}`)
  const text =
    others.length === 0
      ? only
      : [`the order has ${errors.length} errors:`, only, ...others].join('\n')
  return refuse('INVALID_PAYLOAD', text)
}

/** What is suspicious about an order that is accepted. */
function warningsOf(order: Order, population: Population): readonly string[] {
  const { id, name = id } = order.merchant
  const merchant = findMerchant(population, id)
  const aboutMerchant =
    merchant === undefined
      ? [`the merchant ${name} is not one of this session: GET /merchants does not list it`]
      : merchant.status === 'OPEN'
        ? []
        : [`the merchant ${name} is ${merchant.status}`]
  return [...aboutMerchant, ...sumProblems(order)]
}

const accepted = (order: Order, population: Population): Result<RequestedOrder, Refusal> => {
  const warnings = warningsOf(order, population)
  return ok({ order, ...(warnings.length > 0 ? { warnings } : {}) })
}

/** Maximum number of errors of one order that are reported. */
const maxErrors = 100

/** Completes what is requested, and reports what is wrong with it: what it lacks, and values that no order may have. */
function completed(request: OrderRequest, source: OrderSource): Result<RequestedOrder, Refusal> {
  const { document, problems } = completeOrder(request, source)
  const checked = checkSchema(Order, document, 'the order', maxErrors)
  const invalid = checked.ok ? [] : checked.error
  if (invalid.length + problems.length > 0)
    return refused([
      ...problems.map(({ path, wrong, remedy }) => ({ wrong: `${path}: ${wrong}`, remedy })),
      ...invalid,
    ])
  // Keep the document as it came: the schema's output would reorder its members.
  return accepted(document as unknown as Order, source.population)
}

/** An order document: kept as it is when it is whole. */
function readOrder(input: unknown, source: OrderSource): Result<RequestedOrder, Refusal> {
  const { chance, now, population } = source
  const copied = copiedOrder(input, now)
  if (!isUnknownRecord(copied)) return refuse('INVALID_PAYLOAD', 'an order is an object')
  const { lastEvent: _lastEvent, ...document } = copied
  // Status starts over, so a document taken mid-lifecycle begins again.
  const whole = {
    ...document,
    id: document['id'] ?? chance.uuid(),
    createdAt: document['createdAt'] ?? isoOf(now),
    status: 'CREATED',
  }
  return Order.safeParse(whole).success
    ? accepted(whole as unknown as Order, population)
    : completed({ document: whole }, source)
}

const itemRequest = ({ item, quantity, price, ...more }: NewOrderItem): ItemRequest => ({
  reference: item,
  fields: compact({
    quantity,
    pricing: price === undefined ? undefined : { unitPrice: { value: price } },
    ...more,
  }),
})

/** An order in a few words, as a part of a document. */
function describedOrder(
  { type, table, merchant: reference, items, customer, payment }: Omit<NewOrder, 'order'>,
  source: OrderSource,
): Result<RequestedOrder, Refusal> {
  const { population } = source
  const merchant = reference === undefined ? undefined : findMerchant(population, reference)
  if (reference !== undefined && !merchant)
    return refused([
      {
        wrong: `merchant: this session has no merchant "${reference}"`,
        remedy: merchantRemedy(population, reference),
      },
    ])
  if (table !== undefined && type !== undefined && type !== 'INDOOR')
    return refused([
      {
        wrong: `table: a ${type} order has no table`,
        remedy: 'Leave out its type, or the table.',
      },
    ])
  const { phone, ...person } = customer ?? {}
  const numbered = phone === undefined ? person : { ...person, phone: { number: phone } }
  const lines = typeof items === 'number' ? items : undefined
  return completed(
    {
      ...compact({ type: table === undefined ? type : 'INDOOR', lines }),
      ...(typeof items === 'object' ? { items: items.map(itemRequest) } : {}),
      document: {
        ...(merchant ? { merchant: { id: merchant.id } } : {}),
        ...(table === undefined
          ? {}
          : { fulfillment: { orderType: 'INDOOR', indoor: placeOf(table) } }),
        ...(customer ? { customer: numbered } : {}),
        ...(isUnknownRecord(payment) ? { payments: { methods: [payment] } } : {}),
      },
    },
    source,
  )
}

/** The order as the sample has it, and what is to be said of the sample. */
function oddOrder(
  sample: SampleName,
  { order, warnings = [] }: RequestedOrder,
  { chance, now, speaks }: OrderSource,
): Result<RequestedOrder, Refusal> {
  const odd = applySample(sample, order, { chance, now })
  if (!odd.ok) return refuse('INVALID_PAYLOAD', odd.error)
  const { outside, inV1 } = sampleNamed(sample)
  const aboutSample = [
    ...(outside === undefined ? [] : [`${sample}: ${outside}; what it shows is advice`]),
    ...(inV1 !== undefined && speaks === 'v1' ? [`${sample}: ${inV1}`] : []),
  ]
  const all = [...warnings, ...aboutSample]
  return ok({
    order: odd.value,
    ...(all.length > 0 ? { warnings: all } : {}),
    ...(outside === undefined ? {} : { outside: true }),
  })
}

/** The types of which an order may be: the one that is asked for, or one that the sample can have. */
function typeOfRequest({ sample, type, table }: NewOrder, chance: Chance): OrderType | undefined {
  if (sample === undefined || type !== undefined || table !== undefined) return type
  const { types } = sampleNamed(sample)
  return types && chance.pick(types)
}

export function makeRequestedOrder(
  request: NewOrder,
  source: OrderSource,
): Result<RequestedOrder, Refusal> {
  const { order } = request
  // A document is checked as an order, which says more of it.
  const checked = checkSchema(
    NewOrderRequest,
    order === undefined ? request : { ...request, order: {} },
    'the request',
    maxErrors,
  )
  if (!checked.ok) return refused(checked.error)
  if (order !== undefined) return readOrder(order, source)
  const { sample, ...plain } = checked.value
  const type = typeOfRequest(checked.value, source.chance)
  const described = compact({ ...plain, type })
  const { items, type: _type, ...others } = described
  const made =
    typeof items !== 'object' && Object.keys(others).length === 0
      ? ok({ order: generateOrder({ ...source, type, lines: items }) })
      : describedOrder(described, source)
  return made.ok && sample !== undefined ? oddOrder(sample, made.value, source) : made
}
