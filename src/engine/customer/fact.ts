/** What has happened in Customer: `customer.…` at its host, `relation.…` at its client. */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import type { CustomerEventType } from '../../protocol/customer/events.ts'
import type { Intake } from '../../protocol/customer/intake.ts'
import type { CustomerTrigger } from '../../protocol/customer/lifecycle.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'
import type {
  CustomerRecord,
  LeadRecord,
  Notice,
  RelatedRecord,
  Remark,
  ReviewRecord,
  Sending,
  Shared,
} from './world.ts'

/** A record as it is now, and what is new in it. */
export type Saved =
  | {
      readonly entity: 'customer'
      readonly customer: CustomerRecord
      readonly isNew: boolean
      /** Dotted paths of the fields that changed. */
      readonly changed: readonly string[]
      readonly trigger?: CustomerTrigger
      /** Records that turned out to be this customer's. */
      readonly joins?: readonly string[]
      /** Against the lifecycle, by somebody's hand. */
      readonly forced?: true
    }
  | { readonly entity: 'lead'; readonly lead: LeadRecord; readonly isNew: boolean }
  | {
      readonly entity: 'order'
      readonly order: RelatedRecord
      readonly isNew: boolean
      /** Its fate is another than before. */
      readonly turned: boolean
    }
  | { readonly entity: 'review'; readonly review: ReviewRecord; readonly isNew: boolean }

/** What both sides meet. */
type CommonFact<Word extends 'customer' | 'relation'> =
  /** A record came to be, or changed. */
  | { readonly kind: `${Word}.saved`; readonly saved: Saved }
  /** An event came that had not come before. */
  | {
      readonly kind: `${Word}.heard`
      readonly key: string
      readonly eventType: string
      readonly occurredAt: string
      readonly customerId?: string
      readonly orderId?: string
      /** What it says of a customer who is not known yet, and the keys by which it will be. */
      readonly remark?: Remark & { readonly keys: readonly string[] }
    }
  /** An event came again and was left alone. */
  | { readonly kind: `${Word}.event-repeated`; readonly key: string }

type HostFact =
  /** Records were taken, for later: pushed by the Ordering Application, or found at it. */
  | {
      readonly kind: 'customer.accepted'
      readonly intake: Intake
      readonly from: Role
      /** What the answer calls it by. */
      readonly receipt?: string
    }
  /** A page of the Ordering Application's records was read. */
  | {
      readonly kind: 'customer.pulled'
      readonly resource: RecordKind
      readonly page: number
      readonly count: number
      /** The period of this round, and its next page where there is one. */
      readonly from: Instant
      readonly to: Instant
      readonly next?: number
    }

/** A step of sharing: so much is left after it. */
interface Step {
  readonly left: number
}

type ClientFact =
  /** What is new waits to be shared; `wakes` when nobody was at it. */
  | {
      readonly kind: 'relation.queued'
      readonly notices: readonly Notice[]
      readonly wakes: boolean
    }
  /** Records are on their way to the CRM. */
  | (Step & {
      readonly kind: 'relation.sent'
      readonly requestId: string
      readonly sending: Sending
    })
  /** An event goes to the CRM. */
  | (Step & {
      readonly kind: 'relation.told'
      readonly number: number
      readonly eventType: CustomerEventType
    })
  /** The CRM does not take this: it waits no longer. */
  | (Step & {
      readonly kind: 'relation.left-out'
      readonly records?: Sending
      readonly number?: number
    })
  /** Sharing stops: nothing is left, or the CRM cannot be called yet. */
  | (Step & { readonly kind: 'relation.rested' })
  /** A push came to its end. */
  | {
      readonly kind: 'relation.answered'
      readonly requestId: string
      readonly sending: Sending
      readonly outcome: Shared['outcome']
      readonly because?: string
    }

/** The binding's paths are not there: the flow's are called from now on. */
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
