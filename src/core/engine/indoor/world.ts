/**
 * The slices of Indoor in the world: the accounts that the Software Service hosts, and the tables that the Ordering
 * Application knows. Records are immutable values in mutable maps. Amounts are whole cents.
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

/** A line of an account, with the order line it stems from. */
export interface AccountLine {
  readonly itemId: string
  readonly orderId: string
  readonly lineId: string
  readonly name: string
  readonly externalCode?: string
  /** The quantity that is not cancelled. */
  readonly quantity: number
  /** The price of that quantity, in cents. */
  readonly cents: number
  readonly unitPrice: number
  readonly addedAt: string
  readonly status: AccountItemStatus
  readonly notes?: string
  readonly seat?: string
  readonly options?: readonly AccountItemOption[]
}

/** Fees and discounts of an order beside its items, in cents. */
export interface AccountCharge {
  readonly orderId: string
  readonly feeCents: number
  readonly discountCents: number
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
  /** The covered amount in cents: when the account's amount changes, another document is due. */
  readonly cents: number
}

/** An account at its host. */
export interface DiningAccountRecord {
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
  /** It may close without being covered by payments. */
  readonly courtesy?: true
  /** An order requests a fiscal document. */
  readonly wantsDocument?: true
}

/** An INDOOR order that was booked on an account. */
export interface BookedOrder {
  readonly accountId: string
  /** Its lines on accounts; transfers may have split them between several. */
  readonly itemIds: readonly string[]
  /** The cancelled quantity of each order line that the accounts reflect. */
  readonly cancelled: Readonly<Record<string, number>>
  /** The whole order is cancelled, and the accounts reflect it. */
  readonly over?: true
}

export interface AccountsWorld {
  readonly accounts: Map<string, DiningAccountRecord>
  /** Open accounts by place (`TABLE 7`), oldest first; at most one for each merchant. */
  readonly open: Map<string, readonly string[]>
  /** The account closed last, by merchant and place, and by place alone. */
  readonly lastClosed: Map<string, string>
  /** Closed accounts, oldest first: the order of eviction. */
  readonly closed: Set<string>
  /** The account that holds an item, by item id. */
  readonly items: Map<string, string>
  readonly orders: Map<string, BookedOrder>
  /** Orders that a locked account rejected. */
  readonly rejected: Set<string>
}

export const tableActions = [
  'pre-close',
  'unlock',
  'close',
  'pay',
  'cancel-item',
  'transfer',
  'request-fiscal',
] as const
/** The actions that the Ordering Application may request on an account. */
export type TableAction = (typeof tableActions)[number]

/** An account event as it was received. */
export interface TableEvent {
  readonly eventId: string
  readonly eventType: string
  readonly at: Instant
}

/** A guest's visit as the Ordering Application knows it, from events and GET replies only. */
export interface DiningTable {
  readonly tableId: string
  /** Visits before it, as long as they are known. */
  readonly nth: number
  readonly accountId?: string
  readonly merchantId?: string
  readonly operationMode?: OperationMode
  readonly identifier?: string
  /** The last GET reply. */
  readonly account?: ReadAccount
  /** By the newest event of a status change, or by a reply that is newer. */
  readonly status?: AccountStatus
  /** When the newest event of a status change occurred, on the host's clock. */
  readonly changedAt?: Instant
  /** Payments that events and replies named since the account was read: amounts as decimals, by id. */
  readonly newPayments?: Readonly<Record<string, number>>
  /** The last events, oldest first. */
  readonly events: readonly TableEvent[]
  readonly asked?: TableAction
  /** The host accepted the pending action. */
  readonly accepted?: true
  /** A read is postponed until the host may be called. */
  readonly putOff?: true
  /** Number of calls by action. */
  readonly asks: Readonly<Partial<Record<TableAction, number>>>
  /** The outcome of the last issuance, as far as an event reported it. */
  readonly fiscal?: 'issued' | 'error'
  /** Incremented by every event and reply; a read scheduled under an older value is dropped. */
  readonly round: number
  /** Another account is at the place by now. */
  readonly elsewhere?: true
  /** Consecutive reads without change. */
  readonly quiet: number
  readonly begunAt: Instant
  readonly since: Instant
  readonly way: readonly {
    readonly status: AccountStatus
    readonly at: Instant
    readonly trigger?: string
  }[]
  /** The visit ended: the guest left, or too many reads showed no change. No further action. */
  readonly over?: 'gone' | 'stuck'
}

export interface TablesWorld {
  readonly tables: Map<string, DiningTable>
  /** The current table, by merchant and place, and by place alone. */
  readonly byKey: Map<string, string>
  readonly byAccount: Map<string, string>
  /** The ids of stored account events for deduplication, oldest first. */
  readonly seen: Set<string>
  /** Tables with an ongoing visit. */
  readonly active: Set<string>
  /** Finished visits, oldest first: the order of eviction. */
  readonly over: Set<string>
}

export interface IndoorWorld {
  readonly host: AccountsWorld
  readonly guest: TablesWorld
}

/** Maximum numbers of entries; the oldest finished one is evicted first. */
export const indoorBounds = {
  accountsClosed: 50_000,
  ordersRejected: 50_000,
  tablesOver: 50_000,
  seenEvents: 50_000,
  /** Of one table. */
  tableEvents: 50,
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
    active: new Set(),
    over: new Set(),
  },
})

/** The label of a place in messages: `TABLE 7`. */
export const diningPlace = (operationMode: OperationMode, identifier: string): string =>
  `${operationMode} ${identifier}`

/** An operational key: the place at a merchant, or at any. */
export const diningPlaceKey = (place: string, merchantId = ''): string => `${merchantId}|${place}`
