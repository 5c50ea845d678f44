/**
 * The session API: the only interface that dashboard, control API and library use, so they all have the same
 * abilities.
 */
import type { OperationId } from '../protocol/catalogue.ts'
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { Result } from '../protocol/result.ts'
import type { Role } from '../protocol/role.ts'
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import type { Instant } from '../engine/instant.ts'
import type { Refusal } from '../engine/refusal.ts'
import type { ActiveFault } from '../engine/faults/fault.ts'
import type { ObservedEffects } from '../rules/invariants/tracking/tracker-state.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import type { Attachment, AttachmentNotice } from './attachment.ts'
import type { EntityDetail, EntityRow, Move, SessionEntityKind } from './entities.ts'
import type { MenuSnapshot, MenuView } from './menu.ts'
import type { CreatedOrder, NewOrder } from './new-order.ts'
import type { PlaybackActions, PlaybackSnapshot, PlaybackView } from './playback.ts'
import type { Explanation } from './explanation.ts'
import type { ClockMode, SessionInfo } from './session-info.ts'
import type { SessionMetrics } from './session-metrics.ts'
import type { Exchange } from '../traffic/exchange.ts'
import type { TrafficRate } from '../traffic/rate.ts'
import type { ExchangeNote } from '../traffic/note.ts'
import type { ResentExchange } from '../traffic/resend.ts'

/**
 * Parts of the session to include; every list is a bounded window. `contains`: only rows with all of these words, in any order
 * and case.
 */
export interface View {
  readonly journal?: {
    readonly limit: number
    readonly before?: number
    readonly after?: number
    readonly orderId?: string
    readonly contains?: string
    /** Only what concerns the user's service, without the bookkeeping of the agenda. */
    readonly mine?: boolean
  }
  readonly traffic?: {
    readonly limit: number
    readonly before?: number
    readonly after?: number
    readonly orderId?: string
    /**
     * `confirm`, `status>=400`, `ord_1`, `mine`, `!idle`, `failed`, `from:SS`, `to:OA`, `/regex/`; separated by spaces,
     * all must match.
     */
    readonly filter?: string
  }
  readonly agenda?: {
    readonly limit: number
    readonly orderId?: string
    readonly background?: boolean
    /** Include what does not concern the user's service; by default yes. */
    readonly aside?: boolean
    /** Only items that are held. */
    readonly held?: true
    readonly contains?: string
  }
  readonly orders?: {
    readonly limit: number
    readonly offset?: number
    readonly status?: OrderStatus
    readonly contains?: string
  }
  readonly entities?: {
    readonly kind: SessionEntityKind
    readonly limit: number
    readonly offset?: number
    readonly status?: string
    readonly contains?: string
  }
  /** The order to include in full. */
  readonly orderId?: string
  /** The entity to include in full. */
  readonly entity?: { readonly kind: SessionEntityKind; readonly id: string }
  /** The exchange to include in full. */
  readonly exchange?: number
  /** The agenda item to include in full. */
  readonly item?: number
  /** Orders to include regardless of the list's window. */
  readonly pinned?: readonly string[]
  /** Include active and ended faults. */
  readonly faults?: true
  /** Include merchants and items of their menus. */
  readonly menu?: MenuView
  /** Include the rate of exchanges. */
  readonly rate?: true
  /** Include counts and levels for monitoring. */
  readonly metrics?: true
  /** Include verdicts. */
  readonly verdicts?: true
  /** Include operator actions. */
  readonly operatorActions?: true
  /** Explain this: an order by its id or its slot (`o2`), an event by its id, an exchange by `#17`. */
  readonly explain?: string
  /** Show agenda and orders as they were right after this fact. */
  readonly at?: number
  /** View of the recording; ignored by a session without one. */
  readonly playback?: PlaybackView
}

export type {
  ClockMode,
  ConfigurationNotice,
  CounterpartInfo,
  SessionInfo,
} from './session-info.ts'
export type { CreatedOrder, NewOrder } from './new-order.ts'
export type { Explanation, Split, StoryKind, StoryLine, StoryStep } from './explanation.ts'

/** A journal entry. */
export interface JournalRow {
  readonly seq: number
  readonly at: Instant
  readonly kind: Fact['kind']
  readonly orderId?: string
  /** One line of text, without the order's id. */
  readonly text: string
  /** Origin: `operator`, `subject`, `agenda`, or a role. */
  readonly by: string
  /** It concerns the user's service: it happened at it or between it and us, or concerns everybody. */
  readonly subject?: true
}

/** Summary of an exchange. */
export interface TrafficRow {
  readonly seq: number
  /** In session time, as facts are. */
  readonly startedAt: number
  readonly endedAt: number
  /** On the wall clock. */
  readonly tookMs: number
  readonly from: Role
  readonly to: Role
  /** Whether one side is the user's service. */
  readonly subject: boolean
  readonly operation?: OperationId
  readonly method: string
  readonly path: string
  /** 0 when there was no reply. */
  readonly status: number
  readonly failure?: string
  /** It is a failed request: 4xx, 5xx, a redirect that is not followed, or no reply. */
  readonly failed?: true
  /** Why it failed, and what to do: one line. */
  readonly reason?: string
  /** It succeeded and is probably a mistake of the user's service: which, and what to do. Never on the wire. */
  readonly advice?: string
  /** What an operator wrote about it. */
  readonly note?: string
  /** The event that it hands over, and what that is about: `ACCOUNT_OPENED TABLE 7`. */
  readonly event?: string
  readonly orderId?: string
  /** The fault that distorted it, and on which side. */
  readonly fault?: string
  /** The exchange that an operator sent again with it, in place of its caller. */
  readonly resendOf?: number
  /** A poll without events: one a second would hide the rest. */
  readonly idle?: true
}

/** Summary of an agenda item. */
export interface AgendaRow {
  readonly id: number
  readonly due: Instant
  readonly held: boolean
  readonly background: boolean
  /** It concerns neither the user's service nor, without one, an order: panes show it only on request. */
  readonly aside?: true
  readonly kind: Command['kind']
  /** Short text: `CONFIRMED to SS by webhook`, `confirm is applied`. */
  readonly text: string
  readonly orderId?: string
  /** Expected status change, if known: `CREATED > CONFIRMED`. */
  readonly effect?: string
  readonly attempt?: number
  readonly copyOf?: number
  readonly edited?: true
  /** What it is held for: `the acknowledgment of CONFIRMED`; it is released automatically then. */
  readonly waits?: string
  /** The fault that created or changed it. */
  readonly fault?: string
}

/** What still says of an item which one it was, once it was taken off the agenda. */
export type TakenRow = Pick<AgendaRow, 'kind' | 'text' | 'orderId' | 'attempt'>

export interface OrderRow {
  readonly orderId: string
  readonly displayId: string
  readonly profile: OrderType
  readonly status: OrderStatus
  readonly lastEvent?: string
  readonly merchant: string
  readonly customer?: string
  readonly amount: string
  readonly createdAt: Instant
  /** Instant since which it has this status. */
  readonly since: Instant
  readonly cancellation?: string
  /** Status according to the Software Service that we play; absent when that is the subject. */
  readonly believed?: OrderStatus
  /** The order's slot: `o2` is the second order of the session. Absent when it is no longer known. */
  readonly slot?: string
}

export interface OrderDetail {
  readonly row: OrderRow
  /** History of the order's statuses. */
  readonly statusHistory: readonly {
    readonly status: OrderStatus
    readonly at: Instant
    readonly trigger?: string
  }[]
  /** The regular statuses of this profile, in order, for the status strip. */
  readonly regularStatuses: readonly OrderStatus[]
  readonly moves: readonly Move[]
  readonly events: readonly {
    readonly eventId: string
    readonly eventType: string
    readonly createdAt: string
    /** Handover state: planned, in the mailbox, acknowledged, pushed … */
    readonly state: string
  }[]
  /** What your service had done for it inside when it was asked last; absent where that is not counted, or not yet. */
  readonly effects?: ObservedEffects
  /** The document as GET returns it. */
  readonly document: unknown
}

/** An agenda item in full, as the editor needs it. */
export interface ItemDetail {
  readonly row: AgendaRow
  readonly command: Command
  /** The event that it hands over, with its wire fields. */
  readonly event?: {
    readonly eventId: string
    readonly eventType: string
    readonly fields: Readonly<Record<string, unknown>>
  }
}

/** A fault and its current state. */
export type FaultRow = Pick<
  ActiveFault,
  'id' | 'name' | 'text' | 'legal' | 'since' | 'fired' | 'over' | 'forMs' | 'limit' | 'idle'
>

/** Initial conditions of a world: enough to reproduce it. */
export interface InitialConditions {
  readonly seed: number
  readonly origin: Instant
  readonly clock: ClockMode
  readonly faults: readonly unknown[]
  /** Settings that a scenario has not of itself, in the format of a configuration. */
  readonly session: Readonly<Record<string, unknown>>
}

/** An operator action on a session; scenarios are generated from these. */
export interface OperatorAction {
  /** Session time. */
  readonly at: Instant
  /** Sequence number of the last fact before it. */
  readonly after: number
  readonly what:
    | { readonly kind: 'command'; readonly command: Command }
    | { readonly kind: 'order'; readonly wish: NewOrder; readonly orderId: string }
    | { readonly kind: 'step' }
    | { readonly kind: 'advance'; readonly ms: number }
    | { readonly kind: 'clock'; readonly mode?: ClockMode; readonly speed?: number }
    /** A call of the user's service, by its number and as `POST /path`, was sent again in its place. */
    | { readonly kind: 'resend'; readonly seq: number; readonly call: string }
  /** The item that a command referred to, as it was before. */
  readonly item?: AgendaRow
  /** The items, when the command referred to several. */
  readonly items?: readonly AgendaRow[]
}

export interface Snapshot {
  readonly info: SessionInfo
  readonly journal: readonly JournalRow[]
  readonly traffic: readonly TrafficRow[]
  /** Number of rows that the traffic filter hid. */
  readonly hidden: number
  /** Number of rows of each list that was searched with `contains`. */
  readonly found?: Readonly<Partial<Record<'journal' | 'agenda' | 'orders', number>>>
  readonly agenda: readonly AgendaRow[]
  readonly orders: readonly OrderRow[]
  /** Newest first. */
  readonly entities: readonly EntityRow[]
  /** Total number of the kind in view. */
  readonly entityCount: number
  /** Place of the order `orderId` in the list of orders in view, the newest at 0; absent when it is not there. */
  readonly orderPlace?: number
  /** Place of the entity in full in the list of its kind, the newest at 0; absent when it is not there. */
  readonly entityPlace?: number
  readonly order?: OrderDetail
  readonly entity?: EntityDetail
  readonly exchange?: Exchange
  readonly item?: ItemDetail
  /** In the order of the request; unknown ids are left out. */
  readonly pinned?: readonly OrderRow[]
  /** Active faults first, then ended ones, each oldest first. */
  readonly faults: readonly FaultRow[]
  /** One for each invariant that applies to the subject; empty without a subject. */
  readonly verdicts: readonly Verdict[]
  /** Of the exchanges with your service, of all in a session without one; absent when not requested. */
  readonly rate?: TrafficRate
  /** Absent when not requested. */
  readonly metrics?: SessionMetrics
  /** Oldest first; bounded, the oldest are evicted. */
  readonly operatorActions: readonly OperatorAction[]
  /** With `operatorActions`: the initial conditions of the world they were applied to. */
  readonly initialConditions?: InitialConditions
  /** Absent when not requested, or when the id is unknown. */
  readonly explanation?: Explanation
  /** The recording in view; absent when there is none. */
  readonly playback?: PlaybackSnapshot
  /** How the viewer is attached; absent where the session runs in this process. */
  readonly attached?: Attachment
  /** Absent when not requested. */
  readonly menu?: MenuSnapshot
  /** Why a part could not be shown: an invalid filter, a fact that was evicted. */
  readonly problem?: string
}

/** Limits of the work of one advance. */
export interface AdvanceLimits {
  /** Agenda items. */
  readonly items: number
  /** Wall time, looked at between two items. */
  readonly wallMs: number
}

export interface SessionApi {
  look(view: View): Promise<Snapshot>
  submit(command: Command): Promise<Result<readonly Fact[], Refusal>>
  createOrder(options?: NewOrder): Promise<Result<CreatedOrder, Refusal>>
  /**
   * Sends the exchange with this number again. A call of ours gets a fresh token, signature and date; a webhook is another
   * handover of the same event. A call of the user's service is answered a second time as it was sent, with its
   * authorization, and counts in no verdict. Refused when it is no longer in memory, when its body was not kept, for a
   * call that is repeated by itself, and without an address of the service.
   */
  resend(seq: number): Promise<Result<ResentExchange, Refusal>>
  /** Writes a note at the exchange with this number, in place of one before; an empty text takes it away. */
  note(seq: number, text: string): Promise<Result<ExchangeNote, Refusal>>
  /** All verdicts, after probing your service for its view of orders where configured. Does not end the session. */
  judge(): Promise<readonly Verdict[]>
  /** Executes the first agenda item, due or not; undefined when there is none. */
  step(): Promise<AgendaRow | undefined>
  setClock(change: { readonly mode?: ClockMode; readonly speed?: number }): Promise<void>
  /**
   * Advances session time by this many ms, executing everything that comes due; within `limits` as far as they allow,
   * which the clock shows.
   */
  advance(ms: number, limits?: AdvanceLimits): Promise<void>
  /** Starts a fresh world, from this seed or the one after that of the world before: with other ids. */
  reset(seed?: number): Promise<void>
  /**
   * Forks: the world becomes what it was after this fact, and the clock stops. Returns the last fact that it has.
   * Traffic since then is not undone.
   */
  fork(at: number): Promise<Result<{ readonly at: number }, Refusal>>
  /** Calls back, often, on any change; returns an unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** Ends the session, in the way of SIGTERM; absent where the program that opened it closes it. */
  readonly stop?: () => Promise<void>
  /** Only where a viewer is attached to a session in another process: looks that wait while there is no connection. */
  readonly patientLook?: (view: View) => Promise<Snapshot>
  /** Only where a viewer is attached: calls back with news of the connection; returns an unsubscribe function. */
  readonly subscribeToNotices?: (listener: (notice: AttachmentNotice) => void) => () => void
  /** Only for an in-process session that shows or plays a recording. */
  readonly playback?: PlaybackActions
}
