/** The commands of Indoor: `account.…` at the host, `table.…` at its client. */
import type { AccountEventBody } from '../../protocol/indoor/events.ts'
import type { PaymentInstruction, TransferInstruction } from '../../protocol/indoor/instructions.ts'
import type { DiningAccountMove } from '../../protocol/indoor/lifecycle.ts'
import type { PaymentMethodInfo } from '../../protocol/indoor/account.ts'

export type AccountCommand =
  /** Adds an INDOOR order that was read to the open account of its key, or opens one. */
  | { readonly kind: 'account.book'; readonly orderId: string }
  /** Copies cancellations from Orders to the accounts. */
  | { readonly kind: 'account.mirror'; readonly orderId: string }
  /** Cancels an item or part of its quantity. */
  | {
      readonly kind: 'account.cancel-item'
      readonly accountId: string
      readonly itemId: string
      readonly quantity?: number
      readonly reason?: string
    }
  /** Transfers items to another account. */
  | {
      readonly kind: 'account.transfer'
      readonly accountId: string
      readonly targetAccountId: string
      readonly transfer: TransferInstruction
      readonly reason?: string
    }
  /** Adds a payment to the account. */
  | {
      readonly kind: 'account.pay'
      readonly accountId: string
      readonly payment: PaymentInstruction
    }
  /** The host corrects a payment. */
  | {
      readonly kind: 'account.adjust-payment'
      readonly accountId: string
      readonly paymentId: string
      readonly amount: number
      readonly reason?: string
    }
  /** The host grants a discount. */
  | {
      readonly kind: 'account.discount'
      readonly accountId: string
      readonly amount: number
      readonly reason?: string
    }
  /** The host allows the account to close without full payment. */
  | { readonly kind: 'account.courtesy'; readonly accountId: string; readonly reason?: string }
  /** Locks, unlocks or closes the account. */
  | {
      readonly kind: 'account.move'
      readonly accountId: string
      readonly trigger: DiningAccountMove
      readonly reason?: string
      readonly requestedBy?: string
      /** Discount granted at closing. */
      readonly discount?: number
      /** Skips the check against the lifecycle. */
      readonly force?: true
    }
  /** Requests a fiscal document, which is issued later. */
  | {
      readonly kind: 'account.request-fiscal'
      readonly accountId: string
      /** Requested by the host itself: a document that exists already is not announced again. */
      readonly own?: true
    }
  /** The outcome of an earlier request: the document is issued, or fails. */
  | {
      readonly kind: 'account.conclude-fiscal'
      readonly accountId: string
      readonly outcome: 'issued' | 'error'
      /** The pending document when absent. */
      readonly documentId?: string
      readonly statusCode?: string
      readonly statusReason?: string
    }

export type TableCommand =
  /** A webhook delivered an account event to the Ordering Application. */
  | { readonly kind: 'table.notify'; readonly event: AccountEventBody }
  /** Looks up the account of an order for which no account event has arrived. */
  | { readonly kind: 'table.find'; readonly orderId: string }
  /** Reads the account, unless something changed since this was scheduled. */
  | { readonly kind: 'table.look'; readonly tableId: string; readonly round?: number }
  /** Asks to lock, unlock or close the account. */
  | {
      readonly kind: 'table.move'
      readonly tableId: string
      readonly trigger: DiningAccountMove
      readonly reason?: string
      readonly discount?: number
      /** Sends the call even when the lifecycle does not allow it. */
      readonly force?: true
    }
  /** Pays; what is due when no amount is given. */
  | {
      readonly kind: 'table.pay'
      readonly tableId: string
      readonly amount?: number
      readonly methodInfo?: PaymentMethodInfo
      readonly tip?: number
      readonly force?: true
    }
  | {
      readonly kind: 'table.cancel-item'
      readonly tableId: string
      readonly itemId: string
      readonly reason?: string
      readonly force?: true
    }
  /** Asks to transfer items to the account of another table; all items when none are named. */
  | {
      readonly kind: 'table.transfer'
      readonly tableId: string
      readonly targetTableId: string
      readonly itemIds?: readonly string[]
      readonly reason?: string
      readonly force?: true
    }
  | {
      readonly kind: 'table.request-fiscal'
      readonly tableId: string
      readonly printDocument?: boolean
      readonly force?: true
    }
  /** Reads the account's payments or fiscal documents, unless something changed since this was scheduled. */
  | {
      readonly kind: 'table.list'
      readonly tableId: string
      readonly what: 'payments' | 'documents'
      readonly round?: number
    }
  /** Ends the guest's visit: no more calls about the account. */
  | { readonly kind: 'table.leave'; readonly tableId: string }

export type IndoorCommand = AccountCommand | TableCommand
