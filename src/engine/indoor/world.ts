/**
 * The slices of Indoor: the accounts that the Software Service hosts, and what the Ordering Application knows of them.
 * Records are immutable values in maps that change in place. Amounts are whole cents.
 */
import type {
  AccountItemOption,
  AccountItemStatus,
  ChargeAmount,
  FiscalDocument,
  PaymentMethodInfo,
} from '../../protocol/indoor/account.ts'
import type { AccountEventType } from '../../protocol/indoor/events.ts'
import type { OperationMode } from '../../protocol/indoor/labels.ts'
import type { ReadAccount } from '../../protocol/indoor/read.ts'
import type { AccountStatus } from '../../protocol/indoor/status.ts'
import type { Instant } from '../instant.ts'

/** A line of an account, and the line of an order that it came from. */
export interface AccountLine {
  readonly itemId: string
  readonly orderId: string
  readonly lineId: string
  readonly name: string
  readonly externalCode?: string
  /** What is left of it. */
  readonly quantity: number
  /** What that costs. */
  readonly cents: number
  readonly unitPrice: number
  readonly addedAt: string
  readonly status: AccountItemStatus
  readonly notes?: string
  readonly seat?: string
  readonly options?: readonly AccountItemOption[]
}

/** What an order charges and grants beside its items. */
export interface AccountCharge {
  readonly orderId: string
  readonly feeCents: number
  readonly discountCents: number
}

export interface PaymentRecord {
  readonly paymentId: string
  readonly paidAt: string
  readonly cents: number
  readonly methodInfo: PaymentMethodInfo
  readonly serviceCharge?: ChargeAmount
  readonly tip?: number
  readonly items?: readonly string[]
  readonly seat?: string
}

export interface FiscalRecord {
  readonly document: FiscalDocument
  /** What it covers: when the account comes to something else, another document is due. */
  readonly cents: number
}

/** An account as its host keeps it. */
export interface AccountRecord {
  readonly accountId: string
  readonly merchantId: string
  readonly operationMode: OperationMode
  readonly identifier: string
  readonly status: AccountStatus
  readonly lastEvent: AccountEventType
  readonly openedAt: string
  readonly closedAt?: string
  readonly since: Instant
  readonly way: readonly {
    readonly status: AccountStatus
    readonly at: Instant
    readonly trigger?: string
  }[]
  readonly orders: readonly {
    readonly orderId: string
    readonly originChannel: string
    readonly createdAt: string
  }[]
  readonly items: readonly AccountLine[]
  readonly charges: readonly AccountCharge[]
  readonly payments: readonly PaymentRecord[]
  readonly documents: readonly FiscalRecord[]
  readonly discountCents: number
  /** It closes whether or not payments cover it. */
  readonly courtesy?: true
  /** An order asks for a fiscal document. */
  readonly wantsDocument?: true
}

/** An INDOOR order that is on an account. */
export interface BookedOrder {
  readonly accountId: string
  /** Its lines on accounts: it may have been divided between several. */
  readonly itemIds: readonly string[]
  /** How much of each line of the order is cancelled already, as far as accounts know. */
  readonly cancelled: Readonly<Record<string, number>>
  /** The whole order is cancelled, and its accounts know. */
  readonly over?: true
}

export interface AccountsWorld {
  readonly accounts: Map<string, AccountRecord>
  /** Open accounts by their place (`TABLE 7`), oldest first: one for each merchant at most. */
  readonly open: Map<string, readonly string[]>
  /** The account that was closed last, by merchant and place, and by place alone. */
  readonly lastClosed: Map<string, string>
  /** Closed accounts, oldest first: the first to be forgotten. */
  readonly closed: Set<string>
  /** The account that has an item, by the item's id. */
  readonly items: Map<string, string>
  readonly orders: Map<string, BookedOrder>
  /** Orders that a locked account would not take. */
  readonly rejected: Set<string>
}

export const tableActs = [
  'pre-close',
  'unlock',
  'close',
  'pay',
  'cancel-item',
  'transfer',
  'request-fiscal',
] as const
/** What the Ordering Application may ask of an account. */
export type TableAct = (typeof tableActs)[number]

/** A guest's evening as the Ordering Application knows it: from what it heard and read, from nothing else. */
export interface Table {
  readonly tableId: string
  readonly accountId?: string
  readonly merchantId?: string
  readonly operationMode?: OperationMode
  readonly identifier?: string
  /** What GET said last. */
  readonly account?: ReadAccount
  readonly status?: AccountStatus
  readonly asked?: TableAct
  /** The host took what it asked for last. */
  readonly accepted?: true
  /** A look waits until the host may be called. */
  readonly putOff?: true
  /** How often it asked for what. */
  readonly asks: Readonly<Partial<Record<TableAct, number>>>
  /** How the last issuance ended, as far as it heard. */
  readonly fiscal?: 'issued' | 'error'
  /** Goes up with every news; a look that was planned before is out of date. */
  readonly round: number
  /** Another account is at its place by now. */
  readonly elsewhere?: true
  /** Looks in a row that brought no news. */
  readonly quiet: number
  readonly begunAt: Instant
  readonly since: Instant
  readonly way: readonly {
    readonly status: AccountStatus
    readonly at: Instant
    readonly trigger?: string
  }[]
  /** The guest has gone, or was waited for often enough: nothing more will be done. */
  readonly over?: 'gone' | 'stuck'
}

export interface TablesWorld {
  readonly tables: Map<string, Table>
  /** The evening at hand, by merchant and place, and by place alone. */
  readonly byKey: Map<string, string>
  readonly byAccount: Map<string, string>
  /** The ids of account events that were stored, oldest first. */
  readonly seen: Set<string>
  /** Evenings that are not over. */
  readonly sitting: Set<string>
  /** Evenings that are over, oldest first: the first to be forgotten. */
  readonly over: Set<string>
}

export interface IndoorWorld {
  readonly host: AccountsWorld
  readonly guest: TablesWorld
}

/** What is kept at most; what is over and oldest is forgotten first. */
export const indoorBounds = {
  accountsClosed: 50_000,
  ordersRejected: 50_000,
  tablesOver: 50_000,
  seenEvents: 50_000,
} as const

export const createIndoorWorld = (): IndoorWorld => ({
  host: {
    accounts: new Map(),
    open: new Map(),
    lastClosed: new Map(),
    closed: new Set(),
    items: new Map(),
    orders: new Map(),
    rejected: new Set(),
  },
  guest: {
    tables: new Map(),
    byKey: new Map(),
    byAccount: new Map(),
    seen: new Set(),
    sitting: new Set(),
    over: new Set(),
  },
})

/** `TABLE 7`: what a person calls it. */
export const placeOf = (operationMode: OperationMode, identifier: string): string =>
  `${operationMode} ${identifier}`

/** An operational key: the place, at this merchant or at whichever. */
export const keyOf = (place: string, merchantId = ''): string => `${merchantId}|${place}`
