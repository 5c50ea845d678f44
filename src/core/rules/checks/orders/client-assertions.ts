/** Assertions about a Software Service: its calls about each order, what was reported to it, and what it knew when. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { Acknowledgment, acknowledgedIds } from '../../../protocol/orders/acknowledgment.ts'
import { endOf } from '../../../traffic/exchange.ts'
import type { Assertion, Observation } from '../check.ts'
import { bodyValue, type Deviation, observation, type Test } from '../assertion.ts'
import type { Observed, ObservedEvent, Trace } from '../trace.ts'
import { lifecycleCalls } from './hosted-orders.ts'

export const observedEnd = ({ exchange }: Observed): number => endOf(exchange)
export const observedBegin = ({ exchange }: Observed): number => exchange.startedAt

/** Checks of a Software Service, and those whose orders it is left alone with. */
export const ofService = { roles: ['software-service'], needs: ['orders'] } as const
export const ofServedOrders = { ...ofService, procedures: ['served-orders'] } as const
export const ofTroubledOrders = {
  ...ofService,
  procedures: ['served-orders', 'troubled-orders'],
} as const

/** Ids of the orders that a procedure has placed for a purpose. */
export const ordersNoted = (trace: Trace, note: string): readonly string[] =>
  trace.notes(note).map(({ text }) => text)

/** Calls of the service about an order. */
export const callsAbout = (
  trace: Trace,
  orderId: string,
  ...operations: readonly OperationId[]
): readonly Observed[] =>
  trace.calls(...operations).filter(({ exchange }) => exchange.orderId === orderId)

/** Events about an order that the service has received whole: a poll that it got, a webhook that it accepted. */
export const eventsReceivedAbout = (
  trace: Trace,
  orderId: string,
  eventType?: string,
): readonly ObservedEvent[] =>
  trace
    .received()
    .filter(
      (each) =>
        each.orderId === orderId &&
        (eventType === undefined || each.eventType === eventType) &&
        each.observed.status >= 200 &&
        each.observed.status < 300,
    )

/** The status that the order had in each of the service's own reads. */
export const readsAbout = (trace: Trace, orderId: string): readonly Observed[] =>
  callsAbout(trace, orderId, 'getOrder').filter(({ status }) => status === 200)

export const statusRead = ({ reply }: Observed): string => String(bodyValue(reply, '/status'))

export function profileOf(trace: Trace, orderId: string): string | undefined {
  const [read] = readsAbout(trace, orderId)
  const profile = read && bodyValue(read.reply, '/fulfillment/orderType')
  return typeof profile === 'string' ? profile : undefined
}

/** The orders about which the service has called. */
export const servedOrderIds = (trace: Trace): readonly string[] => [
  ...new Set(
    trace
      .calls('getOrder', ...lifecycleCalls, 'requestCancellation', 'cancelOrderItem')
      .flatMap(({ exchange }) => exchange.orderId ?? []),
  ),
]

/** Each order that was placed for one of these purposes. */
export const eachNoted = (
  notes: string | readonly string[],
  assertion: (trace: Trace, orderId: string) => Iterable<Observation>,
): Assertion =>
  function* eachOrder(trace) {
    for (const note of [notes].flat())
      for (const orderId of ordersNoted(trace, note)) yield* assertion(trace, orderId)
  }

/** Its answer to each event of a type about the orders of a note. */
export const eachReceived = (note: string, eventType: string, test: Test<Observed>): Assertion =>
  eachNoted(note, (trace, orderId) =>
    trace
      .received()
      .filter((event) => event.orderId === orderId && event.eventType === eventType)
      .map(({ observed }) => observation([observed], test(observed, trace))),
  )

/** Each order that the service has dealt with. */
export const eachServed = (
  assertion: (trace: Trace, orderId: string) => Iterable<Observation>,
): Assertion =>
  function* eachOrder(trace) {
    for (const orderId of servedOrderIds(trace)) yield* assertion(trace, orderId)
  }

/** Ids of the events that an acknowledgment names. */
export function acknowledgedBy({ request }: Observed): readonly string[] {
  const parsed = Acknowledgment.safeParse(request)
  return parsed.success ? acknowledgedIds(parsed.data) : []
}

/** A call that our Ordering Application accepted. */
export const isAccepted = ({ status }: Observed): boolean => status === 202

/** Every call of these operations is accepted: it came in a status that allows it. */
export const acceptedCalls = (
  operations: readonly OperationId[],
  isMeant?: (trace: Trace, call: Observed) => boolean,
): Assertion =>
  function* (trace) {
    for (const call of trace.calls(...operations)) {
      const { status } = call
      // A fault, a token that has expired, and a status that the call itself raced are no mistake of it.
      if (status === 0 || status === 401 || status === 429 || status >= 500) continue
      if (isMeant && !isMeant(trace, call)) continue
      yield observation(
        [call],
        !isAccepted(call) && `its ${call.operation} was answered with ${status}`,
      )
    }
  }

/**
 * Since when the service knows that the order is CANCELLED: it has answered the webhook, acknowledged what it had polled, or
 * read it.
 */
export function cancelledKnownAt(trace: Trace, orderId: string): number | undefined {
  const received = eventsReceivedAbout(trace, orderId, 'CANCELLED').flatMap(
    ({ observed, eventId = '' }) =>
      observed.operation === 'pollingEvents'
        ? trace
            .calls('acknowledgeEvents')
            .filter((call) => acknowledgedBy(call).includes(eventId))
            .map(observedBegin)
        : [observedEnd(observed)],
  )
  const read = readsAbout(trace, orderId)
    .filter((each) => statusRead(each) === 'CANCELLED')
    .map(observedEnd)
  const known = Math.min(...received, ...read)
  return Number.isFinite(known) ? known : undefined
}

/** Calls that begin after an instant, with a margin for those that were under way on a busy machine. */
export const callsAfter = (
  calls: readonly Observed[],
  instant: number,
  marginMs = 1000,
): readonly Observed[] => calls.filter((each) => observedBegin(each) > instant + marginMs)

/** One observation for an order: its exchanges, and the first of what is wrong. */
export const orderObservation = (
  shown: readonly Observed[],
  wrong: readonly Observed[],
  text: (first: Observed) => string,
): Observation => {
  const [first] = wrong
  const deviation: Deviation = first && text(first)
  return observation(first ? [...shown.slice(0, 2), first] : shown.slice(0, 3), deviation)
}
