/** Assertions about a consumer of Logistics: its calls about an order, and what was reported to it of the delivery. */
import { bodyValue, isAcceptedCall } from '../assertion.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import { readDelivery, readDeliveryEvent } from '../../../protocol/logistics/read.ts'
import type { DeliveryStatus } from '../../../protocol/logistics/status.ts'
import { endOf } from '../../../traffic/exchange.ts'
import type { Assertion, Observation } from '../check.ts'
import { isCleanSuccess } from '../status-life.ts'
import type { Observed, Trace } from '../trace.ts'

/** The order that a call of Logistics is about: in its path, or in its body. */
export function orderOf({ exchange, request }: Observed): string | undefined {
  const named = exchange.params?.['orderId'] ?? bodyValue(request, '/orderId')
  return typeof named === 'string' ? named : undefined
}

/** Calls of the service about an order. */
export const about = (trace: Trace, orderId: string, ...operations: readonly OperationId[]) =>
  trace.calls(...operations).filter((call) => orderOf(call) === orderId)

/** Creations of the delivery of an order that the platform has taken: one that is refused makes none. */
export const creationsOf = (trace: Trace, orderId: string): readonly Observed[] =>
  about(trace, orderId, 'createDelivery').filter(isCleanSuccess)

/** For each order of a note: what was done about it. */
export const eachNotedOrder = (
  note: string,
  test: (orderId: string, trace: Trace) => Iterable<Observation>,
): Assertion =>
  function* (trace) {
    for (const { text } of trace.notes(note)) yield* test(text, trace)
  }

/** What was reported to the consumer of the delivery of an order, and when. */
export function reportsOf(
  trace: Trace,
  orderId: string,
): readonly { status: DeliveryStatus; at: number; by: Observed }[] {
  const heard = trace.answers('receiveDeliveryEvent').flatMap((observed) => {
    const event = readDeliveryEvent(observed.request)
    return isAcceptedCall(observed) && event.orderId === orderId && event.status !== undefined
      ? [{ status: event.status, at: endOf(observed.exchange), by: observed }]
      : []
  })
  const read = about(trace, orderId, 'getDelivery').flatMap((observed) => {
    const status = observed.status === 200 ? readDelivery(observed.reply)?.status : undefined
    return status === undefined ? [] : [{ status, at: endOf(observed.exchange), by: observed }]
  })
  return [...heard, ...read].toSorted(
    (a, b) => a.at - b.at || a.by.exchange.seq - b.by.exchange.seq,
  )
}

/** It follows the delivery: it takes an event of it, or reads it. */
export const follows = (orderId: string, trace: Trace): readonly Observed[] => [
  ...trace
    .answers('receiveDeliveryEvent')
    .filter(
      (event) => readDeliveryEvent(event.request).orderId === orderId && isAcceptedCall(event),
    ),
  ...about(trace, orderId, 'getDelivery'),
]

/** The order is cancelled by the service: its CANCELLED event, or its request for that. */
export function cancellationOf(trace: Trace, orderId: string): Observed | undefined {
  const request = trace
    .calls('requestCancellation')
    .find(({ exchange }) => exchange.orderId === orderId)
  const emitted = trace
    .emitted()
    .find((event) => event.eventType === 'CANCELLED' && event.orderId === orderId)
  return trace.role === 'software-service' ? request : emitted?.observed
}
