/** What is known of each order of a recording: its calls, its events with their handovers, and what was read of it. */
import type { ObservedExchange } from '../../invariants/judge/observations.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'

/** An exchange with its place in the recording's time. */
export interface Call {
  readonly recordId: string
  readonly seq: number
  readonly began: number
  readonly ended: number
  readonly operation: OperationId | undefined
  readonly from: Role
  readonly to: Role
  readonly orderId: string | undefined
  /** 0 without an answer. */
  readonly status: number
  readonly ok: boolean
  readonly failure: string | undefined
  /** What the fault is called that distorted it, where the recording says so. */
  readonly fault: string | undefined
  readonly seen: ObservedExchange
}

/** Once that an event reached whoever is to hear of it. */
export interface Handover {
  readonly call: Call
  /** Where in its batch it stood. */
  readonly place: number
  readonly channel: 'polling' | 'webhook'
}

export interface EventHistory {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** When it was made, by its own word, in the recording's time. */
  readonly madeAt: number | undefined
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly handovers: Handover[]
  /** The calls by which somebody took responsibility for it. */
  readonly acknowledgments: Call[]
  /** It is of Orders, and not of a delivery. */
  readonly isOfOrders: boolean
}

export interface Reading {
  readonly call: Call
  readonly status: OrderStatus
}

export interface OrderHistory {
  readonly slot: string
  readonly orderId: string
  /** When it was placed. */
  readonly at: number
  /** As GET answered it the first time. */
  readonly document: Readonly<Record<string, unknown>> | undefined
  readonly documentFrom: string | undefined
  readonly type: OrderType | undefined
  readonly calls: readonly Call[]
  readonly events: readonly EventHistory[]
  readonly readings: readonly Reading[]
}

/** What was read so far. */
export interface Drafts {
  readonly calls: Call[]
  readonly events: Map<string, EventHistory>
  readonly documents: Map<
    string,
    { readonly document: Record<string, unknown>; readonly from: Call }
  >
  readonly readings: Map<string, Reading[]>
}
