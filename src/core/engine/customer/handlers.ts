/** Operation handlers of Customer: ingests and events become commands; lists and single records are views. */
import { compact } from '../../base/compact.ts'
import { batchKeys, type RecordKind } from '../../protocol/customer/batch.ts'
import { customerView } from '../../protocol/customer/customer-view.ts'
import type { ReceivedCustomerEvent } from '../../protocol/customer/event.ts'
import type { IngestEntry } from '../../protocol/customer/ingest-batch.ts'
import { isFullOrder, type RelatedOrder } from '../../protocol/customer/related-order.ts'
import { reviewView } from '../../protocol/customer/review.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type {
  CommandHandler,
  HandlerAnswer,
  HandlerInput,
  OperationHandlers,
  ViewHandler,
} from '../handler.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { crmSide, sideOfRole } from './side.ts'
import { customerById, findCustomer } from './store.ts'
import type {
  CustomerRecord,
  CustomerStore,
  LeadRecord,
  RelatedOrderRecord,
  ReviewRecord,
} from './world.ts'
import { externalIdKey } from '../../protocol/customer/identifier.ts'
import { msPerDay } from '../../protocol/customer/limits.ts'
import {
  defaultListPageSize,
  firstQueryValue,
  isInPeriod,
  parseIdentityFilter,
  parsePaging,
  parsePeriod,
  type Period,
  periodLengthMs,
} from '../../protocol/customer/query.ts'
import { listFilters, plainPeriodOf } from '../../protocol/customer/queries.ts'
import { parseDateTime } from '../../protocol/date-time.ts'
import type { Instant } from '../instant.ts'

// List views of Customer: filtered, limited to the maximum period (LIM-CUS-02) and paged. Oldest
// first, so that pages stay stable while new records come.

/** What a list needs of one record: creation and change times, customer, field filter, serialisation. */
interface ListedRecord {
  readonly createdAt: () => Instant | undefined
  readonly updatedAt: () => Instant
  readonly customer: () => CustomerRecord | undefined
  readonly fits: (name: string, value: string) => boolean
  readonly write: () => unknown
}

/** The source of a list. Most records are only listCount, so access to one is lazy. */
interface ListSource<Value> {
  readonly records: (store: CustomerStore) => Iterable<Value>
  readonly look: (item: Value, store: CustomerStore, input: HandlerInput) => ListedRecord
}

const instantOf = (value: unknown): Instant | undefined =>
  typeof value === 'string' ? parseDateTime(value) : undefined

const customerLookup =
  (store: CustomerStore, customerId: string | undefined): ListedRecord['customer'] =>
  () =>
    customerId === undefined ? undefined : customerById(customerId, store)

const orderField = ({ document, merchantId }: RelatedOrderRecord, name: string): unknown => {
  if (name === 'storeId' || name === 'merchantId') return merchantId
  return document && !isFullOrder(document) ? document[name] : undefined
}

const customers: ListSource<CustomerRecord> = {
  records: (store) => store.customers.values(),
  look: (customer, _store, { settings }) => ({
    createdAt: () => instantOf(customer.document.createdAt),
    updatedAt: () => instantOf(customer.document.updatedAt) ?? customer.changedAt,
    customer: () => customer,
    fits: (name, value) => customer.document.fields[name] === value,
    write: () => customerView(customer, settings.conduct.customer),
  }),
}

const leads: ListSource<LeadRecord> = {
  records: (store) => store.leads.values(),
  look: ({ document, changedAt, customerId }, store) => ({
    createdAt: () => instantOf(document.createdAt),
    updatedAt: () => changedAt,
    customer: customerLookup(store, customerId),
    fits: (name, value) => document[name] === value,
    write: () => document,
  }),
}

const orders: ListSource<RelatedOrderRecord> = {
  *records(store) {
    for (const record of store.orders.values()) if (record.document) yield record
  },
  look: (record, store) => ({
    createdAt: () => instantOf(record.document?.createdAt),
    updatedAt: () => record.changedAt,
    customer: customerLookup(store, record.customerId),
    fits: (name, value) => orderField(record, name) === value,
    write: () => record.document,
  }),
}

const reviews: ListSource<ReviewRecord> = {
  records: (store) => store.reviews.values(),
  look: ({ document, changedAt, customerId }, store, { settings }) => ({
    createdAt: () => instantOf(document['createdAt']),
    updatedAt: () => changedAt,
    customer: customerLookup(store, customerId),
    fits: (name, value) => document[name] === value,
    write: () => reviewView(document, settings.conduct.customer),
  }),
}

interface ListRequest {
  readonly page: number
  readonly pageSize: number
  readonly created: Period
  readonly updated: Period
  readonly identity?: string
  readonly externalId?: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

const invalidQuery = (message: string): Result<never, Refusal> => refuse('INVALID_PAYLOAD', message)

/** Parses the query parameters and checks them against the limits. */
function parseListRequest(resource: RecordKind, input: HandlerInput): Result<ListRequest, Refusal> {
  const { query, settings, now } = input
  const { supportsBatchGet, maxGetPeriodDays, enforceLimits } = settings.conduct.customer
  const singleOnly = enforceLimits && !supportsBatchGet
  const paging = parsePaging(query, singleOnly ? 1 : defaultListPageSize)
  if (!paging.ok) return invalidQuery(paging.error)
  if (singleOnly && paging.value.pageSize > 1)
    return refuse('BATCH_NOT_SUPPORTED', 'pageSize: one record at a time')
  const periods: Period[] = []
  for (const prefix of ['created', 'updated'] as const) {
    const period = parsePeriod(query, prefix, plainPeriodOf[resource] === prefix)
    if (!period.ok) return invalidQuery(period.error)
    const days = (periodLengthMs(period.value, now) ?? 0) / msPerDay
    if (enforceLimits && days > maxGetPeriodDays)
      return refuse(
        'PERIOD_TOO_LONG',
        `${prefix}From: ${Math.ceil(days)} days are more than the ${maxGetPeriodDays} that may be asked for`,
      )
    periods.push(period.value)
  }
  const identity = parseIdentityFilter(query)
  if (!identity.ok) return invalidQuery(identity.error)
  const externalId = firstQueryValue(query, 'externalId')
  const [createdPeriod = {}, updatedPeriod = {}] = periods
  return ok({
    ...paging.value,
    created: createdPeriod,
    updated: updatedPeriod,
    ...compact({ identity: identity.value, externalId }),
    fields: listFilters[resource].flatMap((name) => {
      const value = firstQueryValue(query, name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  })
}

const isOpenPeriod = ({ from, to }: Period): boolean => from === undefined && to === undefined

const isUnfiltered = ({ created, updated, identity, externalId, fields }: ListRequest): boolean =>
  isOpenPeriod(created) &&
  isOpenPeriod(updated) &&
  identity === undefined &&
  externalId === undefined &&
  fields.length === 0

function matches(
  { createdAt, updatedAt, customer, fits }: ListedRecord,
  request: ListRequest,
): boolean {
  const { created, updated, identity, externalId, fields } = request
  const at = isOpenPeriod(created) ? undefined : createdAt()
  // A record without a creation time is in no period.
  if (!isOpenPeriod(created) && (at === undefined || !isInPeriod(created, at))) return false
  const hasKey = (key: string): boolean => customer()?.keys.includes(key) ?? false
  return (
    (isOpenPeriod(updated) || isInPeriod(updated, updatedAt())) &&
    (identity === undefined || hasKey(identity)) &&
    (externalId === undefined || hasKey(externalIdKey(externalId))) &&
    fields.every(([name, value]) => fits(name, value))
  )
}

/** The page body in the configured shape (CUS-UND-04). */
function pageBody(
  items: readonly unknown[],
  total: number,
  { page, pageSize }: ListRequest,
  [resource, list]: readonly [RecordKind, string],
): unknown {
  const { many } = batchKeys[resource]
  if (list === 'array') return items
  if (list === 'named') return { [many]: items, page, pageSize, total }
  return list === 'pagination'
    ? { items, pagination: { page, pageSize, total } }
    : { items, page, pageSize, total }
}

/** The records of one page, and the total count. */
function pageOf<Value>(
  { records, look }: ListSource<Value>,
  request: ListRequest,
  store: CustomerStore,
  input: HandlerInput,
): { readonly items: readonly unknown[]; readonly total: number } {
  const first = (request.page - 1) * request.pageSize
  const all = isUnfiltered(request)
  const items: unknown[] = []
  let total = 0
  for (const item of records(store)) {
    if (!all && !matches(look(item, store, input), request)) continue
    if (total >= first && total < first + request.pageSize)
      items.push(look(item, store, input).write())
    total++
  }
  return { items, total }
}

type Page = (
  request: ListRequest,
  store: CustomerStore,
  input: HandlerInput,
) => ReturnType<typeof pageOf>

const pages: Readonly<Record<RecordKind, Page>> = {
  customer: (request, store, input) => pageOf(customers, request, store, input),
  lead: (request, store, input) => pageOf(leads, request, store, input),
  order: (request, store, input) => pageOf(orders, request, store, input),
  review: (request, store, input) => pageOf(reviews, request, store, input),
}

/** The view of a list operation. */
const listView =
  (resource: RecordKind) =>
  (input: HandlerInput): Result<HandlerAnswer, Refusal> => {
    const request = parseListRequest(resource, input)
    if (!request.ok) return request
    const store = sideOfRole(input.host).store(input.world)
    const { items, total } = pages[resource](request.value, store, input)
    const { list } = input.settings.conduct.customer
    return ok({ body: pageBody(items, total, request.value, [resource, list]) })
  }

const callerRole = ({ client }: HandlerInput) => client?.role ?? crmSide.partner

/** The order id, if the ingest carries exactly one order. */
function aboutOrder(resource: RecordKind, { body }: HandlerInput): Pick<HandlerAnswer, 'about'> {
  const records = body as readonly unknown[]
  const [first] = records
  if (resource !== 'order' || records.length !== 1) return {}
  const { id } = first as RelatedOrder
  return id ? { about: { orderId: id } } : {}
}

const ingestHandler = (entity: RecordKind): CommandHandler => ({
  kind: 'command',
  command: (input) =>
    ok({
      kind: 'customer.ingest',
      // Each record has passed its schema; only the discriminator is added.
      intake: (input.body as readonly unknown[]).map(
        (record) => ({ entity, record }) as IngestEntry,
      ),
      from: callerRole(input),
    }),
  answer: (facts, input) => {
    const accepted = facts.find((fact) => fact.kind === 'customer.accepted')
    const answerAbout = aboutOrder(entity, input)
    return input.settings.conduct.customer.receipt === 'accepted'
      ? { ...answerAbout, body: { status: 'ACCEPTED', correlationId: accepted?.receipt } }
      : answerAbout
  },
})

/** A single record from the store, or 404 with a code of its own. */
const singleRecordView = (
  [code, what]: readonly ['CUSTOMER_NOT_FOUND' | 'ORDER_NOT_FOUND' | 'REVIEW_NOT_FOUND', string],
  find: (id: string, store: CustomerStore, input: HandlerInput) => unknown,
): ViewHandler => ({
  kind: 'view',
  view: (input): Result<HandlerAnswer, Refusal> => {
    const id = input.params['id'] ?? input.params['orderId'] ?? ''
    const body = find(id, sideOfRole(input.host).store(input.world), input)
    return body === undefined ? refuse(code, `there is no ${what} ${id}`) : ok({ body })
  },
})

/** Looks a customer up by its id in this store, or by the caller's id for it. */
function customerBody(id: string, store: CustomerStore, input: HandlerInput): unknown {
  const found = customerById(id, store) ?? findCustomer({ id }, callerRole(input), store)
  return found && customerView(found, input.settings.conduct.customer)
}

function reviewBody(id: string, store: CustomerStore, { settings }: HandlerInput): unknown {
  const found = store.reviews.get(id)
  return found && reviewView(found.document, settings.conduct.customer)
}

const listHandler = (resource: RecordKind): ViewHandler => ({
  kind: 'view',
  view: listView(resource),
})

/** An event, received by the side that hosts the call; the two notations differ in their answer (CUS-TEN-05). */
const eventHandler = (notation: 'webhook' | 'binding'): CommandHandler => ({
  kind: 'command',
  command: ({ host, body }) =>
    ok({ kind: `${sideOfRole(host).prefix}.hear`, event: body as ReceivedCustomerEvent }),
  answer: (_facts, { body, settings }) => {
    const { orderId, envelope } = body as ReceivedCustomerEvent
    const id = envelope['eventId'] ?? envelope['id']
    return {
      status: settings.conduct.customer.eventAnswer[notation],
      about: {
        ...compact({ orderId }),
        ...(typeof id === 'string' ? { eventIds: [id] } : {}),
      },
    }
  },
})

export const customerHandlers = {
  'customer.ingest-customers': ingestHandler('customer'),
  'customer.ingest-leads': ingestHandler('lead'),
  'customer.ingest-orders': ingestHandler('order'),
  'customer.ingest-reviews': ingestHandler('review'),
  'customer.list-customers': listHandler('customer'),
  'customer.list-leads': listHandler('lead'),
  'customer.list-orders': listHandler('order'),
  'customer.list-reviews': listHandler('review'),
  'customer.customer': singleRecordView(['CUSTOMER_NOT_FOUND', 'customer'], customerBody),
  'customer.order': singleRecordView(
    ['ORDER_NOT_FOUND', 'order'],
    (id, store) => store.orders.get(id)?.document,
  ),
  'customer.review': singleRecordView(['REVIEW_NOT_FOUND', 'review'], reviewBody),
  'customer.hear': eventHandler('webhook'),
  'customer.hear-by-binding': eventHandler('binding'),
} satisfies OperationHandlers
