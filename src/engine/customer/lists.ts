/**
 * The lists of Customer: filtered, within the period that may be asked for (LIM-CUS-02), and cut into pages. Oldest first,
 * so that a page stays what it is while new records come.
 */
import { batchKeys, type RecordKind } from '../../protocol/customer/batch.ts'
import { customerView } from '../../protocol/customer/customer-view.ts'
import { externalKey } from '../../protocol/customer/identifier.ts'
import { dayMs } from '../../protocol/customer/limits.ts'
import {
  firstOf,
  identityOf,
  isIn,
  lengthOf,
  pagingOf,
  type Period,
  periodOf,
  usualPageSize,
} from '../../protocol/customer/query.ts'
import { isOrder } from '../../protocol/customer/related-order.ts'
import { reviewView } from '../../protocol/customer/review.ts'
import { parseDateTime } from '../../protocol/date-time.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { Answer, Input } from '../handler.ts'
import type { Instant } from '../instant.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { sidePlayedBy } from './side.ts'
import { customerById } from './store.ts'
import type {
  CustomerRecord,
  CustomerStore,
  LeadRecord,
  RelatedRecord,
  ReviewRecord,
} from './world.ts'

/** A record of a list: when it came to be and changed, whose it is, and how it is written. */
interface Listed {
  readonly createdAt: () => Instant | undefined
  readonly updatedAt: () => Instant
  readonly customer: () => CustomerRecord | undefined
  readonly fits: (name: string, value: string) => boolean
  readonly write: () => unknown
}

/** Where a list comes from. Most records of it are only counted, so what it costs to look into one is paid when it is. */
interface Source<Kept> {
  readonly records: (store: CustomerStore) => Iterable<Kept>
  readonly look: (kept: Kept, store: CustomerStore, input: Input) => Listed
}

const instantOf = (value: unknown): Instant | undefined =>
  typeof value === 'string' ? parseDateTime(value) : undefined

const ofCustomer =
  (store: CustomerStore, customerId: string | undefined): Listed['customer'] =>
  () =>
    customerId === undefined ? undefined : customerById(customerId, store)

const orderField = ({ document, merchantId }: RelatedRecord, name: string): unknown => {
  if (name === 'storeId' || name === 'merchantId') return merchantId
  return document && !isOrder(document) ? document[name] : undefined
}

const customers: Source<CustomerRecord> = {
  records: (store) => store.customers.values(),
  look: (customer, _store, { settings }) => ({
    createdAt: () => instantOf(customer.document.createdAt),
    updatedAt: () => instantOf(customer.document.updatedAt) ?? customer.changedAt,
    customer: () => customer,
    fits: (name, value) => customer.document.fields[name] === value,
    write: () => customerView(customer, settings.conduct.customer),
  }),
}

const leads: Source<LeadRecord> = {
  records: (store) => store.leads.values(),
  look: ({ document, changedAt, customerId }, store) => ({
    createdAt: () => instantOf(document.createdAt),
    updatedAt: () => changedAt,
    customer: ofCustomer(store, customerId),
    fits: (name, value) => document[name] === value,
    write: () => document,
  }),
}

const orders: Source<RelatedRecord> = {
  *records(store) {
    for (const record of store.orders.values()) if (record.document) yield record
  },
  look: (record, store) => ({
    createdAt: () => instantOf(record.document?.createdAt),
    updatedAt: () => record.changedAt,
    customer: ofCustomer(store, record.customerId),
    fits: (name, value) => orderField(record, name) === value,
    write: () => record.document,
  }),
}

const reviews: Source<ReviewRecord> = {
  records: (store) => store.reviews.values(),
  look: ({ document, changedAt, customerId }, store, { settings }) => ({
    createdAt: () => instantOf(document['createdAt']),
    updatedAt: () => changedAt,
    customer: ofCustomer(store, customerId),
    fits: (name, value) => document[name] === value,
    write: () => reviewView(document, settings.conduct.customer.reviewShape),
  }),
}

/** The filters of each list beside identity and period (fields.md, C10). */
const filters: Readonly<Record<RecordKind, readonly string[]>> = {
  customer: ['merchantId'],
  lead: ['source', 'status'],
  order: ['storeId', 'originChannel'],
  review: ['merchantId', 'orderId'],
}

/** `from` and `to` mean when an order or a review came to be, and when anything else changed. */
const plainPeriod: Readonly<Record<RecordKind, 'created' | 'updated'>> = {
  customer: 'updated',
  lead: 'updated',
  order: 'created',
  review: 'created',
}

interface Asked {
  readonly page: number
  readonly pageSize: number
  readonly created: Period
  readonly updated: Period
  readonly identity?: string
  readonly externalId?: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

const wrong = (message: string): Result<never, Refusal> => refuse('INVALID_PAYLOAD', message)

/** What a query asks for, within what may be asked for. */
function asked(resource: RecordKind, input: Input): Result<Asked, Refusal> {
  const { query, settings, now } = input
  const { supportsBatchGet, maxGetPeriodDays, enforceLimits } = settings.conduct.customer
  const single = enforceLimits && !supportsBatchGet
  const paging = pagingOf(query, single ? 1 : usualPageSize)
  if (!paging.ok) return wrong(paging.error)
  if (single && paging.value.pageSize > 1)
    return refuse('BATCH_NOT_SUPPORTED', 'pageSize: one record at a time')
  const periods: Period[] = []
  for (const prefix of ['created', 'updated'] as const) {
    const period = periodOf(query, prefix, plainPeriod[resource] === prefix)
    if (!period.ok) return wrong(period.error)
    const days = (lengthOf(period.value, now) ?? 0) / dayMs
    if (enforceLimits && days > maxGetPeriodDays)
      return refuse(
        'PERIOD_TOO_LONG',
        `${prefix}From: ${Math.ceil(days)} days are more than the ${maxGetPeriodDays} that may be asked for`,
      )
    periods.push(period.value)
  }
  const identity = identityOf(query)
  if (!identity.ok) return wrong(identity.error)
  const externalId = firstOf(query, 'externalId')
  const [createdPeriod = {}, updatedPeriod = {}] = periods
  return ok({
    ...paging.value,
    created: createdPeriod,
    updated: updatedPeriod,
    ...(identity.value === undefined ? {} : { identity: identity.value }),
    ...(externalId === undefined ? {} : { externalId }),
    fields: filters[resource].flatMap((name) => {
      const value = firstOf(query, name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  })
}

const isOpen = ({ from, to }: Period): boolean => from === undefined && to === undefined

const wantsAll = ({ created, updated, identity, externalId, fields }: Asked): boolean =>
  isOpen(created) &&
  isOpen(updated) &&
  identity === undefined &&
  externalId === undefined &&
  fields.length === 0

function matches({ createdAt, updatedAt, customer, fits }: Listed, wish: Asked): boolean {
  const { created, updated, identity, externalId, fields } = wish
  const at = isOpen(created) ? undefined : createdAt()
  // A record that does not say when it came to be is in no period.
  if (!isOpen(created) && (at === undefined || !isIn(created, at))) return false
  const hasKey = (key: string): boolean => customer()?.keys.includes(key) ?? false
  return (
    (isOpen(updated) || isIn(updated, updatedAt())) &&
    (identity === undefined || hasKey(identity)) &&
    (externalId === undefined || hasKey(externalKey(externalId))) &&
    fields.every(([name, value]) => fits(name, value))
  )
}

/** A page, in the shape that this session answers (CUS-UND-04). */
function pageBody(
  items: readonly unknown[],
  total: number,
  { page, pageSize }: Asked,
  [resource, list]: readonly [RecordKind, string],
): unknown {
  const { many } = batchKeys[resource]
  if (list === 'array') return items
  if (list === 'named') return { [many]: items, page, pageSize, total }
  return list === 'pagination'
    ? { items, pagination: { page, pageSize, total } }
    : { items, page, pageSize, total }
}

/** The records of one page, and how many there are in all. */
function pageOf<Kept>(
  { records, look }: Source<Kept>,
  wish: Asked,
  store: CustomerStore,
  input: Input,
): { readonly items: readonly unknown[]; readonly total: number } {
  const first = (wish.page - 1) * wish.pageSize
  const all = wantsAll(wish)
  const items: unknown[] = []
  let total = 0
  for (const kept of records(store)) {
    if (!all && !matches(look(kept, store, input), wish)) continue
    if (total >= first && total < first + wish.pageSize)
      items.push(look(kept, store, input).write())
    total++
  }
  return { items, total }
}

type Page = (wish: Asked, store: CustomerStore, input: Input) => ReturnType<typeof pageOf>

const pages: Readonly<Record<RecordKind, Page>> = {
  customer: (wish, store, input) => pageOf(customers, wish, store, input),
  lead: (wish, store, input) => pageOf(leads, wish, store, input),
  order: (wish, store, input) => pageOf(orders, wish, store, input),
  review: (wish, store, input) => pageOf(reviews, wish, store, input),
}

/** The view behind a list. */
export const listView =
  (resource: RecordKind) =>
  (input: Input): Result<Answer, Refusal> => {
    const wish = asked(resource, input)
    if (!wish.ok) return wish
    const store = sidePlayedBy(input.host).store(input.world)
    const { items, total } = pages[resource](wish.value, store, input)
    const { list } = input.settings.conduct.customer
    return ok({ body: pageBody(items, total, wish.value, [resource, list]) })
  }
