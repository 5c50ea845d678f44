/** What Customer can be asked: `customer.…` at its host, `relation.…` at its client. */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import type { HeardEvent } from '../../protocol/customer/event.ts'
import type { Entry, Intake } from '../../protocol/customer/intake.ts'
import type { CustomerTrigger } from '../../protocol/customer/lifecycle.ts'
import type { OrderFate } from '../../protocol/customer/related-order.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'

/** What either side can be asked of its own store. */
type CommonCommand<Word extends 'customer' | 'relation'> =
  /** An event reached this side. */
  | { readonly kind: `${Word}.hear`; readonly event: HeardEvent }
  /** A record of this side's own comes to be, or changes. */
  | { readonly kind: `${Word}.enter`; readonly entry: Entry }
  /** A customer gives consent to marketing here, or withdraws it. */
  | {
      readonly kind: `${Word}.consent`
      readonly customerId: string
      readonly marketing: boolean
    }
  /** A customer's status moves here. */
  | {
      readonly kind: `${Word}.move`
      readonly customerId: string
      readonly trigger: CustomerTrigger
      /** Moves it even where the lifecycle has no such row. */
      readonly force?: true
    }
  /** A lead becomes a customer here. */
  | { readonly kind: `${Word}.convert`; readonly leadId: string }
  /** A customer reviews an order, or the store, here. */
  | {
      readonly kind: `${Word}.review`
      readonly customerId: string
      readonly orderId?: string
      readonly rating: number
      readonly comment?: string
    }

type HostCommand =
  /** Somebody pushes records: accepted for later. */
  | { readonly kind: 'customer.ingest'; readonly intake: Intake; readonly from: Role }
  /** The later that each of them was accepted for. */
  | { readonly kind: 'customer.apply'; readonly entry: Entry; readonly from: Role }
  /** The CRM pulls a page of the Ordering Application's records. */
  | {
      readonly kind: 'customer.pull'
      readonly resource: RecordKind
      readonly page: number
      /** The period of the round; from where the last one ended until now, when absent. */
      readonly period?: { readonly from: Instant; readonly to: Instant }
    }

type ClientCommand =
  /** The Ordering Application registers the customer of an order, unless it knows it. */
  | {
      readonly kind: 'relation.register'
      readonly orderId: string
      /** What a new customer says to marketing. */
      readonly marketing: boolean
      /** Where it was captured, if it was a lead before. */
      readonly leadSource?: string
    }
  /** The Ordering Application notes an order, or what became of it, for relationship. */
  | { readonly kind: 'relation.record'; readonly orderId: string; readonly fate: OrderFate }
  /** The Ordering Application takes the next step of sharing what waits. */
  | { readonly kind: 'relation.share' }
  /** The Ordering Application pushes a record once more. */
  | { readonly kind: 'relation.push'; readonly entity: RecordKind; readonly id: string }

export type CustomerCommand =
  CommonCommand<'customer'> | CommonCommand<'relation'> | HostCommand | ClientCommand
