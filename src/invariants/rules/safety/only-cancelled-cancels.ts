/**
 * SE-13: CANCELLATION_REQUEST_ACCEPTED announces a cancellation, CANCELLED states it. Before CANCELLED the order is
 * open: in the status that the service itself reports, and its delivery is not cancelled unless the service requested
 * the cancellation.
 */
import { defineInvariant } from '../../invariant.ts'
import type { Cited } from '../../verdict.ts'
import { orderIdOf } from '../../tracking/subject-order.ts'
import { keptFor } from '../../tracking/bounded-map.ts'
import { atClock, cites, nameOf } from '../../tracking/wording.ts'
import type { OrderWatch } from '../../tracking/tracker-state.ts'

interface Cancellation {
  /** CANCELLATION_REQUEST_ACCEPTED was handed over. */
  heard?: { readonly at: number; readonly cite: Cited }
  /** It was acknowledged. */
  accepted?: { readonly at: number; readonly cite: Cited }
  /** The service requested the cancellation itself, so it may cancel the delivery earlier (LOG-CON-04). */
  asked?: true
}

type State = Map<string, Cancellation>

const accepted = 'CANCELLATION_REQUEST_ACCEPTED'

const isOpen = ({ truth: hostStatus, shown: shownStatuses }: OrderWatch): boolean =>
  hostStatus !== 'CANCELLED' && hostStatus !== 'CONCLUDED' && !shownStatuses.has('CANCELLED')

const closed: ReadonlySet<string> = new Set(['CANCELLED', 'CONCLUDED'])

const cancellationOf = (cancellations: State, orderId: string): Cancellation =>
  keptFor(cancellations, orderId, (): Cancellation => ({}))

export const onlyCancelledCancels = defineInvariant<State>({
  id: 'SE-13',
  name: 'only-cancelled-cancels',
  sentence:
    'For the service an order is cancelled by CANCELLED, and not yet by CANCELLATION_REQUEST_ACCEPTED.',
  kind: 'safety',
  clauses: ['ORD-EVT-14', 'ORD-CAN-04', 'ORD-CAN-05'],
  premise: 'CANCELLATION_REQUEST_ACCEPTED reached the service before its order was cancelled',
  binds: ['software-service'],
  sees: {
    exchanges: ['requestCancellation', 'cancelDelivery'],
    handovers: (eventType) => eventType === accepted,
    acknowledgments: (eventType) => eventType === accepted,
  },
  start: () => new Map(),
  shown: {
    handover(cancellations, { orderId, at, exchange }) {
      if (orderId !== undefined)
        cancellationOf(cancellations, orderId).heard ??= { at, cite: exchange.cite }
    },
    acknowledgment(cancellations, { orderId, order, at, exchange }, _watch, report) {
      if (orderId === undefined) return
      const cancellation = cancellationOf(cancellations, orderId)
      if (!order || !isOpen(order) || cancellation.accepted) return
      cancellation.accepted = { at, cite: exchange.cite }
      report.premise()
    },
    exchange(cancellations, exchange, tracker, report) {
      if (exchange.by !== 'subject') return
      const orderId = orderIdOf(exchange)
      const order = orderId === undefined ? undefined : tracker.orders.get(orderId)
      if (!order) return
      const cancellation = cancellationOf(cancellations, order.orderId)
      if (exchange.operation === 'requestCancellation') {
        cancellation.asked = true
        return
      }
      const { heard, asked } = cancellation
      if (!heard || asked || !isOpen(order) || exchange.began < heard.at) return
      report.broken({
        because: `The service cancelled the delivery of ${nameOf(tracker, order.orderId)} ${atClock(exchange.began)}: it had heard CANCELLATION_REQUEST_ACCEPTED (${atClock(heard.at)}), but not CANCELLED, and the order is ${order.truth}.`,
        evidence: cites(heard.cite, exchange.cite),
        orderId: order.orderId,
        once: `${order.orderId} delivery`,
      })
    },
    probe(cancellations, { orderId, status, at }, tracker, report) {
      const order = tracker.orders.get(orderId)
      const taken = cancellations.get(orderId)?.accepted
      if (!order || !taken || !isOpen(order) || status === undefined || !closed.has(status)) return
      report.broken({
        because: `The service says ${atClock(at)} that ${nameOf(tracker, orderId)} is ${status}: it had heard CANCELLATION_REQUEST_ACCEPTED (${atClock(taken.at)}), but not CANCELLED, and the order is ${order.truth}.`,
        evidence: cites(taken.cite, order.lastRead?.cite),
        orderId,
        once: `${orderId} view`,
      })
    },
  },
})
