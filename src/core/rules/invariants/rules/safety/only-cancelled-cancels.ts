/**
 * SE-13: CANCELLATION_REQUEST_ACCEPTED announces a cancellation, CANCELLED states it. Before CANCELLED the order is
 * open: in the status that the service itself reports, and its delivery is not cancelled unless the service requested
 * the cancellation.
 */
import { defineInvariant, type Violation } from '../../invariant.ts'
import type { Evidence } from '../../verdict.ts'
import { orderIdOfExchange } from '../../tracking/exchange-fields.ts'
import { getOrCreateBounded } from '../../tracking/bounded-map.ts'
import { atTimeOfDay, orderName } from '../../tracking/wording.ts'
import type { TrackedOrder } from '../../tracking/tracker-state.ts'

interface Cancellation {
  /** CANCELLATION_REQUEST_ACCEPTED was handed over. */
  heard?: { readonly at: number; readonly cite: Evidence }
  /**
   * The last time that the service cancelled the delivery of the open order, as far as no announcement is known: it may act
   * before it answers the webhook with it, which is observed when it is answered.
   */
  undone?: DeliveryCancellation
  /** It was acknowledged. */
  accepted?: { readonly at: number; readonly cite: Evidence }
  /** The service requested the cancellation itself, so it may cancel the delivery earlier (LOG-CON-04). */
  asked?: true
}

interface DeliveryCancellation {
  readonly orderId: string
  readonly began: number
  readonly cite: Evidence
  /** Status of the order at the host. */
  readonly status: string
}

type State = Map<string, Cancellation>

const accepted = 'CANCELLATION_REQUEST_ACCEPTED'

const isOpen = ({ hostStatus, shownStatuses }: TrackedOrder): boolean =>
  hostStatus !== 'CANCELLED' && hostStatus !== 'CONCLUDED' && !shownStatuses.has('CANCELLED')

const closed: ReadonlySet<string> = new Set(['CANCELLED', 'CONCLUDED'])

const cancellationOf = (cancellations: State, orderId: string): Cancellation =>
  getOrCreateBounded(cancellations, orderId, (): Cancellation => ({}))

const earlyCancellation = (
  name: string,
  heard: NonNullable<Cancellation['heard']>,
  { began, cite, status, orderId }: DeliveryCancellation,
): Violation => ({
  because: `The service cancelled the delivery of ${name} ${atTimeOfDay(began)}, after CANCELLATION_REQUEST_ACCEPTED (${atTimeOfDay(heard.at)}) but before CANCELLED; the order is ${status}.`,
  evidence: [heard.cite, cite],
  orderId,
  deduplicationKey: `${orderId} delivery`,
})

export const onlyCancelledCancels = defineInvariant<State>({
  id: 'SE-13',
  name: 'only-cancelled-cancels',
  sentence:
    'Must treat an order as cancelled only after CANCELLED, not after CANCELLATION_REQUEST_ACCEPTED.',
  remedy:
    'Wait for CANCELLED, or a GET that shows it, before you cancel the delivery or close the order.',
  kind: 'safety',
  clauses: ['ORD-EVT-14', 'ORD-CAN-04', 'ORD-CAN-05'],
  premise: 'CANCELLATION_REQUEST_ACCEPTED reached the service before its order was cancelled',
  calls: ['requestCancellation', 'cancelDelivery'],
  start: () => new Map(),
  handover(cancellations, { eventType, orderId, order, at, exchange }, tracker, report) {
    if (orderId === undefined || eventType !== accepted) return
    const cancellation = cancellationOf(cancellations, orderId)
    const { undone, heard } = cancellation
    if (heard) return
    cancellation.heard = { at, cite: exchange.evidence }
    // A fault may have held the webhook back: when it arrived is not known then.
    if (!order || !undone || undone.began < at || exchange.isFaulted) return
    const timing = tracker.timing.inOrder(at, undone.began)
    const name = orderName(tracker, orderId)
    report.failed({ ...earlyCancellation(name, cancellation.heard, undone), timing })
  },
  acknowledgment(cancellations, { eventType, orderId, order, at, exchange }, _tracker, report) {
    if (orderId === undefined || eventType !== accepted) return
    const cancellation = cancellationOf(cancellations, orderId)
    if (!order || !isOpen(order) || cancellation.accepted) return
    cancellation.accepted = { at, cite: exchange.evidence }
    report.premise()
  },
  call(cancellations, exchange, tracker, report) {
    const orderId = orderIdOfExchange(exchange)
    const order = orderId === undefined ? undefined : tracker.orders.get(orderId)
    if (!order) return
    const cancellation = cancellationOf(cancellations, order.orderId)
    if (exchange.operation === 'requestCancellation') {
      cancellation.asked = true
      return
    }
    const { heard, asked } = cancellation
    if (asked || order.hasRequestedCancellation || !isOpen(order)) return
    const { began, evidence } = exchange
    const undone = { orderId: order.orderId, began, cite: evidence, status: order.hostStatus }
    if (!heard) cancellation.undone = undone
    else if (began >= heard.at)
      report.failed(earlyCancellation(orderName(tracker, order.orderId), heard, undone))
  },
  probe(cancellations, { orderId, status, at }, tracker, report) {
    const order = tracker.orders.get(orderId)
    const taken = cancellations.get(orderId)?.accepted
    if (!order || !taken || !isOpen(order) || status === undefined || !closed.has(status)) return
    report.failed({
      because: `The service reports ${orderName(tracker, orderId)} as ${status} ${atTimeOfDay(at)}, after CANCELLATION_REQUEST_ACCEPTED (${atTimeOfDay(taken.at)}) but before CANCELLED; the order is ${order.hostStatus}.`,
      evidence: [taken.cite, order.lastSnapshot?.evidence],
      orderId,
      deduplicationKey: `${orderId} view`,
    })
  },
})
