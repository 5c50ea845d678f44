/** Checks of how a Software Service takes events: ORD-EVR, ORD-EVT. */
import { defineChecks, type Observation } from '../check.ts'
import { bodyValue, each, atSteps, every, hasStatus, observation } from '../assertion.ts'
import { type OrderEventType, orderEvents } from '../../../protocol/orders/events.ts'
import { orderTypes } from '../../../protocol/orders/order.ts'
import type { Trace } from '../trace.ts'
import {
  observedBegin,
  callsAbout,
  eachNoted,
  observedEnd,
  orderObservation,
  readsAbout,
  statusRead,
  eventsReceivedAbout,
  ofService,
  ofServedOrders,
  ofTroubledOrders,
  eachReceived,
} from './client-assertions.ts'
import { lifecycleCalls } from './hosted-orders.ts'
import { repeatedEventsAreIgnored } from './repeated-events.ts'
import { inSessions } from '../status-life.ts'

/** Events that the profiles of our orders forbid. */
export const forbiddenEvents = Object.entries(orderEvents).flatMap(([eventType, { obligation }]) =>
  orderTypes
    .filter((type) => obligation[type] === 'MUST NOT')
    .map((type) => ({ eventType: eventType as OrderEventType, type })),
)

function callsAfter202(trace: Trace, orderId: string, since: number) {
  return callsAbout(trace, orderId, ...lifecycleCalls).filter((call) => observedBegin(call) > since)
}

/** No call about the progress of an order is accepted twice. */
function nothingTwice(trace: Trace, orderId: string, occasion: string): readonly Observation[] {
  const wrong = lifecycleCalls.flatMap((operation) =>
    callsAbout(trace, orderId, operation)
      .filter((call) => call.status === 202)
      .slice(1),
  )
  const shown = callsAbout(trace, orderId, ...lifecycleCalls)
  return [orderObservation(shown, wrong, ({ operation }) => `it repeated ${operation} ${occasion}`)]
}

/** The service takes the order to its end, as far as GET lets it. */
function endsAsRead(trace: Trace, orderId: string) {
  const reads = readsAbout(trace, orderId)
  const last = reads.at(-1)
  if (!last) return []
  const delivered = callsAbout(trace, orderId, 'setOrderDelivered').some(
    ({ status }) => status === 202,
  )
  const isOver = delivered || ['DELIVERED', 'CONCLUDED', 'CANCELLED'].includes(statusRead(last))
  return [
    observation(
      [last],
      !isOver && `it left the order in ${statusRead(last)} after events had come out of order`,
    ),
  ]
}

const forbiddenEventTypes = [...new Set(forbiddenEvents.map(({ eventType }) => eventType))]
const forbiddenEventSteps = forbiddenEventTypes.map((name) => `forbidden-events/${name}`)

export const orderEventChecks = defineChecks(
  ofServedOrders,
  {
    'ORD-EVR-03': {
      procedures: ['served-orders', 'troubled-orders', 'event-burst'],
      assertion: every(
        eachNoted(
          ['event-twice', 'event-after-the-end', 'acknowledgment-failed'],
          (trace, orderId) => {
            const ids = eventsReceivedAbout(trace, orderId).flatMap(({ eventId }) => eventId ?? [])
            return new Set(ids).size === ids.length
              ? []
              : nothingTwice(trace, orderId, 'after an event had come twice')
          },
        ),
        eachNoted('burst', (trace, orderId) =>
          nothingTwice(trace, orderId, 'after many events had come at once'),
        ),
        inSessions(repeatedEventsAreIgnored('ORD-EVR-03')),
      ),
      remedy: 'Deduplicate events by eventId, and answer a repeated one with success.',
    },
    'ORD-EVR-01': {
      assertion: eachNoted('misled', (trace, orderId) => {
        const misleading = eventsReceivedAbout(trace, orderId, 'READY_FOR_PICKUP')[0]
        if (!misleading) return []
        const since = observedEnd(misleading.observed)
        const calls = callsAfter202(trace, orderId, since)
        if (calls.length === 0) return []
        const wrong = calls.filter((call) => call.status === 409 || call.status === 422)
        return [
          orderObservation(
            [misleading.observed, ...calls],
            wrong,
            ({ operation }) => `it called ${operation} by an event, which GET did not confirm`,
          ),
        ]
      }),
      remedy: 'Act on the status that GET shows, never on the sequence of events.',
    },
    'ORD-EVR-04': {
      // That CREATED which comes after CANCELLED begins nothing is judged by a rule.
      ...ofTroubledOrders,
      assertion: eachNoted('event-late', (trace, orderId) => [
        ...endsAsRead(trace, orderId),
        ...nothingTwice(trace, orderId, 'after an event had come late'),
      ]),
      remedy: 'Take events in any order, and go by the status that GET shows.',
    },
    'ORD-EVR-06': {
      assertion: eachNoted('event-lost', (trace, orderId) => {
        const calls = callsAbout(trace, orderId, ...lifecycleCalls)
        const confirmed = calls.find(({ operation }) => operation === 'confirmOrder')
        if (!confirmed || eventsReceivedAbout(trace, orderId, 'CONFIRMED').length > 0) return []
        const reread = readsAbout(trace, orderId).find(
          (read) => observedBegin(read) > observedEnd(confirmed),
        )
        const repeated = calls.filter(
          ({ operation }, index) => calls.findIndex((one) => one.operation === operation) < index,
        )
        return [
          observation(
            [confirmed, ...(reread ? [reread] : []), ...repeated.slice(0, 1)],
            !reread
              ? 'it did not read the order again after an event was lost'
              : repeated[0]
                ? `it repeated ${repeated[0].operation} after an event was lost`
                : undefined,
          ),
        ]
      }),
      remedy:
        'Read an order again when an expected event does not come, and repeat nothing that is applied.',
    },
    'ORD-EVR-07': {
      ...ofService,
      procedures: ['forbidden-events'],
      assertion: each(atSteps(...forbiddenEventSteps), (observed, trace) => {
        const status = hasStatus(422)(observed, trace)
        if (status !== undefined) return status
        return typeof bodyValue(observed.reply, '/error/code') === 'string'
          ? undefined
          : 'its 422 has no error body'
      }),
      remedy: 'Answer 422 with the error body to an event that the profile of its order forbids.',
    },
  },
  forbiddenEventTypes.map((eventType) => ({
    ...ofService,
    procedures: ['forbidden-events'],
    clauses: [orderEvents[eventType].clause] as const,
    assertion: each(atSteps(`forbidden-events/${eventType}`), hasStatus(422)),
    remedy: `Answer 422 to ${eventType} for an order of the profile TAKEOUT or INDOOR.`,
  })),
  {
    'ORD-EVT-03': {
      assertion: eachReceived('plain', 'PREPARATION_REQUESTED', ({ status }) =>
        status >= 400 ? `it answered ${status} to PREPARATION_REQUESTED` : undefined,
      ),
      remedy: 'Take PREPARATION_REQUESTED, and leave the status of the order as it is.',
    },
  },
)
