/**
 * The state of the world: one slice for each role that we play, and shared slices. Records are immutable values in maps
 * that change in place, so applying a fact costs O(1), and an answer or a snapshot may keep an old record safely.
 */
import type { ListedMerchant } from '../protocol/auth/merchants.ts'
import type { ParsedManifest } from '../protocol/discovery/parse-manifest.ts'
import type { Order, OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { OrderTrigger } from '../protocol/orders/lifecycle.ts'
import { type Role, roles } from '../protocol/role.ts'
import { type Agenda, createAgenda } from './agenda/agenda.ts'
import { createEditsWorld, type EditsWorld } from './agenda/edits.ts'
import { type AnnouncementsWorld, createAnnouncementsWorld } from './announcements/announcement.ts'
import { type ConfiguredWorld, createConfiguredWorld } from './session/setting-change.ts'
import type { OutgoingCall, CallIntent } from './calls/call.ts'
import type { CancellationAnswer } from './orders/commands.ts'
import type { Instant } from './instant.ts'
import { createFaultsWorld, type FaultsWorld } from './faults/world.ts'
import { createCustomerWorld, type CustomerWorld } from './customer/world.ts'
import { createIndoorWorld, type IndoorWorld } from './indoor/world.ts'
import { createLogisticsWorld, type LogisticsWorld } from './logistics/world.ts'
import { createLoyaltyWorld, type LoyaltyWorld } from './loyalty/world.ts'
import { createPlaybackWorld, type PlaybackWorld } from './playback/row.ts'
import { createV1World, type V1World } from './v1/world.ts'
import type { EmittedEvent } from './emitted-event.ts'

/** An order at the Ordering Application. `status` is authoritative; the status inside the document is ignored. */
export interface OrderRecord {
  readonly order: Order
  readonly status: OrderStatus
  readonly lastEvent?: string
  /** Cancellation request of the merchant; `asked` until answered. */
  readonly cancellation?: 'asked' | CancellationAnswer
  readonly since: Instant
  /** Status history, oldest first. */
  readonly way: readonly {
    readonly status: OrderStatus
    readonly at: Instant
    readonly trigger?: OrderTrigger
  }[]
  readonly eventIds: readonly string[]
}

export interface OrderingWorld {
  readonly orders: Map<string, OrderRecord>
  /** Finished orders, oldest first: the first to be evicted. */
  readonly over: Set<string>
  readonly events: Map<string, EmittedEvent>
  /** The mailbox for polls: events, oldest first, with the number of copies of each. */
  readonly mailbox: Map<string, number>
  /** Events whose webhook waits for its receiver, with the attempt number. */
  readonly waiting: Map<string, number>
  /** Orders that it created by itself. */
  arrivals: number
  /** Event ids by the alias used in a poll, where every poll gets fresh ids. */
  readonly eventIdByAlias: Map<string, string>
}

/** An order at the Software Service: built from events and GET only, never from the other side's state. */
export interface OrderTicket {
  readonly orderId: string
  readonly status?: OrderStatus
  readonly profile?: OrderType
  readonly order?: Order
  /** The pending request: asked for, without an effect so far. */
  readonly asked?: string
  /** Incremented by every news of the order; a reconciliation planned with an older value is void. */
  readonly round: number
  /** Consecutive reads without news. */
  readonly quiet: number
  /** Calls that were refused since the order last moved: events that are handed over anew are no news of it. */
  readonly refusals?: number
  /** Cancellation of the whole order was requested; progress stops until that is denied. */
  readonly cancelling?: true
  /** The cancellation was refused: progress continues, and it is not requested again. */
  readonly denied?: true
  /** CANCELLED was received and GET has not confirmed it yet: no step until then (ORD-CAN-02, ORD-EVR-01). */
  readonly halted?: true
  /** No further steps for this order. */
  readonly closed?: true
  readonly since: Instant
}

export interface StoreWorld {
  readonly tickets: Map<string, OrderTicket>
  /** Ids of stored events, oldest first, for deduplication. */
  readonly seen: Set<string>
}

/**
 * Why a manifest is of no use: a service without one answered, it is there and wrong, an error that may pass, or there was no
 * answer.
 */
export type ManifestProblem = 'missing' | 'invalid' | 'unreadable' | 'unreachable'

export interface PartnerRecord {
  readonly state: 'accepted' | 'rejected'
  /** Why it is rejected, or accepted without a manifest. */
  readonly because?: string
  readonly problem?: ManifestProblem
  /** The last valid manifest, or the placeholder of one that is missing. */
  readonly manifest?: ParsedManifest
  readonly merchants?: readonly ListedMerchant[]
}

export interface IssuedToken {
  readonly host: Role
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
  readonly expiresAt: Instant
}

/** An authorization code that can be exchanged for a token. */
export interface AuthorizationCode {
  readonly host: Role
  readonly clientId: string
  readonly redirectUri: string
  readonly named: boolean
  readonly scopes: readonly string[]
  readonly expiresAt: Instant
}

export interface World {
  readonly configured: ConfiguredWorld
  readonly agenda: Agenda
  /** Undo history of edits by hand. */
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
  /** State of the playback of a recording. */
  readonly playback: PlaybackWorld
  /** By `from>to`. */
  readonly partners: Map<string, PartnerRecord>
  /** By the token itself, oldest first. */
  readonly tokens: Map<string, IssuedToken>
  /** Host and client of revoked tokens: only those that were issued afterwards are valid. */
  readonly revocations: Set<string>
  /** By the authorization code itself, oldest first. */
  readonly codes: Map<string, AuthorizationCode>
  /** Calls in flight. */
  readonly calls: Map<number, OutgoingCall>
  nextCallId: number
  /** Postponed calls: wait for their receiver's manifest to be valid again, oldest first. */
  readonly postponed: Set<CallIntent>
}

/** Maximum numbers of entries. The oldest finished ones are evicted first; recordings on disk keep them. */
export const worldBounds = {
  ordersOver: 50_000,
  mailbox: 100_000,
  eventNames: 50_000,
  seenEvents: 50_000,
  ticketsClosed: 50_000,
  tokens: 10_000,
  revocations: 1000,
  codes: 1000,
  postponed: 10_000,
} as const

export const createWorld = (): World => ({
  configured: createConfiguredWorld(),
  agenda: createAgenda(),
  edits: createEditsWorld(),
  ordering: {
    orders: new Map(),
    over: new Set(),
    events: new Map(),
    mailbox: new Map(),
    waiting: new Map(),
    arrivals: 0,
    eventIdByAlias: new Map(),
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
  revocations: new Set(),
  codes: new Map(),
  calls: new Map(),
  nextCallId: 1,
  postponed: new Set(),
})

/** Built once: a key is needed for every event announced, and a new string would be hashed each time. */
const partnerKeys = new Map(
  roles.map((from) => [from, new Map(roles.map((to) => [to, `${from}>${to}`]))]),
)

export const partnerKey = (from: Role, to: Role): string => partnerKeys.get(from)?.get(to) ?? ''

export const partnerOf = (world: World, from: Role, to: Role): PartnerRecord | undefined =>
  world.partners.get(partnerKey(from, to))
