/**
 * What has happened in Indoor: `account.…` at its host, `table.…` at its client. A fact of an account that was announced
 * names the event in `lastEvent`; one that was kept quiet does not.
 */
import type { FiscalDocument } from '../../protocol/indoor/account.ts'
import type { AccountEventType } from '../../protocol/indoor/events.ts'
import type { AccountMove } from '../../protocol/indoor/lifecycle.ts'
import type { OperationMode } from '../../protocol/indoor/labels.ts'
import type { ReadAccount } from '../../protocol/indoor/read.ts'
import type { AccountStatus } from '../../protocol/indoor/status.ts'
import type { AccountCharge, AccountLine, AccountRecord, PaymentRecord, TableAct } from './world.ts'

interface OfAccount {
  readonly accountId: string
  readonly lastEvent?: AccountEventType
}

/** What an order puts on an account. */
export interface Booking {
  readonly orderId: string
  readonly originChannel: string
  readonly createdAt: string
  readonly items: readonly AccountLine[]
  readonly charge: AccountCharge
  /** How much of each line was cancelled before it was booked. */
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
      readonly booking: Booking
    } & OfAccount)
  /** A later INDOOR order added its items. */
  | ({
      readonly kind: 'account.items-added'
      readonly orderId: string
      readonly booking: Booking
    } & OfAccount)
  /** A locked account would not take an INDOOR order. */
  | {
      readonly kind: 'account.order-rejected'
      readonly accountId: string
      readonly orderId: string
      readonly status: AccountStatus
    }
  /** An item, or a part of it, was cancelled; this is the line since. */
  | ({
      readonly kind: 'account.item-cancelled'
      readonly orderId: string
      readonly item: AccountLine
      readonly quantity: number
      readonly reason?: string
    } & OfAccount)
  /** What was cancelled in Orders is cancelled on accounts: this is how much of each line. */
  | {
      readonly kind: 'account.order-mirrored'
      readonly orderId: string
      readonly cancelled: Readonly<Record<string, number>>
      /** The whole order is cancelled: what it charges beside its items is off. */
      readonly over?: true
    }
  /** Items left for another account; these lines stay with less. */
  | ({
      readonly kind: 'account.items-left'
      readonly targetAccountId: string
      readonly itemIds: readonly string[]
      readonly lessened: readonly AccountLine[]
      /** All of it left, with the orders and what they charge. */
      readonly whole: boolean
      readonly reason?: string
    } & OfAccount)
  /** Items arrived from another account. */
  | ({
      readonly kind: 'account.items-arrived'
      readonly sourceAccountId: string
      readonly items: readonly AccountLine[]
      readonly orders: AccountRecord['orders']
      readonly charges: readonly AccountCharge[]
      readonly wantsDocument: boolean
      readonly transferredAt: string
    } & OfAccount)
  /** A payment was put on the account. */
  | ({ readonly kind: 'account.paid'; readonly payment: PaymentRecord } & OfAccount)
  /** A payment was corrected. */
  | ({
      readonly kind: 'account.payment-adjusted'
      readonly payment: PaymentRecord
      readonly reason?: string
    } & OfAccount)
  /** The house took something off. */
  | {
      readonly kind: 'account.discounted'
      readonly accountId: string
      readonly cents: number
      readonly reason?: string
    }
  /** The house asks for no more than was paid. */
  | {
      readonly kind: 'account.courtesy-granted'
      readonly accountId: string
      readonly reason?: string
    }
  /** An account changed its status. */
  | ({
      readonly kind: 'account.moved'
      readonly trigger: AccountMove
      readonly from: AccountStatus
      readonly to: AccountStatus
      readonly reason?: string
      /** Against the lifecycle, by somebody's hand. */
      readonly forced?: true
    } & OfAccount)
  /** A fiscal document was asked for. */
  | {
      readonly kind: 'account.fiscal-requested'
      readonly accountId: string
      readonly documentId: string
      readonly cents: number
    }
  /** A fiscal document was issued, or failed; or one that was issued is announced again. */
  | ({ readonly kind: 'account.fiscal-concluded'; readonly document: FiscalDocument } & OfAccount)

/** What names an evening when it is heard of: as much as the event or the answer said. */
export interface TableNames {
  readonly tableId: string
  readonly accountId?: string
  readonly merchantId?: string
  readonly operationMode?: OperationMode
  readonly identifier?: string
}

export type TableFact =
  /** The Ordering Application stored an account event that it had not seen. */
  | {
      readonly kind: 'table.heard'
      readonly eventId: string
      readonly eventType: string
      readonly orderId?: string
      /** The evening that it is about, where that is known. */
      readonly table?: TableNames
    }
  /** An account event came again and was left alone. */
  | { readonly kind: 'table.event-repeated'; readonly eventId: string }
  /** The Ordering Application read the account. */
  | { readonly kind: 'table.read'; readonly table: TableNames; readonly account: ReadAccount }
  /** It asked for something: the call for it is under way. */
  | { readonly kind: 'table.asked'; readonly tableId: string; readonly act: TableAct }
  /** The host took the call. */
  | { readonly kind: 'table.accepted'; readonly tableId: string; readonly act: TableAct }
  /** The host would not have it. */
  | {
      readonly kind: 'table.refused'
      readonly tableId: string
      readonly act: TableAct | 'read'
      readonly because: string
      /** Another account is at its place by now: it is to be read by its id. */
      readonly elsewhere?: true
    }
  /** A look has to wait until the host may be called. */
  | { readonly kind: 'table.put-off'; readonly tableId: string }
  /** No account was found for an order. */
  | { readonly kind: 'table.missing'; readonly orderId: string }
  /** It read the account's payments. */
  | {
      readonly kind: 'table.payments-read'
      readonly tableId: string
      readonly count: number
    }
  /** It read the account's fiscal documents: these are their statuses. */
  | {
      readonly kind: 'table.documents-read'
      readonly tableId: string
      readonly statuses: readonly string[]
    }
  /** The evening is over: the guest has gone, or was waited for often enough. */
  | { readonly kind: 'table.left'; readonly tableId: string; readonly because: 'gone' | 'stuck' }

export type IndoorFact = AccountFact | TableFact
