/**
 * What a session offers to whoever watches or steers it. The dashboard, the control API and the library use this and
 * nothing else, so whatever one of them can do, the others can.
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
import type { Verdict } from '../invariants/verdict.ts'
import type { EntityDetail, EntityRow, Move } from './entities.ts'
import type { PlaybackHand, PlaybackLook } from './playback.ts'
import type { Explanation } from './explanation.ts'
import type { View } from './view.ts'
import type { Exchange } from '../traffic/exchange.ts'

export { entityKinds } from './entities.ts'
export type { EntityDetail, EntityKind, EntityRow } from './entities.ts'
export type { View } from './view.ts'
export type { Explanation, Split, StoryKind, StoryLine, StoryStep } from './explanation.ts'

/** `real` follows the wall, `stepped` waits for a person, `virtual` jumps to the next due instant when idle. */
export type ClockMode = 'real' | 'stepped' | 'virtual'

export interface CounterpartInfo {
  readonly role: Role
  readonly url: string
  readonly temperament: string
}

export interface SessionInfo {
  readonly version: string
  readonly protocol: { readonly name: string; readonly version: string }
  readonly seed: number
  readonly clock: { readonly mode: ClockMode; readonly speed: number; readonly now: Instant }
  readonly channel: 'polling' | 'webhook' | 'both'
  readonly counterparts: readonly CounterpartInfo[]
  /** The role of the user's service, and where it is. */
  readonly subject?: { readonly role: Role; readonly url?: string }
  readonly control?: string
  /** The file that exchanges are recorded to, and what stands in the way when it cannot be written. */
  readonly recording?: {
    readonly file: string
    readonly written: number
    readonly problem?: string
  }
  /**
   * The last fact that this world has from before somebody went back to it. What went over the wire since then stands;
   * so nobody is judged any more: your service remembers a future that this world does not have.
   */
  readonly forked?: number
  readonly counts: {
    readonly facts: number
    readonly exchanges: number
    readonly pending: number
    /** Of those pending, the loops that go on for ever, such as polling. */
    readonly loops: number
    readonly held: number
    readonly orders: number
    readonly open: number
    readonly refused: number
  }
}

/** A fact of the past. */
export interface JournalRow {
  readonly seq: number
  readonly at: Instant
  readonly kind: Fact['kind']
  readonly orderId?: string
  /** One line: what happened, without the order's id. */
  readonly text: string
  /** Whose doing: `operator`, `subject`, `agenda`, or a role. */
  readonly by: string
}

/** An exchange of the past, in one line. */
export interface TrafficRow {
  readonly seq: number
  readonly startedAt: number
  readonly tookMs: number
  readonly from: Role
  readonly to: Role
  /** One side is the user's service. */
  readonly subject: boolean
  readonly operation?: OperationId
  readonly method: string
  readonly path: string
  /** 0 when there was no reply. */
  readonly status: number
  readonly failure?: string
  readonly orderId?: string
  /** The fault that distorted it, and where. */
  readonly fault?: string
  /** A poll that brought nothing: there is one a second, and they would drown the rest. */
  readonly idle?: true
}

/** Something that will happen, in one line. */
export interface AgendaRow {
  readonly id: number
  readonly due: Instant
  readonly held: boolean
  readonly background: boolean
  readonly kind: Command['kind']
  /** What will happen, in a few words: `CONFIRMED to SS by webhook`, `confirm is applied`. */
  readonly text: string
  readonly orderId?: string
  /** What it will do to the order's status, when it is known: `CREATED > CONFIRMED`. */
  readonly effect?: string
  readonly attempt?: number
  readonly copyOf?: number
  readonly edited?: true
  /** What it is held for: `the acknowledgment of CONFIRMED`; it goes on of its own accord then. */
  readonly waits?: string
  /** The fault that put it there, or had its part in it. */
  readonly fault?: string
}

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
  /** Since when it has this status. */
  readonly since: Instant
  readonly cancellation?: string
  /** What the Software Service that we play believes; absent when it is the subject's part. */
  readonly believed?: OrderStatus
}

export interface OrderDetail {
  readonly row: OrderRow
  /** The statuses of the order's whole way, and when it reached each. */
  readonly way: readonly {
    readonly status: OrderStatus
    readonly at: Instant
    readonly trigger?: string
  }[]
  /** The statuses of this profile, in order, for a strip on the screen. */
  readonly strip: readonly OrderStatus[]
  readonly moves: readonly Move[]
  readonly events: readonly {
    readonly eventId: string
    readonly eventType: string
    readonly createdAt: string
    /** Where it is: planned, in the mailbox, acknowledged, pushed … */
    readonly state: string
  }[]
  /** The document as GET answers it. */
  readonly document: unknown
}

/** An item of the agenda, whole: what an editor changes. */
export interface ItemDetail {
  readonly row: AgendaRow
  readonly command: Command
  /** The event that it hands over, and what goes over the wire of it. */
  readonly event?: {
    readonly eventId: string
    readonly eventType: string
    readonly fields: Readonly<Record<string, unknown>>
  }
}

/** A fault as it stands. */
export type FaultRow = Pick<
  ActiveFault,
  'id' | 'name' | 'text' | 'legal' | 'since' | 'fired' | 'over' | 'forMs' | 'limit'
>

/** What a world began with: enough to begin it again. */
export interface Begun {
  readonly seed: number
  readonly origin: Instant
  readonly clock: ClockMode
  readonly faults: readonly unknown[]
  /** What it was told that is not usual, as a configuration says it. */
  readonly session: Readonly<Record<string, unknown>>
}

/** Something that a person did to a session: what a scenario of it is made from. */
export interface Deed {
  /** The session's instant. */
  readonly at: Instant
  /** The last fact before it. */
  readonly after: number
  readonly what:
    | { readonly kind: 'command'; readonly command: Command }
    | { readonly kind: 'order'; readonly wish: NewOrder; readonly orderId: string }
    | { readonly kind: 'step' }
    | { readonly kind: 'advance'; readonly ms: number }
    | { readonly kind: 'clock'; readonly mode?: ClockMode; readonly speed?: number }
  /** The item that a command was about, as it stood before. */
  readonly item?: AgendaRow
  /** The items, where it was about several. */
  readonly items?: readonly AgendaRow[]
}

export interface Snapshot {
  readonly info: SessionInfo
  readonly journal: readonly JournalRow[]
  readonly traffic: readonly TrafficRow[]
  /** Rows that the traffic filter hid among those it looked at. */
  readonly hidden: number
  readonly agenda: readonly AgendaRow[]
  readonly orders: readonly OrderRow[]
  /** The newest first. */
  readonly entities: readonly EntityRow[]
  /** How many there are of the kind that was looked at. */
  readonly entityCount: number
  readonly order?: OrderDetail
  readonly entity?: EntityDetail
  readonly exchange?: Exchange
  readonly item?: ItemDetail
  /** In the order in which they were asked for; those that are not known are left out. */
  readonly pinned?: readonly OrderRow[]
  /** Those in force first, then those that are over, each oldest first. */
  readonly faults: readonly FaultRow[]
  /** One for each invariant that binds the subject; none without a subject. */
  readonly verdicts: readonly Verdict[]
  /** Oldest first; the oldest leave when there are too many. */
  readonly deeds: readonly Deed[]
  /** Where somebody asks for the deeds: what the world began with that they were done to. */
  readonly begun?: Begun
  /** Absent when nobody asked for it, or when nothing of that name is known. */
  readonly explanation?: Explanation
  /** The recording that is looked at or played; absent where there is none. */
  readonly playback?: PlaybackLook
  /** Why a part could not be shown: a bad filter, a fact that is no longer kept. */
  readonly problem?: string
}

/** What a person may ask to be ordered; what is not given is made up from the seed. */
export interface NewOrder {
  readonly type?: OrderType
  /** How many lines. */
  readonly items?: number
  /** A whole order document; its status and events are the session's. */
  readonly order?: unknown
}

export interface SessionFace {
  look(view: View): Promise<Snapshot>
  submit(command: Command): Promise<Result<readonly Fact[], Refusal>>
  createOrder(wish?: NewOrder): Promise<Result<{ readonly orderId: string }, Refusal>>
  /** Every invariant’s verdict, after asking your service for its own view of orders where it lets us. It ends nothing. */
  judge(): Promise<readonly Verdict[]>
  /** Takes the first item of the agenda, due or not; undefined when there is none. */
  step(): Promise<AgendaRow | undefined>
  setClock(change: { readonly mode?: ClockMode; readonly speed?: number }): Promise<void>
  /** Lets this much of the session's time pass at once, with everything that comes due in it. */
  advance(ms: number): Promise<void>
  /** A fresh world. */
  reset(seed?: number): Promise<void>
  /**
   * Goes back: the world becomes what it was after this fact and all that came with it, and the clock stands. Answers
   * the last fact that it has. What went over the wire since then is not undone.
   */
  fork(at: number): Promise<Result<{ readonly at: number }, Refusal>>
  /** Calls back, often, when there is something new to look at; answers how to stop. */
  subscribe(listener: () => void): () => void
  /** Only where a recording is looked at or played, in this process. */
  readonly playback?: PlaybackHand
}
