/** Types: the history of each order of a recording, with calls, events, handovers, status reads and statuses. */
import type { ObservedExchange } from '../../core/rules/invariants/judge/observations.ts'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import type { ProgressionTrigger } from '../../core/protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../../core/protocol/orders/order.ts'
import type { Role } from '../../core/protocol/role.ts'

/** An exchange with its times in ms since the recording began. */
export interface RecordedCall {
  readonly recordId: string
  readonly seq: number
  readonly began: number
  readonly ended: number
  readonly operation: OperationId | undefined
  readonly from: Role
  readonly to: Role
  /** The lifecycle trigger that it requests, and the status that this leads to. */
  readonly trigger: ProgressionTrigger | undefined
  readonly target: OrderStatus | undefined
  readonly orderId: string | undefined
  /** 0 without an answer. */
  readonly status: number
  readonly ok: boolean
  readonly failure: string | undefined
  /** Name of the fault that distorted it, where recorded. */
  readonly fault: string | undefined
  readonly observed: ObservedExchange
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

/** A status that an order is known to have had. */
export interface StatusStage {
  readonly status: OrderStatus
  readonly at: number
  /** The event that announced it; absent when only a read showed it. */
  readonly event?: EventHistory
  /** The first read that showed it, where no event did. */
  readonly reading?: RecordedCall
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
  /** All known statuses, in lifecycle order. */
  readonly stages: readonly StatusStage[]
}

/** A point of a recording: in time, and in the sequence of exchanges where times are unknown. */
export interface RecordedMoment {
  /** In ms since the recording began. */
  readonly at: number
  readonly seq: number
}

/** By time, where exchanges have one, else by exchange. */
export const compareMoments = (
  a: RecordedMoment,
  b: RecordedMoment,
  hasExchangeTimes: boolean,
): number => (hasExchangeTimes ? a.at - b.at || a.seq - b.seq : a.seq - b.seq || a.at - b.at)
