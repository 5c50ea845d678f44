/** What a trace shows of each order of an Ordering Application: reads, calls and events. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { orderLifecycles } from '../../../protocol/orders/lifecycle.ts'
import { OrderStatus, type OrderType, orderTypes } from '../../../protocol/orders/order.ts'
import { bodyValue, type Selection, valuesAt, where } from '../assertion.ts'
import type { Observed, ObservedEvent, Trace } from '../trace.ts'

/** What checks of Orders at an Ordering Application share. */
export const orderHost = { roles: ['ordering-application'], needs: ['orders'] } as const

export interface HostedOrder {
  readonly orderId: string
  /** Undefined when no read shows it. */
  readonly type: OrderType | undefined
  /** Successful reads by a procedure, one after the other. */
  readonly reads: readonly Observed[]
  /** Calls that ask for a change of the order. */
  readonly calls: readonly Observed[]
  /** Events of the order; one that is handed over again is another one. */
  readonly events: readonly ObservedEvent[]
}

/** The calls that take a DELIVERY order to its end, in their order. */
export const lifecycleCalls = [
  'confirmOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
] as const satisfies readonly OperationId[]

const changingCalls: readonly OperationId[] = [
  ...lifecycleCalls,
  'requestCancellation',
  'cancelOrderItem',
]

/** The status that a read shows. */
export const statusOf = ({ reply }: Observed): unknown => bodyValue(reply, '/status')

/** The profile that a read shows. */
export const typeOf = ({ reply }: Observed): OrderType | undefined =>
  orderTypes.find((type) => type === bodyValue(reply, '/fulfillment/orderType'))

export const seqNumber = ({ exchange }: Observed): number => exchange.seq

/** The lifecycle of V2, for which alone these checks are: a service of V1 has a catalogue of its own. */
const { transitionsFrom } = orderLifecycles.strict

/** The statuses that can follow this one by any number of transitions, without itself. */
function statusesAfter(from: OrderStatus, type: OrderType): ReadonlySet<OrderStatus> {
  const found = new Set<OrderStatus>()
  const open = [from]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const { to } of transitionsFrom(at, type))
      if (!found.has(to)) {
        found.add(to)
        open.push(to)
      }
  return found
}

/** Whether a status can follow another one, in one profile or, where it is not known, in any. */
export function canFollow(status: unknown, from: unknown, type: OrderType | undefined): boolean {
  const later = OrderStatus.safeParse(status)
  const earlier = OrderStatus.safeParse(from)
  if (!later.success || !earlier.success) return false
  return (type ? [type] : orderTypes).some((each) =>
    statusesAfter(earlier.data, each).has(later.data),
  )
}

/** Whether one transition leads from a status to another one. */
export function isTransition(from: unknown, to: OrderStatus, type: OrderType | undefined): boolean {
  const status = OrderStatus.safeParse(from)
  return (
    status.success &&
    (type ? [type] : orderTypes).some((each) =>
      transitionsFrom(status.data, each).some((row) => row.to === to),
    )
  )
}

/** Whether a status is another one, or one that can follow it. */
export const isAtOrPast = (
  status: unknown,
  target: OrderStatus,
  type: OrderType | undefined,
): boolean => status === target || canFollow(status, target, type)

function historyOf(
  orderId: string,
  exchanges: readonly Observed[],
  events: readonly ObservedEvent[],
): HostedOrder {
  const reads = exchanges.filter(
    (each) => each.operation === 'getOrder' && each.step !== undefined && each.status === 200,
  )
  return {
    orderId,
    type: reads.map(typeOf).find((type) => type !== undefined),
    reads,
    calls: exchanges.filter(
      ({ operation, isCall }) =>
        !isCall && operation !== undefined && changingCalls.includes(operation),
    ),
    events,
  }
}

/** Events of Orders that the service has handed over; a repetition is another one. */
export const orderEventsOf = (trace: Trace): readonly ObservedEvent[] =>
  trace
    .emitted()
    .filter(
      ({ observed: { operation } }) =>
        operation === 'receiveOrderEvent' || operation === 'pollingEvents',
    )

const known = new WeakMap<Trace, readonly HostedOrder[]>()

/** The orders that events announce, or that were read. */
export function hostedOrders(trace: Trace): readonly HostedOrder[] {
  const found = known.get(trace)
  if (found) return found
  const events = Map.groupBy(orderEventsOf(trace), ({ orderId }) => orderId)
  const exchanges = Map.groupBy(trace.answers(), ({ exchange }) => exchange.orderId)
  const ids = new Set([...events.keys(), ...exchanges.keys()])
  const histories = [...ids].flatMap((orderId) =>
    orderId === undefined
      ? []
      : [historyOf(orderId, exchanges.get(orderId) ?? [], events.get(orderId) ?? [])],
  )
  const result = histories.filter(({ reads, events: own }) => reads.length > 0 || own.length > 0)
  known.set(trace, result)
  return result
}

/** The first arrival of each event of an order, of these types if any are listed. */
export function distinctEvents(
  { events }: Pick<HostedOrder, 'events'>,
  ...types: readonly string[]
): readonly ObservedEvent[] {
  const observed = new Set<string | undefined>()
  return events.filter(({ eventId, eventType = '' }) => {
    if (types.length > 0 && !types.includes(eventType)) return false
    if (observed.has(eventId)) return false
    observed.add(eventId)
    return true
  })
}

/** The last read before an exchange, and the first after it. */
export const readBefore = (
  { reads }: Pick<HostedOrder, 'reads'>,
  { exchange }: Observed,
): Observed | undefined => reads.findLast((read) => seqNumber(read) < exchange.seq)

export const readsAfter = (
  { reads }: Pick<HostedOrder, 'reads'>,
  { exchange }: Observed,
): readonly Observed[] => reads.filter((read) => seqNumber(read) > exchange.seq)

/** How an order is named in a problem: problems of orders alike are one. */
export const orderPhrase = ({ type }: Pick<HostedOrder, 'type'>): string =>
  type === undefined ? 'an order' : type === 'INDOOR' ? 'an INDOOR order' : `a ${type} order`

/** The occasions of all orders. */
export const eachOrder = <Found>(
  find: (history: HostedOrder, trace: Trace) => Iterable<Found>,
): ((trace: Trace) => Iterable<Found>) =>
  function* (trace) {
    for (const history of hostedOrders(trace)) yield* find(history, trace)
  }

/** Orders that it shows. */
export const shownOrders: Selection = (trace) =>
  trace.answers('getOrder').filter(({ status }) => status === 200)

/** Those that have something at one of these pointers. */
export const shownOrdersWith = (...pointers: readonly string[]): Selection =>
  where(shownOrders, ({ reply }) => pointers.some((pointer) => valuesAt(reply, pointer).length > 0))
