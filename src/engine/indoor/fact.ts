/**
 * The facts of Indoor: `account.…` at the host, `table.…` at its client. An account fact that was announced by an
 * event names it in `lastEvent`; an unannounced one does not.
 */
import type { FiscalDocument } from '../../protocol/indoor/account.ts'
import type { AccountEventType } from '../../protocol/indoor/events.ts'
import type { DiningAccountMove } from '../../protocol/indoor/lifecycle.ts'
import type { OperationMode } from '../../protocol/indoor/labels.ts'
import type { ReadAccount } from '../../protocol/indoor/read.ts'
import type { AccountStatus } from '../../protocol/indoor/status.ts'
import type {
  AccountCharge,
  AccountLine,
  DiningAccountRecord,
  PaymentRecord,
  TableAction,
} from './world.ts'

interface OfAccount {
  readonly accountId: string
  readonly lastEvent?: AccountEventType
}

/** What an order adds to an account. */
export interface AccountBooking {
  readonly orderId: string
  readonly originChannel: string
  readonly createdAt: string
  readonly items: readonly AccountLine[]
  readonly charge: AccountCharge
  /** The cancelled quantity of each line at the time of booking. */
  readonly cancelled: Readonly<Record<string, number>>
  readonly wantsDocument: boolean
}

export type AccountFact =
  /** An INDOOR order opened an account. */
  | ({
      readonly kind: 'account.opened'
      readonly merchantId: string
      readonly operationMode: OperationMode
      readonly identifier: string
      readonly orderId: string
      readonly booking: AccountBooking
    } & OfAccount)
  /** A later INDOOR order added its items. */
  | ({
      readonly kind: 'account.items-added'
      readonly orderId: string
      readonly booking: AccountBooking
    } & OfAccount)
  /** A locked account rejected an INDOOR order. */
  | {
      readonly kind: 'account.order-rejected'
      readonly accountId: string
      readonly orderId: string
      readonly status: AccountStatus
    }
  /** An item or part of it was cancelled; `item` is the resulting line. */
  | ({
      readonly kind: 'account.item-cancelled'
      readonly orderId: string
      readonly item: AccountLine
      readonly quantity: number
      readonly reason?: string
    } & OfAccount)
  /** Cancellations in Orders were copied to the accounts; the cancelled quantity by line id. */
  | {
      readonly kind: 'account.order-mirrored'
      readonly orderId: string
      readonly cancelled: Readonly<Record<string, number>>
      /** The whole order is cancelled: its fees and discounts are removed too. */
      readonly over?: true
    }
  /** Items were transferred to another account; `lessened` holds the remainders of split lines. */
  | ({
      readonly kind: 'account.items-left'
      readonly targetAccountId: string
      readonly itemIds: readonly string[]
      readonly lessened: readonly AccountLine[]
      /** The whole account was transferred, with its orders and their charges. */
      readonly whole: boolean
      readonly reason?: string
    } & OfAccount)
  /** Items were transferred from another account. */
  | ({
      readonly kind: 'account.items-arrived'
      readonly sourceAccountId: string
      readonly items: readonly AccountLine[]
      readonly orders: DiningAccountRecord['orders']
      readonly charges: readonly AccountCharge[]
      readonly wantsDocument: boolean
      readonly transferredAt: string
    } & OfAccount)
  /** A payment was added. */
  | ({ readonly kind: 'account.paid'; readonly payment: PaymentRecord } & OfAccount)
  /** A payment was corrected. */
  | ({
      readonly kind: 'account.payment-adjusted'
      readonly payment: PaymentRecord
      readonly reason?: string
    } & OfAccount)
  /** The host granted a discount. */
  | {
      readonly kind: 'account.discounted'
      readonly accountId: string
      readonly cents: number
      readonly reason?: string
    }
  /** The host allowed the account to close without full payment. */
  | {
      readonly kind: 'account.courtesy-granted'
      readonly accountId: string
      readonly reason?: string
    }
  /** An account changed its status. */
  | ({
      readonly kind: 'account.moved'
      readonly trigger: DiningAccountMove
      readonly from: AccountStatus
      readonly to: AccountStatus
      readonly reason?: string
      /** Forced by an operator, against the lifecycle. */
      readonly forced?: true
    } & OfAccount)
  /** A fiscal document was requested. */
  | {
      readonly kind: 'account.fiscal-requested'
      readonly accountId: string
      readonly documentId: string
      readonly cents: number
    }
  /** A fiscal document was issued or failed, or an issued one is announced again. */
  | ({ readonly kind: 'account.fiscal-concluded'; readonly document: FiscalDocument } & OfAccount)

/** The identifiers of a guest's visit, as far as the event or the reply contained them. */
export interface TableIdentity {
  readonly tableId: string
  readonly accountId?: string
  readonly merchantId?: string
  readonly operationMode?: OperationMode
  readonly identifier?: string
}

export type TableFact =
  /** The Ordering Application stored an account event with a new id. */
  | {
      readonly kind: 'table.heard'
      readonly eventId: string
      readonly eventType: string
      readonly orderId?: string
      /** The visit that the event belongs to, if it can be identified. */
      readonly table?: TableIdentity
    }
  /** A duplicate account event was ignored. */
  | { readonly kind: 'table.event-repeated'; readonly eventId: string }
  /** The Ordering Application read the account. */
  | { readonly kind: 'table.read'; readonly table: TableIdentity; readonly account: ReadAccount }
  /** It called the host for this action; the call is in flight. */
  | { readonly kind: 'table.asked'; readonly tableId: string; readonly act: TableAction }
  /** The host accepted the call. */
  | { readonly kind: 'table.accepted'; readonly tableId: string; readonly act: TableAction }
  /** The host refused the call. */
  | {
      readonly kind: 'table.refused'
      readonly tableId: string
      readonly act: TableAction | 'read'
      readonly because: string
      /** Another account is at the place by now: this one must be read by its id. */
      readonly elsewhere?: true
    }
  /** A read is postponed until the host may be called. */
  | { readonly kind: 'table.put-off'; readonly tableId: string }
  /** No account was found for the order. */
  | { readonly kind: 'table.missing'; readonly orderId: string }
  /** It read the account's payments. */
  | {
      readonly kind: 'table.payments-read'
      readonly tableId: string
      readonly count: number
    }
  /** It read the account's fiscal documents; their statuses. */
  | {
      readonly kind: 'table.documents-read'
      readonly tableId: string
      readonly statuses: readonly string[]
    }
  /** The visit ended: the guest left, or too many reads showed no change. */
  | { readonly kind: 'table.left'; readonly tableId: string; readonly because: 'gone' | 'stuck' }

export type IndoorFact = AccountFact | TableFact
