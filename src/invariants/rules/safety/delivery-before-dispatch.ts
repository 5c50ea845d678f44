/**
 * SE-10: an order is dispatched after the service learned that the requested delivery exists: by reply, read or
 * webhook. A delivery that was refused for good or cancelled again need not be awaited.
 */
import { compact } from '../../../compact.ts'
import type { Instant } from '../../../engine/instant.ts'
import { isOrderEventType } from '../../../protocol/orders/events.ts'
import { defineInvariant } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Evidence } from '../../verdict.ts'
import { isRefusal, orderOfExchange } from '../../tracking/exchange-fields.ts'
import { webhooksBetween } from '../../tracking/webhooks-in-flight.ts'
import { createPerOrderState } from '../../tracking/per-order-state.ts'
import { timingOfSequence } from '../../tracking/timing.ts'
import { atTimeOfDay, collectEvidence, orderName, replyText } from '../../tracking/wording.ts'
import type { InvariantReporter } from '../../invariant.ts'
import type { TrackedOrder, TrackerState } from '../../tracking/tracker-state.ts'

interface Delivery {
  /** When the service learned that it exists, or that it will not. */
  settled?: Instant
  /** The last attempt to create it. */
  attempt?: { readonly outcome: string; readonly cite: Evidence }
  told?: true
}

const deliveryOf = createPerOrderState<Delivery>()
const fresh = (): Delivery => ({})
/** First dispatch; most orders have no requested delivery. */
const dispatchOf = createPerOrderState<Evidence>()

function judge(order: TrackedOrder, tracker: TrackerState, report: InvariantReporter): void {
  const delivery = deliveryOf.get(order)
  const dispatch = dispatchOf.get(order)
  if (!delivery?.attempt || !dispatch || delivery.told) return
  const { settled, attempt } = delivery
  if (attempt.cite.at > dispatch.at) return
  delivery.told = true
  report.premise()
  if (settled !== undefined && settled <= dispatch.at) return
  const { orderId } = order
  const name = orderName(tracker, orderId)
  const timing =
    settled === undefined ? undefined : timingOfSequence(tracker.lag, dispatch.at, settled)
  report.failed({
    ...compact({ timing }),
    because: `The service dispatched ${name} ${atTimeOfDay(dispatch.at)} before its delivery was known to exist: the delivery request ${atTimeOfDay(attempt.cite.at)} was ${attempt.outcome}.`,
    evidence: collectEvidence(attempt.cite, dispatch),
    orderId,
  })
}

const settles = (seen: ObservedExchange): boolean =>
  seen.caller === 'sparring'
    ? seen.ok
    : seen.ok || (seen.operation !== 'getDelivery' && isRefusal(seen))

/** A webhook of the platform is in flight: the service may act on it before it answers. */
const isWebhookInFlight = ({ order, began }: ObservedExchange, tracker: TrackerState): boolean =>
  order !== undefined &&
  webhooksBetween(tracker, order.orderId, began, began).length > 0 &&
  order.events.some(
    ({ callsInFlight, eventType }) => callsInFlight > 0 && !isOrderEventType(eventType),
  )

export const deliveryBeforeDispatch = defineInvariant<undefined>({
  id: 'SE-10',
  name: 'delivery-before-dispatch',
  sentence: 'Must not dispatch an order before the delivery that it requested is known to exist.',
  remedy:
    'Dispatch only after the delivery request succeeded or a delivery event arrived, and retry the request when it failed.',
  kind: 'safety',
  clauses: ['LOG-CON-03', 'ORD-TRA-06'],
  premise: 'the service dispatched an order that it had asked a delivery for',
  binds: ['software-service'],
  subscriptions: {
    exchanges: [
      'createDelivery',
      'getDelivery',
      'cancelDelivery',
      'receiveDeliveryEvent',
      'dispatchOrder',
    ],
  },
  start: () => undefined,
  handlers: {
    exchange(_state, seen, tracker, report) {
      const order = orderOfExchange(seen, tracker)
      if (!order) return
      if (seen.operation === 'dispatchOrder') {
        if (seen.caller !== 'subject') return
        if (!dispatchOf.get(order)) dispatchOf.set(order, seen.evidence)
        if (isWebhookInFlight(seen, tracker))
          deliveryOf.getOrCreate(order, fresh).settled ??= seen.began
        return judge(order, tracker, report)
      }
      const delivery = deliveryOf.getOrCreate(order, fresh)
      // A reply still in flight at the dispatch is not known yet.
      if (settles(seen)) delivery.settled = Math.min(delivery.settled ?? seen.ended, seen.ended)
      if (seen.operation !== 'createDelivery' || seen.caller !== 'subject') return
      const dispatch = dispatchOf.get(order)
      if (!dispatch || seen.began <= dispatch.at)
        delivery.attempt = { outcome: replyText(seen), cite: seen.evidence }
      judge(order, tracker, report)
    },
  },
})
