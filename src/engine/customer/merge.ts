/**
 * What becomes of a customer when somebody sends it (CUS-OVR-08, CUS-OVR-09): found by identifier or any shared external
 * id, never by an id that happens to be equal; enriched, never emptied; one record, however many it was before.
 */
import { parseDateTime } from '../../protocol/date-time.ts'
import type { CustomerStatus, GivenCustomer } from '../../protocol/customer/customer.ts'
import type { CustomerDocument } from '../../protocol/customer/customer-view.ts'
import { externalKey, identifierKey } from '../../protocol/customer/identifier.ts'
import { customerStep, type CustomerTrigger } from '../../protocol/customer/lifecycle.ts'
import type { Role } from '../../protocol/role.ts'
import { type Instant, isoOf } from '../instant.ts'
import { consentOf, consentSaid, consentSent, type ConsentState } from './consent.ts'
import { changedPaths, isPlain } from './difference.ts'
import type { Saved } from './fact.ts'
import { customersByKeys, keysOf } from './store.ts'
import type { CustomerRecord, CustomerStore } from './world.ts'

export interface Merging {
  readonly store: CustomerStore
  /** Whose ids the sender uses. */
  readonly owner: Role
  readonly now: Instant
  /** An id for a customer that has none of ours yet. */
  readonly freshId: () => string
  /** Whether the id that was sent may become ours. */
  readonly takesIds: boolean
  /** What is known already stays: the sender has nothing newer to say. */
  readonly fillsGaps?: boolean
  /** An order of the customer's came with it. */
  readonly trigger?: CustomerTrigger
  /** The status of a customer who is new; a lead, when absent. */
  readonly beginsAs?: CustomerStatus
}

export type SavedCustomer = Extract<Saved, { entity: 'customer' }>

/** External ids of one customer at most; the newest stay. */
const mostExternalIds = 100

type Fields = Readonly<Record<string, unknown>>

/** Fields that are replaced whole, whatever they hold (CUS-OVR-04). */
const replaced: ReadonlySet<string> = new Set(['metadata', 'document'])

function mergedFields(known: Fields, sent: Fields): Fields {
  // Names are a stranger's: assigning one could reach what is no field, so entries are put together instead.
  const merged = Object.entries(sent).map(([name, value]) => {
    const before = Object.hasOwn(known, name) ? known[name] : undefined
    const isMerged = isPlain(before) && isPlain(value) && !replaced.has(name)
    return [name, isMerged ? { ...before, ...value } : value] as const
  })
  return Object.fromEntries([...Object.entries(known), ...merged])
}

/** Whether the sender's version is older than one that it, or anybody, sent before. */
export const isStale = (given: GivenCustomer, record: CustomerRecord): boolean =>
  given.updatedAt !== undefined &&
  record.version !== undefined &&
  (parseDateTime(given.updatedAt) ?? record.version) < record.version

/**
 * What decides who is meant. An id that the sender made up for itself decides only where there is nothing else: two
 * records with one id and different identifiers are two customers.
 */
function decisive({ id, identifier, externalIds }: GivenCustomer, owner: Role): readonly string[] {
  const known = { identifier, externalIds }
  return identifier || externalIds.length > 0 ? keysOf(known, owner) : keysOf({ id }, owner)
}

/** Who a sent customer is here, if it is known. */
export const customerSent = (
  given: GivenCustomer,
  owner: Role,
  store: CustomerStore,
): CustomerRecord | undefined => customersByKeys(decisive(given, owner), store)[0]

/** The id of a new customer: the sender's, where it is free and may be taken over. */
function idFor({ id }: GivenCustomer, { store, takesIds, freshId }: Merging): string {
  const isFree = id !== undefined && !store.customers.has(id) && !store.joined.has(id)
  return takesIds && isFree ? id : freshId()
}

/** Consent by what was sent, and by what an event said before the customer was known. */
function consentFor(
  record: CustomerRecord | undefined,
  given: GivenCustomer,
  keys: readonly string[],
  { store, now }: Merging,
): ConsentState {
  let state = consentSent(consentOf(record), given.consent, now)
  if (record) return state
  for (const key of keys) {
    const remark = store.remarks.get(key)
    if (remark) state = consentSaid(state, remark.marketing, remark.at)
  }
  return state
}

interface Moved {
  readonly status: CustomerStatus
  readonly trigger?: CustomerTrigger
}

/** The status after an order, or after a sender that says what it is; nobody becomes a lead again. */
function statusFor(
  record: CustomerRecord | undefined,
  given: GivenCustomer,
  { trigger, beginsAs = 'lead' }: Merging,
): Moved {
  const status = record?.status ?? given.status ?? beginsAs
  const wish = record && given.status === 'inactive' ? 'deactivate' : undefined
  const pulled = trigger ?? (record && given.status === 'active' ? 'activate' : wish)
  if (pulled === undefined) return { status }
  const step = customerStep(status, pulled)
  return step.kind === 'moves' ? { status: step.row.to, trigger: pulled } : { status }
}

const said = ({ identifier, externalIds, fields, consent }: CustomerDocument): Fields => ({
  identifier,
  externalIds,
  ...fields,
  ...(consent ? { consent } : {}),
})

/** What a document was before it was, for everything in it to be new. */
const nothing: Fields = {}

function documentFor(
  record: CustomerRecord | undefined,
  given: GivenCustomer,
  others: readonly CustomerRecord[],
  merging: Merging,
): CustomerDocument {
  const { now, fillsGaps } = merging
  const known = record?.document
  const sent = others.reduce((fields, { document }) => mergedFields(document.fields, fields), {
    ...given.fields,
  } as Fields)
  const before = known?.fields ?? nothing
  const externalIds = [
    ...new Set([
      ...(known?.externalIds ?? []),
      ...others.flatMap(({ document }) => document.externalIds),
      ...given.externalIds,
    ]),
  ].slice(-mostExternalIds)
  const id = known?.id ?? idFor(given, merging)
  const [external] = externalIds
  const usual = external
    ? ({ type: 'external_id', value: external } as const)
    : ({ type: 'custom', value: given.id ?? id } as const)
  const identifier = fillsGaps
    ? (known?.identifier ?? given.identifier)
    : (given.identifier ?? known?.identifier)
  return {
    id,
    identifier: identifier ?? usual,
    externalIds,
    fields: fillsGaps ? mergedFields(sent, before) : mergedFields(before, sent),
    createdAt: known?.createdAt ?? given.createdAt ?? isoOf(now),
    updatedAt: fillsGaps && known ? known.updatedAt : (given.updatedAt ?? isoOf(now)),
  }
}

/** The customer as it is afterwards; undefined when nothing is new. */
export function mergeCustomer(given: GivenCustomer, merging: Merging): SavedCustomer | undefined {
  const { store, owner, now } = merging
  const sentKeys = keysOf(given, owner)
  const [record, ...others] = customersByKeys(decisive(given, owner), store)
  const document = documentFor(record, given, others, merging)
  const { consent, ...instants } = consentFor(record, given, sentKeys, merging)
  const { status, trigger } = statusFor(record, given, merging)
  const whole: CustomerDocument = { ...document, ...(consent ? { consent } : {}) }
  const keys = [
    ...new Set([
      ...(record?.keys ?? []),
      ...others.flatMap((other) => other.keys),
      identifierKey(document.identifier),
      ...document.externalIds.map(externalKey),
      ...sentKeys,
    ]),
  ]
  const changed = [
    ...changedPaths(record ? said(record.document) : nothing, said(whole)),
    ...(record && record.status !== status ? ['status'] : []),
  ]
  if (record && changed.length === 0 && keys.length === record.keys.length) return undefined
  const sentAt = given.updatedAt === undefined ? undefined : parseDateTime(given.updatedAt)
  const version = Math.max(record?.version ?? -Infinity, sentAt ?? -Infinity)
  const step = { status, at: now, ...(trigger ? { trigger } : {}) }
  const stays = record?.status === status
  return {
    entity: 'customer',
    isNew: record === undefined,
    changed,
    ...(trigger ? { trigger } : {}),
    ...(others.length > 0 ? { joins: others.map((other) => other.document.id) } : {}),
    customer: {
      document: whole,
      status,
      since: stays ? record.since : now,
      way: stays ? record.way : [...(record?.way ?? []), step],
      keys,
      changedAt: now,
      ...(Number.isFinite(version) ? { version } : {}),
      ...instants,
    },
  }
}

/** The customer with another consent or status, said here and now; undefined when that changes nothing. */
export function changeCustomer(
  record: CustomerRecord,
  change: { readonly consent?: ConsentState; readonly moved?: Required<Moved> },
  now: Instant,
): SavedCustomer | undefined {
  const { consent: kept, ...instants } = change.consent ?? consentOf(record)
  const document = {
    ...record.document,
    ...(kept ? { consent: kept } : {}),
    updatedAt: isoOf(now),
  }
  const { status, trigger } = change.moved ?? { status: record.status, trigger: undefined }
  const changed = [
    ...changedPaths(said(record.document), said(document)),
    ...(status === record.status ? [] : ['status']),
  ]
  if (changed.length === 0) return undefined
  const moved = status !== record.status
  return {
    entity: 'customer',
    isNew: false,
    changed,
    ...(trigger && moved ? { trigger } : {}),
    customer: {
      ...record,
      document,
      status,
      changedAt: now,
      ...(moved
        ? { since: now, way: [...record.way, { status, at: now, ...(trigger ? { trigger } : {}) }] }
        : {}),
      ...instants,
    },
  }
}
