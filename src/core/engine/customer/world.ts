/**
 * World state of Customer: one store of customers, leads, orders and reviews for the CRM, another for the Ordering
 * Application, and the latter's outbox. Neither side reads the other's store. Records are immutable values in maps that
 * change in place.
 */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import type { CustomerStatus } from '../../protocol/customer/customer.ts'
import type { CustomerDocument } from '../../protocol/customer/customer-view.ts'
import type { CustomerEventType } from '../../protocol/customer/events.ts'
import type { LeadInput } from '../../protocol/customer/lead.ts'
import type { CustomerTrigger } from '../../protocol/customer/lifecycle.ts'
import type { RelatedOrderOutcome, RelatedOrder } from '../../protocol/customer/related-order.ts'
import type { Review } from '../../protocol/customer/review.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'

export interface CustomerRecord {
  readonly document: CustomerDocument
  readonly status: CustomerStatus
  readonly since: Instant
  /** History of statuses, oldest first. */
  readonly way: readonly {
    readonly status: CustomerStatus
    readonly at: Instant
    readonly trigger?: CustomerTrigger
  }[]
  /** The lookup keys of this customer, oldest first. */
  readonly keys: readonly string[]
  /** Time of the last change in this store. */
  readonly changedAt: Instant
  /** The newest `updatedAt` received; an older one is a stale write. */
  readonly version?: Instant
  /**
   * Times of the last consent statement and of the last withdrawal: an older consent does not undo that (CUS-EVR-01).
   */
  readonly consentAt?: Instant
  readonly optedOutAt?: Instant
}

export interface LeadRecord {
  readonly id: string
  readonly document: LeadInput
  /** Id of the customer in this store. */
  readonly customerId?: string
  readonly changedAt: Instant
  readonly convertedAt?: Instant
}

/** An order in customer context, separate from the operational order, if there is one (CUS-GEN-07). */
export interface RelatedOrderRecord {
  readonly id: string
  /** Absent while the order is known from an event only. */
  readonly document?: RelatedOrder
  readonly fate: RelatedOrderOutcome
  readonly customerId?: string
  readonly merchantId?: string
  readonly amount?: number
  readonly changedAt: Instant
}

export interface ReviewRecord {
  readonly id: string
  readonly document: Review
  readonly customerId?: string
  readonly changedAt: Instant
}

/** Marketing consent from an event about a customer not yet in the store. */
export interface EarlyConsent {
  readonly marketing: boolean
  readonly at: Instant
}

/** A saved record and what changed in it. */
export type SavedRecord =
  | {
      readonly entity: 'customer'
      readonly customer: CustomerRecord
      readonly isNew: boolean
      /** Dotted paths of the fields that changed. */
      readonly changed: readonly string[]
      readonly trigger?: CustomerTrigger
      /** Ids of duplicate records merged into this customer. */
      readonly joins?: readonly string[]
      /** Forced by a command against the lifecycle. */
      readonly forced?: true
    }
  | { readonly entity: 'lead'; readonly lead: LeadRecord; readonly isNew: boolean }
  | {
      readonly entity: 'order'
      readonly order: RelatedOrderRecord
      readonly isNew: boolean
      /** Whether its outcome changed. */
      readonly turned: boolean
    }
  | { readonly entity: 'review'; readonly review: ReviewRecord; readonly isNew: boolean }

export type SavedRecordOf<Entity extends SavedRecord['entity']> = Extract<
  SavedRecord,
  { entity: Entity }
>

export interface CustomerStore {
  readonly customers: Map<string, CustomerRecord>
  /** Index from lookup key to the id in this store. */
  readonly keys: Map<string, string>
  /** From the id of a merged (duplicate) customer to the id of the surviving one. */
  readonly mergedInto: Map<string, string>
  readonly leads: Map<string, LeadRecord>
  readonly orders: Map<string, RelatedOrderRecord>
  readonly reviews: Map<string, ReviewRecord>
  /** By lookup key, oldest first. */
  readonly earlyConsents: Map<string, EarlyConsent>
  /** Deduplication keys of received events, oldest first. */
  readonly seenEvents: Set<string>
}

/** The data of an event to be sent to the other side, before it has an id. */
export interface CustomerEventDraft {
  readonly eventType: CustomerEventType
  readonly occurredAt: string
  readonly entityId: string
  readonly customerId?: string
  readonly orderId?: string
  readonly merchantId?: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** An outbox entry of the Ordering Application. */
export type OutboxEntry =
  | { readonly kind: 'record'; readonly entity: RecordKind; readonly id: string }
  | { readonly kind: 'event'; readonly told: CustomerEventDraft }

export interface Outbox {
  /** Record ids, oldest first: a record that changes twice is pushed once. */
  readonly records: Readonly<Record<RecordKind, Set<string>>>
  /** Events by sequence number, oldest first. */
  readonly events: Map<number, CustomerEventDraft>
}

/** The records of one push. */
export interface RecordBatch {
  readonly entity: RecordKind
  readonly ids: readonly string[]
}

export interface PushResult {
  readonly at: Instant
  readonly outcome: 'taken' | 'known' | 'refused'
}

/** Key of a record in `pushResults`. */
export const recordKey = (entity: RecordKind, id: string): string => `${entity}|${id}`

export interface CustomerWorld {
  readonly crm: CustomerStore
  readonly application: CustomerStore
  readonly outbox: Outbox
  /** Pushes in flight, by X-Request-Id. */
  readonly pushesInFlight: Map<string, RecordBatch>
  /** Result of the last push of each record. */
  readonly pushResults: Map<string, PushResult>
  /** Whether the next `relation.share` is scheduled. */
  isFlushPlanned: boolean
  nextEventNumber: number
  /** Pull cursor of each resource of the Ordering Application. */
  readonly cursors: Map<RecordKind, Instant>
  /** The roles that fell back to the flow paths after a 404 on a binding path (CUS-TEN-03). */
  readonly fellBack: Set<Role>
}

/** Maximum number of entries of each collection; the oldest are evicted first. */
export const customerBounds = {
  /** Characters of all customers, and of all leads, orders and reviews: 20,000 ordinary orders have 45 million. */
  chars: 64_000_000,
  customers: 20_000,
  /** Lookup keys, and steps of the status, of one customer: the newest are kept. */
  keysOfOne: 200,
  stepsOfOne: 200,
  leads: 20_000,
  orders: 20_000,
  reviews: 20_000,
  mergedInto: 20_000,
  earlyConsents: 10_000,
  seenEvents: 50_000,
  outbox: 20_000,
  pushesInFlight: 10_000,
  pushResults: 50_000,
} as const

/** Number of records and events in the outbox. */
export const outboxSize = ({ records, events }: Outbox): number =>
  Object.values(records).reduce((sum, { size }) => sum + size, events.size)

const createStore = (): CustomerStore => ({
  customers: new Map(),
  keys: new Map(),
  mergedInto: new Map(),
  leads: new Map(),
  orders: new Map(),
  reviews: new Map(),
  earlyConsents: new Map(),
  seenEvents: new Set(),
})

export const createCustomerWorld = (): CustomerWorld => ({
  crm: createStore(),
  application: createStore(),
  outbox: {
    records: { customer: new Set(), lead: new Set(), order: new Set(), review: new Set() },
    events: new Map(),
  },
  pushesInFlight: new Map(),
  pushResults: new Map(),
  isFlushPlanned: false,
  nextEventNumber: 1,
  cursors: new Map(),
  fellBack: new Set(),
})
