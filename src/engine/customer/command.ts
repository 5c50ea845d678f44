/** Commands of Customer: `customer.…` at the host (CRM), `relation.…` at the client (Ordering Application). */
import type { RecordKind } from '../../protocol/customer/batch.ts'
import type { ReceivedCustomerEvent } from '../../protocol/customer/event.ts'
import type { IngestEntry, IngestBatch } from '../../protocol/customer/ingest-batch.ts'
import type { CustomerTrigger } from '../../protocol/customer/lifecycle.ts'
import type { OrderFate } from '../../protocol/customer/related-order.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'

/** Commands that both sides accept, each for its own store. */
type CommonCommand<Word extends 'customer' | 'relation'> =
  /** Receives an event. */
  | { readonly kind: `${Word}.hear`; readonly event: ReceivedCustomerEvent }
  /** Creates or changes a record of this side's own. */
  | { readonly kind: `${Word}.enter`; readonly entry: IngestEntry }
  /** Sets or withdraws a customer's marketing consent. */
  | {
      readonly kind: `${Word}.consent`
      readonly customerId: string
      readonly marketing: boolean
    }
  /** Moves a customer's status. */
  | {
      readonly kind: `${Word}.move`
      readonly customerId: string
      readonly trigger: CustomerTrigger
      /** Moves it even if the lifecycle has no such transition. */
      readonly force?: true
    }
  /** Converts a lead to a customer. */
  | { readonly kind: `${Word}.convert`; readonly leadId: string }
  /** Adds a customer's review of an order, or of the store. */
  | {
      readonly kind: `${Word}.review`
      readonly customerId: string
      readonly orderId?: string
      readonly rating: number
      readonly comment?: string
    }

type HostCommand =
  /** Accepts pushed records for asynchronous processing. */
  | { readonly kind: 'customer.ingest'; readonly intake: IngestBatch; readonly from: Role }
  /** Processes one accepted record. */
  | { readonly kind: 'customer.apply'; readonly entry: IngestEntry; readonly from: Role }
  /** Pulls a page of the Ordering Application's records into the CRM. */
  | {
      readonly kind: 'customer.pull'
      readonly resource: RecordKind
      readonly page: number
      /** The period of the pull round; default: from the end of the last round until now. */
      readonly period?: { readonly from: Instant; readonly to: Instant }
    }

type ClientCommand =
  /** Registers the customer of an order, if not known yet. */
  | {
      readonly kind: 'relation.register'
      readonly orderId: string
      /** Marketing consent of a new customer. */
      readonly marketing: boolean
      /** Source of the lead, if the customer was captured as one. */
      readonly leadSource?: string
    }
  /** Records an order, or its outcome, in customer context. */
  | { readonly kind: 'relation.record'; readonly orderId: string; readonly fate: OrderFate }
  /** Takes the next step of flushing the outbox. */
  | { readonly kind: 'relation.share' }
  /** Pushes a record again. */
  | { readonly kind: 'relation.push'; readonly entity: RecordKind; readonly id: string }

export type CustomerCommand =
  CommonCommand<'customer'> | CommonCommand<'relation'> | HostCommand | ClientCommand
