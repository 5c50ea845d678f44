/**
 * Hand-written customer data: a customer is found by its identifier, by any external id or by the id of its sender; an
 * update is merged into the stored customer, 202 now and the effect later; lists are paged.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  jsonReply,
  type HandReply,
  invalidPayloadReply,
  notFoundReply,
  problemReply,
  serveByHand,
} from './hand-http.ts'
import { createRequestLimit } from './hand-limit.ts'
import { randomBetween, createDelayQueue } from './hand-queue.ts'

const DateTime = z.string().refine((text) => !Number.isNaN(Date.parse(text)))
const text = z.string().min(1).max(500)

const Customer = z
  .looseObject({
    id: z.string().min(1).max(200).nullish(),
    identifier: z
      .looseObject({
        type: z.enum(['document', 'phone', 'email', 'external_id', 'custom']),
        value: z.string().trim().min(1).max(500),
      })
      .nullish(),
    externalIds: z
      .array(z.union([text, z.looseObject({ source: z.string(), value: text })]))
      .max(100)
      .nullish(),
    contacts: z
      .looseObject({ email: z.string().optional(), phone: z.string().optional() })
      .nullish(),
    consent: z
      .looseObject({ marketing: z.boolean().optional(), updatedAt: DateTime.optional() })
      .nullish(),
    status: z.enum(['lead', 'active', 'inactive']).nullish(),
    createdAt: DateTime.nullish(),
    updatedAt: DateTime.nullish(),
  })
  .refine(({ identifier }) => Boolean(identifier))
type Customer = z.infer<typeof Customer>

const Batch = z.union([
  z.object({ customer: Customer }).transform(({ customer }) => [customer]),
  z
    .object({ customers: z.array(Customer).min(1).max(100) })
    .transform(({ customers }) => customers),
])

interface Document {
  readonly id: string
  readonly updatedAt: string
  readonly [field: string]: unknown
}

interface StoredCustomer {
  document: Document
  /** The newest `updatedAt` received (`version`), and that of the document. */
  version: number
  updatedAt: number
  consentAt: number
}

/** In order of arrival. */
const customers: StoredCustomer[] = []
const byId = new Map<string, StoredCustomer>()
const byKey = new Map<string, StoredCustomer>()
const later = createDelayQueue()
/** Milliseconds; the same for all updates, so that they take effect in order of arrival. */
const effectDelayMs = randomBetween(80, 150)

/** The lookup keys of a customer; punctuation in documents is ignored. */
function keysOf({ id, identifier, externalIds }: Customer): readonly string[] {
  const keys: string[] = []
  if (identifier) {
    const { type, value } = identifier
    keys.push(`${type}|${type === 'document' ? value.replaceAll(/[\s./-]/g, '') : value}`)
  }
  for (const each of externalIds ?? [])
    keys.push(`external|${typeof each === 'string' ? each : `${each.source}:${each.value}`}`)
  if (id) keys.push(`id|${id}`)
  return keys
}

const findByKeys = (keys: readonly string[]): StoredCustomer | undefined => {
  for (const key of keys) {
    const found = byKey.get(key)
    if (found) return found
  }
  return undefined
}

const isStale = ({ updatedAt }: Customer, stored: StoredCustomer): boolean =>
  updatedAt != null && Date.parse(updatedAt) < stored.version

/** When the consent was given, or undefined when it is missing or older than the stored one. */
function newerConsentAt(
  stored: StoredCustomer | undefined,
  sent: Customer['consent'],
): number | undefined {
  if (!sent) return undefined
  const at = sent.updatedAt === undefined ? Date.now() : Date.parse(sent.updatedAt)
  return stored && at < stored.consentAt ? undefined : at
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The stored document with the received fields over it; objects are merged one level deep. */
function mergeDocument(before: Document, sent: Readonly<Record<string, unknown>>): Document {
  const fields: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(sent)) {
    const was = fields[name]
    if (value != null)
      fields[name] = isObject(was) && isObject(value) ? { ...was, ...value } : value
  }
  return fields as unknown as Document
}

function apply(customer: Customer): void {
  const keys = keysOf(customer)
  const stored = findByKeys(keys)
  const { id, externalIds, consent, status, createdAt, updatedAt, ...fields } = customer
  const now = new Date().toISOString()
  const consentAt = newerConsentAt(stored, consent)
  const before: Document = stored?.document ?? {
    id: id && !byId.has(id) ? id : randomUUID(),
    externalIds: [],
    createdAt: createdAt ?? now,
    updatedAt: updatedAt ?? now,
    status: status ?? 'lead',
  }
  const ids = new Set([...(before['externalIds'] as readonly unknown[]), ...(externalIds ?? [])])
  const document = {
    ...(stored && isStale(customer, stored)
      ? { ...fields, ...before }
      : mergeDocument(before, { ...fields, updatedAt: updatedAt ?? now })),
    ...(consentAt === undefined ? {} : { consent }),
    externalIds: [...ids],
  } as Document
  const at = Date.parse(document.updatedAt)
  if (stored) {
    stored.document = document
    stored.version = Math.max(stored.version, at)
    stored.updatedAt = at
    stored.consentAt = consentAt ?? stored.consentAt
  }
  const fresh = stored ?? {
    document,
    version: at,
    updatedAt: at,
    consentAt: consentAt ?? 0,
  }
  if (!stored) {
    customers.push(fresh)
    byId.set(document.id, fresh)
  }
  for (const key of keys) byKey.set(key, fresh)
}

function ingest(body: unknown): HandReply {
  const parsed = Batch.safeParse(body)
  if (!parsed.success) return invalidPayloadReply()
  const late = parsed.data.every((customer) => {
    const stored = findByKeys(keysOf(customer))
    return stored !== undefined && isStale(customer, stored)
  })
  if (late) return problemReply(409, 'VERSION_CONFLICT')
  const at = Date.now() + effectDelayMs
  for (const customer of parsed.data) later.push({ at, run: () => apply(customer) })
  return jsonReply(202)
}

const Page = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(500).default(50),
  updatedFrom: DateTime.optional(),
  updatedTo: DateTime.optional(),
})

const maxDays = 30
const dayMs = 86_400_000

function list(query: string): HandReply {
  const parsed = Page.safeParse(Object.fromEntries(new URLSearchParams(query)))
  if (!parsed.success) return invalidPayloadReply()
  const { page, pageSize, updatedFrom, updatedTo } = parsed.data
  let found: readonly StoredCustomer[] = customers
  if (updatedFrom !== undefined || updatedTo !== undefined) {
    const from = updatedFrom === undefined ? -Infinity : Date.parse(updatedFrom)
    const to = updatedTo === undefined ? Date.now() : Date.parse(updatedTo)
    if (from > -Infinity && to - from > maxDays * dayMs) return problemReply(400, 'PERIOD_TOO_LONG')
    found = customers.filter(({ updatedAt }) => updatedAt >= from && updatedAt <= to)
  }
  const first = (page - 1) * pageSize
  const items = found.slice(first, first + pageSize).map(({ document }) => document)
  return jsonReply(200, { items, page, pageSize, total: found.length })
}

serveByHand({
  scope: 'crm',
  get: (path, query) => (path === '/v1/customer/customers' ? list(query) : notFoundReply()),
  post: (path, _query, body) =>
    path === '/v1/customer/customers:ingest' ? ingest(body) : notFoundReply(),
  checkLimits: createRequestLimit(100_000),
  delayQueue: later,
})
