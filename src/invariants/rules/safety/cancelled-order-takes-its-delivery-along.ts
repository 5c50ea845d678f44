/**
 * SE-4: when an order is cancelled, the subject that created its delivery cancels that too, even if the creation was
 * never answered. A final refusal by the platform counts as done: the rest is manual (LOG-RUL-02).
 */
import { addBounded, setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant, type Tell } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import type { Cited } from '../../verdict.ts'
import { isAmbiguous, isRefusal, orderIdOf } from '../../tracking/subject-order.ts'
import { keptFor, mostKept } from '../../tracking/bounded-map.ts'
import { isCancelled as isCancelledAtHost } from '../../tracking/progress.ts'
import { atClock, cites, howKnown, lasting, nameOf, outcomeOf } from '../../tracking/wording.ts'
import type { Watch } from '../../tracking/tracker-state.ts'

interface Delivery {
  /**
   * Set when the service requested the delivery and the call may have taken effect; others' deliveries are not its to
   * cancel.
   */
  created?: { readonly at: Instant; readonly cite: Cited; readonly outcome: string }
  /** The delivery is active at the platform. */
  stands?: boolean
  /** Its cancellation reached the platform. */
  undone?: boolean
  /** The last failed cancellation. */
  failed?: Cited
}

interface State {
  readonly deliveries: Map<string, Delivery>
  /** Cancelled orders with an active delivery, by the instant since when. */
  readonly owed: Map<string, Instant>
  /** Orders cancelled by an originator under test, according to the last status it showed. */
  readonly seen: Set<string>
}

function requireCancellation({ deliveries, owed }: State, orderId: string, at: Instant): boolean {
  const delivery = deliveries.get(orderId)
  if (!delivery?.created || !delivery.stands || delivery.undone || owed.has(orderId)) return false
  setBounded(owed, orderId, at, mostKept)
  return true
}

/** Whether an order is cancelled: at the host, or as its originator shows it. */
function isCancelled({ seen }: State, { orders }: Watch, orderId: string): boolean {
  const order = orders.get(orderId)
  return order ? isCancelledAtHost(order) : seen.has(orderId)
}

function handleCall(state: State, exchange: SeenExchange, tracker: Watch, report: Tell): void {
  const orderId = orderIdOf(exchange)
  if (exchange.by !== 'subject' || orderId === undefined) return
  const delivery = keptFor(state.deliveries, orderId, (): Delivery => ({}))
  if (exchange.operation === 'createDelivery') {
    if (!exchange.ok && !isAmbiguous(exchange)) return
    const outcome = outcomeOf(exchange)
    delivery.created = { at: exchange.began, cite: exchange.cite, outcome }
    return startIfCancelled(state, orderId, exchange.ended, { watch: tracker, tell: report })
  }
  const arrived = exchange.ok || (isRefusal(exchange) && exchange.status !== 404)
  if (arrived) {
    delivery.undone = true
    state.owed.delete(orderId)
  } else delivery.failed = exchange.cite
}

function startIfCancelled(
  state: State,
  orderId: string,
  at: Instant,
  { watch: tracker, tell: report }: { readonly watch: Watch; readonly tell: Tell },
): void {
  if (isCancelled(state, tracker, orderId) && requireCancellation(state, orderId, at))
    report.premise()
}

export const cancelledOrderTakesItsDeliveryAlong = defineInvariant<State>({
  id: 'SE-4',
  name: 'cancelled-order-takes-its-delivery-along',
  sentence:
    'When an order is cancelled, the service cancels the delivery that it asked for, even if it never heard whether that took effect.',
  kind: 'liveness',
  clauses: ['LOG-CON-04', 'LOG-OPS-08', 'LOG-CON-03'],
  premise: 'an order was cancelled while its delivery was under way',
  binds: ['software-service', 'ordering-application'],
  sees: {
    exchanges: ['createDelivery', 'cancelDelivery'],
    facts: ['delivery.created', 'delivery.moved', 'order.moved', 'ticket.read'],
  },
  start: () => ({ deliveries: new Map(), owed: new Map(), seen: new Set() }),
  shown: {
    exchange: handleCall,
    fact(state, { fact, at }, tracker, report) {
      const { deliveries, owed } = state
      switch (fact.kind) {
        case 'delivery.created':
          Object.assign(
            keptFor(deliveries, fact.orderId, (): Delivery => ({})),
            { stands: true, undone: false } satisfies Delivery,
          )
          return startIfCancelled(state, fact.orderId, at, { watch: tracker, tell: report })
        case 'delivery.moved': {
          if (fact.to !== 'CANCELLED' && fact.to !== 'FAILED' && fact.to !== 'DELIVERED') return
          const delivery = deliveries.get(fact.orderId)
          if (delivery) delivery.stands = false
          // Ended before the deadline: nothing is left to cancel.
          const since = owed.get(fact.orderId)
          if (since !== undefined && !tracker.overdue(since)) owed.delete(fact.orderId)
          return
        }
        case 'ticket.read':
          if (fact.status === 'CANCELLED') addBounded(state.seen, fact.orderId, mostKept)
          else state.seen.delete(fact.orderId)
          if (deliveries.size > 0)
            startIfCancelled(state, fact.orderId, at, { watch: tracker, tell: report })
          return
        case 'order.moved':
          if (deliveries.size === 0) return
          // The cancellation was reverted: the order goes on with its delivery.
          if (isCancelled(state, tracker, fact.orderId))
            startIfCancelled(state, fact.orderId, at, { watch: tracker, tell: report })
          else owed.delete(fact.orderId)
          return
        default:
      }
    },
  },
  end({ deliveries, owed }, tracker, report) {
    for (const [orderId, since] of owed) {
      if (!tracker.overdue(since)) {
        report.open()
        continue
      }
      const { created, failed } = deliveries.get(orderId) ?? {}
      const name = nameOf(tracker, orderId)
      const knowledge = tracker.orders.get(orderId)?.known.get('CANCELLED')
      const asked = created
        ? `which the service asked for ${atClock(created.at)} (${created.outcome})`
        : 'which the service asked for'
      const knew = knowledge ? ` The service ${howKnown(knowledge)}.` : ''
      const tried = failed ? ' Its last attempt to cancel it failed.' : ''
      report.broken({
        because: `${name} was cancelled ${atClock(since)}; its delivery, ${asked}, has not been cancelled ${lasting(tracker.now - since)} later.${knew}${tried}`,
        evidence: cites(created?.cite, knowledge?.cite, failed),
        orderId,
      })
    }
  },
})
