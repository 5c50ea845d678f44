/** Builds the order histories of a recording, oldest first: slot, document, calls, events, status reads. */
import { valueAt } from '../../invariants/tracking/exchange-fields.ts'
import { type OrderType, orderTypes } from '../../protocol/orders/order.ts'
import { compareMoments } from './moment.ts'
import { isRecord, appendTo } from './shared.ts'
import type { RecordedCall, HistoryDraft, EventHistory, OrderHistory } from './order-history.ts'

function typeIn(document: unknown): OrderType | undefined {
  const type = valueAt(valueAt(document, 'fulfillment'), 'orderType')
  return orderTypes.find((each) => each === type)
}

/** Order document carried by CREATED, in or as its metadata. */
function documentIn(events: readonly EventHistory[]): Record<string, unknown> | undefined {
  const created = events.find(({ eventType }) => eventType === 'CREATED')
  const inside = created?.metadata?.['order'] ?? created?.metadata
  return isRecord(inside) && typeIn(inside) ? { ...inside } : undefined
}

/** Slots follow the order of the placements, as a scenario has to place them in turn. */
export function orderHistoriesOf(
  { calls, events, documents, readings }: HistoryDraft,
  hasExchangeTimes: boolean,
): readonly OrderHistory[] {
  const byOrder = new Map<string, RecordedCall[]>()
  for (const call of calls) if (call.orderId !== undefined) appendTo(byOrder, call.orderId, call)
  const eventsOf = new Map<string, EventHistory[]>()
  for (const event of events.values())
    if (event.orderId !== undefined) {
      appendTo(eventsOf, event.orderId, event)
      if (!byOrder.has(event.orderId)) byOrder.set(event.orderId, [])
    }
  // Ids that only failed calls mention are no orders.
  const real = [...byOrder].filter(
    ([orderId, ownCalls]) =>
      documents.has(orderId) ||
      eventsOf.get(orderId)?.some(({ isOfOrders }) => isOfOrders) ||
      ownCalls.some(({ ok, to }) => ok && to === 'ordering-application'),
  )
  const drafts = real.map(([orderId, ownCalls]) => {
    const ownEvents = (eventsOf.get(orderId) ?? []).toSorted(byCreationTime)
    const created = ownEvents.find(({ eventType }) => eventType === 'CREATED')
    const first = ownEvents[0]
    const begins = [
      ...ownCalls.slice(0, 1).map(({ began }) => began),
      ...ownEvents.flatMap(({ madeAt, handovers }) => madeAt ?? handovers[0]?.call.ended ?? []),
    ]
    const at =
      created?.madeAt ?? begins.reduce((earliest, each) => Math.min(earliest, each), Infinity)
    const seq = Math.min(ownCalls[0]?.seq ?? Infinity, first?.handovers[0]?.call.seq ?? Infinity)
    const place = created?.handovers[0]?.place ?? 0
    return {
      orderId,
      at: Number.isFinite(at) ? at : 0,
      seq,
      place,
      calls: ownCalls,
      events: ownEvents,
    }
  })
  drafts.sort((a, b) => compareMoments(a, b, hasExchangeTimes) || a.place - b.place)
  return drafts.map(({ orderId, at, seq, calls: ownCalls, events: ownEvents }, index) => {
    const answer = documents.get(orderId)
    const document = answer?.document ?? documentIn(ownEvents)
    return {
      slot: `o${index + 1}`,
      orderId,
      at,
      seq,
      document,
      documentFrom:
        answer?.from.recordId ?? (document && ownEvents[0]?.handovers[0]?.call.recordId),
      type: typeIn(document),
      calls: ownCalls,
      events: ownEvents,
      readings: readings.get(orderId) ?? [],
    }
  })
}

/** By creation time; events without one by their first handover. */
export const byCreationTime = (a: EventHistory, b: EventHistory): number =>
  (a.madeAt ?? 0) - (b.madeAt ?? 0) ||
  (a.handovers[0]?.call.seq ?? 0) - (b.handovers[0]?.call.seq ?? 0) ||
  (a.handovers[0]?.place ?? 0) - (b.handovers[0]?.place ?? 0)
