/**
 * What a session offers to whoever watches or steers it. The dashboard, the control API and the library use this and
 * nothing else, so whatever one of them can do, the others can.
 */
import type { OperationId } from './protocol/catalogue.ts'
import type { OrderStatus, OrderType } from './protocol/orders/order.ts'
import type { Result } from './protocol/result.ts'
import type { Role } from './protocol/role.ts'
import type { Command } from './engine/command.ts'
import type { Fact } from './engine/fact.ts'
import type { Instant } from './engine/instant.ts'
import type { Refusal } from './engine/refusal.ts'
import type { Exchange } from './traffic/exchange.ts'

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

export interface Move {
  /** A name that is unique among the moves of one entity. */
  readonly trigger: string
  /** What it leads to, for a person. */
  readonly to: string
  /** Who pulls it, by the protocol. */
  readonly by: Role
  readonly command: Command
  /** Why it is not lawful now; then `command` forces it. */
  readonly illegal?: string
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

/** What else lives in a session beside orders. */
export const entityKinds = [
  'account',
  'delivery',
  'customer',
  'lead',
  'review',
  'loyalty-account',
  'coupon',
] as const
export type EntityKind = (typeof entityKinds)[number]

/** An account, a delivery, a customer … in one line. */
export interface EntityRow {
  readonly kind: EntityKind
  readonly id: string
  /** What a person calls it: `TABLE 7`, a courier's name, a customer's. */
  readonly label: string
  readonly status: string
  /** One line more: amounts, ETA, points. */
  readonly text: string
  readonly since: Instant
  readonly orderId?: string
  readonly merchant?: string
}

export interface EntityDetail {
  readonly row: EntityRow
  /** The statuses that it went through. */
  readonly way: readonly {
    readonly status: string
    readonly at: Instant
    readonly trigger?: string
  }[]
  /** The statuses of a usual life, in order. */
  readonly strip: readonly string[]
  readonly moves: readonly Move[]
  /** The document as GET answers it. */
  readonly document: unknown
}

/** Which part of the session somebody wants to see; every list is a window with a bound. */
export interface View {
  readonly journal?: {
    readonly limit: number
    readonly before?: number
    readonly after?: number
    readonly orderId?: string
  }
  readonly traffic?: {
    readonly limit: number
    readonly before?: number
    readonly after?: number
    readonly orderId?: string
    /** `confirm`, `status>=400`, `ord_1`, `!idle`, `from:SS`, `to:OA`, `/regex/`; several with spaces, all must hold. */
    readonly filter?: string
  }
  readonly agenda?: {
    readonly limit: number
    readonly orderId?: string
    readonly background?: boolean
  }
  readonly orders?: {
    readonly limit: number
    readonly offset?: number
    readonly status?: OrderStatus
  }
  readonly entities?: {
    readonly kind: EntityKind
    readonly limit: number
    readonly offset?: number
    readonly status?: string
  }
  /** The order to see whole. */
  readonly orderId?: string
  /** The account, delivery, customer … to see whole. */
  readonly entity?: { readonly kind: EntityKind; readonly id: string }
  /** The exchange to see whole. */
  readonly exchange?: number
  /** See agenda and orders as they were right after this fact. */
  readonly at?: number
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
  /** Takes the first item of the agenda, due or not; undefined when there is none. */
  step(): Promise<AgendaRow | undefined>
  setClock(change: { readonly mode?: ClockMode; readonly speed?: number }): Promise<void>
  /** Lets this much of the session's time pass at once, with everything that comes due in it. */
  advance(ms: number): Promise<void>
  /** A fresh world. */
  reset(seed?: number): Promise<void>
  /** Calls back, often, when there is something new to look at; answers how to stop. */
  subscribe(listener: () => void): () => void
}
