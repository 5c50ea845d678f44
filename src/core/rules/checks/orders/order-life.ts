/** The life of each order at its Ordering Application, as reads, calls and events show it, and what of it no rule explains. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { setBounded } from '../../../engine/bounded.ts'
import { isOrderEventType, orderEvents } from '../../../protocol/orders/events.ts'
import { orderLifecycles, type OrderTrigger } from '../../../protocol/orders/lifecycle.ts'
import { OrderStatus, type OrderType } from '../../../protocol/orders/order.ts'
import type { Assertion, Fold } from '../check.ts'
import { bodyValue, type Deviation, isAcceptedCall, notice, observation } from '../assertion.ts'
import { eachMoment } from '../live.ts'
import {
  callsInStatus,
  Entities,
  EventArrivals,
  isCleanSuccess,
  isDecided,
  isRefusedCall,
  isSettled,
  precedes,
  type SettledCall,
  settlesMs,
  type ReadSpan,
  StatusLife,
} from '../status-life.ts'
import { emittedEvents, type Observed, type ObservedEvent } from '../trace.ts'
import { canFollow, isAtOrPast, orderPhrase, statusOf, typeOf } from './hosted-orders.ts'

interface OfOrder {
  /** Undefined when no read has shown it. */
  readonly type: OrderType | undefined
}
export interface OrderSpan extends ReadSpan<OrderStatus>, OfOrder {}
export interface OrderCall extends SettledCall<OrderStatus>, OfOrder {}

type Happening =
  | { readonly kind: 'span'; readonly span: OrderSpan }
  /** An event with one before it: of the same fact under another id, or another one under its id. */
  | {
      readonly kind: 'event'
      readonly event: ObservedEvent
      readonly first: ObservedEvent | undefined
      /** The call that leads to it was made more than once. */
      readonly isRepeated: boolean
    }
  /** An event, once the profile of its order is known. */
  | { readonly kind: 'typed'; readonly event: ObservedEvent }
  /** A read long after an event that projects a status. */
  | { readonly kind: 'compared'; readonly event: ObservedEvent; readonly read: Observed }
  /** A read that shows a lastEvent, with an event long before it that came after that one, where there is such an event. */
  | {
      readonly kind: 'last-event'
      readonly last: string
      readonly later: ObservedEvent | undefined
      readonly read: Observed
    }
  /** The first read of an order that an event has named. */
  | { readonly kind: 'named'; readonly event: ObservedEvent; readonly read: Observed }
  /** A change that must be announced, with its event or without it. */
  | {
      readonly kind: 'announced'
      readonly eventType: string
      readonly read: Observed
      readonly event: ObservedEvent | undefined
    }
  /** A request to cancel that was accepted, with its outcome or without it. */
  | {
      readonly kind: 'requested'
      readonly request: Observed
      readonly outcome: ObservedEvent | undefined
      /** What shows that the order has come to its end since. */
      readonly read: Observed | undefined
      /** It was granted, and is not cancelled. */
      readonly isUndone: boolean
    }
export type OrderMoment = OfOrder & Happening

const triggers: Readonly<Partial<Record<OperationId, OrderTrigger>>> = {
  confirmOrder: 'confirm',
  setOrderPreparing: 'preparing',
  setOrderReadyForPickup: 'ready-for-pickup',
  dispatchOrder: 'dispatch',
  setOrderDelivered: 'delivered',
  requestCancellation: 'cancel',
}

const projected = (eventType = ''): OrderStatus | undefined =>
  isOrderEventType(eventType) ? orderEvents[eventType].projects : undefined

const outcomes = ['CANCELLATION_REQUEST_ACCEPTED', 'CANCELLATION_REQUEST_DENIED', 'CANCELLED']

const maxEvents = 60
/** How long a decision about a request may take before its absence is worth a word, in session time. */
const decisionMs = 120_000

interface Awaited {
  readonly read: Observed
  /** The read before it: events that were lost since may have been it. */
  readonly since: Observed
}

class OrderLife {
  readonly #status = new StatusLife<OrderStatus>()
  readonly #channel: EventArrivals
  /** First arrivals by their id and type. */
  readonly #events = new Map<string, ObservedEvent>()
  readonly #calls = new Map<OperationId, number>()
  readonly #awaited = new Map<string, Awaited>()
  #type: OrderType | undefined
  #isRead = false
  #request: Observed | undefined
  #granted: ObservedEvent | undefined

  constructor(channel: EventArrivals) {
    this.#channel = channel
  }

  call(call: Observed, operation: OperationId): readonly OrderMoment[] {
    this.#calls.set(operation, (this.#calls.get(operation) ?? 0) + 1)
    this.#status.call(call)
    if (operation === 'requestCancellation' && isCleanSuccess(call) && !this.#request) {
      this.#request = call
      this.#granted = undefined
    }
    return this.#overdue(call)
  }

  read(read: Observed): readonly OrderMoment[] {
    const named = this.#isRead ? undefined : this.#events.values().next().value
    const isNamed = named !== undefined && precedes(named.observed, read)
    const type = this.#type
    const first: readonly OrderMoment[] =
      isNamed && (read.status === 404 || read.status === 200)
        ? [{ kind: 'named', event: named, read, type }]
        : []
    const status = OrderStatus.safeParse(read.status === 200 ? statusOf(read) : undefined)
    if (!status.success) return first
    this.#isRead = true
    this.#type ??= typeOf(read)
    const typed =
      type === undefined && this.#type !== undefined
        ? [...this.#events.values()].map((event) => ({ kind: 'typed', event }) as const)
        : []
    const compared = this.#lastProjecting(read)
    const last = bodyValue(read.reply, '/lastEvent')
    const span = this.#status.read(read, status.data)
    if (span && span.from !== span.to) this.#await(span)
    return [
      ...first,
      ...this.#ofType([
        ...typed,
        ...(compared ? [{ kind: 'compared', event: compared, read } as const] : []),
        ...(typeof last === 'string'
          ? [{ kind: 'last-event', last, later: this.#laterThan(last, read), read } as const]
          : []),
        ...(span ? [{ kind: 'span', span: { ...span, type: this.#type } } as const] : []),
      ]),
      ...this.#overdue(read, status.data),
    ]
  }

  event(event: ObservedEvent): readonly OrderMoment[] {
    const { eventId, eventType = '', observed } = event
    const key = `${eventId ?? this.#events.size} ${eventType}`
    const isNew = eventId === undefined || !this.#events.has(key)
    const first = this.#channel.underSameId(event) ?? (isNew ? this.#sameFact(event) : undefined)
    if (isNew) setBounded(this.#events, key, event, maxEvents)
    const awaited = this.#awaited.get(eventType)
    this.#awaited.delete(eventType)
    const request = outcomes.includes(eventType) ? this.#request : undefined
    if (request) this.#request = undefined
    if (eventType === 'CANCELLATION_REQUEST_ACCEPTED') this.#granted ??= event
    if (eventType === 'CANCELLED') this.#granted = undefined
    const status = projected(eventType)
    const causes = Object.entries(triggers).flatMap(([operation, trigger]) =>
      orderLifecycles.strict.transitions.some((row) => row.trigger === trigger && row.to === status)
        ? (this.#calls.get(operation as OperationId) ?? 0)
        : 0,
    )
    return this.#ofType([
      { kind: 'event', event, first, isRepeated: causes.some((count) => count > 1) },
      ...(isNew && this.#type ? [{ kind: 'typed', event } as const] : []),
      ...(awaited ? [{ kind: 'announced', eventType, read: awaited.read, event } as const] : []),
      ...(request
        ? [
            {
              kind: 'requested',
              request,
              outcome: event,
              read: undefined,
              isUndone: false,
            } as const,
          ]
        : []),
      ...this.#overdue(observed),
    ])
  }

  #ofType(moments: readonly Happening[]): readonly OrderMoment[] {
    return moments.map((moment) => ({ ...moment, type: this.#type }))
  }

  /** Another event of what happens once in the life of an order. */
  #sameFact({ eventType, eventId }: ObservedEvent): ObservedEvent | undefined {
    if (projected(eventType) === undefined) return undefined
    return [...this.#events.values()].find(
      (each) => each.eventType === eventType && each.eventId !== eventId,
    )
  }

  /** An event of a status that the one of the other type precedes, if none of that type has come since. */
  #laterThan(eventType: string, read: Observed): ObservedEvent | undefined {
    const status = projected(eventType)
    const since = [...this.#events.values()]
    const at = since.findLastIndex((event) => event.eventType === eventType)
    return this.#settledBy(read, since.slice(at + 1)).find((event) => {
      const later = projected(event.eventType)
      return status && later && !isAtOrPast(status, later, this.#type)
    })
  }

  #settledBy(read: Observed, events: Iterable<ObservedEvent>): readonly ObservedEvent[] {
    return [...events].filter(
      ({ eventType, observed }) => projected(eventType) !== undefined && isSettled(observed, read),
    )
  }

  #lastProjecting(read: Observed): ObservedEvent | undefined {
    const settled = this.#settledBy(read, this.#events.values())
    const isBehind = ({ eventType }: ObservedEvent) => {
      const status = projected(eventType)
      return status !== undefined && !isAtOrPast(statusOf(read), status, this.#type)
    }
    return settled.find(isBehind) ?? settled.at(-1)
  }

  /** The events without which this change must not be. */
  #await({ before, after, to }: ReadSpan<OrderStatus>): void {
    const type = this.#type
    if (!type) return
    for (const [eventType, { projects, obligation }] of Object.entries(orderEvents)) {
      const hasCome = [...this.#events.values()].some((event) => event.eventType === eventType)
      if (projects === to && obligation[type] === 'MUST' && !hasCome)
        this.#awaited.set(eventType, { read: after, since: before })
    }
  }

  /** What has not come by a message long after. */
  #overdue(by: Observed, shown?: OrderStatus): readonly OrderMoment[] {
    if (by.exchange.fault !== undefined) return []
    const found: Happening[] = []
    for (const [eventType, { read, since }] of this.#awaited) {
      if (this.#channel.mayLack(since)) {
        this.#awaited.delete(eventType)
        continue
      }
      if (!isSettled(read, by) || !this.#channel.isSound(read)) continue
      this.#awaited.delete(eventType)
      found.push({ kind: 'announced', eventType, read, event: undefined })
    }
    const [request, granted] = [this.#request, this.#granted]
    const isOver = shown === 'DELIVERED' || shown === 'CONCLUDED' || shown === 'CANCELLED'
    const isDue = request && isSettled(request, by, isOver ? settlesMs : decisionMs)
    if (request && isDue && this.#channel.isSound(request)) {
      this.#request = undefined
      const read = isOver ? by : undefined
      found.push({ kind: 'requested', request, outcome: undefined, read, isUndone: false })
    }
    if (
      granted &&
      shown &&
      !['CANCELLED', 'CONCLUDED'].includes(shown) &&
      isSettled(granted.observed, by)
    ) {
      this.#granted = undefined
      const { observed } = granted
      found.push({
        kind: 'requested',
        request: observed,
        outcome: granted,
        read: by,
        isUndone: true,
      })
    }
    return this.#ofType(found)
  }
}

class Orders {
  readonly #channel = new EventArrivals()
  readonly #lives = new Entities(() => new OrderLife(this.#channel))

  take(observed: Observed): readonly OrderMoment[] {
    const { operation, isCall, exchange } = observed
    const isEvents = operation === 'receiveOrderEvent' || operation === 'pollingEvents'
    this.#channel.take(observed, isEvents)
    if (isEvents)
      return isCall === (operation === 'receiveOrderEvent') ? this.#events(observed) : []
    const { orderId } = exchange
    if (isCall || operation === undefined || orderId === undefined) return []
    if (operation === 'getOrder')
      return exchange.fault === undefined ? this.#lives.of(orderId).read(observed) : []
    return triggers[operation] || operation === 'cancelOrderItem'
      ? this.#lives.of(orderId).call(observed, operation)
      : []
  }

  #events(observed: Observed): readonly OrderMoment[] {
    const isHeard = observed.exchange.fault === undefined && observed.status !== 0
    return (isHeard ? emittedEvents([observed]) : []).flatMap((event) =>
      event.orderId === undefined ? [] : this.#lives.of(event.orderId).event(event),
    )
  }
}

const orders: Fold<OrderMoment> = { begin: () => new Orders() }

/** What happened to each order, moment by moment. */
export const ofOrders = (
  judge: (moment: OrderMoment) => Iterable<ReturnType<typeof observation>>,
): Assertion => eachMoment(orders, judge)

/** Two reads of an order. */
export const eachOrderSpan = (
  test: (span: OrderSpan) => Deviation,
  applies: (span: OrderSpan) => boolean,
): Assertion =>
  ofOrders(function* (moment) {
    if (moment.kind === 'span' && applies(moment.span)) {
      const { before, calls, after } = moment.span
      yield observation([before, ...calls, after], test(moment.span))
    }
  })

/** Changes of status that the lifecycle does not have, by what they begin or end with. */
export const orderChanges = (applies: (from: OrderStatus, to: OrderStatus) => boolean): Assertion =>
  eachOrderSpan(
    ({ from, to, type }) =>
      from !== to &&
      !canFollow(to, from, type) &&
      `it moved ${orderPhrase({ type })} from ${from} to ${to}`,
    ({ from, to }) => applies(from, to),
  )

/** A call in a status that the reads before and after it show. */
const eachOrderCall = (
  test: (call: OrderCall) => Deviation,
  applies: (call: OrderCall) => boolean,
): Assertion =>
  ofOrders(function* (moment) {
    if (moment.kind !== 'span') return
    const { type } = moment
    for (const settled of callsInStatus(moment.span))
      if (isDecided(settled.call) && applies({ ...settled, type }))
        yield observation([settled.before, settled.call, settled.after], test({ ...settled, type }))
  })

/** What the lifecycle has for a call in its status; nothing where the profile is not known. */
function stepOf({ call, from, type }: OrderCall) {
  const trigger = call.operation && triggers[call.operation]
  return trigger && type && orderLifecycles.strict.step(from, trigger, type)
}

const callPhrase = ({ call, from, type }: OrderCall): string =>
  `it answered ${call.operation} for ${orderPhrase({ type })} in ${from} with ${call.status}`

/** A call that the status allows is accepted. Whether delivered may skip IN_DELIVERY is not stated for DELIVERY. */
export const orderCallIsTaken = (operation: OperationId): Assertion =>
  eachOrderCall(
    (settled) =>
      isRefusedCall(settled.call) &&
      settled.call.status !== 422 &&
      `${callPhrase(settled)}, not 202`,
    (settled) =>
      settled.call.operation === operation &&
      stepOf(settled)?.kind === 'moves' &&
      !(
        operation === 'setOrderDelivered' &&
        settled.from === 'READY' &&
        settled.type === 'DELIVERY'
      ),
  )

export const orderRepeatIsTaken = eachOrderCall(
  (settled) =>
    isRefusedCall(settled.call) && `${callPhrase(settled)}, which it has reached already`,
  (settled) =>
    settled.call.operation !== 'requestCancellation' && stepOf(settled)?.kind === 'applied',
)

/** A call that the status or the profile does not allow: the answer is not stated, that it moves nothing is. */
export const impossibleOrderCalls = ofOrders(function* (moment) {
  if (moment.kind !== 'span') return
  const { span, type } = moment
  const [call, more] = span.calls
  const step = call && stepOf({ ...span, call, type })
  if (!call || more || !span.isWhole || step?.kind !== 'refused' || !isDecided(call)) return
  if (call.operation === 'requestCancellation') return
  const target = orderLifecycles.strict.transitions.find(
    ({ trigger }) => call.operation && trigger === triggers[call.operation],
  )?.to
  const what = `${call.operation} for ${orderPhrase({ type })} in ${span.from}`
  yield observation(
    [span.before, call, span.after],
    span.to === target
      ? `with ${what} the order became ${span.to}`
      : isAcceptedCall(call)
        ? notice(`it answered ${what} with ${call.status}, not 409 or 422`)
        : undefined,
  )
})

/** Types of events that the profile forbids. */
export const noForbiddenEvents = ofOrders(function* (moment) {
  if (moment.kind !== 'typed') return
  const { type, event } = moment
  const { eventType = '', observed } = event
  if (!type || type === 'DELIVERY' || !isOrderEventType(eventType)) return
  yield observation(
    [observed],
    orderEvents[eventType].obligation[type] === 'MUST NOT' &&
      `it emitted ${eventType} of ${orderPhrase({ type })}`,
  )
})

/** A read long after an event shows what it has said, or what follows it. */
export const readsFollowEvents = ofOrders(function* (moment) {
  if (moment.kind !== 'compared') return
  const { event, read, type } = moment
  const status = projected(event.eventType)
  if (status !== undefined)
    yield observation(
      [event.observed, read],
      !isAtOrPast(statusOf(read), status, type) &&
        `after ${event.eventType} its GET shows ${orderPhrase({ type })} as ${String(statusOf(read))}`,
    )
})

/** A read long after an event shows no lastEvent that came before it. */
export const lastEventsFollow = ofOrders(function* (moment) {
  if (moment.kind !== 'last-event') return
  const { last, later, read } = moment
  yield observation(
    [...(later ? [later.observed] : []), read],
    later && `its lastEvent is ${last} after ${later.eventType}`,
  )
})

/** The order of an event can be read, from CREATED on. */
export const namedOrdersAreShown = (isCreated: boolean): Assertion =>
  ofOrders(function* (moment) {
    if (moment.kind !== 'named' || (moment.event.eventType === 'CREATED') !== isCreated) return
    const { event, read } = moment
    yield observation(
      [event.observed, read],
      read.status === 404 && `it answered 404 to a read of an order that ${event.eventType} names`,
    )
  })

/** A change that was read is announced. */
export const changeIsAnnounced = (eventType: string): Assertion =>
  ofOrders(function* (moment) {
    if (moment.kind !== 'announced' || moment.eventType !== eventType) return
    const { read, event, type } = moment
    yield observation(
      [read, ...(event ? [event.observed] : [])],
      !event &&
        `it emitted no ${eventType} event of ${orderPhrase({ type })} that became ${String(statusOf(read))}`,
    )
  })

/** A request that was accepted has an outcome by the end of the order. */
export const requestsAreDecided = ofOrders(function* (moment) {
  if (moment.kind !== 'requested' || moment.isUndone) return
  const { request, outcome, read } = moment
  const text = `it accepted a request to cancel ${orderPhrase(moment)}, and emitted no ACCEPTED, DENIED or CANCELLED`
  yield observation(
    [request, ...(outcome ? [outcome.observed] : []), ...(read ? [read] : [])],
    outcome ? undefined : read ? text : notice(`${text} within two minutes`),
  )
})

/** A request that was granted ends in CANCELLED. */
export const grantedIsCancelled = ofOrders(function* (moment) {
  if (moment.kind !== 'requested' || !moment.isUndone || !moment.read) return
  const { request, read } = moment
  yield observation(
    [request, read],
    `it emitted CANCELLATION_REQUEST_ACCEPTED of ${orderPhrase(moment)}, which GET shows as ${String(statusOf(read))}`,
  )
})
