/** Assertions about the orders of an Ordering Application: whether events, statuses and calls agree. */
import { bodyValue, each, isAcceptedCall, notice, observation } from '../assertion.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import {
  isOrderEventType,
  orderEvents,
  type OrderEventType,
} from '../../../protocol/orders/events.ts'
import type { OrderStatus, OrderType } from '../../../protocol/orders/order.ts'
import type { Assertion } from '../check.ts'
import type { Observed, ObservedEvent, Trace } from '../trace.ts'
import {
  canFollow,
  distinctEvents,
  eachOrder,
  isAtOrPast,
  isTransition,
  type HostedOrder,
  orderPhrase,
  readBefore,
  readsAfter,
  seqNumber,
  statusOf,
} from './hosted-orders.ts'
import {
  type DeclaredCapability,
  parseManifest,
} from '../../../protocol/discovery/parse-manifest.ts'

/** Its manifests, as they were read. */
export const manifests = (trace: Trace): readonly Observed[] =>
  trace.answers('getManifest').filter(({ status }) => status === 200)

/** The declaration of Orders; undefined when there is none that can be read. */
export function declaredOrders(trace: Trace): DeclaredCapability | undefined {
  const last = manifests(trace).at(-1)
  if (!last) return undefined
  const parsed = parseManifest(last.reply)
  return parsed.ok ? parsed.value.capabilities['orders'] : undefined
}

/** Whether it declares the cancellation of items. */
export const declaresItemCancellation = (trace: Trace): boolean =>
  declaredOrders(trace)?.operations.includes('partialItemCancellation') ?? false

/** What our Software Service has declared of a channel to the service; undefined when the service has not asked. */
export function declaredToIt(
  trace: Trace,
  channel: 'supportsWebhook' | 'supportsPolling',
): boolean | undefined {
  const last = trace
    .calls('getManifest')
    .findLast(({ exchange, status }) => exchange.to.role === 'software-service' && status === 200)
  const parsed = last && parseManifest(last.reply)
  return parsed?.ok ? parsed.value.capabilities['orders']?.receiver?.[channel] : undefined
}

/** The items of a read. */
export const itemsIn = ({ reply }: Observed): readonly unknown[] => {
  const items = bodyValue(reply, '/items')
  return Array.isArray(items) ? items : []
}

/** An accepted call in a status leads to another one. */
export const callLeadsTo = (
  operation: OperationId,
  from: OrderStatus,
  to: OrderStatus,
  options: { readonly mayRefuse?: OrderType } = {},
): Assertion =>
  eachOrder(function* (history) {
    const { type, calls } = history
    if (type && !isTransition(from, to, type)) return
    for (const call of calls) {
      const before = readBefore(history, call)
      if (call.operation !== operation || !before || statusOf(before) !== from) continue
      if (!isAcceptedCall(call)) {
        const problem = `it answered ${operation} for ${orderPhrase(history)} in ${from} with ${call.status}`
        yield observation([before, call], options.mayRefuse === type ? notice(problem) : problem)
        continue
      }
      const after = readsAfter(history, call)
      const reached = after.find((read) => isAtOrPast(statusOf(read), to, type))
      const last = reached ?? after.at(-1)
      if (!last) continue
      yield observation(
        [before, call, last],
        !reached &&
          `after ${operation} in ${from} it shows ${orderPhrase(history)} as ${String(statusOf(last))}, not ${to}`,
      )
    }
  })

/** An order that a read shows in this status has had this event. */
export const statusHasEvent = (
  status: OrderStatus,
  eventType: OrderEventType,
  types?: readonly OrderType[],
): Assertion =>
  eachOrder(function* (history) {
    if (types && (!history.type || !types.includes(history.type))) return
    const read = history.reads.find((one) => statusOf(one) === status)
    if (!read) return
    const [event] = distinctEvents(history, eventType)
    yield observation(
      event ? [read, event.observed] : [read],
      !event && `it emitted no ${eventType} event of ${orderPhrase(history)} that became ${status}`,
    )
  })

/**
 * After a projecting event, and until the next call, GET comes to show the status that it projects, or one behind it.
 */
export const eventShows = (...eventTypes: readonly OrderEventType[]): Assertion =>
  eachOrder(function* (history) {
    for (const eventType of eventTypes) {
      const status = orderEvents[eventType].projects
      for (const { observed } of distinctEvents(history, eventType)) {
        const next = history.calls.find((call) => seqNumber(call) > seqNumber(observed))
        const reads = readsAfter(history, observed).filter(
          (read) => !next || seqNumber(read) < seqNumber(next),
        )
        const last = reads.at(-1)
        if (!last || status === undefined) continue
        yield observation(
          [observed, last],
          !isAtOrPast(statusOf(last), status, history.type) &&
            `after ${eventType} its GET shows ${orderPhrase(history)} as ${String(statusOf(last))}`,
        )
      }
    }
  })

/** The status that an accepted call leads to. */
const targets: Partial<Record<OperationId, OrderStatus>> = {
  confirmOrder: 'CONFIRMED',
  setOrderPreparing: 'PREPARING',
  setOrderReadyForPickup: 'READY',
  dispatchOrder: 'IN_DELIVERY',
  setOrderDelivered: 'DELIVERED',
}

/**
 * Whether an event came before what was called next after a read: it may be late, and still be of the time of the read.
 */
export function isBeforeNextCall(
  { calls }: Pick<HostedOrder, 'calls'>,
  event: Observed,
  read: Observed,
): boolean {
  const next = calls.find((call) => seqNumber(call) > seqNumber(read))
  return !next || seqNumber(event) < seqNumber(next)
}

/** Whether something besides an informational event can have moved the order to the status that a read shows. */
function isExplained(history: HostedOrder, before: Observed, read: Observed): boolean {
  const { calls, events } = history
  const status = statusOf(read)
  if (!canFollow(status, statusOf(before), history.type)) return false
  return (
    calls.some(
      (call) =>
        seqNumber(call) < seqNumber(read) &&
        isAcceptedCall(call) &&
        call.operation !== undefined &&
        targets[call.operation] === status,
    ) ||
    events.some(
      ({ eventType = '', observed }) =>
        isBeforeNextCall(history, observed, read) &&
        isOrderEventType(eventType) &&
        orderEvents[eventType].projects === status,
    )
  )
}

/** An informational event leaves the status as it is. */
export const leavesStatus = (...eventTypes: readonly OrderEventType[]): Assertion =>
  eachOrder(function* (history) {
    for (const { observed, eventType = '' } of distinctEvents(history, ...eventTypes)) {
      const before = readBefore(history, observed)
      const [after] = readsAfter(history, observed)
      if (!before || !after) continue
      const [from, to] = [statusOf(before), statusOf(after)]
      const isMoved = from !== to
      if (isMoved && isExplained(history, before, after)) continue
      yield observation(
        [before, observed, after],
        isMoved &&
          `with ${eventType} ${orderPhrase(history)} went from ${String(from)} to ${String(to)}`,
      )
    }
  })

/** Whether an event came before another one: by when they were made, else by their arrival. */
export function cameBefore(a: ObservedEvent, b: ObservedEvent): boolean {
  const [first = Number.NaN, second = Number.NaN] = [a, b].map(({ event }) =>
    Date.parse(String(event['createdAt'])),
  )
  return first === second || Number.isNaN(first) || Number.isNaN(second)
    ? a.observed === b.observed || seqNumber(a.observed) < seqNumber(b.observed)
    : first < second
}

/** Whether both events say the same time, so that either may be handed over first. */
export const areSimultaneous = (a: ObservedEvent, b: ObservedEvent): boolean =>
  a.event['createdAt'] !== undefined && a.event['createdAt'] === b.event['createdAt']

/** Statuses of consecutive reads, where they differ. */
export function* statusChanges({
  reads,
}: HostedOrder): Generator<{ readonly from: Observed; readonly to: Observed }> {
  for (const [index, to] of reads.entries()) {
    const from = reads[index - 1]
    if (from && statusOf(from) !== statusOf(to)) yield { from, to }
  }
}

/** It never calls the Software Service at a path of this form: what it hands over shows that it calls elsewhere. */
export const neverCalls = (path: RegExp, problem: string): Assertion =>
  each(
    (trace) => [...trace.calls(), ...trace.answers('pollingEvents')],
    ({ isCall, exchange, url }) =>
      isCall && exchange.to.role === 'software-service' && path.test(url.pathname) && problem,
  )
