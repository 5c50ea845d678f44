/** Checks of how a Software Service cancels, and takes cancellations: ORD-CAN, ORD-BOD, ORD-TEN. */
import { ofTrace } from '../live.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import { defineChecks, type Assertion, type Observation } from '../check.ts'
import {
  callsOf,
  each,
  every,
  hasStatus,
  isOneOf,
  isText,
  notice,
  optional,
  requestIs,
  observation,
} from '../assertion.ts'
import {
  observedBegin,
  callsAbout,
  callsAfter,
  cancelledKnownAt,
  eachNoted,
  isAccepted,
  ordersNoted,
  observedEnd,
  orderObservation,
  readsAbout,
  statusRead,
  eventsReceivedAbout,
  ofService,
  ofTroubledOrders,
  eachReceived,
} from './client-assertions.ts'
import { lifecycleCalls } from './hosted-orders.ts'
import type { Trace } from '../trace.ts'

const requested = { ...ofService, procedures: ['service-cancellations', 'unavailable-item'] }

const cancellationFields = [
  ['ORD-BOD-01', 'reason', isText, 'a string'],
  ['ORD-BOD-02', 'code', isText, 'a string'],
  ['ORD-BOD-03', 'mode', isOneOf('AUTO', 'MANUAL'), 'AUTO or MANUAL'],
] as const

const cancelledByUs = ['cancelled-by-us', 'cancelled-before-created', 'cancelled-meanwhile']

/** Nothing more about an order once it is known to be cancelled. */
const silentAfterCancelled = (operations: readonly OperationId[]): Assertion =>
  eachNoted(cancelledByUs, (trace, orderId) => {
    const known = cancelledKnownAt(trace, orderId)
    if (known === undefined) return []
    const received = eventsReceivedAbout(trace, orderId, 'CANCELLED').map(
      ({ observed }) => observed,
    )
    const calls = callsAbout(trace, orderId, ...operations)
    const wrong = callsAfter(calls, known)
    const soon = readsAbout(trace, orderId)
      .filter((read) => statusRead(read) === 'CANCELLED')
      .flatMap((read) => callsAfter(calls, observedEnd(read), 0).map((call) => [read, call]))[0]
    if (wrong.length === 0 && soon)
      return [
        observation(
          soon,
          notice(`it called ${soon[1]?.operation} at once after it had read CANCELLED`),
        ),
      ]
    return [
      orderObservation(
        received.length > 0 ? received : readsAbout(trace, orderId),
        wrong,
        ({ operation }) => `it called ${operation} for an order that it knew to be cancelled`,
      ),
    ]
  })

/** Names that the core does not have. */
const absentNames = /acceptCancellation|denyCancellation|ORDER_CANCELLATION_REQUEST/

/** An order whose cancellation was denied is open: it is read again, or goes on. */
function goesOnAfterDenial(trace: Trace, orderId: string): readonly Observation[] {
  const [denial] = eventsReceivedAbout(trace, orderId, 'CANCELLATION_REQUEST_DENIED')
  if (!denial) return []
  const { observed } = denial
  const before = readsAbout(trace, orderId).findLast(
    (read) => observedEnd(read) < observedBegin(observed),
  )
  if (before && isFinalStatus(statusRead(before))) return []
  // Its next step may be on its own way already.
  const after = (...operations: readonly OperationId[]) =>
    callsAbout(trace, orderId, ...operations).filter(
      (call) => observedEnd(call) >= observedBegin(observed),
    )
  const [step] = after(...lifecycleCalls, 'cancelOrderItem')
  const [read] = after('getOrder')
  // Without help it took another order from its begin to its end in that time.
  const [other] = ordersNoted(trace, 'beside-a-denial').flatMap((id) =>
    callsAbout(trace, id, 'setOrderDelivered').filter(isAccepted),
  )
  const next = step ?? read ?? other
  return [
    observation(
      next ? [observed, next] : [observed],
      !step && !read
        ? 'it neither read nor moved an order after the request to cancel it was denied'
        : !step &&
            other &&
            'it did not move an order any more after the request to cancel it was denied, and took another to its end meanwhile',
    ),
  ]
}

const isFinalStatus = (status: string): boolean =>
  ['DELIVERED', 'CONCLUDED', 'CANCELLED'].includes(status)

export const orderCancellationChecks = defineChecks(
  { ...ofService, procedures: ['service-cancellations'] },
  cancellationFields.map(([clause, field, test, form]) => ({
    ...requested,
    clauses: [clause] as const,
    assertion: each(callsOf('requestCancellation'), requestIs(optional(`/${field}`, test))),
    remedy: `Send ${field} of a cancellation request as ${form}.`,
  })),
  {
    'ORD-OPS-10': {
      ...requested,
      assertion: ofTrace(each(callsOf('requestCancellation'), hasStatus(202))),
      remedy: 'Ask to cancel by POST /orders/{orderId}/requestCancellation.',
    },
    'ORD-CAN-01': {
      ...ofTroubledOrders,
      assertion: silentAfterCancelled(['requestCancellation']),
      remedy: 'Take CANCELLED as done: ask for no cancellation of an order that is cancelled.',
    },
    'ORD-CAN-02': {
      ...ofTroubledOrders,
      assertion: silentAfterCancelled([...lifecycleCalls, 'cancelOrderItem']),
      remedy: 'Stop the work on an order at CANCELLED, with no further call about its progress.',
    },
    'ORD-CAN-03 MIG-ORD-01': {
      procedures: ['served-orders', 'service-cancellations'],
      assertion: function* (trace) {
        for (const call of trace.calls())
          if (absentNames.test(call.url.pathname))
            yield observation(
              [call],
              `it called ${call.url.pathname}, which the core does not have`,
            )
        for (const read of trace.answers('getManifest'))
          if (absentNames.test(read.exchange.reply?.body ?? ''))
            yield observation([read], 'its manifest names what the core does not have')
        const [first] = trace.calls(...lifecycleCalls)
        if (first) yield observation([first], undefined)
      },
      remedy: 'Use no acceptCancellation, no denyCancellation and no ORDER_CANCELLATION_REQUEST.',
    },
    'ORD-CAN-04': {
      assertion: every(
        eachReceived('request-open', 'PREPARATION_REQUESTED', ({ status }) =>
          status < 300
            ? undefined
            : `it answered ${status} to an event of an order whose cancellation was only asked for`,
        ),
        eachNoted('denial-waited-out', goesOnAfterDenial),
      ),
      remedy:
        'Take 202 to a cancellation request as accepted only: the order is open until CANCELLED.',
    },
    'ORD-EVT-14': {
      assertion: eachNoted('request-accepted', (trace, orderId) => {
        const [accepted] = trace
          .received()
          .filter(
            (event) =>
              event.orderId === orderId && event.eventType === 'CANCELLATION_REQUEST_ACCEPTED',
          )
        if (!accepted) return []
        const refused = trace
          .received()
          .find(
            ({ orderId: of, observed }) =>
              of === orderId &&
              observed.status >= 400 &&
              observedBegin(observed) >= observedEnd(accepted.observed),
          )
        const status = accepted.observed.status
        return [
          observation(
            [accepted.observed, ...(refused ? [refused.observed] : [])],
            status >= 400
              ? `it answered ${status} to CANCELLATION_REQUEST_ACCEPTED`
              : refused
                ? 'it refused an event after CANCELLATION_REQUEST_ACCEPTED'
                : undefined,
          ),
        ]
      }),
      remedy: 'Go on with events and reads of an order until CANCELLED has come.',
    },
    'ORD-TEN-01': {
      procedures: ['unavailable-item'],
      assertion: eachNoted('unavailable', (trace, orderId) => {
        const [asked] = callsAbout(trace, orderId, 'requestCancellation').filter(
          ({ status }) => status === 202,
        )
        if (!asked || eventsReceivedAbout(trace, orderId, 'CANCELLATION_REQUEST_DENIED').length > 0)
          return []
        const wrong = callsAfter(callsAbout(trace, orderId, 'confirmOrder'), observedEnd(asked))
        return [
          orderObservation(
            [asked],
            wrong,
            () => 'it confirmed an order that it had asked to cancel',
          ),
        ]
      }),
      remedy:
        'Do not confirm an order after you have asked to cancel it, unless the request is denied.',
    },
  },
)
