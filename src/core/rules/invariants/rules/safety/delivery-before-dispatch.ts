/**
 * SE-10: an order is dispatched after the service learned that the requested delivery exists: by reply, read or
 * webhook. A delivery that was refused for good or cancelled again need not be awaited.
 */
import { compact } from '../../../../base/compact.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { isOrderEventType } from '../../../../protocol/orders/events.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Evidence } from '../../verdict.ts'
import { isRefusal, orderOfExchange } from '../../tracking/exchange-fields.ts'
import { webhooksBetween } from '../../tracking/webhooks-in-flight.ts'
import { getOrCreate } from '../../tracking/bounded-map.ts'
import { atTimeOfDay, orderName, replyText } from '../../tracking/wording.ts'
import type { TrackedOrder, TrackerState } from '../../tracking/tracker-state.ts'

interface Delivery {
  /** When the service learned that it exists, or that it will not. */
  settled?: Instant
  /** The last attempt to create it. */
  attempt?: { readonly outcome: string; readonly cite: Evidence }
  reported?: true
}

const deliveryOf = new WeakMap<TrackedOrder, Delivery>()
const fresh = (): Delivery => ({})
/** First dispatch; most orders have no requested delivery. */
const dispatchOf = new WeakMap<TrackedOrder, Evidence>()

function judge(order: TrackedOrder, tracker: TrackerState, report: InvariantReporter): void {
  const delivery = deliveryOf.get(order)
  const dispatch = dispatchOf.get(order)
  if (!delivery?.attempt || !dispatch || delivery.reported) return
  const { settled, attempt } = delivery
  if (attempt.cite.at > dispatch.at) return
  delivery.reported = true
  report.premise()
  if (settled !== undefined && settled <= dispatch.at) return
  const { orderId } = order
  const name = orderName(tracker, orderId)
  const timing = settled === undefined ? undefined : tracker.timing.inOrder(dispatch.at, settled)
  report.failed({
    ...compact({ timing }),
    because: `The service dispatched ${name} ${atTimeOfDay(dispatch.at)} before its delivery was known to exist: the delivery request ${atTimeOfDay(attempt.cite.at)} was ${attempt.outcome}.`,
    evidence: [attempt.cite, dispatch],
    orderId,
  })
}

/** A reply still in flight at the dispatch is not known yet. */
function settle(order: TrackedOrder, at: Instant): void {
  const delivery = getOrCreate(deliveryOf, order, fresh)
  delivery.settled = Math.min(delivery.settled ?? at, at)
}

/** A webhook of the platform is in flight: the service may act on it before it answers. */
const isWebhookInFlight = ({ order, began }: ObservedExchange, tracker: TrackerState): boolean =>
  order !== undefined &&
  webhooksBetween(tracker, order.orderId, began, began).length > 0 &&
  order.events.some(
    ({ callsInFlight, eventType }) => callsInFlight > 0 && !isOrderEventType(eventType),
  )

export const deliveryBeforeDispatch = defineInvariant({
  id: 'SE-10',
  name: 'delivery-before-dispatch',
  sentence: 'Must not dispatch an order before the delivery that it requested is known to exist.',
  remedy:
    'Dispatch only after the delivery request succeeded or a delivery event arrived, and retry the request when it failed.',
  kind: 'safety',
  clauses: ['LOG-CON-03', 'ORD-TRA-06'],
  premise: 'the service dispatched an order that it had asked a delivery for',
  needs: ['logistics'],
  calls: ['createDelivery', 'getDelivery', 'cancelDelivery', 'dispatchOrder'],
  webhook(_state, observed, tracker) {
    const order = orderOfExchange(observed, tracker)
    if (order && observed.ok && observed.operation === 'receiveDeliveryEvent')
      settle(order, observed.ended)
  },
  call(_state, observed, tracker, report) {
    const order = orderOfExchange(observed, tracker)
    if (!order) return
    const { operation, began, ended, evidence } = observed
    const dispatch = dispatchOf.get(order)
    if (operation === 'dispatchOrder') {
      if (!dispatch) dispatchOf.set(order, evidence)
      if (isWebhookInFlight(observed, tracker))
        getOrCreate(deliveryOf, order, fresh).settled ??= began
    } else if (observed.ok || (operation !== 'getDelivery' && isRefusal(observed)))
      settle(order, ended)
    if (operation === 'createDelivery' && (!dispatch || began <= dispatch.at))
      getOrCreate(deliveryOf, order, fresh).attempt = {
        outcome: replyText(observed),
        cite: evidence,
      }
    judge(order, tracker, report)
  },
})
