/**
 * Upsert and deduplication of customers (CUS-OVR-08, CUS-OVR-09): matched by identifier or any shared external id, never
 * by an id that happens to be equal; fields are added, never removed; matching records are merged into one.
 */
import { compact } from '../../base/compact.ts'
import { parseDateTime } from '../../protocol/date-time.ts'
import type { CustomerStatus, CustomerData } from '../../protocol/customer/customer.ts'
import type { CustomerDocument } from '../../protocol/customer/customer-view.ts'
import { externalIdKey, identifierKey } from '../../protocol/customer/identifier.ts'
import { customerStep, type CustomerTrigger } from '../../protocol/customer/lifecycle.ts'
import type { Role } from '../../protocol/role.ts'
import { type Instant, isoOf } from '../instant.ts'
import { consentStateOf, withConsent, withSentConsent, type ConsentState } from './consent.ts'
import { changedPaths, isPlainObject } from './json-difference.ts'
import { customersByKeys, customerKeys } from './store.ts'
import {
  customerBounds,
  type CustomerRecord,
  type CustomerStore,
  type SavedRecordOf,
} from './world.ts'

export interface MergeContext {
  readonly store: CustomerStore
  /** The role whose ids the input uses. */
  readonly owner: Role
  readonly now: Instant
  /** Generates an id for a new customer. */
  readonly freshId: () => string
  /** Whether the sent id may be adopted as the store's id. */
  readonly adoptsIds: boolean
  /** Only fills missing fields, for stale input; known values stay. */
  readonly fillsGapsOnly?: boolean
  /** Lifecycle trigger, when the customer came with an order. */
  readonly trigger?: CustomerTrigger
  /** Status of a new customer; default `lead`. */
  readonly initialStatus?: CustomerStatus
}

export type SavedCustomer = SavedRecordOf<'customer'>

/** Maximum number of external ids per customer; the newest are kept. */
const maxExternalIds = 100

type Fields = Readonly<Record<string, unknown>>

/** Fields that are replaced as a whole, never merged (CUS-OVR-04). */
const replacedFields: ReadonlySet<string> = new Set(['metadata', 'document'])

function mergedFields(known: Fields, sent: Fields): Fields {
  // Field names are untrusted: assigning `__proto__` would pollute the prototype, so objects are built from entries.
  const merged = Object.entries(sent).map(([name, value]) => {
    const before = Object.hasOwn(known, name) ? known[name] : undefined
    const isMerged = isPlainObject(before) && isPlainObject(value) && !replacedFields.has(name)
    return [name, isMerged ? { ...before, ...value } : value] as const
  })
  return Object.fromEntries([...Object.entries(known), ...merged])
}

/** Whether the sent version is older than the newest received from any sender. */
export const isStale = (data: CustomerData, record: CustomerRecord): boolean =>
  data.updatedAt !== undefined &&
  record.version !== undefined &&
  (parseDateTime(data.updatedAt) ?? record.version) < record.version

/**
 * The keys that identify a sent customer. The sender's own id counts only if there is no other key: two records with one
 * id and different identifiers are two customers.
 */
function matchKeys({ id, identifier, externalIds }: CustomerData, owner: Role): readonly string[] {
  const known = { identifier, externalIds }
  return identifier || externalIds.length > 0
    ? customerKeys(known, owner)
    : customerKeys({ id }, owner)
}

/** The stored customer that matches a sent one, if any. */
export const findSentCustomer = (
  data: CustomerData,
  owner: Role,
  store: CustomerStore,
): CustomerRecord | undefined => customersByKeys(matchKeys(data, owner), store)[0]

/** The id of a new customer: the sender's if it is free and may be adopted, else a generated one. */
function idFor(
  { id }: CustomerData,
  { store, adoptsIds: takesIds, freshId }: MergeContext,
): string {
  const isFree = id !== undefined && !store.customers.has(id) && !store.mergedInto.has(id)
  return takesIds && isFree ? id : freshId()
}

/** Consent from the sent record and from events received before the customer was known. */
function consentFor(
  record: CustomerRecord | undefined,
  data: CustomerData,
  keys: readonly string[],
  { store, now }: MergeContext,
): ConsentState {
  let state = withSentConsent(consentStateOf(record), data.consent, now)
  if (record) return state
  for (const key of keys) {
    const earlyConsent = store.earlyConsents.get(key)
    if (earlyConsent) state = withConsent(state, earlyConsent.marketing, earlyConsent.at)
  }
  return state
}

interface StatusMove {
  readonly status: CustomerStatus
  readonly trigger?: CustomerTrigger
}

/** The status after an order or a sent status; a customer never becomes a lead again. */
function statusFor(
  record: CustomerRecord | undefined,
  data: CustomerData,
  { trigger, initialStatus: beginsAs = 'lead' }: MergeContext,
): StatusMove {
  const status = record?.status ?? data.status ?? beginsAs
  const requestedTrigger = record && data.status === 'inactive' ? 'deactivate' : undefined
  const effectiveTrigger =
    trigger ?? (record && data.status === 'active' ? 'activate' : requestedTrigger)
  if (effectiveTrigger === undefined) return { status }
  const step = customerStep(status, effectiveTrigger)
  return step.kind === 'moves' ? { status: step.row.to, trigger: effectiveTrigger } : { status }
}

const comparableFields = ({
  identifier,
  externalIds,
  fields,
  consent,
}: CustomerDocument): Fields => ({
  identifier,
  externalIds,
  ...fields,
  ...compact({ consent }),
})

/** The empty document, against which all fields of a new customer count as changed. */
const emptyFields: Fields = {}

function documentFor(
  record: CustomerRecord | undefined,
  data: CustomerData,
  others: readonly CustomerRecord[],
  mergeContext: MergeContext,
): CustomerDocument {
  const { now, fillsGapsOnly: fillsGaps } = mergeContext
  const known = record?.document
  const sent = others.reduce((fields, { document }) => mergedFields(document.fields, fields), {
    ...data.fields,
  } as Fields)
  const before = known?.fields ?? emptyFields
  const externalIds = [
    ...new Set([
      ...(known?.externalIds ?? []),
      ...others.flatMap(({ document }) => document.externalIds),
      ...data.externalIds,
    ]),
  ].slice(-maxExternalIds)
  const id = known?.id ?? idFor(data, mergeContext)
  const [external] = externalIds
  const defaultIdentifier = external
    ? ({ type: 'external_id', value: external } as const)
    : ({ type: 'custom', value: data.id ?? id } as const)
  const identifier = fillsGaps
    ? (known?.identifier ?? data.identifier)
    : (data.identifier ?? known?.identifier)
  return {
    id,
    identifier: identifier ?? defaultIdentifier,
    externalIds,
    fields: fillsGaps ? mergedFields(sent, before) : mergedFields(before, sent),
    createdAt: known?.createdAt ?? data.createdAt ?? isoOf(now),
    updatedAt: fillsGaps && known ? known.updatedAt : (data.updatedAt ?? isoOf(now)),
  }
}

type MergeHistory = CustomerRecord['way']

const historyWith = (
  record: CustomerRecord | undefined,
  step: MergeHistory[number],
): MergeHistory => [...(record?.way ?? []), step].slice(-customerBounds.stepsOfOne)

/** Merges sent data into the store; undefined if nothing changed. */
export function mergeCustomer(
  data: CustomerData,
  mergeContext: MergeContext,
): SavedCustomer | undefined {
  const { store, owner, now } = mergeContext
  const sentKeys = customerKeys(data, owner)
  const [record, ...others] = customersByKeys(matchKeys(data, owner), store)
  const document = documentFor(record, data, others, mergeContext)
  const { consent, ...instants } = consentFor(record, data, sentKeys, mergeContext)
  const { status, trigger } = statusFor(record, data, mergeContext)
  const fullDocument: CustomerDocument = { ...document, ...compact({ consent }) }
  const currentKeys = new Set([
    identifierKey(document.identifier),
    ...document.externalIds.map(externalIdKey),
    ...sentKeys,
  ])
  const olderKeys = [...others, ...(record ? [record] : [])]
    .flatMap((each) => each.keys)
    .filter((key) => !currentKeys.has(key))
  const keys = [...new Set([...olderKeys, ...currentKeys])].slice(-customerBounds.keysOfOne)
  const changed = [
    ...changedPaths(
      record ? comparableFields(record.document) : emptyFields,
      comparableFields(fullDocument),
    ),
    ...(record && record.status !== status ? ['status'] : []),
  ]
  const hasNewKeys = keys.some((key) => record?.keys.includes(key) !== true)
  if (record && changed.length === 0 && !hasNewKeys) return undefined
  const sentAt = data.updatedAt === undefined ? undefined : parseDateTime(data.updatedAt)
  const version = Math.max(record?.version ?? -Infinity, sentAt ?? -Infinity)
  const step = { status, at: now, ...compact({ trigger }) }
  const isSameStatus = record?.status === status
  return {
    entity: 'customer',
    isNew: record === undefined,
    changed,
    ...compact({ trigger }),
    ...(others.length > 0 ? { joins: others.map((other) => other.document.id) } : {}),
    customer: {
      document: fullDocument,
      status,
      since: isSameStatus ? record.since : now,
      way: isSameStatus ? record.way : historyWith(record, step),
      keys,
      changedAt: now,
      ...(Number.isFinite(version) ? { version } : {}),
      ...instants,
    },
  }
}

/** Changes consent or status as of now; undefined if nothing changed. */
export function changeCustomer(
  record: CustomerRecord,
  change: { readonly consent?: ConsentState; readonly moved?: Required<StatusMove> },
  now: Instant,
): SavedCustomer | undefined {
  const { consent: newConsent, ...instants } = change.consent ?? consentStateOf(record)
  const document = {
    ...record.document,
    ...compact({ consent: newConsent }),
    updatedAt: isoOf(now),
  }
  const { status, trigger } = change.moved ?? { status: record.status, trigger: undefined }
  const changed = [
    ...changedPaths(comparableFields(record.document), comparableFields(document)),
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
        ? { since: now, way: historyWith(record, { status, at: now, ...compact({ trigger }) }) }
        : {}),
      ...instants,
    },
  }
}
