/**
 * WH-3. A webhook with a wrong signature or store is refused and has no effect (AUT-GEN-02). An effect is detectable
 * where nothing else had announced the order to the service.
 */
import { addBounded, setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import { isBetween, orderOfCall } from '../../helpers/call-outcome.ts'
import { isForgedWebhook, mayBeTaken, webhookReceivers } from '../../helpers/webhooks.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { callName, orderName } from '../../tracking/wording.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'

interface State {
  /** Orders announced only by a forged webhook that was refused. */
  readonly forged: Map<string, ObservedExchange>
  /** First call about each order that was not announced yet; it may end before the webhook does. */
  readonly acted: Map<string, ObservedExchange>
  /** Orders that a genuine webhook announced whose reply was lost or no success: the service may have taken it. */
  readonly announced: Set<string>
}

const maxEntries = 2000

/** Whether other webhooks about the order are in flight, the same event again among them. */
const isMoreInFlight = ({ orders }: TrackerState, orderId: string, eventId: string): boolean =>
  orders
    .get(orderId)
    ?.events.some((other) => other.callsInFlight > (other.eventId === eventId ? 1 : 0)) === true

function recordForged(
  { forged, announced }: State,
  exchange: ObservedExchange,
  tracker: TrackerState,
  report: InvariantReporter,
): void {
  const { orderId, status } = exchange
  report.premise()
  // 503 may be said of any request; 500 says that the service failed over this one.
  const isBroken = status === 500
  if (exchange.ok || isBroken)
    report.failed({
      because: `The service answered a forged webhook${orderId === undefined ? '' : ` of ${orderName(tracker, orderId)}`} with ${status}${isBroken ? ' in place of 401' : ''}: ${exchange.exchange.fault}.`,
      evidence: [exchange.evidence],
      orderId,
      deduplicationKey: `${exchange.exchange.seq}`,
    })
  const isNew =
    orderId !== undefined &&
    tracker.orders.get(orderId)?.firstReceipt === undefined &&
    !announced.has(orderId)
  if (isNew && !exchange.ok && !forged.has(orderId))
    setBounded(forged, orderId, exchange, maxEntries)
}

export const forgedWebhooksAreRefused = defineInvariant<State>({
  id: 'WH-3',
  name: 'forged-webhooks-are-refused',
  sentence: 'Must refuse a webhook with a wrong signature or store, and must not act on it.',
  remedy:
    'Verify the signature over the raw body, and the store, before the event is processed, and answer 401 when either is wrong.',
  kind: 'safety',
  clauses: ['AUT-GEN-02', 'TRN-STA-05'],
  premise: 'a webhook was sent with a wrong signature, or for a store of another service',
  binds: webhookReceivers,
  calls: 'all',
  start: () => ({ forged: new Map(), acted: new Map(), announced: new Set() }),
  handover({ forged, acted, announced }, { orderId, eventId, channel, exchange }, tracker, report) {
    const isUnanswered = channel === 'webhook' && !exchange.ok && !isForgedWebhook(exchange)
    if (isUnanswered && orderId !== undefined) addBounded(announced, orderId, maxEntries)
    if (forged.size === 0 && acted.size === 0) return
    if (orderId === undefined || isForgedWebhook(exchange)) return
    const by = forged.get(orderId)
    const call = acted.get(orderId)
    forged.delete(orderId)
    acted.delete(orderId)
    // A call between the forged and the genuine event was caused by the forged one.
    if (!by || !call || !isBetween(by, call, exchange)) return
    // Unless another webhook was in flight.
    if (channel === 'polling' || isMoreInFlight(tracker, orderId, eventId)) return
    report.failed({
      because: `The service refused a forged webhook of ${orderName(tracker, orderId)} with ${by.status}, but made ${callName(call, tracker)} anyway, before anything else had announced the order.`,
      evidence: [by.evidence, call.evidence, exchange.evidence],
      orderId,
      deduplicationKey: `${by.exchange.seq}`,
    })
  },
  webhook(state, exchange, tracker, report) {
    const { orderId } = exchange
    if (isForgedWebhook(exchange)) recordForged(state, exchange, tracker, report)
    else if (orderId !== undefined && mayBeTaken(exchange)) {
      addBounded(state.announced, orderId, maxEntries)
      state.forged.delete(orderId)
    }
  },
  call({ acted }, exchange, tracker) {
    // Other roles learn of an order by more than its events: they host it, or it is sent to them.
    if (exchange.exchange.from.role !== 'software-service') return
    const order = orderOfCall(exchange, tracker)
    if (!order || order.firstReceipt || acted.has(order.orderId)) return
    setBounded(acted, order.orderId, exchange, maxEntries)
  },
  end({ forged, acted }, tracker, report) {
    for (const [orderId, by] of forged) {
      const call = acted.get(orderId)
      if (!call || call.exchange.seq < by.exchange.seq) continue
      const timing = tracker.deadline(call.ended)
      if (timing.outcome === 'fine') continue
      report.failed({
        timing,
        because: `The service refused a forged webhook of ${orderName(tracker, orderId)} with ${by.status}, but made ${callName(call, tracker)} anyway; nothing else ever announced the order.`,
        evidence: [by.evidence, call.evidence],
        orderId,
        deduplicationKey: `${by.exchange.seq}`,
      })
    }
  },
})
