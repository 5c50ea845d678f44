/** What Indoor can be asked: `account.…` at its host, `table.…` at its client. Each variant says what it asks for. */
import type { AccountEvent } from '../../protocol/indoor/events.ts'
import type { PaymentInstruction, TransferInstruction } from '../../protocol/indoor/instructions.ts'
import type { AccountMove } from '../../protocol/indoor/lifecycle.ts'
import type { PaymentMethodInfo } from '../../protocol/indoor/account.ts'

export type AccountCommand =
  /** Puts an INDOOR order that was read on the account of its key, which it opens if need be. */
  | { readonly kind: 'account.book'; readonly orderId: string }
  /** Cancels on accounts what was cancelled in Orders. */
  | { readonly kind: 'account.mirror'; readonly orderId: string }
  /** Cancels an item or a part of its quantity. */
  | {
      readonly kind: 'account.cancel-item'
      readonly accountId: string
      readonly itemId: string
      readonly quantity?: number
      readonly reason?: string
    }
  /** Moves items to another account. */
  | {
      readonly kind: 'account.transfer'
      readonly accountId: string
      readonly targetAccountId: string
      readonly transfer: TransferInstruction
      readonly reason?: string
    }
  /** Puts a payment on the account. */
  | {
      readonly kind: 'account.pay'
      readonly accountId: string
      readonly payment: PaymentInstruction
    }
  /** The house corrects a payment. */
  | {
      readonly kind: 'account.adjust-payment'
      readonly accountId: string
      readonly paymentId: string
      readonly amount: number
      readonly reason?: string
    }
  /** The house takes something off. */
  | {
      readonly kind: 'account.discount'
      readonly accountId: string
      readonly amount: number
      readonly reason?: string
    }
  /** The house asks for no more than was paid. */
  | { readonly kind: 'account.courtesy'; readonly accountId: string; readonly reason?: string }
  /** Locks, unlocks or closes the account. */
  | {
      readonly kind: 'account.move'
      readonly accountId: string
      readonly trigger: AccountMove
      readonly reason?: string
      readonly requestedBy?: string
      /** Taken off as the account is closed. */
      readonly discount?: number
      /** Moves the account even where the lifecycle has no such row. */
      readonly force?: true
    }
  /** A fiscal document is asked for: issued later. */
  | {
      readonly kind: 'account.request-fiscal'
      readonly accountId: string
      /** The house asks itself: nobody waits for an outcome that is there already. */
      readonly own?: true
    }
  /** The later that a fiscal document was asked for: it is issued, or fails. */
  | {
      readonly kind: 'account.conclude-fiscal'
      readonly accountId: string
      readonly outcome: 'issued' | 'error'
      /** The one that waits, when absent. */
      readonly documentId?: string
      readonly statusCode?: string
      readonly statusReason?: string
    }

export type TableCommand =
  /** An account event reached the Ordering Application, by webhook. */
  | { readonly kind: 'table.notify'; readonly event: AccountEvent }
  /** Looks for the account of an order of which no account event has told. */
  | { readonly kind: 'table.find'; readonly orderId: string }
  /** Reads the account, unless there has been news since this was planned. */
  | { readonly kind: 'table.look'; readonly tableId: string; readonly round?: number }
  /** Asks to lock, unlock or close the account. */
  | {
      readonly kind: 'table.move'
      readonly tableId: string
      readonly trigger: AccountMove
      readonly reason?: string
      readonly discount?: number
      /** Asks even where the lifecycle has no such step. */
      readonly force?: true
    }
  /** Pays: what is due, when no amount is given. */
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
  /** Asks to move items to the account of another table; all of them when none are named. */
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
  /** Reads the account's payments or its fiscal documents, unless there has been news since this was planned. */
  | {
      readonly kind: 'table.list'
      readonly tableId: string
      readonly what: 'payments' | 'documents'
      readonly round?: number
    }
  /** The guest has gone: nothing more is asked of the account. */
  | { readonly kind: 'table.leave'; readonly tableId: string }

export type IndoorCommand = AccountCommand | TableCommand
