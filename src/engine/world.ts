/**
 * What is so: one slice for each role that we play, and what belongs to all of them. Records are immutable values in
 * maps that change in place, so a fact costs O(1), and an answer or a journal may keep an old record safely.
 */
import type { MerchantRow } from '../protocol/auth/merchants.ts'
import type { ReadManifest } from '../protocol/discovery/read.ts'
import type { Order, OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { OrderTrigger } from '../protocol/orders/lifecycle.ts'
import { type Role, roles } from '../protocol/role.ts'
import { type Agenda, createAgenda } from './agenda/agenda.ts'
import { createEditsWorld, type EditsWorld } from './agenda/edits.ts'
import { type AnnouncementsWorld, createAnnouncementsWorld } from './announcements/announcement.ts'
import type { Call, CallIntent } from './calls/call.ts'
import type { CancellationAnswer } from './command.ts'
import type { EmittedEvent } from './fact.ts'
import type { Instant } from './instant.ts'
import { createFaultsWorld, type FaultsWorld } from './faults/world.ts'
import { createCustomerWorld, type CustomerWorld } from './customer/world.ts'
import { createIndoorWorld, type IndoorWorld } from './indoor/world.ts'
import { createLogisticsWorld, type LogisticsWorld } from './logistics/world.ts'
import { createLoyaltyWorld, type LoyaltyWorld } from './loyalty/world.ts'
import { createPlaybackWorld, type PlaybackWorld } from './playback/row.ts'
import { createV1World, type V1World } from './v1/world.ts'

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
  /** What polls called events, where that is another id each time. */
  readonly names: Map<string, string>
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
  /** The last one that was valid. */
  readonly manifest?: ReadManifest
  readonly merchants?: readonly MerchantRow[]
}

export interface Token {
  readonly host: Role
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
  readonly expiresAt: Instant
}

/** An authorization that waits to be brought back for a token. */
export interface Code {
  readonly host: Role
  readonly clientId: string
  readonly redirectUri: string
  readonly named: boolean
  readonly scopes: readonly string[]
  readonly expiresAt: Instant
}

export interface World {
  readonly agenda: Agenda
  /** What was done to the agenda by hand. */
  readonly edits: EditsWorld
  readonly ordering: OrderingWorld
  readonly store: StoreWorld
  readonly indoor: IndoorWorld
  readonly logistics: LogisticsWorld
  readonly customer: CustomerWorld
  readonly loyalty: LoyaltyWorld
  readonly v1: V1World
  readonly announcements: AnnouncementsWorld
  readonly faults: FaultsWorld
  /** Exchanges of a recording that are played again. */
  readonly playback: PlaybackWorld
  /** By `from>to`. */
  readonly partners: Map<string, Partner>
  /** By the token itself, oldest first. */
  readonly tokens: Map<string, Token>
  /** By the authorization code itself, oldest first. */
  readonly codes: Map<string, Code>
  /** Calls under way. */
  readonly calls: Map<number, Call>
  nextCallId: number
  /** Calls that wait for their receiver's manifest to be valid again, oldest first. */
  readonly postponed: Set<CallIntent>
}

/** What the world keeps at most. What is over and oldest is forgotten first; recordings on disk keep it. */
export const worldBounds = {
  ordersOver: 50_000,
  mailbox: 100_000,
  eventNames: 50_000,
  seenEvents: 50_000,
  ticketsClosed: 50_000,
  tokens: 10_000,
  codes: 1000,
  postponed: 10_000,
} as const

export const createWorld = (): World => ({
  agenda: createAgenda(),
  edits: createEditsWorld(),
  ordering: {
    orders: new Map(),
    over: new Set(),
    events: new Map(),
    mailbox: new Map(),
    waiting: new Map(),
    names: new Map(),
  },
  store: { tickets: new Map(), seen: new Set() },
  indoor: createIndoorWorld(),
  logistics: createLogisticsWorld(),
  customer: createCustomerWorld(),
  loyalty: createLoyaltyWorld(),
  v1: createV1World(),
  announcements: createAnnouncementsWorld(),
  faults: createFaultsWorld(),
  playback: createPlaybackWorld(),
  partners: new Map(),
  tokens: new Map(),
  codes: new Map(),
  calls: new Map(),
  nextCallId: 1,
  postponed: new Set(),
})

/** Made once: whoever announces an event asks for one, and a new string would be hashed each time. */
const partnerKeys = new Map(
  roles.map((from) => [from, new Map(roles.map((to) => [to, `${from}>${to}`]))]),
)

export const partnerKey = (from: Role, to: Role): string => partnerKeys.get(from)?.get(to) ?? ''

export const partnerOf = (world: World, from: Role, to: Role): Partner | undefined =>
  world.partners.get(partnerKey(from, to))
