/**
 * What is so: one slice for each role that we play, and what belongs to all of them. Records are immutable values in
 * maps that change in place, so a fact costs O(1), and an answer or a journal may keep an old record safely.
 */
import type { MerchantRow } from '../protocol/auth/merchants.ts'
import type { ReadManifest } from '../protocol/discovery/read.ts'
import type { Order, OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { OrderTrigger } from '../protocol/orders/lifecycle.ts'
import type { Role } from '../protocol/role.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import type { Call } from './calls/call.ts'
import type { CancellationAnswer } from './command.ts'
import type { EmittedEvent } from './fact.ts'
import type { Instant } from './instant.ts'

/** An order as the Ordering Application knows it. The document's own status is not read: `status` is. */
export interface OrderRecord {
  readonly order: Order
  readonly status: OrderStatus
  readonly lastEvent?: string
  /** The merchant asked to cancel; `asked` until somebody answers. */
  readonly cancellation?: 'asked' | CancellationAnswer
  readonly since: Instant
  /** The statuses that it went through, in order. */
  readonly way: readonly {
    readonly status: OrderStatus
    readonly at: Instant
    readonly trigger?: OrderTrigger
  }[]
  readonly eventIds: readonly string[]
}

export interface OrderingWorld {
  readonly orders: Map<string, OrderRecord>
  /** Orders that are over, oldest first: the first to be forgotten. */
  readonly over: Set<string>
  readonly events: Map<string, EmittedEvent>
  /** Events that polls see, oldest first, and how many copies of each. */
  readonly mailbox: Map<string, number>
  /** Events whose webhook waits for its receiver, and the attempt that waits. */
  readonly waiting: Map<string, number>
}

/** An order as the Software Service knows it: from what it read and heard, never from the other side's memory. */
export interface Ticket {
  readonly orderId: string
  readonly status?: OrderStatus
  readonly profile?: OrderType
  readonly order?: Order
  /** What it asked for and has not seen happen. */
  readonly asked?: string
  /** Goes up with every news of the order; a reconciliation that was planned before is out of date. */
  readonly round: number
  /** Reconciliations in a row that brought no news. */
  readonly quiet: number
  /** It asked for the whole order to be cancelled; progress stops until that is denied. */
  readonly cancelling?: true
  /** It asked to cancel and was refused: it goes on, and does not ask again. */
  readonly denied?: true
  /** CANCELLED was announced and not read yet: no step until GET says what is so (ORD-CAN-02, ORD-EVR-01). */
  readonly halted?: true
  /** Nothing more will be done for it. */
  readonly closed?: true
  readonly since: Instant
}

export interface StoreWorld {
  readonly tickets: Map<string, Ticket>
  /** The ids of events that it has stored, oldest first. */
  readonly seen: Set<string>
}

export interface Partner {
  readonly state: 'accepted' | 'rejected'
  readonly because?: string
  readonly manifest?: ReadManifest
  readonly merchants?: readonly MerchantRow[]
}

export interface Token {
  readonly host: Role
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
  readonly expiresAt: Instant
}

export interface World {
  readonly agenda: Agenda
  readonly ordering: OrderingWorld
  readonly store: StoreWorld
  /** By `from>to`. */
  readonly partners: Map<string, Partner>
  /** By the token itself, oldest first. */
  readonly tokens: Map<string, Token>
  /** Calls under way. */
  readonly calls: Map<number, Call>
  nextCallId: number
}

/** What the world keeps at most. What is over and oldest is forgotten first; recordings on disk keep it. */
export const worldBounds = {
  ordersOver: 50_000,
  mailbox: 100_000,
  seenEvents: 50_000,
  ticketsClosed: 50_000,
  tokens: 10_000,
} as const

export const createWorld = (): World => ({
  agenda: createAgenda(),
  ordering: {
    orders: new Map(),
    over: new Set(),
    events: new Map(),
    mailbox: new Map(),
    waiting: new Map(),
  },
  store: { tickets: new Map(), seen: new Set() },
  partners: new Map(),
  tokens: new Map(),
  calls: new Map(),
  nextCallId: 1,
})

export const partnerKey = (from: Role, to: Role): string => `${from}>${to}`

export const partnerOf = (world: World, from: Role, to: Role): Partner | undefined =>
  world.partners.get(partnerKey(from, to))
