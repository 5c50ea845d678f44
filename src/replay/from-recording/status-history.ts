/** Known statuses of an order with their times, from its events and status reads. */
import { isOrderEventType, orderEvents } from '../../core/protocol/orders/events.ts'
import { type OrderStatus, orderStatuses } from '../../core/protocol/orders/order.ts'
import type { RecordedCall, EventHistory, OrderHistory, StatusStage } from './order-history.ts'

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

/** By creation time; events without one by their first handover. */
export const byCreationTime = (a: EventHistory, b: EventHistory): number =>
  (a.madeAt ?? 0) - (b.madeAt ?? 0) ||
  (a.handovers[0]?.call.seq ?? 0) - (b.handovers[0]?.call.seq ?? 0) ||
  (a.handovers[0]?.place ?? 0) - (b.handovers[0]?.place ?? 0)

/** All known statuses, in lifecycle order. */
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
      at: Math.max(known, lastBefore(stages, status, call)),
      reading: call,
    })
  }
  return [...stages.values()].toSorted((a, b) => statusRankOf(a.status) - statusRankOf(b.status))
}

/** Status of an order at a time; undefined before it existed. */
export const statusAt = ({ stages }: OrderHistory, at: number): OrderStatus | undefined =>
  stages.findLast((stage) => stage.at <= at)?.status
