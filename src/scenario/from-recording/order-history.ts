/** Types: the history of each order of a recording, with calls, events, handovers and status reads. */
import type { ObservedExchange } from '../../invariants/judge/observations.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'

/** An exchange with its times in ms since the recording began. */
export interface RecordedCall {
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
  /** Name of the fault that distorted it, where recorded. */
  readonly fault: string | undefined
  readonly seen: ObservedExchange
}

/** One handover of an event. */
export interface RecordedHandover {
  readonly call: RecordedCall
  /** Index in its batch. */
  readonly place: number
  readonly channel: 'polling' | 'webhook'
}

export interface EventHistory {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** Its own creation time, in ms since the recording began. */
  readonly madeAt: number | undefined
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly handovers: RecordedHandover[]
  /** The calls that acknowledged it. */
  readonly acknowledgments: RecordedCall[]
  /** An event of Orders, not of a delivery. */
  readonly isOfOrders: boolean
}

export interface StatusReading {
  readonly call: RecordedCall
  readonly status: OrderStatus
}

export interface OrderHistory {
  readonly slot: string
  readonly orderId: string
  /** When it was placed, in ms since the recording began. */
  readonly at: number
  /** `seq` of the first exchange about it. */
  readonly seq: number
  /** From the first GET of the order, or its CREATED event. */
  readonly document: Readonly<Record<string, unknown>> | undefined
  readonly documentFrom: string | undefined
  readonly type: OrderType | undefined
  readonly calls: readonly RecordedCall[]
  readonly events: readonly EventHistory[]
  readonly readings: readonly StatusReading[]
}

/** Accumulator while a recording is read. */
export interface HistoryDraft {
  readonly calls: RecordedCall[]
  readonly events: Map<string, EventHistory>
  readonly documents: Map<
    string,
    { readonly document: Record<string, unknown>; readonly from: RecordedCall }
  >
  readonly readings: Map<string, StatusReading[]>
}
