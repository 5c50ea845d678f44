/**
 * Detects handover anomalies and maps them to faults of the catalogue: duplicate, repeated after acknowledgment, late,
 * out of order, dropped.
 */
import { orderLifecycle } from '../../core/protocol/orders/lifecycle.ts'
import { orderEvents, isOrderEventType } from '../../core/protocol/orders/events.ts'
import type { OrderStatus } from '../../core/protocol/orders/order.ts'
import type { Anomaly, RecordedFaultSpec } from '../../core/scenario/decision.ts'
import { revealingEvents } from '../../core/engine/faults/distort-plan.ts'
import { channelOf, type RecordingHistory } from './history.ts'
import {
  statusRankOf,
  type EventHistory,
  type RecordedHandover,
  type OrderHistory,
} from './order-history.ts'
import { roundDelay } from './time-axis.ts'

/** Polls without the event before it counts as late. */
const pollsPassed = 2
/** Delay before a handover counts as late, in ms, and on a fast clock as a multiple of its resolution. */
const lateMs = 2000
const lateSteps = 15
/** Two webhooks of one event within this time, in ms, are back to back. */
const backToBackMs = 1000

/**
 * Reversed batches (and no other) from which a general `batch` fault is derived; fewer become faults of single events.
 */
const minReversed = 3

/** The most handovers that `duplicate` and `flood` take. */
const maxDuplicates = 10
const maxFlood = 2000

const byWireOrder = (a: RecordedHandover, b: RecordedHandover): number =>
  a.call.seq - b.call.seq || a.place - b.place

interface EventContext {
  readonly event: EventHistory
  readonly order: OrderHistory
  readonly history: RecordingHistory
}

/** Fault selector of an event: type, order, 1-based index among several, channel where both are used. */
function selectorOf(
  { event, order, history }: EventContext,
  channel?: RecordedHandover['channel'],
) {
  const same = order.events.filter(
    ({ eventType, isOfOrders }) => eventType === event.eventType && isOfOrders === event.isOfOrders,
  )
  const channels = new Set(
    history.events.flatMap(({ handovers }) => handovers.map((h) => h.channel)),
  )
  return {
    event: event.eventType,
    order: order.slot,
    ...(same.length > 1 ? { nth: same.indexOf(event) + 1 } : {}),
    ...(channels.size > 1 && channel ? { channel } : {}),
  }
}

const anomaly = (spec: RecordedFaultSpec, handovers: readonly RecordedHandover[]): Anomaly => ({
  spec,
  recordIds: [...new Set(handovers.map(({ call }) => call.recordId))],
})

/** The acknowledgment before a repeated handover, if any. */
const acknowledgmentBefore = ({ acknowledgments }: EventHistory, { call }: RecordedHandover) =>
  acknowledgments.find(({ seq, ended }) => seq < call.seq && ended <= call.began)

/** Whether a webhook is sent while an earlier one of the same event is under way: that is no retry. */
const overlapsEarlier = (own: readonly RecordedHandover[], { call, channel }: RecordedHandover) =>
  channel === 'webhook' &&
  own.some((other) => other.call.seq < call.seq && other.call.ended > call.began)

/** Number of consecutive polls that repeated an acknowledged event. */
function repeatedPolls(
  { history: { calls } }: EventContext,
  again: RecordedHandover,
  own: readonly RecordedHandover[],
): number {
  if (again.channel !== 'polling') return 0
  const polls = calls.filter(
    ({ operation, ok, seq }) => operation === 'pollingEvents' && ok && seq >= again.call.seq,
  )
  const last = polls.findIndex(
    ({ recordId }) => !own.some(({ call }) => call.recordId === recordId),
  )
  return last < 0 ? polls.length : last
}

/** Condition of the late duplicate: after `k` later events of the order, or after the acknowledgment. */
function lateCondition(
  { event, order }: EventContext,
  first: RecordedHandover,
  second: RecordedHandover,
) {
  const between = order.events.filter(
    (other) =>
      other !== event &&
      other.isOfOrders === event.isOfOrders &&
      other.handovers.some(
        (each) =>
          each.channel === first.channel &&
          byWireOrder(first, each) < 0 &&
          byWireOrder(each, second) < 0,
      ),
  ).length
  return between === 0
    ? { when: 'acknowledged' as const }
    : { when: 'later-events' as const, k: Math.min(100, between) }
}

/** The fault of an event that was handed over several times at once. */
function handedOverAtOnce(
  anchor: ReturnType<typeof selectorOf>,
  handovers: readonly RecordedHandover[],
): RecordedFaultSpec {
  const times = handovers.length
  const [first, last] = [handovers[0]?.call.began ?? 0, handovers.at(-1)?.call.began ?? 0]
  if (times > maxDuplicates)
    return {
      flood: {
        ...anchor,
        times: Math.min(maxFlood, times),
        within: Math.round(last - first),
      },
    }
  return { duplicate: { ...anchor, ...(times > 2 ? { times } : {}) } }
}

/** Repeated handovers on one channel beyond conformant retries of unacknowledged events. */
function repetition(context: EventContext, own: readonly RecordedHandover[]): Anomaly | undefined {
  const { event } = context
  const [first] = own
  if (!first) return undefined
  const anchor = selectorOf(context, first.channel)
  const sameBatch = own.filter(({ call }) => call.recordId === first.call.recordId)
  if (sameBatch.length > 1) return anomaly(handedOverAtOnce(anchor, sameBatch), sameBatch)
  const again = own.filter(
    (each) =>
      each !== first &&
      (acknowledgmentBefore(event, each) !== undefined || overlapsEarlier(own, each)),
  )
  const [second] = again
  if (!second) return undefined
  // A lost answer causes a repeated push; that anomaly belongs to the answer.
  if (own.some(({ call }) => call.fault !== undefined && !call.ok && call.status < 400))
    return undefined
  const polls = repeatedPolls(context, second, own)
  if (polls > 1) return anomaly({ 'ack-lag': { ...anchor, polls: Math.min(100, polls) } }, again)
  const isAtOnce =
    first.channel === 'webhook' && second.call.began - first.call.ended <= backToBackMs
  return anomaly(
    isAtOnce
      ? handedOverAtOnce(anchor, [first, ...again])
      : { 'duplicate-late': { ...anchor, ...lateCondition(context, first, second) } },
    [first, ...again],
  )
}

/** Later events of the order whose first handover was earlier. */
function overtakenBy(
  { event, order }: EventContext,
  first: RecordedHandover,
): readonly EventHistory[] {
  const { madeAt } = event
  if (madeAt === undefined) return []
  return order.events.filter(
    (other) =>
      other !== event &&
      other.isOfOrders === event.isOfOrders &&
      other.madeAt !== undefined &&
      other.madeAt > madeAt &&
      other.handovers[0] !== undefined &&
      other.handovers[0].channel === first.channel &&
      byWireOrder(other.handovers[0], first) < 0,
  )
}

/** Number of polls that did not return an event that existed. */
const passedBy = (
  { history: { calls } }: EventContext,
  madeAt: number,
  first: RecordedHandover,
): number =>
  calls.filter(
    ({ operation, ok, began, seq }) =>
      operation === 'pollingEvents' && ok && began >= madeAt && seq < first.call.seq,
  ).length

function lateness(context: EventContext, first: RecordedHandover): Anomaly | undefined {
  const { event, history } = context
  const { madeAt } = event
  if (madeAt === undefined || !history.axis.hasExchangeTimes) return undefined
  const { resolutionMs } = history.axis
  const late = first.call.began - madeAt
  if (late <= Math.max(lateMs, lateSteps * resolutionMs)) return undefined
  if (first.channel === 'polling' && passedBy(context, madeAt, first) < pollsPassed)
    return undefined
  // The event existed for some time before the poll that returned it.
  const rounded = roundDelay(late, Math.max(50, resolutionMs))
  const by = Math.max(1000, rounded - (first.channel === 'polling' ? 500 : 0))
  return anomaly({ delay: { ...selectorOf(context, first.channel), by } }, [first])
}

function timeliness(context: EventContext, first: RecordedHandover): Anomaly | undefined {
  const later = overtakenBy(context, first)
  if (later.length === 0) return lateness(context, first)
  const k = Math.min(100, later.length)
  const handovers = later.flatMap(({ handovers: [each] }) => each ?? [])
  return anomaly({ reorder: { ...selectorOf(context, first.channel), ...(k > 1 ? { k } : {}) } }, [
    first,
    ...handovers,
  ])
}

function ofEvent(context: EventContext): readonly Anomaly[] {
  const { event } = context
  const found: Anomaly[] = []
  for (const channel of ['polling', 'webhook'] as const) {
    const own = event.handovers.filter((each) => each.channel === channel).toSorted(byWireOrder)
    const [first] = own
    if (!first) continue
    const again = repetition(context, own)
    const placed = timeliness(context, first)
    if (again) found.push(again)
    if (placed) found.push(placed)
  }
  return found
}

/** The event that announces a status, where the order type has one. */
function announcing(status: OrderStatus, { type = 'DELIVERY' }: OrderHistory): string | undefined {
  const row = orderLifecycle.find(
    ({ to, profiles }) => to === status && (profiles === undefined || profiles.includes(type)),
  )
  const emits = status === 'CREATED' ? 'CREATED' : row?.emits
  return emits && isOrderEventType(emits) && orderEvents[emits].obligation[type] !== 'MUST NOT'
    ? emits
    : undefined
}

/** Known statuses that no event announced: dropped events. */
function droppedEvents(one: OrderHistory): readonly Anomaly[] {
  const { stages } = one
  const last = stages.at(-1)
  return stages.flatMap((stage): readonly Anomaly[] => {
    const { status, reading } = stage
    if (stage.event || !reading) return []
    const event = announcing(status, one)
    if (!event) return []
    // The recording may end just before the event came.
    const isLast = stage === last && one.calls.at(-1)?.recordId === reading.recordId
    if (isLast && statusRankOf(status) < statusRankOf('DELIVERED')) return []
    const even = status === 'CREATED' ? { even: 'revealing' } : {}
    return [{ spec: { drop: { event, order: one.slot, ...even } }, recordIds: [reading.recordId] }]
  })
}

/** Whether a channel had the time to carry an event: to push it, or to answer a poll. */
function hadTimeFor(
  channel: RecordedHandover['channel'],
  { event: { madeAt }, history }: EventContext,
): boolean {
  if (madeAt === undefined || !history.axis.hasExchangeTimes) return false
  if (channel === 'webhook') return history.endsAt > madeAt + lateMs
  return history.calls.some(
    ({ operation, ok, began }) => operation === 'pollingEvents' && ok && began > madeAt,
  )
}

/**
 * Events of a partner that uses both channels, each event by one of them: dropped on the other. A type that goes by one
 * channel throughout is one fault.
 */
function channelAnomalies(history: RecordingHistory): readonly Anomaly[] {
  if (channelOf(history) !== 'both') return []
  const own = history.orders.flatMap((order) =>
    order.events.flatMap((event) =>
      event.isOfOrders ? [{ event, order, history, type: event.eventType }] : [],
    ),
  )
  return (['polling', 'webhook'] as const).flatMap((channel) => {
    const other = channel === 'polling' ? 'webhook' : 'polling'
    const isWithout = ({ event: { handovers } }: EventContext): boolean =>
      handovers.every((each) => each.channel === other)
    const without = own.filter((each) => isWithout(each) && hadTimeFor(channel, each))
    return [...Map.groupBy(without, ({ type }) => type)].flatMap(([type, some]) => {
      const even = revealingEvents.has(type) ? { even: 'revealing' } : {}
      const handoversOf = ({ event }: EventContext) => event.handovers
      if (own.every((each) => each.type !== type || isWithout(each)))
        return anomaly({ drop: { event: type, channel, ...even } }, some.flatMap(handoversOf))
      return some.map((each) =>
        anomaly({ drop: { ...selectorOf(each, other), channel, ...even } }, handoversOf(each)),
      )
    })
  })
}

/** Poll batches whose events are in reverse order. */
function reversedBatches({ calls, events }: RecordingHistory): {
  readonly all: boolean
  readonly ids: string[]
} {
  const ids: string[] = []
  let several = 0
  const all = events.flatMap(({ madeAt = 0, handovers }) =>
    handovers.map(({ call: { recordId }, place }) => ({ recordId, place, madeAt })),
  )
  const batches = Map.groupBy(all, ({ recordId }) => recordId)
  for (const { recordId, operation } of calls) {
    if (operation !== 'pollingEvents') continue
    const inside = (batches.get(recordId) ?? []).toSorted((a, b) => a.place - b.place)
    const distinct = new Set(inside.map(({ madeAt }) => madeAt)).size
    if (distinct < 2) continue
    several++
    if (inside.every(({ madeAt }, at) => at === 0 || madeAt <= (inside[at - 1]?.madeAt ?? 0)))
      ids.push(recordId)
  }
  return { all: ids.length >= minReversed && ids.length === several, ids }
}

export function handoverAnomalies(history: RecordingHistory): readonly Anomaly[] {
  const backwards = reversedBatches(history)
  const found: Anomaly[] = [
    ...(backwards.all ? [{ spec: { batch: { as: 'reverse' } }, recordIds: backwards.ids }] : []),
    ...channelAnomalies(history),
  ]
  for (const one of history.orders) {
    for (const event of one.events) {
      const all = ofEvent({ event, order: one, history })
      found.push(...(backwards.all ? all.filter(({ spec }) => !('reorder' in spec)) : all))
    }
    found.push(...droppedEvents(one))
  }
  return found
}
