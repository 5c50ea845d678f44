/** Checks of cancellations of orders at an Ordering Application: ORD-CAN, and the events of a request. */
import type { OrderEventType } from '../../../protocol/orders/events.ts'
import { isAcceptedCall, atSteps, each, every, notice, observation } from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { defineChecks } from '../check.ts'
import { inSessions } from '../status-life.ts'
import { grantedIsCancelled, requestsAreDecided } from './order-life.ts'
import { areSimultaneous, cameBefore, leavesStatus } from './host-assertions.ts'
import {
  orderHost,
  distinctEvents,
  eachOrder,
  type HostedOrder,
  hostedOrders,
  orderPhrase,
  readBefore,
  readsAfter,
  seqNumber,
  statusOf,
} from './hosted-orders.ts'

const granted = 'CANCELLATION_REQUEST_ACCEPTED'
const denied = 'CANCELLATION_REQUEST_DENIED'

const requestsOf = ({ calls }: HostedOrder): readonly Observed[] =>
  calls.filter(({ operation }) => operation === 'requestCancellation')

/** Orders whose cancellation was asked for, with the request that was accepted. */
const eachRequest = (
  find: (history: HostedOrder, request: Observed) => Iterable<ReturnType<typeof observation>>,
) =>
  eachOrder(function* (history) {
    const request = requestsOf(history).find(isAcceptedCall)
    if (request) yield* find(history, request)
  })

const isCancelled = (read: Observed | undefined): boolean =>
  read !== undefined && ['CANCELLED', 'CONCLUDED'].some((status) => status === statusOf(read))

/** Whether the order was cancelled, by the last read up to its next progression. */
function endsCancelled(history: HostedOrder, request: Observed): boolean {
  const shown = readsAfter(history, request).find((read) => statusOf(read) === 'CANCELLED')
  return shown !== undefined || distinctEvents(history, 'CANCELLED').length > 0
}

/** The accepted request has one of these outcomes. */
const requestHasOutcome = (...types: readonly OrderEventType[]) =>
  eachRequest(function* (history, request) {
    const [outcome] = distinctEvents(history, ...types)
    yield observation(
      outcome ? [request, outcome.observed] : [request],
      !outcome &&
        `it answered requestCancellation for ${orderPhrase(history)} with ${request.status}, and emitted no ${types.join(' or ')}`,
    )
  })

/** A granted request: both events, in their order. */
const grantedInOrder = eachRequest(function* (history, request) {
  const [accepted] = distinctEvents(history, granted)
  const [cancelled] = distinctEvents(history, 'CANCELLED')
  if (!accepted && (distinctEvents(history, denied).length > 0 || !endsCancelled(history, request)))
    return
  yield observation(
    [request, ...[accepted, cancelled].flatMap((event) => event?.observed ?? [])],
    !accepted
      ? `it cancelled ${orderPhrase(history)} after a request without ${granted}`
      : !cancelled
        ? `it emitted ${granted} of ${orderPhrase(history)}, and no CANCELLED after it`
        : cameBefore(accepted, cancelled) || areSimultaneous(accepted, cancelled)
          ? undefined
          : `it emitted CANCELLED of ${orderPhrase(history)} before ${granted}`,
  )
})

/** A request that was not granted: denied, and the status stays. */
const deniedKeepsStatus = eachRequest(function* (history, request) {
  const [refusal] = distinctEvents(history, denied)
  const before = readBefore(history, request)
  if (endsCancelled(history, request) || distinctEvents(history, granted).length > 0 || !before)
    return
  const after = refusal && readsAfter(history, refusal.observed)[0]
  yield observation(
    [request, ...(refusal ? [refusal.observed] : []), ...(after ? [after] : [])],
    !refusal
      ? `it neither cancelled ${orderPhrase(history)} after a request, nor emitted ${denied}`
      : after && statusOf(after) !== statusOf(before)
        ? `with ${denied} ${orderPhrase(history)} went from ${String(statusOf(before))} to ${String(statusOf(after))}`
        : undefined,
  )
})

/** 202 alone cancels nothing: event and status agree in the end. */
const cancelledByEventAndStatus = eachRequest(function* (history, request) {
  const [event] = distinctEvents(history, 'CANCELLED')
  const after = readsAfter(history, event?.observed ?? request)
  const shown = after.find((read) => statusOf(read) === 'CANCELLED')
  const last = shown ?? after.at(-1)
  if (!last) return
  yield observation(
    [request, ...(event ? [event.observed] : []), last],
    request.status !== 202
      ? `it answered requestCancellation with ${request.status}, not 202`
      : event
        ? isCancelled(last)
          ? undefined
          : `it emitted CANCELLED of ${orderPhrase(history)}, which GET shows as ${String(statusOf(last))}`
        : shown
          ? `it shows ${orderPhrase(history)} as cancelled, and emitted no CANCELLED`
          : undefined,
  )
})

/** An outcome comes only after a request. */
const onlyAfterRequest = (eventType: OrderEventType) =>
  eachOrder(function* (history) {
    for (const { observed } of distinctEvents(history, eventType)) {
      const request = requestsOf(history).find((call) => seqNumber(call) < seqNumber(observed))
      yield observation(
        request ? [request, observed] : [observed],
        !request && `it emitted ${eventType} of ${orderPhrase(history)} without a request`,
      )
    }
  })

/** Calls of the service at the Software Service that look like a cancellation of this order. */
const cancellationCalls = (all: readonly Observed[], orderId: string): readonly Observed[] =>
  all.filter(
    ({ url, exchange, operation }) =>
      exchange.to.role === 'software-service' &&
      operation !== 'receiveOrderEvent' &&
      url.pathname.includes(orderId) &&
      /cancel/i.test(url.pathname),
  )

export const orderHostCancellationChecks = defineChecks(
  { ...orderHost, procedures: ['order-cancellation'] },
  {
    'ORD-OPS-10': {
      procedures: ['order-cancellation', 'denied-cancellation'],
      assertion: every(
        each(
          atSteps('order-cancellation/request', 'denied-cancellation/request'),
          ({ status }) =>
            status !== 202 && `it answered requestCancellation with ${status}, not 202`,
        ),
        requestHasOutcome(granted, denied, 'CANCELLED'),
      ),
      remedy: 'Answer requestCancellation of an open order with 202, and emit the outcome.',
    },
    'ORD-CAN-01': {
      procedures: ['own-cancellation'],
      assertion: function* (trace) {
        const ids = new Set(trace.notes('own-cancellation').map(({ text }) => text))
        for (const history of hostedOrders(trace)) {
          if (!ids.has(history.orderId)) continue
          const [event] = distinctEvents(history, 'CANCELLED')
          const last = history.reads.at(-1)
          const calls = cancellationCalls(trace.calls(), history.orderId)
          yield observation(
            [...(event ? [event.observed] : []), ...(last ? [last] : []), ...calls],
            !event
              ? 'it cancelled an order of its own accord without CANCELLED'
              : !isCancelled(last)
                ? 'it emitted CANCELLED, and GET shows another status'
                : calls.length > 0
                  ? 'it called an endpoint of the Software Service to cancel an order'
                  : undefined,
          )
        }
      },
      remedy:
        'Cancel an order of your own accord by its status and the event CANCELLED, without a call.',
    },
    'ORD-CAN-04': {
      assertion: cancelledByEventAndStatus,
      remedy:
        'Answer requestCancellation with 202, and cancel the order by status and event only when you have decided.',
    },
    'ORD-CAN-05': {
      assertion: every(grantedInOrder, inSessions(grantedIsCancelled)),
      remedy:
        'Emit CANCELLATION_REQUEST_ACCEPTED and then CANCELLED when you grant a cancellation.',
    },
    'ORD-CAN-06': {
      procedures: ['denied-cancellation'],
      assertion: deniedKeepsStatus,
      remedy:
        'Emit CANCELLATION_REQUEST_DENIED when you refuse a cancellation, and keep the status.',
    },
    'ORD-TEN-01': {
      assertion: function* (trace) {
        for (const request of trace.at('order-cancellation/request-early')) {
          const history = hostedOrders(trace).find(
            ({ orderId }) => orderId === request.exchange.orderId,
          )
          const [refusal] = history ? distinctEvents(history, denied) : []
          yield observation(
            [request, ...(refusal ? [refusal.observed] : [])],
            (!isAcceptedCall(request) || refusal) &&
              notice(
                'it refuses to cancel an order before its confirmation for an unavailable item',
              ),
          )
        }
      },
      remedy:
        'Grant a cancellation before confirmation with UNAVAILABLE_ITEM: the store has no other means.',
    },
    'ORD-TEN-02 MIG-ORD-02': {
      procedures: ['order-cancellation', 'denied-cancellation'],
      assertion: every(requestHasOutcome(granted, denied), inSessions(requestsAreDecided)),
      remedy:
        'Emit CANCELLATION_REQUEST_ACCEPTED or CANCELLATION_REQUEST_DENIED after every request.',
    },
    'ORD-EVT-13': {
      procedures: ['order-cancellation', 'denied-cancellation'],
      assertion: leavesStatus('CANCELLATION_REQUESTED'),
      remedy: 'Leave the status of an order as it is with CANCELLATION_REQUESTED.',
    },
    'ORD-EVT-14': {
      assertion: every(onlyAfterRequest(granted), grantedInOrder),
      remedy: 'Emit CANCELLATION_REQUEST_ACCEPTED after a request only, and CANCELLED after it.',
    },
    'ORD-EVT-15': {
      procedures: ['denied-cancellation'],
      assertion: every(onlyAfterRequest(denied), leavesStatus(denied)),
      remedy: 'Emit CANCELLATION_REQUEST_DENIED after a request only, and keep the status.',
    },
  },
)
