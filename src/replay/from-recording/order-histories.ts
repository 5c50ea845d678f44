/** Builds the order histories of a recording, oldest first: slot, document, calls, events, status reads. */
import { valueAt } from '../../core/rules/invariants/tracking/exchange-fields.ts'
import { type OrderType, orderTypes } from '../../core/protocol/orders/order.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import {
  compareMoments,
  type EventHistory,
  type OrderHistory,
  type RecordedCall,
  type StatusReading,
} from './order-history.ts'
import { byCreationTime, statusHistoryOf } from './status-history.ts'

function typeIn(document: unknown): OrderType | undefined {
  const type = valueAt(valueAt(document, 'fulfillment'), 'orderType')
  return orderTypes.find((each) => each === type)
}

/** Order document carried by CREATED, in or as its metadata. */
function documentIn(events: readonly EventHistory[]): Record<string, unknown> | undefined {
  const created = events.find(({ eventType }) => eventType === 'CREATED')
  const inside = created?.metadata?.['order'] ?? created?.metadata
  return isUnknownRecord(inside) && typeIn(inside) ? { ...inside } : undefined
}

/** The document of the first GET of an order, and the call that brought it. */
function documentRead(calls: readonly RecordedCall[]) {
  for (const call of calls) {
    const document = isOrderRead(call) ? call.observed.responseJson() : undefined
    if (isUnknownRecord(document)) return { document, from: call }
  }
  return undefined
}

const isOrderRead = ({ operation, ok }: RecordedCall): boolean => operation === 'getOrder' && ok

const readingsIn = (calls: readonly RecordedCall[]): readonly StatusReading[] =>
  calls.flatMap((call) => {
    const status = isOrderRead(call) ? call.observed.orderStatus : undefined
    return status ? [{ call, status }] : []
  })

/** Slots follow the order of the placements, as a scenario has to place them in turn. */
export function orderHistoriesOf(
  calls: readonly RecordedCall[],
  events: readonly EventHistory[],
  hasExchangeTimes: boolean,
): readonly OrderHistory[] {
  const callsOf = Map.groupBy(calls, ({ orderId }) => orderId)
  const eventsOf = Map.groupBy(events, ({ orderId }) => orderId)
  const drafts = [...new Set([...callsOf.keys(), ...eventsOf.keys()])].flatMap((orderId) => {
    if (orderId === undefined) return []
    const ownCalls = callsOf.get(orderId) ?? []
    const ownEvents = (eventsOf.get(orderId) ?? []).toSorted(byCreationTime)
    const answer = documentRead(ownCalls)
    // Ids that only failed calls mention are no orders.
    const isReal =
      answer !== undefined ||
      ownEvents.some(({ isOfOrders }) => isOfOrders) ||
      ownCalls.some(({ ok, to }) => ok && to === 'ordering-application')
    if (!isReal) return []
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
    const document = answer?.document ?? documentIn(ownEvents)
    const readings = readingsIn(ownCalls)
    return [
      {
        orderId,
        at: Number.isFinite(at) ? at : 0,
        seq,
        place,
        document,
        documentFrom: answer?.from.recordId ?? (document && first?.handovers[0]?.call.recordId),
        type: typeIn(document),
        calls: ownCalls,
        events: ownEvents,
        readings,
        stages: statusHistoryOf({ calls: ownCalls, events: ownEvents, readings }),
      },
    ]
  })
  drafts.sort((a, b) => compareMoments(a, b, hasExchangeTimes) || a.place - b.place)
  return drafts.map(({ place: _place, ...order }, index) => ({ slot: `o${index + 1}`, ...order }))
}
