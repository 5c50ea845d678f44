/**
 * WH-5. A valid event is taken, however late or often it comes (ORD-OPS-03, ORD-EVR-03, ORD-EVR-04): one that the
 * service turns away until it is abandoned is lost to it. Events that a fault made or changed do not count, nor those
 * that were sent while calls of the service failed.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { isForbiddenForProfile, isOrderEventType } from '../../../../protocol/orders/events.ts'
import { parseV1EventType } from '../../../../protocol/v1/events.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { allOf, type Timing } from '../../tracking/timing.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'
import { orderName, replyText } from '../../tracking/wording.ts'
import { timesText } from '../../../../protocol/count-text.ts'

/** The webhooks of an event that the service turned away, and no other ones. */
interface Refusals {
  readonly first: ObservedExchange
  last: ObservedExchange
  count: number
  /** One of them shows nothing: a fault distorted it, or the service was not there. */
  isDisturbed: boolean
}

interface State {
  /** By event id. */
  readonly refused: Map<string, Refusals>
  /** End of the last call of the service that a fault distorted, or that was answered with an error of ours. */
  disturbedAt: Instant
}

const maxEntries = 2000

/** Calls that may well make a service answer 5xx itself. */
const isDisturbance = ({ isFaulted, isRewritten, status }: ObservedExchange): boolean =>
  (isFaulted && !isRewritten) || status === 0 || status === 429 || status >= 500

/** The service has nothing to say about a fault, nor about a webhook that did not arrive. */
const showsNothing = ({ isFaulted, isRewritten, status, exchange }: ObservedExchange): boolean =>
  (isFaulted && !isRewritten) || (status === 0 && exchange.failure?.code !== 'TIMEOUT')

/** Whether the service must take an event of this id. */
function isValid(eventId: string, { events }: TrackerState): boolean {
  const { eventType, order, isChanged, isOfOrders } = events.get(eventId) ?? {}
  if (eventType === undefined || !order || order.isForeign || isChanged || !isOfOrders) return false
  if (!isOrderEventType(eventType)) return parseV1EventType(eventType) !== undefined
  return !isForbiddenForProfile(eventType, order.orderType)
}

/** Calls failed long enough before, and where the last webhook was not answered it is not us who were late. */
function abandonedTiming(
  { first, last }: Refusals,
  disturbedAt: Instant,
  { timing, limits }: TrackerState,
): Timing {
  const sinceDisturbance = timing.atMost(disturbedAt, first.began, limits.graceMs)
  if (last.status > 0 || sinceDisturbance.outcome === 'fine') return sinceDisturbance
  const byMs = Math.max(1, last.ended - last.began - limits.webhookMs)
  return allOf(sinceDisturbance, timing.of({ from: last.began, to: last.ended, byMs }))
}

function reportAbandoned(
  eventId: string,
  { first, last, count, timing }: Refusals & { readonly timing: Timing },
  tracker: TrackerState,
  report: InvariantReporter,
): void {
  const { eventType = '', order } = tracker.events.get(eventId) ?? {}
  const orderId = order?.orderId ?? ''
  report.failed({
    timing,
    because: `The service refused the webhook of ${eventType} of ${orderName(tracker, orderId)} ${timesText(count)}, until the partner gave up: the last was ${replyText(last)}.`,
    evidence: [first.evidence, last.evidence],
    orderId,
    deduplicationKey: eventId,
  })
}

export const validWebhooksAreTaken = defineInvariant<State>({
  id: 'WH-5',
  name: 'valid-webhooks-are-taken',
  sentence: 'Must accept every valid event before the partner gives up sending it.',
  remedy:
    'Answer 2xx to every valid event, also to duplicates and late ones, and use 5xx only for a temporary problem.',
  kind: 'safety',
  clauses: ['ORD-OPS-03', 'ORD-EVR-03', 'ORD-EVR-04'],
  premise: 'a valid event was sent to the webhook of the service until it was accepted or given up',
  calls: 'all',
  start: () => ({ refused: new Map(), disturbedAt: Number.NEGATIVE_INFINITY }),
  call(state, exchange) {
    if (isDisturbance(exchange)) state.disturbedAt = exchange.ended
  },
  webhook({ refused }, exchange, tracker, report) {
    const eventId = exchange.exchange.eventIds?.[0]
    if (exchange.operation !== 'receiveOrderEvent') return
    if (eventId === undefined || !isValid(eventId, tracker)) return
    if (exchange.ok && (!exchange.isFaulted || exchange.isRewritten)) {
      report.premise()
      refused.delete(eventId)
      return
    }
    const before = refused.get(eventId)
    const isDisturbed = showsNothing(exchange) || before?.isDisturbed === true
    const first = before?.first ?? exchange
    const count = (before?.count ?? 0) + 1
    setBounded(refused, eventId, { first, last: exchange, count, isDisturbed }, maxEntries)
  },
  /** What was refused is open while the event may still come again. */
  end({ refused, disturbedAt }, tracker, report) {
    for (const [eventId, refusals] of refused)
      if (
        !refusals.isDisturbed &&
        tracker.pendingWork.event(eventId) &&
        abandonedTiming(refusals, disturbedAt, tracker).outcome !== 'fine'
      )
        report.open()
  },
  facts: {
    'event.given-up'({ refused, disturbedAt }, { eventId }, tracker, report) {
      const refusals = refused.get(eventId)
      refused.delete(eventId)
      if (!refusals || refusals.isDisturbed) return
      const timing = abandonedTiming(refusals, disturbedAt, tracker)
      if (timing.outcome === 'fine') return
      report.premise()
      reportAbandoned(eventId, { ...refusals, timing }, tracker, report)
    },
  },
})
