/** Checks of the operations of Orders that a Software Service calls and serves: ORD-OPS. */
import { type Check, defineChecks } from '../check.ts'
import {
  each,
  every,
  hasStatus,
  isAcceptedCall,
  isSigned,
  observation,
  where,
  answersOf,
  successful,
} from '../assertion.ts'
import { ofTrace } from '../live.ts'
import {
  acceptedCalls,
  acknowledgedBy,
  callsAbout,
  eachNoted,
  observedBegin,
  observedEnd,
  eventsReceivedAbout,
  ofServedOrders,
} from './client-assertions.ts'
import { lifecycleCalls } from './hosted-orders.ts'
import { noCallTo } from '../transport/migration-assertions.ts'

/** One call of the progress of an order, and the clauses of its transition and of its operation. */
interface ProgressRow {
  readonly operation: (typeof lifecycleCalls)[number]
  readonly clauses: readonly [string, ...string[]]
  readonly remedy: string
}

const progressRows: readonly ProgressRow[] = [
  {
    operation: 'confirmOrder',
    clauses: ['ORD-OPS-05'],
    remedy: 'Confirm an order once, by POST /orders/{orderId}/confirm, while it is CREATED.',
  },
  {
    operation: 'setOrderPreparing',
    clauses: ['ORD-OPS-06', 'ORD-TRA-03'],
    remedy: 'Call preparing only for a CONFIRMED order.',
  },
  {
    operation: 'setOrderReadyForPickup',
    clauses: ['ORD-OPS-07', 'ORD-TRA-04', 'ORD-TRA-05'],
    remedy: 'Call ready-for-pickup only for a CONFIRMED or PREPARING order.',
  },
  {
    operation: 'dispatchOrder',
    clauses: ['ORD-OPS-08'],
    remedy: 'Call dispatch only for a READY order of the profile DELIVERY.',
  },
  {
    operation: 'setOrderDelivered',
    clauses: ['ORD-OPS-09', 'ORD-TRA-07', 'ORD-TRA-08'],
    remedy: 'Call delivered only for a READY or IN_DELIVERY order.',
  },
]

const progressChecks: readonly Check[] = progressRows.map(({ operation, clauses, remedy }) => ({
  ...ofServedOrders,
  clauses,
  assertion: acceptedCalls([operation], (trace, { exchange }) =>
    // Orders that we cancel or change meanwhile may be called about in the same moment.
    ['plain', 'event-twice', 'event-lost', 'event-late'].some((note) =>
      trace.notes(note).some(({ text }) => text === exchange.orderId),
    ),
  ),
  remedy,
}))

/** How long a service may take to acknowledge what it has polled. */
const acknowledgedWithinMs = 10_000

export const orderCallChecks = defineChecks(
  ofServedOrders,
  progressChecks.map((check) =>
    check.clauses[0] === 'ORD-OPS-05'
      ? {
          ...check,
          assertion: eachNoted('plain', (trace, orderId) => {
            const calls = callsAbout(trace, orderId, 'confirmOrder')
            const received = eventsReceivedAbout(trace, orderId, 'CREATED')
            if (received.length === 0) return []
            const [first] = calls
            return [
              observation(
                first ? [first] : received.slice(0, 1).map(({ observed }) => observed),
                first
                  ? hasStatus(202)(first, trace)
                  : 'it did not confirm an order that CREATED had announced',
              ),
            ]
          }),
        }
      : check,
  ),
  {
    'ORD-OPS-01': {
      assertion: function* (trace) {
        const polls = trace.calls('pollingEvents')
        const webhooks = trace.answers('receiveOrderEvent')
        if (polls.length === 0 && webhooks.length > 0) return
        yield observation(
          polls.slice(0, 3),
          polls.length <= 1 && 'it did not poll for events more than once',
        )
      },
      remedy: 'Poll GET /events:polling again and again, where you declare polling.',
    },
    'ORD-OPS-02': {
      procedures: ['served-orders', 'troubled-orders', 'event-burst'],
      assertion: function* (trace) {
        const named = trace
          .calls('acknowledgeEvents')
          .flatMap((call) => acknowledgedBy(call).map((eventId) => ({ call, eventId })))
        const byEvent = Map.groupBy(named, ({ eventId }) => eventId)
        const end = Math.max(...trace.all.map(observedEnd))
        for (const { observed, eventId, eventType } of trace.received()) {
          if (observed.operation !== 'pollingEvents' || eventId === undefined) continue
          // It still has time.
          if (observedEnd(observed) > end - acknowledgedWithinMs) continue
          const calls = (byEvent.get(eventId) ?? []).map(({ call }) => call)
          // One that failed may have taken effect; where it has not, the event comes again.
          const isAcknowledged = calls.some(
            (call) => isAcceptedCall(call) || observedEnd(call) >= observedBegin(observed),
          )
          yield observation(
            isAcknowledged ? [observed] : [observed, ...calls.slice(-1)],
            !isAcknowledged &&
              `it did not acknowledge ${eventType} ${eventId}, which it had polled${calls.length > 0 ? ', after an acknowledgment of it had failed' : ''}`,
          )
        }
      },
      remedy:
        'Acknowledge every event that a poll returns, also types that you do not use or know.',
    },
    'ORD-OPS-03': {
      procedures: ['served-orders', 'event-burst'],
      assertion: ofTrace(
        each(
          where(
            (trace) => trace.answers('receiveOrderEvent'),
            (event) => event.step === undefined && isSigned(event),
          ),
          hasStatus(204),
        ),
      ),
      remedy: 'Answer 204 to every valid event on your webhook.',
    },
    'ORD-EVR-08 MIG-ORD-03': {
      procedures: ['introduction', 'served-orders'],
      assertion: every(
        each(
          successful(answersOf('getManifest')),
          ({ exchange }) =>
            /"PICKED_UP"|"sendPickedUp"/.test(exchange.reply?.body ?? '') &&
            'its manifest names PICKED_UP, which is removed',
        ),
        noCallTo(/\/(pickedUp|picked-up)$/, 'pickedUp'),
      ),
      remedy: 'Take PICKED_UP out of the manifest, and do not call pickedUp.',
    },
    'ORD-EVR-02': {
      assertion: function* (trace) {
        const [progress] = trace.calls(...lifecycleCalls)
        if (progress) yield observation([progress], undefined)
        for (const call of trace.calls()) {
          const { method } = call.exchange.request
          if (
            /\/orders\/[^/]+/.test(call.url.pathname) &&
            !call.url.pathname.includes('customer') &&
            method !== 'GET' &&
            method !== 'POST'
          )
            yield observation([call], `it changed an order by ${method} ${call.url.pathname}`)
        }
      },
      remedy: 'Progress orders by the lifecycle calls only.',
    },
    'ORD-CHN-02': {
      assertion: function* (trace) {
        const [poll] = trace.calls('pollingEvents')
        if (poll) yield observation([poll], undefined)
        const [webhook] = trace.answers('receiveOrderEvent')
        if (webhook) yield observation([webhook], undefined)
        for (const call of trace.calls())
          if (
            call.operation === undefined &&
            call.exchange.to.role === 'ordering-application' &&
            call.url.pathname.endsWith('webhooks/orders')
          )
            yield observation([call], 'it sent an event to the Ordering Application by webhook')
      },
      remedy: 'Receive events only: the Ordering Application sends them.',
    },
  },
)
