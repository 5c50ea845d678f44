/**
 * Types: the history of each order of a recording, with calls, events, handovers, status reads and statuses; and its
 * known statuses with their times.
 */
import type { ObservedExchange } from '../../core/rules/invariants/judge/observations.ts'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import type { ProgressionTrigger } from '../../core/protocol/orders/lifecycle.ts'
import {
  type OrderStatus,
  orderStatuses,
  type OrderType,
} from '../../core/protocol/orders/order.ts'
import type { Role } from '../../core/protocol/role.ts'
import { isOrderEventType, orderEvents } from '../../core/protocol/orders/events.ts'

/** Position in the lifecycle. */
export const statusRankOf = (status: OrderStatus): number => orderStatuses.indexOf(status)

const projected = ({ eventType }: EventHistory): OrderStatus | undefined =>
  isOrderEventType(eventType) ? orderEvents[eventType].projects : undefined

const firstObserved = ({ handovers }: EventHistory): number =>
  handovers[0]?.call.ended ?? Number.POSITIVE_INFINITY

/** Just after the latest earlier status that was known before the read. */
function lastBefore(
  stages: ReadonlyMap<OrderStatus, StatusStage>,
  status: OrderStatus,
  { began }: RecordedCall,
): number {
  const earlier = [...stages.values()].filter(
    (stage) => statusRankOf(stage.status) < statusRankOf(status) && stage.at < began,
  )
  return Math.max(0, ...earlier.map(({ at }) => at + 0.5))
}

/** Just after the latest event before the read: what only informs, such as of a cancelled line, needs a status too. */
const lastEventBefore = (events: readonly EventHistory[], { began }: RecordedCall): number =>
  Math.max(0, ...events.flatMap(({ madeAt = began }) => (madeAt < began ? madeAt + 0.5 : [])))

/** By creation time; events without one by their first handover. */
export const byCreationTime = (a: EventHistory, b: EventHistory): number =>
  (a.madeAt ?? 0) - (b.madeAt ?? 0) ||
  (a.handovers[0]?.call.seq ?? 0) - (b.handovers[0]?.call.seq ?? 0) ||
  (a.handovers[0]?.place ?? 0) - (b.handovers[0]?.place ?? 0)

/**
 * Known statuses of an order with their times, from its events and status reads. All known statuses, in lifecycle
 * order.
 */
export function statusHistoryOf({
  events,
  readings,
  calls,
}: Pick<OrderHistory, 'events' | 'readings' | 'calls'>): readonly StatusStage[] {
  const stages = new Map<OrderStatus, StatusStage>()
  for (const event of events.filter(({ isOfOrders }) => isOfOrders).toSorted(byCreationTime)) {
    const status = projected(event)
    if (status && !stages.has(status))
      stages.set(status, { status, at: event.madeAt ?? firstObserved(event), event })
  }
  for (const { status, call } of readings) {
    if (stages.has(status)) continue
    // Reached at some time after the last successful call before the read.
    const before = calls.findLast(({ seq, ok }) => ok && seq < call.seq)
    const known = before ? before.ended : call.began
    stages.set(status, {
      status,
      at: Math.max(known, lastBefore(stages, status, call), lastEventBefore(events, call)),
      reading: call,
    })
  }
  return [...stages.values()].toSorted((a, b) => statusRankOf(a.status) - statusRankOf(b.status))
}

/** Status of an order at a time; undefined before it existed. */
export const statusAt = ({ stages }: OrderHistory, at: number): OrderStatus | undefined =>
  stages.findLast((stage) => stage.at <= at)?.status

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
