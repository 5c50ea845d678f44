/**
 * SE-4: when an order is cancelled, the subject that created its delivery cancels that too, even if the creation was
 * never answered. A final refusal by the platform counts as done: the rest is manual (LOG-RUL-02).
 */
import { addBounded, setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Evidence } from '../../verdict.ts'
import { isAmbiguous, isRefusal, orderIdOfExchange } from '../../tracking/exchange-fields.ts'
import { getOrCreateBounded, maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { isCancelledAtHost } from '../../tracking/progress.ts'
import {
  atTimeOfDay,
  knowledgeText,
  durationText,
  orderName,
  replyText,
} from '../../tracking/wording.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'

interface Delivery {
  /**
   * Set when the service requested the delivery and the call may have taken effect; others' deliveries are not its to
   * cancel.
   */
  created?: { readonly at: Instant; readonly cite: Evidence; readonly outcome: string }
  /** The delivery is active at the platform. */
  stands?: boolean
  /** Its cancellation reached the platform. */
  undone?: boolean
  /** The last failed cancellation. */
  failed?: Evidence
}

interface State {
  readonly deliveries: Map<string, Delivery>
  /** Cancelled orders with an active delivery, by the instant since when. */
  readonly owed: Map<string, Instant>
  /** Orders cancelled by an originator under test, according to the last status it showed. */
  readonly cancelled: Set<string>
}

function requireCancellation({ deliveries, owed }: State, orderId: string, at: Instant): boolean {
  const delivery = deliveries.get(orderId)
  if (!delivery?.created || !delivery.stands || delivery.undone || owed.has(orderId)) return false
  setBounded(owed, orderId, at, maxTrackedKeys)
  return true
}

/** Whether an order is cancelled: at the host, or as its originator shows it. */
function isCancelled({ cancelled }: State, { orders }: TrackerState, orderId: string): boolean {
  const order = orders.get(orderId)
  return order ? isCancelledAtHost(order) : cancelled.has(orderId)
}

function handleCall(
  state: State,
  exchange: ObservedExchange,
  tracker: TrackerState,
  report: InvariantReporter,
): void {
  const orderId = orderIdOfExchange(exchange)
  if (orderId === undefined) return
  const delivery = getOrCreateBounded(state.deliveries, orderId, (): Delivery => ({}))
  if (exchange.operation === 'createDelivery') {
    if (!exchange.ok && !isAmbiguous(exchange)) return
    const outcome = replyText(exchange)
    delivery.created = { at: exchange.began, cite: exchange.evidence, outcome }
    return startIfCancelled(state, orderId, tracker, report)
  }
  const arrived = exchange.ok || (isRefusal(exchange) && exchange.status !== 404)
  if (arrived) {
    delivery.undone = true
    state.owed.delete(orderId)
  } else delivery.failed = exchange.evidence
}

function startIfCancelled(
  state: State,
  orderId: string,
  tracker: TrackerState,
  report: InvariantReporter,
): void {
  const isDue = isCancelled(state, tracker, orderId)
  if (isDue && requireCancellation(state, orderId, tracker.now)) report.premise()
}

export const cancelledOrderTakesItsDeliveryAlong = defineInvariant<State>({
  id: 'SE-4',
  name: 'cancelled-order-takes-its-delivery-along',
  sentence:
    'Must cancel the requested delivery of a cancelled order, even when the reply to the delivery request was lost.',
  remedy:
    'Call cancelDelivery for every requested delivery of a cancelled order, and retry until the platform accepts or refuses it.',
  kind: 'liveness',
  clauses: ['LOG-CON-04', 'LOG-OPS-08', 'LOG-CON-03'],
  premise: 'an order was cancelled while its delivery was under way',
  needs: ['logistics'],
  binds: ['software-service', 'ordering-application'],
  calls: ['createDelivery', 'cancelDelivery'],
  start: () => ({ deliveries: new Map(), owed: new Map(), cancelled: new Set() }),
  call: handleCall,
  facts: {
    'delivery.created'(state, { orderId }, tracker, report) {
      const delivery = getOrCreateBounded(state.deliveries, orderId, (): Delivery => ({}))
      Object.assign(delivery, { stands: true, undone: false } satisfies Delivery)
      startIfCancelled(state, orderId, tracker, report)
    },
    'delivery.moved'({ deliveries, owed }, { orderId, to }, tracker) {
      if (to !== 'CANCELLED' && to !== 'FAILED' && to !== 'DELIVERED') return
      const delivery = deliveries.get(orderId)
      if (delivery) delivery.stands = false
      // Ended before the deadline, or so soon after it that our own lag may be the cause: nothing is left to cancel.
      const since = owed.get(orderId)
      if (since !== undefined && tracker.deadline(since).outcome !== 'failed') owed.delete(orderId)
    },
    'ticket.read'(state, { orderId, status }, tracker, report) {
      if (status === 'CANCELLED') addBounded(state.cancelled, orderId, maxTrackedKeys)
      else state.cancelled.delete(orderId)
      startIfCancelled(state, orderId, tracker, report)
    },
    'order.moved'(state, { orderId }, tracker, report) {
      startIfCancelled(state, orderId, tracker, report)
      // The cancellation was reverted: the order goes on with its delivery.
      if (!isCancelled(state, tracker, orderId)) state.owed.delete(orderId)
    },
  },
  end({ deliveries, owed }, tracker, report) {
    for (const [orderId, since] of owed) {
      const { created, failed } = deliveries.get(orderId) ?? {}
      const name = orderName(tracker, orderId)
      const knowledge = tracker.orders.get(orderId)?.knownStatuses.get('CANCELLED')
      const asked = created
        ? `requested by the service ${atTimeOfDay(created.at)} (${created.outcome})`
        : 'requested by the service'
      const knew = knowledge ? ` The service ${knowledgeText(knowledge)}.` : ''
      const tried = failed ? ' Its last call of cancelDelivery failed.' : ''
      report.due(tracker.deadline(since), () => ({
        because: `${name} was cancelled ${atTimeOfDay(since)}, and its delivery, ${asked}, is still not cancelled ${durationText(tracker.now - since)} later.${knew}${tried}`,
        evidence: [created?.cite, knowledge?.evidence, failed],
        orderId,
      }))
    }
  },
})
