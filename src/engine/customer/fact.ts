/** Facts of Customer: `customer.…` at the host (CRM), `relation.…` at the client (Ordering Application). */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import type { CustomerEventType } from '../../protocol/customer/events.ts'
import type { IngestBatch } from '../../protocol/customer/ingest-batch.ts'
import type { CustomerTrigger } from '../../protocol/customer/lifecycle.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'
import type {
  CustomerRecord,
  LeadRecord,
  OutboxEntry,
  RelatedOrderRecord,
  EarlyConsent,
  ReviewRecord,
  RecordBatch,
  PushResult,
} from './world.ts'

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
      /** Whether its fate changed. */
      readonly turned: boolean
    }
  | { readonly entity: 'review'; readonly review: ReviewRecord; readonly isNew: boolean }

/** Facts of both sides. */
type CommonFact<Word extends 'customer' | 'relation'> =
  /** A record was created or changed. */
  | { readonly kind: `${Word}.saved`; readonly saved: SavedRecord }
  /** A new event was received. */
  | {
      readonly kind: `${Word}.heard`
      readonly key: string
      readonly eventType: string
      readonly occurredAt: string
      readonly customerId?: string
      readonly orderId?: string
      /** Consent of a customer not known yet, with the lookup keys to find it by later. */
      readonly remark?: EarlyConsent & { readonly keys: readonly string[] }
    }
  /** A duplicate event was received and ignored. */
  | { readonly kind: `${Word}.event-repeated`; readonly key: string }

type HostFact =
  /** Records were accepted for asynchronous processing, pushed by or pulled from the Ordering Application. */
  | {
      readonly kind: 'customer.accepted'
      readonly intake: IngestBatch
      readonly from: Role
      /** The correlation id in the answer. */
      readonly receipt?: string
    }
  /** A page of the Ordering Application's records was pulled. */
  | {
      readonly kind: 'customer.pulled'
      readonly resource: RecordKind
      readonly page: number
      readonly count: number
      /** The period of this round, and its next page, if any. */
      readonly from: Instant
      readonly to: Instant
      readonly next?: number
    }

/** A step of flushing the outbox; `left` entries remain after it. */
interface FlushStep {
  readonly left: number
}

type ClientFact =
  /** Entries were added to the outbox; `wakes` if no flush was scheduled. */
  | {
      readonly kind: 'relation.queued'
      readonly notices: readonly OutboxEntry[]
      readonly wakes: boolean
    }
  /** A batch of records is sent to the CRM. */
  | (FlushStep & {
      readonly kind: 'relation.sent'
      readonly requestId: string
      readonly sending: RecordBatch
    })
  /** An event is sent to the CRM. */
  | (FlushStep & {
      readonly kind: 'relation.told'
      readonly number: number
      readonly eventType: CustomerEventType
    })
  /** Removed from the outbox without being sent: the CRM does not accept it, or the record is evicted. */
  | (FlushStep & {
      readonly kind: 'relation.left-out'
      readonly records?: RecordBatch
      readonly number?: number
    })
  /** Flushing stops: the outbox is empty, or the CRM cannot be called yet. */
  | (FlushStep & { readonly kind: 'relation.rested' })
  /** A push got its final answer. */
  | {
      readonly kind: 'relation.answered'
      readonly requestId: string
      readonly sending: RecordBatch
      readonly outcome: PushResult['outcome']
      readonly because?: string
    }

/** A binding path answered 404: flow paths are called from now on. */
interface FellBack<Word extends 'customer' | 'relation'> {
  readonly kind: `${Word}.fell-back`
}

export type CustomerFact =
  | CommonFact<'customer'>
  | CommonFact<'relation'>
  | HostFact
  | ClientFact
  | FellBack<'customer'>
  | FellBack<'relation'>
