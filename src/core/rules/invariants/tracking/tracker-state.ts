/**
 * State that all invariants share: orders and events as the subject demonstrably knows them, and the fault window. The
 * subject knows what it acknowledged or read itself, not what was sent to it.
 */
import type { Instant } from '../../../engine/instant.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Settings } from '../../../engine/settings.ts'
import type { OrderRecord, World } from '../../../engine/world.ts'
import type { Order, OrderStatus, OrderType } from '../../../protocol/orders/order.ts'
import type { Role } from '../../../protocol/role.ts'
import type { Evidence } from '../verdict.ts'
import type { WebhookInFlight } from './webhooks-in-flight.ts'
import type { StatusHistory, KnownStatus } from './status-history.ts'
import type { PendingWork } from './pending-work.ts'
import type { Moment } from './service-clock.ts'
import type { Timing, Timings } from './timing.ts'

/** Time limits of the tolerances, in milliseconds of session time; `tries` and `reads` are counts. */
export interface VerdictTolerances {
  /** Time allowed, after the end of all faults, for everything that must happen. */
  readonly convergeMs: number
  /** Time allowed for a reaction outside the fault window: an acknowledgment, a first read. */
  readonly graceMs: number
  /** Minimum interval between polls. */
  readonly pollGapMs: number
  /** Maximum time to answer a webhook. */
  readonly webhookMs: number
  /**
   * Maximum number of tries of one call without a pause of `coolDownMs`, unless their pauses have grown; where the user
   * says none, more of them are advice.
   */
  readonly tries: number | undefined
  /** Maximum number of reads of one entity within three seconds; where the user says none, more of them are advice. */
  readonly reads: number | undefined
  /** A pause that ends a chain of tries. */
  readonly coolDownMs: number
  /** Grace for calls that were in flight when the subject learned something. */
  readonly inFlightMs: number
  /** How many times as fast as the wall clock the session went at most; 1 or more. */
  readonly pace: number
}

/** Evidence that also names the operation called, and when it began on the wall clock. */
export interface CallEvidence extends Evidence, Moment {
  readonly operation: OperationId | undefined
}

/** The retained part of a GET; the whole exchange would retain its headers as well. */
export interface OrderSnapshot {
  readonly began: Instant
  readonly ended: Instant
  readonly evidence: CallEvidence
  /** Status in the body. */
  readonly status: OrderStatus | undefined
  /** JSON of the response body, parsed on demand. */
  responseJson(): unknown
}

/** How often one kind of effect was counted, and what the configuration says of that kind. */
export interface EffectCount {
  readonly kind: string
  readonly count: number
  readonly mayRepeat: boolean
  readonly evenIfCancelled: boolean
}

/** What the service has done inside for an order, where effects are counted (subject.effects). */
export interface ObservedEffects {
  readonly orderId: string
  /** When the question was asked: what came since may be missing. */
  readonly at: Instant
  readonly counts: readonly EffectCount[]
  /** The kinds that could not be counted, each with the reason. */
  readonly failures: Readonly<Record<string, string>>
}

export interface TrackedOrder {
  readonly orderId: string
  /** Position in the order of creation, from 1. */
  readonly ordinal: number
  readonly slot: string | undefined
  readonly merchantId: string
  /** Belongs to a merchant that is not the service's: the service need neither read nor complete it. */
  readonly isForeign: boolean
  readonly orderType: OrderType
  readonly createdAt: Instant
  /**
   * The body of a GET of the order, without its status; undefined once it was changed, since then only the answers
   * themselves show it.
   */
  document: Order | undefined
  /**
   * First event of the order that the subject received: by poll, or by a webhook that it answered 2xx. A refused
   * webhook does not count: the refusal may be right.
   */
  firstReceipt:
    | { readonly since: Instant; readonly eventType: string; readonly evidence: Evidence }
    | undefined
  /** First successful GET of the order by the subject. */
  firstSnapshot: OrderSnapshot | undefined
  /** Successful GET of the order by the subject that began last. */
  lastSnapshot: OrderSnapshot | undefined
  /** A GET showed it open to the subject, or answered it without a status. */
  wasReadOpen: boolean
  /** What the subject had done for it when it was asked last; undefined where effects are not counted. */
  effects: ObservedEffects | undefined
  /** Statuses that the subject demonstrably knew, each with the first instant. The subject must act on these. */
  readonly knownStatuses: StatusHistory<KnownStatus>
  /**
   * Statuses that the subject may know, each with the first instant: all that were handed over or read. A call may
   * rely on these.
   */
  readonly shownStatuses: StatusHistory
  /** Handovers of the order's events to the subject, repeated ones too. */
  handoverCount: number
  /** When polls brought its events, the last few. */
  readonly polledAt: Instant[]
  /** Last call of the subject about the order. */
  lastCall: Evidence | undefined
  /** State of the last cancellation request. */
  cancellation: OrderRecord['cancellation']
  /** The subject requested the cancellation itself; its call may still be unanswered. */
  hasRequestedCancellation: boolean
  /** Start of the current wait for Sparring, and the total of earlier waits in ms (waiting.ts). */
  waits: Instant | undefined
  waited: number
  /** Events emitted about the order. */
  readonly events: TrackedEvent[]
  /** Status at the host, and since when. */
  hostStatus: OrderStatus
  hostStatusSince: Instant
  /** The host cancelled the order and the cancellation was not reverted; it may have been concluded since. */
  wasCancelled: boolean
  /** How often an operator reopened it after its end. */
  reopenedCount: number
}

/** An event that a poll brought and that is not acknowledged yet. */
export interface UnacknowledgedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** When a poll first returned it since the last acknowledgment. */
  readonly since: Instant
  readonly first: Evidence
  /** Last poll that returned it, the one before that, and the number of such polls. */
  lastPoll: Evidence
  pollBefore: Evidence
  polls: number
  /** An acknowledgment had named it, and a poll returned it again. */
  readonly isReturned: boolean
  /** When the host refused an acknowledgment of it for good, and whether a poll returned it after that. */
  refusedAt?: Instant
  isStillHandedOver?: true
  /** Generation of the count that it belongs to. */
  readonly generation: number
}

export interface TrackedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** The order of that id; undefined if unknown. */
  readonly order: TrackedOrder | undefined
  /**
   * An event of the Orders capability. Events that other capabilities announce about an order may have the same type
   * name (LOG-EVT-01).
   */
  readonly isOfOrders: boolean
  readonly emittedAt: Instant
  /**
   * `createdAt` as the host emitted it; undefined once the event was altered, since then only the sent body shows it.
   */
  createdAt: string | undefined
  isChanged: boolean
  /** Number of handovers to the subject. */
  handoverCount: number
  /** Number of webhook calls in flight that carry it. */
  callsInFlight: number
  /** The host accepted an acknowledgment: polls no longer bring it. */
  isAcknowledged: boolean
  /** The subject learned its content by other means before it was handed over. */
  isFoundOut: boolean
  /**
   * Unacknowledged since these polls: counting all polls (AK-1, AK-2), and only polls outside the fault window (AK-5).
   */
  owed: UnacknowledgedEvent | undefined
  pressing: UnacknowledgedEvent | undefined
  /** End of the last acknowledgment that named it, whatever its outcome. */
  lastNamedAt: Instant | undefined
  /** Number of acknowledgments that named it. */
  timesNamed: number
}

/** What is tracked, by id. */
export interface Tracked<Value> {
  readonly get: (id: string) => Value | undefined
  readonly values: () => readonly Value[]
}

/**
 * The shared state. It follows from observations alone: an observation that is processed late is judged at its own
 * time.
 */
export interface TrackerState {
  readonly subject: Role
  readonly settings: Settings
  readonly limits: VerdictTolerances
  /** Time of the observation being processed; between observations, the session's instant. */
  readonly now: Instant
  /** Event ids by alias, where a fault renamed events in polls. */
  readonly eventIdAliases: ReadonlyMap<string, string>
  readonly startedAt: Instant
  /** Whether the process of the subject has been started anew since: it remembers no call of then, nor its answer. */
  readonly isOfEarlierProcess: (call: CallEvidence) => boolean
  /** Known orders, finished ones first; orders that finished long ago are evicted. */
  readonly orders: Tracked<TrackedOrder>
  readonly events: Tracked<TrackedEvent>
  /** Why effects could not be counted, by order and kind. */
  readonly uncounted: ReadonlyMap<string, string>
  /** Whether orders or events were evicted: an unknown id may be one of those. */
  readonly hasEvicted: () => boolean
  /** Recent webhooks by order. */
  readonly arrivals: ReadonlyMap<string, readonly WebhookInFlight[]>
  /** Ids of the service's own merchants. */
  readonly merchants: ReadonlySet<string>
  /** Orders whose cancellation an operator had the subject request. */
  readonly operatorCancellations: ReadonlySet<string>
  /**
   * End of the fault window: no fault is in force and the effects of the last one are over. Undefined while a fault is
   * in force; start of the session if there was none.
   */
  readonly faultFreeSince: () => Instant | undefined
  /** Whether no fault was in force from `since` until now, including `graceMs` for the effects of earlier ones. */
  readonly wasFaultFreeSince: (since: Instant) => boolean
  /**
   * Whether a deadline was kept: `ms` (default convergeMs) after both `since` and the end of the fault window. Fine while
   * it has not passed.
   */
  readonly deadline: (since: Instant, ms?: number) => Timing
  /** What measured times say, by how late Sparring itself was. */
  readonly timing: Timings
  /** A fault fired that no correct partner produces. */
  readonly hasRobustnessFault: () => boolean
}

/** The state at the time of a verdict, when all observations are processed, plus the current world. */
export interface VerdictContext extends TrackerState {
  /** The session's world. Read only. */
  readonly world: World
  /** Work of Sparring that is still pending. */
  readonly pendingWork: PendingWork
}

/**
 * An order waits for Sparring: for an accepted request to take effect, or for the answer to a cancellation request. That
 * time does not count against the subject.
 */
type Waiting = Pick<TrackedOrder, 'waits' | 'waited'>

export function beginWait(order: Waiting, at: Instant): void {
  order.waits ??= at
}

export function endWait(order: Waiting, at: Instant): void {
  if (order.waits === undefined) return
  order.waited += at - order.waits
  order.waits = undefined
}
