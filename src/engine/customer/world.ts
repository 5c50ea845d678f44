/**
 * The slices of Customer: what the CRM holds of customers, leads, orders and reviews, and what the Ordering Application
 * holds and shares. Both keep the same kind of store, and neither looks into the other's. Records are immutable values in
 * maps that change in place.
 */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import type { CustomerStatus } from '../../protocol/customer/customer.ts'
import type { CustomerDocument } from '../../protocol/customer/customer-view.ts'
import type { CustomerEventType } from '../../protocol/customer/events.ts'
import type { LeadInput } from '../../protocol/customer/lead.ts'
import type { CustomerTrigger } from '../../protocol/customer/lifecycle.ts'
import type { OrderFate, RelatedOrder } from '../../protocol/customer/related-order.ts'
import type { Review } from '../../protocol/customer/review.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'

export interface CustomerRecord {
  readonly document: CustomerDocument
  readonly status: CustomerStatus
  readonly since: Instant
  /** The statuses that the customer went through, in order. */
  readonly way: readonly {
    readonly status: CustomerStatus
    readonly at: Instant
    readonly trigger?: CustomerTrigger
  }[]
  /** Everything that it is looked up by. */
  readonly keys: readonly string[]
  /** When it changed here. */
  readonly changedAt: Instant
  /** The newest `updatedAt` that somebody sent: what is older comes too late. */
  readonly version?: Instant
  /** When consent was last said, and when it was last withdrawn: an older consent does not undo that (CUS-EVR-01). */
  readonly consentAt?: Instant
  readonly optedOutAt?: Instant
}

export interface LeadRecord {
  readonly id: string
  readonly document: LeadInput
  /** The customer here that it belongs to. */
  readonly customerId?: string
  readonly changedAt: Instant
  readonly convertedAt?: Instant
}

/** An order for relationship only; the operational one, if there is any, is another's (CUS-GEN-07). */
export interface RelatedRecord {
  readonly id: string
  /** Absent while only an event has told of it. */
  readonly document?: RelatedOrder
  readonly fate: OrderFate
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

/** What an event said of a customer who is not known here yet. */
export interface Remark {
  readonly marketing: boolean
  readonly at: Instant
}

export interface CustomerStore {
  readonly customers: Map<string, CustomerRecord>
  /** From whatever a customer is known by to its id here. */
  readonly keys: Map<string, string>
  /** The ids of records that turned out to be another's, and whose. */
  readonly joined: Map<string, string>
  readonly leads: Map<string, LeadRecord>
  readonly orders: Map<string, RelatedRecord>
  readonly reviews: Map<string, ReviewRecord>
  /** By key, oldest first. */
  readonly remarks: Map<string, Remark>
  /** The events that came, oldest first. */
  readonly heard: Set<string>
}

/** A fact that is to be told to the other side. */
export interface Told {
  readonly eventType: CustomerEventType
  readonly occurredAt: string
  readonly entityId: string
  readonly customerId?: string
  readonly orderId?: string
  readonly merchantId?: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** What waits at the Ordering Application until it is shared. */
export type Notice =
  | { readonly kind: 'record'; readonly entity: RecordKind; readonly id: string }
  | { readonly kind: 'event'; readonly told: Told }

export interface Outbox {
  /** The ids of records, oldest first: one that changes twice is shared once. */
  readonly records: Readonly<Record<RecordKind, Set<string>>>
  /** Events by number, oldest first. */
  readonly events: Map<number, Told>
}

/** Records that a push under way carries. */
export interface Sending {
  readonly entity: RecordKind
  readonly ids: readonly string[]
}

export interface Shared {
  readonly at: Instant
  readonly outcome: 'taken' | 'known' | 'refused'
}

export interface CustomerWorld {
  readonly crm: CustomerStore
  readonly application: CustomerStore
  readonly outbox: Outbox
  /** By X-Request-Id. */
  readonly underWay: Map<string, Sending>
  /** What became of the last push of each record. */
  readonly shared: Map<string, Shared>
  /** Somebody is at it: the next step of sharing is planned. */
  sharing: boolean
  nextNotice: number
  /** How far each resource of the Ordering Application was pulled. */
  readonly cursors: Map<RecordKind, Instant>
  /** The roles that call flow paths since the binding's were not there (CUS-TEN-03). */
  readonly fellBack: Set<Role>
}

/** What is kept at most; what is oldest is forgotten first. */
export const customerBounds = {
  customers: 20_000,
  leads: 20_000,
  orders: 20_000,
  reviews: 20_000,
  joined: 20_000,
  remarks: 10_000,
  heard: 50_000,
  outbox: 20_000,
  underWay: 10_000,
  shared: 50_000,
} as const

/** How much waits to be shared. */
export const waitingIn = ({ records, events }: Outbox): number =>
  Object.values(records).reduce((sum, { size }) => sum + size, events.size)

const createStore = (): CustomerStore => ({
  customers: new Map(),
  keys: new Map(),
  joined: new Map(),
  leads: new Map(),
  orders: new Map(),
  reviews: new Map(),
  remarks: new Map(),
  heard: new Set(),
})

export const createCustomerWorld = (): CustomerWorld => ({
  crm: createStore(),
  application: createStore(),
  outbox: {
    records: { customer: new Set(), lead: new Set(), order: new Set(), review: new Set() },
    events: new Map(),
  },
  underWay: new Map(),
  shared: new Map(),
  sharing: false,
  nextNotice: 1,
  cursors: new Map(),
  fellBack: new Set(),
})
