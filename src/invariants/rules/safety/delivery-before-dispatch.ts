/**
 * SE-10: an order is dispatched after the service learned that the requested delivery exists: by reply, read or
 * webhook. A delivery that was refused for good or cancelled again need not be awaited.
 */
import type { Instant } from '../../../engine/instant.ts'
import { isOrderEventType } from '../../../protocol/orders/events.ts'
import { defineInvariant } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import type { Cited } from '../../verdict.ts'
import { isRefusal, orderIn } from '../../tracking/subject-order.ts'
import { cameBetween } from '../../tracking/webhooks-in-flight.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { atClock, cites, nameOf, outcomeOf } from '../../tracking/wording.ts'
import type { Tell } from '../../invariant.ts'
import type { OrderWatch, Watch } from '../../tracking/tracker-state.ts'

interface Delivery {
  /** When the service learned that it exists, or that it will not. */
  settled?: Instant
  /** The last attempt to create it. */
  attempt?: { readonly outcome: string; readonly cite: Cited }
  told?: true
}

const deliveryOf = createNote<Delivery>()
const fresh = (): Delivery => ({})
/** First dispatch; most orders have no requested delivery. */
const dispatchOf = createNote<Cited>()

function judge(order: OrderWatch, tracker: Watch, report: Tell): void {
  const delivery = deliveryOf.of(order)
  const dispatch = dispatchOf.of(order)
  if (!delivery?.attempt || !dispatch || delivery.told) return
  const { settled, attempt } = delivery
  if (attempt.cite.at > dispatch.at) return
  delivery.told = true
  report.premise()
  if (settled !== undefined && settled <= dispatch.at) return
  const { orderId } = order
  const name = nameOf(tracker, orderId)
  report.broken({
    because: `The service dispatched ${name} ${atClock(dispatch.at)} before its delivery was there: the creation ${atClock(attempt.cite.at)} was ${attempt.outcome}.`,
    evidence: cites(attempt.cite, dispatch),
    orderId,
  })
}

const settles = (seen: SeenExchange): boolean =>
  seen.by === 'sparring'
    ? seen.ok
    : seen.ok || (seen.operation !== 'getDelivery' && isRefusal(seen))

/** A webhook of the platform is in flight: the service may act on it before it answers. */
const isWebhookInFlight = ({ order, began }: SeenExchange, tracker: Watch): boolean =>
  order !== undefined &&
  cameBetween(tracker, order.orderId, began, began).length > 0 &&
  order.events.some(
    ({ calling: callsInFlight, eventType }) => callsInFlight > 0 && !isOrderEventType(eventType),
  )

export const deliveryBeforeDispatch = defineInvariant<undefined>({
  id: 'SE-10',
  name: 'delivery-before-dispatch',
  sentence: 'The service dispatches an order when the delivery that it asked for is there.',
  kind: 'safety',
  clauses: ['LOG-CON-03', 'ORD-TRA-06'],
  premise: 'the service dispatched an order that it had asked a delivery for',
  binds: ['software-service'],
  sees: {
    exchanges: [
      'createDelivery',
      'getDelivery',
      'cancelDelivery',
      'receiveDeliveryEvent',
      'dispatchOrder',
    ],
  },
  start: () => undefined,
  shown: {
    exchange(_state, seen, tracker, report) {
      const order = orderIn(seen, tracker)
      if (!order) return
      if (seen.operation === 'dispatchOrder') {
        if (seen.by !== 'subject') return
        if (!dispatchOf.of(order)) dispatchOf.keep(order, seen.cite)
        if (isWebhookInFlight(seen, tracker)) deliveryOf.or(order, fresh).settled ??= seen.began
        return judge(order, tracker, report)
      }
      const delivery = deliveryOf.or(order, fresh)
      // A reply still in flight at the dispatch is not known yet.
      if (settles(seen)) delivery.settled = Math.min(delivery.settled ?? seen.ended, seen.ended)
      if (seen.operation !== 'createDelivery' || seen.by !== 'subject') return
      const dispatch = dispatchOf.of(order)
      if (!dispatch || seen.began <= dispatch.at)
        delivery.attempt = { outcome: outcomeOf(seen), cite: seen.cite }
      judge(order, tracker, report)
    },
  },
})
