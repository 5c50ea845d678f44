/**
 * Indexes a recording by order: calls, events with their handovers and acknowledgments, status reads. Input of the
 * decision analysis; contains no guesses.
 */
import {
  acknowledgedEventIds,
  offeredEvents,
} from '../../core/rules/invariants/judge/carried-events.ts'
import { createExchangeObserver } from '../../core/rules/invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../../core/rules/invariants/judge/observations.ts'
import { orderIdOfExchange, valueAt } from '../../core/rules/invariants/tracking/exchange-fields.ts'
import { operation as rowOf, type OperationId } from '../../core/protocol/catalogue.ts'
import type { ProcessSignal } from '../../core/engine/session/commands.ts'
import { faultPort } from '../../core/faults/port.ts'
import type { Role } from '../../core/protocol/role.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { instantFromValue } from '../../core/traffic/date-time.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { createTimeAxis, type EventTimestamp, type TimeAxis } from './time-axis.ts'
import {
  compareMoments,
  type EventHistory,
  type OrderHistory,
  type RecordedCall,
  type StatusReading,
  byCreationTime,
  statusHistoryOf,
} from './order-history.ts'
import { targetStatusOf, triggerOf } from './calls.ts'
import type { PartnerDecisions } from '../../core/scenario/decision.ts'
import { type OrderType, orderTypes } from '../../core/protocol/orders/order.ts'

/** Builds the order histories of a recording, oldest first: slot, document, calls, events, status reads. */
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
function orderHistoriesOf(
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

export type RecordingHistory = ReturnType<typeof historyOf>

/** Role of the recorded service. */
export function recordedSubjectOf({ header, exchanges }: RecordingContent): Role | 'none' {
  const declared = header._rec.parties.find(({ party }) => party === 'subject')?.role
  if (declared) return declared
  for (const { from, to } of exchanges) {
    if (from.party === 'subject') return from.role
    if (to.party === 'subject') return to.role
    // Imported traffic may name the real partner; its peer is the service.
    if (to.party === 'partner' && from.party !== 'partner') return from.role
    if (from.party === 'partner' && to.party !== 'partner') return to.role
  }
  return 'none'
}

/** Name of a fault from `drop on ev(…)`. */
const faultName = (fault: string | undefined): string | undefined => fault?.split(/[\s:]/)[0]

/** Whether the process of the service was ended at it: not where it was answered by an error. */
export const isCrash = ({
  fault,
  reply,
  status = reply?.status ?? 0,
}: Partial<Pick<RecordedCall, 'fault' | 'status'>> & Pick<RecordedExchange, 'reply'>): boolean =>
  faultName(fault) === 'crash' && status < 300

export interface CrashOptions {
  readonly signal: ProcessSignal
  /** Until it is started again, in ms. */
  readonly down: number
}

/** How a fault of this text ends and starts the service. */
const crashesIn = (text: string): readonly CrashOptions[] => {
  const checked = faultPort.check(text)
  return (checked.ok ? checked.value : [])
    .filter(({ name }) => name === 'crash')
    .map(({ options: { signal, down } }) => ({
      signal: signal as ProcessSignal,
      down: Number(down),
    }))
}

const [defaultCrash = { signal: 'KILL', down: 0 } as const] = crashesIn('crash')

/** How the crashes of a recording end and start the service: as its faults say, where they say the same. */
export function crashOptionsOf({
  header,
  end,
}: Pick<RecordingContent, 'header' | 'end'>): CrashOptions {
  const crashes = (end?.faults ?? []).flatMap(({ text }) => crashesIn(text))
  const [{ signal, down } = header._rec.crash ?? defaultCrash] = crashes
  return crashes.every((each) => each.signal === signal && each.down === down)
    ? { signal, down }
    : defaultCrash
}

/** Signal and down time of the crashes; undefined where they are the defaults of the fault. */
export function customCrash(
  content: Pick<RecordingContent, 'header' | 'end'>,
): CrashOptions | undefined {
  const { signal, down } = crashOptionsOf(content)
  const isDefault = signal === defaultCrash.signal && down === defaultCrash.down
  return isDefault ? undefined : { signal, down }
}

/** Wire body of one event in an exchange. */
function bodyOf(observed: ObservedExchange, eventId: string): Readonly<Record<string, unknown>> {
  const body = observed.caller === 'subject' ? observed.responseJson() : observed.requestJson()
  const list: readonly unknown[] = Array.isArray(body) ? body : [body]
  const found = list.find((each) =>
    [valueAt(each, 'eventId'), valueAt(each, 'id')].includes(eventId),
  )
  return isUnknownRecord(found) ? found : {}
}

function addHandovers(
  call: RecordedCall,
  exchange: RecordedExchange,
  axis: TimeAxis,
  events: Map<string, EventHistory>,
): void {
  const { observed } = call
  const channel = observed.caller === 'subject' ? ('polling' as const) : ('webhook' as const)
  for (const [place, { eventId, eventType, orderId, createdAt }] of offeredEvents(
    observed,
  ).entries()) {
    // Of a body that was cut off, the id alone is known.
    if (eventType === '' && !events.has(eventId) && !observed.exchange.reply) continue
    const known = events.get(eventId)
    const made = instantFromValue(createdAt)
    const body = known ? {} : bodyOf(observed, eventId)
    const event: EventHistory = known ?? {
      eventId,
      eventType,
      orderId,
      madeAt: made === undefined ? undefined : axis.made(made, exchange),
      metadata: isUnknownRecord(body['metadata']) ? body['metadata'] : undefined,
      handovers: [],
      acknowledgments: [],
      isOfOrders: channel === 'polling' || call.operation === 'receiveOrderEvent',
    }
    if (!known) events.set(eventId, event)
    event.handovers.push({ call, place, channel })
  }
  for (const eventId of acknowledgedEventIds(observed))
    events.get(eventId)?.acknowledgments.push(call)
}

/** Creation times of events, for calibrating the time axis. */
function stampsIn(
  observedExchanges: readonly {
    readonly observed: ObservedExchange
    readonly exchange: RecordedExchange
  }[],
): readonly EventTimestamp[] {
  return observedExchanges.flatMap(({ observed, exchange: { seq } }) =>
    offeredEvents(observed).flatMap(({ createdAt }) => {
      const ms = instantFromValue(createdAt)
      return ms === undefined ? [] : [{ seq, createdAt: ms }]
    }),
  )
}

export function historyOf(content: RecordingContent) {
  // Observed from the Software Service for every subject: decisions about orders are visible in its traffic.
  const see = createExchangeObserver('software-service')
  const all = content.exchanges.flatMap((exchange) => {
    const began = exchange.startedAt
    const observed = see(exchange, { began, ended: began + exchange.tookMs })
    return observed ? [{ observed, exchange }] : []
  })
  const axis = createTimeAxis({
    exchanges: all.map(({ exchange }) => exchange),
    stamps: stampsIn(all),
    isSessionClock: content.header._rec.clock !== undefined,
  })
  const calls: RecordedCall[] = []
  const events = new Map<string, EventHistory>()
  for (const { observed, exchange } of all) {
    const { recordId, seq, from, to, failure, fault } = exchange
    const trigger = triggerOf(observed.operation)
    const call: RecordedCall = {
      recordId,
      seq,
      began: axis.began(exchange),
      ended: axis.ended(exchange),
      operation: observed.exchange.operation,
      from: from.role,
      to: to.role,
      trigger,
      target: trigger && targetStatusOf(trigger),
      orderId: orderIdOfExchange(observed),
      status: observed.status,
      ok: observed.ok,
      failure: failure?.code,
      fault: faultName(fault),
      observed,
    }
    calls.push(call)
    addHandovers(call, exchange, axis, events)
  }
  return {
    /** Role of the recorded service; `none`: we played every role. */
    subject: recordedSubjectOf(content),
    axis,
    orders: orderHistoriesOf(calls, [...events.values()], axis.hasExchangeTimes),
    /** All exchanges of the Software Service, by start time. */
    calls,
    events: [...events.values()],
    /** End of the last exchange, in ms. */
    endsAt: calls.reduce((latest, { ended }) => Math.max(latest, ended), 0),
  }
}

/** Whether an operation is a read, repeatable without effect. */
export const isReadOnly = (operation: OperationId | undefined): boolean =>
  operation === undefined || rowOf(operation).method === 'GET'

/** The channel by which events of orders were handed over; without any, polling for a service that polls. */
export function channelOf({ events, calls }: RecordingHistory): PartnerDecisions['channel'] {
  const own = events.filter(({ isOfOrders }) => isOfOrders).flatMap(({ handovers }) => handovers)
  const used = new Set(own.map(({ channel }) => channel))
  if (used.size > 1) return 'both'
  const [only] = used
  return (
    only ?? (calls.some(({ operation }) => operation === 'pollingEvents') ? 'polling' : 'webhook')
  )
}
