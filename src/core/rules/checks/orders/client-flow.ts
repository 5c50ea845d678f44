/** Checks of how a Software Service serves orders: ORD-GEN, ORD-FLO, ORD-TRA, ORD-RUL. */
import { defineChecks, type Observation } from '../check.ts'
import { callsOf, each, every, observation } from '../assertion.ts'
import type { Trace } from '../trace.ts'
import {
  observedBegin,
  callsAbout,
  eachNoted,
  eachServed,
  observedEnd,
  orderObservation,
  profileOf,
  readsAbout,
  eventsReceivedAbout,
  ofServedOrders,
} from './client-assertions.ts'
import { lifecycleCalls } from './hosted-orders.ts'

/** Orders that were announced, and had time to be confirmed. */
const announced = ['plain', 'read-failed', 'of-one-customer', 'beside-an-outage', 'beside-a-burst']

/** An order whose events come again after a restart is read or moved then, whatever the service knows of it. */
function takenUpAgain(trace: Trace, orderId: string): readonly Observation[] {
  const since = trace.beginsAnew[0]?.to ?? Infinity
  const [received] = eventsReceivedAbout(trace, orderId).filter(
    ({ observed }) => observed.exchange.seq > since,
  )
  if (!received) return []
  const { observed, eventType } = received
  const next = callsAbout(
    trace,
    orderId,
    'getOrder',
    ...lifecycleCalls,
    'requestCancellation',
  ).find(({ exchange }) => exchange.seq > since)
  return [
    observation(
      next ? [observed, next] : [observed],
      !next && `it got ${eventType} again after its restart, and neither read nor moved the order`,
    ),
  ]
}

export const orderFlowChecks = defineChecks(ofServedOrders, {
  'ORD-TRA-02': {
    assertion: eachServed((trace, orderId) => {
      const [first] = callsAbout(trace, orderId, ...lifecycleCalls)
      return first
        ? [
            observation(
              [first],
              first.operation !== 'confirmOrder' &&
                `its first call about the order is ${first.operation}, not confirmOrder`,
            ),
          ]
        : []
    }),
    remedy: 'Confirm an order before any other call about its progress.',
  },
  'ORD-TRA-06': {
    assertion: eachServed((trace, orderId) => {
      const profile = profileOf(trace, orderId)
      const calls = callsAbout(trace, orderId, 'dispatchOrder', 'setOrderDelivered')
      if (profile === undefined || calls.length === 0) return []
      const wrong = calls.filter(
        ({ operation }) => operation === 'dispatchOrder' && profile !== 'DELIVERY',
      )
      return [
        orderObservation(calls, wrong, () => `it dispatched an order of the profile ${profile}`),
      ]
    }),
    remedy: 'Dispatch orders of the profile DELIVERY only.',
  },
  'ORD-GEN-03': {
    assertion: function* (trace) {
      for (const call of trace.calls())
        if (
          /\/orders\/?$/.test(call.url.pathname) &&
          call.exchange.request.method === 'POST' &&
          !call.url.pathname.includes('/customer')
        )
          yield observation([call], 'it created an order by POST /orders')
      const [read] = trace.calls('getOrder')
      if (read) yield observation([read], undefined)
    },
    remedy: 'Create no orders at the Ordering Application: they originate there.',
  },
  'ORD-GEN-05': {
    procedures: ['served-orders', 'troubled-orders', 'event-burst', 'begin-anew'],
    assertion: every(
      eachNoted(announced, (trace, orderId) => {
        const received = eventsReceivedAbout(trace, orderId, 'CREATED')
        if (received.length === 0) return []
        const [read = callsAbout(trace, orderId, 'getOrder')[0]] = readsAbout(trace, orderId)
        const [acted] = callsAbout(trace, orderId, ...lifecycleCalls, 'requestCancellation')
        return [
          observation(
            [received[0]?.observed, read, acted].flatMap((one) => one ?? []),
            read?.status !== 200
              ? 'it did not read an order that CREATED had announced'
              : acted
                ? undefined
                : 'it read the order, and neither progressed nor cancelled it',
          ),
        ]
      }),
      eachNoted('open-at-restart', takenUpAgain),
    ),
    remedy:
      'Read each order that CREATED announces, again where that fails, then confirm it or ask to cancel it.',
  },
  'ORD-GEN-07 ORD-FLO-04': {
    assertion: each(
      callsOf(...lifecycleCalls),
      ({ exchange }) =>
        exchange.to.role !== 'ordering-application' &&
        `it called ${exchange.operation} at the ${exchange.to.role}`,
    ),
    remedy: 'Send the lifecycle calls to the base URL of the Ordering Application.',
  },
  'ORD-FLO-03 ORD-OPS-04': {
    assertion: eachServed((trace, orderId) => {
      const [first] = callsAbout(trace, orderId, ...lifecycleCalls)
      if (!first) return []
      const [read] = readsAbout(trace, orderId)
      return [
        observation(
          [...(read ? [read] : []), first],
          read &&
            read.exchange.seq < first.exchange.seq &&
            observedEnd(read) <= observedBegin(first)
            ? undefined
            : `it called ${first.operation} before it had read the order`,
        ),
      ]
    }),
    remedy: 'Read an order with GET before the first call about its progress.',
  },
  'ORD-RUL-02': {
    level: 'SHOULD',
    assertion: eachServed((trace, orderId) => {
      const calls = callsAbout(trace, orderId, ...lifecycleCalls)
      if (calls.length < 2) return []
      const shown = readsAbout(trace, orderId)
      const received = eventsReceivedAbout(trace, orderId)
      const wrong = calls.slice(1).filter((call, index) => {
        const before = calls[index]
        if (!before || before.operation === call.operation) return false
        const since = observedEnd(before)
        return ![
          ...shown.map(observedEnd),
          ...received.map(({ observed }) => observedEnd(observed)),
        ].some((at) => at >= since && at <= observedBegin(call))
      })
      return [
        orderObservation(
          calls,
          wrong,
          ({ operation }) =>
            `it called ${operation} before an event or a read had shown the effect of the call before`,
        ),
      ]
    }),
    remedy: 'Take 202 as accepted only: go on when an event or GET shows the new status.',
  },
})
