/**
 * What all invariants go by: orders and events as the subject demonstrably knew them, and when the weather was calm. What
 * the subject knows is what it acknowledged or read itself, never what was sent to it.
 */
import type { Instant } from '../../engine/instant.ts'
import type { Settings } from '../../engine/settings.ts'
import type { OrderRecord, World } from '../../engine/world.ts'
import type { Order, OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'
import type { Cited } from '../verdict.ts'
import type { Arrival } from './webhooks-in-flight.ts'
import type { Remembered } from './generational-map.ts'
import type { ByStatus, Knowledge, Showing } from './status-history.ts'
import type { Coming } from './pending-work.ts'
import type { Owed } from './unacknowledged-event.ts'
import type { SeenReading } from './order-reading.ts'

/** How patient a judge is. All in milliseconds of the session's time, but for counts. */
export interface Patience {
  /** How long after the end of faults everything that must come may take. */
  readonly convergeMs: number
  /** How long a reaction may take in calm weather: an acknowledgment, a first read. */
  readonly graceMs: number
  /** Polls may not come faster. */
  readonly pollGapMs: number
  /** How long the answer to a webhook may take. */
  readonly webhookMs: number
  /** Tries of one call without a long pause between them. */
  readonly tries: number
  /** How long calls may still come that were on their way when something became known. */
  readonly inFlightMs: number
}

export interface OrderWatch {
  readonly orderId: string
  /** The how-manieth that was heard of. */
  readonly nth: number
  readonly slot: string | undefined
  readonly merchantId: string
  /** Its merchant is none of the service's own: it is not for the service to read, or to bring to its end. */
  readonly isForeign: boolean
  readonly profile: OrderType
  readonly createdAt: Instant
  /** What GET says of it besides its status; undefined once that has changed, for then only who reads an answer knows. */
  document: Order | undefined
  /**
   * When the subject first had an event of it in its hands: a poll brought it, or it took the webhook. A webhook that it
   * turned away tells nothing: it may have been right to.
   */
  told: { readonly since: Instant; readonly eventType: string; readonly cite: Cited } | undefined
  /** Its first successful GET by the subject. */
  read: SeenReading | undefined
  /** Its last successful GET by the subject, by when that began. */
  lastRead: SeenReading | undefined
  /** Statuses that the subject demonstrably knew, each with the first moment. */
  readonly known: ByStatus<Knowledge>
  /**
   * Statuses that it may have heard of, each with the first moment: whatever was handed over or read. It is what a call
   * may go by; what it must not overlook is what it knew.
   */
  readonly shown: ByStatus<Showing>
  /** Handovers of its events to the subject, and how many of them brought one for the first time. */
  handed: number
  heard: number
  /** The last call of the subject about it. */
  lastCall: Cited | undefined
  /** What became of the last request to cancel it. */
  cancellation: OrderRecord['cancellation']
  /** Since when it has waited for us, and how long it did before in all (waits.ts). */
  waits: Instant | undefined
  waited: number
  /** The events that were emitted about it. */
  events: readonly EventWatch[]
  /** How many of those have not reached the subject. */
  unheard: number
  /** What the host says it is now, and since when. */
  truth: OrderStatus
  truthSince: Instant
  /** The host has cancelled it, and nobody has taken that back: it may have been closed since. */
  wasCancelled: boolean
  /** How often hands have taken it back from its end. */
  reopened: number
  /** What invariants remember of it, each in a place of its own (notes.ts). */
  readonly notes: unknown[]
}

export interface EventWatch {
  readonly eventId: string
  /** The how-manieth that was emitted, from 0. */
  readonly nth: number
  readonly eventType: string
  readonly orderId: string | undefined
  /** The order of that id; undefined where nobody has heard of it. */
  readonly order: OrderWatch | undefined
  /** An event of Orders: what other capabilities announce of an order may bear the same name (LOG-EVT-01). */
  readonly isOfOrders: boolean
  readonly emitted: Instant
  /** As its host made it; undefined once somebody has changed anything of it: what was sent then says what was said. */
  readonly createdAt: string | undefined
  isChanged: boolean
  /** How often it reached the subject. */
  handovers: number
  /** Calls on their way to the subject that carry it. */
  calling: number
  /** The host has taken an acknowledgment of it: polls bring it no more. */
  taken: boolean
  /** What it tells the subject found out before it came. */
  foundOut: boolean
  /** Polls that brought it since it was acknowledged last; the same in calm weather, and without trouble (owed.ts). */
  owed: Owed | undefined
  pressing: Owed | undefined
  /** When the last acknowledgment that named it came to its end, whatever came of it. */
  named: Instant | undefined
}

/** All of it comes from what was seen: what is shown late is seen with the eyes of its own time. */
export interface Watch {
  readonly subject: Role
  readonly settings: Settings
  readonly patience: Patience
  /** When that happened which is shown; between two of those, the session's instant. */
  readonly now: Instant
  /** Events by the ids under which polls brought them, where a fault gave them others. */
  readonly names: ReadonlyMap<string, string>
  /** The last call of the subject, whatever it was about. */
  readonly lastCall: Cited | undefined
  readonly began: Instant
  /** Orders that were heard of, those that are over first; of these, the ones long over are forgotten. */
  readonly orders: Remembered<OrderWatch>
  readonly events: Remembered<EventWatch>
  /** Some of them are forgotten: what is unknown may be one of those. */
  readonly hasForgotten: () => boolean
  /** Webhooks about each order, the last ones. */
  readonly arrivals: ReadonlyMap<string, readonly Arrival[]>
  /** The ids of the merchants that are the service's own. */
  readonly merchants: ReadonlySet<string>
  /** Orders whose cancellation somebody had the subject ask for. */
  readonly asked: ReadonlySet<string>
  /**
   * Since when nothing has been distorted: no fault is in force, and the last that fired is over. Undefined while there
   * are faults; the beginning of the session when there never were any.
   */
  readonly calmSince: () => Instant | undefined
  /** Whether what began then had nothing but calm weather until now, its effects settled (`graceMs`). */
  readonly wasCalm: (since: Instant) => boolean
  /** Whether something that must come within `ms` (as a rule convergeMs) of both `since` and the calm should be here. */
  readonly overdue: (since: Instant, ms?: number) => boolean
  /** A fault has fired that no correct partner makes. */
  readonly robustness: () => boolean
}

/** At the moment when somebody wants a verdict: everything has been shown, and what is so may be looked at as well. */
export interface Present extends Watch {
  /** The session's world: the host's side of everything. To be read only. */
  readonly world: World
  /** What of ours is still to come. */
  readonly coming: Coming
}
