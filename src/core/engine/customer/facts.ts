/** Facts of Customer: `customer.…` at the host (CRM), `relation.…` at the client (Ordering Application). */
import { recordCount, type RecordKind } from '../../protocol/customer/batch.ts'
import type { CustomerEventType } from '../../protocol/customer/events.ts'
import type { IngestBatch } from '../../protocol/customer/ingest-batch.ts'
import { ratingOf } from '../../protocol/customer/review.ts'
import { eventTitle } from '../../protocol/event-types.ts'
import { assertNever } from '../../protocol/result.ts'
import { type Role, shortRoleName } from '../../protocol/role.ts'
import { addBounded, deleteSized, setBounded, setSized } from '../bounded.ts'
import { factRow } from '../fact-row.ts'
import { charsIn } from '../short-text.ts'
import type { Instant } from '../instant.ts'
import { applicationSide, crmSide, type CustomerSide, ofSide } from './side.ts'
import { customerName } from './store.ts'
import {
  customerBounds,
  type CustomerStore,
  type CustomerWorld,
  type EarlyConsent,
  type LeadRecord,
  type OutboxEntry,
  type PushResult,
  type RecordBatch,
  recordKey,
  type SavedRecord,
  type SavedRecordOf,
} from './world.ts'
import { leadKey } from './records.ts'

const limitsOf = (records: 'customers' | 'leads' | 'orders' | 'reviews') => ({
  maxEntries: customerBounds[records],
  maxSize: customerBounds.chars,
  sizeOf: charsIn,
})

// Reducers for a customer store: save records, and evict the oldest together with their lookup
// keys.

function saveCustomer(
  store: CustomerStore,
  { customer, joins = [] }: SavedRecordOf<'customer'>,
): void {
  const { id } = customer.document
  const kept = new Set(customer.keys)
  for (const key of store.customers.get(id)?.keys ?? [])
    if (!kept.has(key) && store.keys.get(key) === id) store.keys.delete(key)
  for (const other of joins) {
    for (const key of store.customers.get(other)?.keys ?? [])
      if (!kept.has(key)) store.keys.delete(key)
    deleteSized(store.customers, other, limitsOf('customers'))
    setBounded(store.mergedInto, other, id, customerBounds.mergedInto)
  }
  const evicted = setSized(store.customers, [id, customer], limitsOf('customers'))
  for (const key of customer.keys) {
    store.keys.set(key, id)
    store.earlyConsents.delete(key)
  }
  for (const { document, keys } of evicted)
    for (const key of keys) if (store.keys.get(key) === document.id) store.keys.delete(key)
}

function saveLead(store: CustomerStore, lead: LeadRecord): void {
  const evicted = setSized(store.leads, [lead.id, lead], limitsOf('leads'))
  const key = leadKey(lead.document)
  if (key !== undefined) store.keys.set(key, lead.id)
  for (const { id, document } of evicted) {
    const old = leadKey(document)
    if (old !== undefined && store.keys.get(old) === id) store.keys.delete(old)
  }
}

function applySavedRecord(store: CustomerStore, saved: SavedRecord): void {
  switch (saved.entity) {
    case 'customer':
      return saveCustomer(store, saved)
    case 'lead':
      return saveLead(store, saved.lead)
    case 'order':
      return void setSized(store.orders, [saved.order.id, saved.order], limitsOf('orders'))
    case 'review':
      return void setSized(store.reviews, [saved.review.id, saved.review], limitsOf('reviews'))
    default:
      return assertNever(saved)
  }
}

function savedText(saved: SavedRecord): string {
  switch (saved.entity) {
    case 'customer': {
      const name = customerName(saved.customer)
      const { trigger, joins = [] } = saved
      const joined = joins.length > 0 ? `, one with ${joins.length} more` : ''
      if (saved.isNew) return `customer ${name}, ${saved.customer.status}${joined}`
      const moved = trigger ? ` > ${saved.customer.status}${saved.forced ? ' (forced)' : ''}` : ''
      return `customer ${name}${moved}: ${saved.changed.join(', ') || 'known by more'}${joined}`
    }
    case 'lead':
      return `lead ${saved.lead.id}${saved.lead.convertedAt === undefined ? '' : ' converted'}`
    case 'order':
      return `order of the relationship, ${saved.order.fate}`
    case 'review':
      return `review of ${ratingOf(saved.review.document) ?? 'no rating'}`
    default:
      return assertNever(saved)
  }
}

/** A received event. */
export interface HeardEvent {
  key: string
  eventType: string
  occurredAt: string
  customerId?: string
  orderId?: string
  /** Consent of a customer not known yet, with the lookup keys to find it by later. */
  remark?: EarlyConsent & { readonly keys: readonly string[] }
}

/** Facts of both sides. */
function commonFacts({ role, store }: CustomerSide) {
  const who = shortRoleName[role]
  return {
    /** A record was created or changed. */
    saved: factRow<{ saved: SavedRecord }>({
      text: ({ saved }) => `${who} has ${savedText(saved)}`,
      apply: (world, { saved }) => applySavedRecord(store(world), saved),
    }),
    /** A new event was received. */
    heard: factRow<HeardEvent>({
      text: (event) => `${who} received ${eventTitle(event) ?? event.eventType}`,
      apply(world, { key, remark }) {
        const { seenEvents, earlyConsents } = store(world)
        addBounded(seenEvents, key, customerBounds.seenEvents)
        if (!remark) return
        const { keys, ...consent } = remark
        for (const each of keys)
          setBounded(earlyConsents, each, consent, customerBounds.earlyConsents)
      },
    }),
    /** A duplicate event was received and ignored. */
    'event-repeated': factRow<{ key: string }>({ text: () => `${who} received an event again` }),
    /** A binding path answered 404: flow paths are called from now on. */
    'fell-back': factRow<object>({
      text: () => `${who} switches to the paths of the flow`,
      apply: ({ customer }) => customer.fellBack.add(role),
    }),
  }
}

/**
 * Adds entries to the outbox. A record that is in it already is sent once, in its latest state; all events are sent.
 */
function addToOutbox(world: CustomerWorld, entries: readonly OutboxEntry[]): void {
  const { records, events } = world.outbox
  for (const entry of entries)
    if (entry.kind === 'record') addBounded(records[entry.entity], entry.id, customerBounds.outbox)
    else setBounded(events, world.nextEventNumber++, entry.told, customerBounds.outbox)
}

function removeRecords({ outbox }: CustomerWorld, { entity, ids }: RecordBatch): void {
  for (const id of ids) outbox.records[entity].delete(id)
}

/** A step of flushing the outbox; `left` entries remain after it. */
export interface FlushStep {
  left: number
}

export const customerFacts = {
  ...ofSide(crmSide, commonFacts),
  /** Records were accepted for asynchronous processing, pushed by or pulled from the Ordering Application. */
  'customer.accepted': factRow<{
    intake: IngestBatch
    from: Role
    /** The correlation id in the answer. */
    receipt?: string
  }>({
    text: ({ intake, from }) =>
      `${recordCount(intake.length, intake[0]?.entity ?? 'customer')} of ${shortRoleName[from]} accepted for later`,
  }),
  /** A page of the Ordering Application's records was pulled. */
  'customer.pulled': factRow<{
    resource: RecordKind
    page: number
    count: number
    /** The period of this round, and its next page, if any. */
    from: Instant
    to: Instant
    next?: number
  }>({
    text: ({ page, count, resource }) => `CRM pulled page ${page}: ${recordCount(count, resource)}`,
    apply({ customer }, { next, resource, to }) {
      // An unfinished round does not move the cursor: the next round repeats it.
      if (next === undefined) customer.cursors.set(resource, to)
    },
  }),
  ...ofSide(applicationSide, commonFacts),
  /** Entries were added to the outbox; `wakes` if no flush was scheduled. */
  'relation.queued': factRow<{ notices: readonly OutboxEntry[]; wakes: boolean }>({
    text: ({ notices }) => `OA collects ${notices.length} to share`,
    apply({ customer }, { notices, wakes }) {
      addToOutbox(customer, notices)
      if (wakes) customer.isFlushPlanned = true
    },
  }),
  /** A batch of records is sent to the CRM. */
  'relation.sent': factRow<FlushStep & { requestId: string; sending: RecordBatch }>({
    text: ({ sending: { ids, entity }, left }) =>
      `OA pushes ${recordCount(ids.length, entity)}, ${left} left`,
    apply({ customer }, { requestId, sending, left }) {
      removeRecords(customer, sending)
      setBounded(customer.pushesInFlight, requestId, sending, customerBounds.pushesInFlight)
      customer.isFlushPlanned = left > 0
    },
  }),
  /** An event is sent to the CRM. */
  'relation.told': factRow<FlushStep & { number: number; eventType: CustomerEventType }>({
    text: ({ eventType, left }) => `OA tells ${eventType}, ${left} left`,
    apply({ customer }, { number, left }) {
      customer.outbox.events.delete(number)
      customer.isFlushPlanned = left > 0
    },
  }),
  /** Removed from the outbox without being sent: the CRM does not accept it, or the record is evicted. */
  'relation.left-out': factRow<FlushStep & { records?: RecordBatch; number?: number }>({
    text: ({ left }) => `CRM does not accept this kind, ${left} left`,
    apply({ customer }, { records, number, left }) {
      if (records) removeRecords(customer, records)
      if (number !== undefined) customer.outbox.events.delete(number)
      customer.isFlushPlanned = left > 0
    },
  }),
  /** Flushing stops: the outbox is empty, or the CRM cannot be called yet. */
  'relation.rested': factRow<FlushStep>({
    text: ({ left }) => (left === 0 ? 'OA has shared everything' : `OA waits to share ${left}`),
    apply({ customer }) {
      customer.isFlushPlanned = false
    },
  }),
  /** A push got its final answer. */
  'relation.answered': factRow<{
    requestId: string
    sending: RecordBatch
    outcome: PushResult['outcome']
    because?: string
  }>({
    text: ({ sending: { ids, entity }, outcome, because }) =>
      `push of ${recordCount(ids.length, entity)} ${outcome}${because === undefined ? '' : `: ${because}`}`,
    apply({ customer }, { requestId, sending: { entity, ids }, outcome }, at) {
      customer.pushesInFlight.delete(requestId)
      for (const id of ids)
        setBounded(
          customer.pushResults,
          recordKey(entity, id),
          { at, outcome },
          customerBounds.pushResults,
        )
    },
  }),
}
