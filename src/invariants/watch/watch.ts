/**
 * What all invariants go by: orders and events as the subject demonstrably knew them, and when the weather was calm. What
 * the subject knows is what it acknowledged or read itself, never what was sent to it.
 */
import type { Instant } from '../../engine/instant.ts'
import type { Settings } from '../../engine/settings.ts'
import type { OrderRecord, World } from '../../engine/world.ts'
import type { OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'
import type { SeenReading } from '../seen.ts'
import type { Cited } from '../verdict.ts'
import type { Arrival } from './arrivals.ts'
import type { ByStatus } from './by-status.ts'

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

/** A status that the subject knew, since when, and what shows it. */
export interface Knowledge {
  readonly status: OrderStatus
  readonly since: Instant
  readonly cite: () => Cited
  /** It read the order, had its acknowledgment accepted, or took the webhook. */
  readonly how: 'read' | 'acknowledged' | 'webhook'
}

/** Something that shows a status, and when it did. */
export interface Showing {
  readonly since: Instant
  /** Undefined as long as the exchange that shows it is under way. */
  readonly cite: (() => Cited) | undefined
}

export interface OrderWatch {
  readonly orderId: string
  readonly slot: string | undefined
  readonly merchantId: string
  readonly profile: OrderType
  readonly createdAt: Instant
  /**
   * When the subject first had an event of it in its hands: a poll brought it, or it took the webhook. A webhook that it
   * turned away tells nothing: it may have been right to.
   */
  told:
    { readonly since: Instant; readonly eventType: string; readonly cite: () => Cited } | undefined
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
  lastCall: (() => Cited) | undefined
  /** What became of the last request to cancel it. */
  cancellation: OrderRecord['cancellation']
  /** Accepted calls and answers of ours that have still to take effect: as long as there are any, it is our turn. */
  underWay: number
  /** The events that were emitted about it. */
  events: readonly string[]
  /** What the host says it is now, and since when. */
  truth: OrderStatus
  truthSince: Instant
  /** The host has cancelled it, and nobody has taken that back: it may have been closed since. */
  wasCancelled: boolean
  /** What invariants remember of it, each in a place of its own (notes.ts). */
  readonly notes: unknown[]
}

export interface EventWatch {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  readonly createdAt: string
  readonly emitted: Instant
  /** How often it reached the subject. */
  handovers: number
  /** Handovers of it that are planned or on their way. */
  underWay: number
  /** It lies in the mailbox, and polls bring it. */
  mailed: boolean
  /** Its webhook will be tried again. */
  waiting: boolean
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
  readonly lastCall: (() => Cited) | undefined
  readonly began: Instant
  /** Orders that were heard of, oldest first; those long over are forgotten. */
  readonly orders: ReadonlyMap<string, OrderWatch>
  readonly events: ReadonlyMap<string, EventWatch>
  /** The events of orders that were forgotten lately: calls about them may still come. */
  readonly forgotten: ReadonlySet<string>
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
}
