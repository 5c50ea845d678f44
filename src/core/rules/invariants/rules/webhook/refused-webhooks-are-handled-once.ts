/**
 * WH-4. An event whose webhook was refused is processed when it is sent again: not before, and once (ORD-EVR-03,
 * ORD-OPS-03). It is detectable for the event that reveals an order, if nothing else announced the order: the order is
 * read after the accepted webhook, not also before it.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import { revealingEventType } from '../../helpers/accepted-orders.ts'
import { isRefusedWebhook, mayBeTaken } from '../../helpers/webhooks.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { orderName } from '../../tracking/wording.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'

interface Resent {
  readonly eventId: string
  readonly refused: ObservedExchange
  lastRefusal: ObservedExchange
  /** The second sending, which the service answered 2xx. */
  taken: ObservedExchange | undefined
  /** GETs since the refusal. */
  reads: ObservedExchange[]
}

interface State {
  /** Orders announced only by a refused webhook. */
  readonly again: Map<string, Resent>
  /** GETs of orders that were not announced yet; one may end before the webhook does. */
  readonly early: Map<string, ObservedExchange[]>
}

const maxEntries = 2000
const maxReads = 8

/** Whether a GET shows that the event was processed: one that failed is why a webhook is answered 5xx, or makes up for it in vain. */
const isProcessing =
  ({ status }: ObservedExchange) =>
  (read: ObservedExchange): boolean =>
    status < 500 || read.ok

/** One GET after each sending, if the event was processed twice. */
function readsAfterBoth(
  { taken, lastRefusal, reads: all }: Resent,
  soonMs: number,
): readonly ObservedExchange[] {
  if (!taken) return []
  const before = all
    .filter(isProcessing(lastRefusal))
    .find(({ exchange }) => exchange.seq < taken.exchange.seq)
  const after = all.find(
    ({ exchange, began }) => exchange.seq > taken.exchange.seq && began - taken.began < soonMs,
  )
  return before && after ? [before, after] : []
}

interface Context {
  readonly tracker: TrackerState
  readonly report: InvariantReporter
}

function reportIfReadTwice(orderId: string, again: Resent, { tracker, report }: Context): void {
  const [before, after] = readsAfterBoth(again, tracker.limits.inFlightMs)
  if (!before || !after || !again.taken) return
  const { inFlightMs } = tracker.limits
  report.failed({
    timing: tracker.timing.atLeast(again.taken.start, after.start, inFlightMs),
    because: `The service answered the webhook of CREATED of ${orderName(tracker, orderId)} with ${again.refused.status} and read the order anyway, and read it again when it accepted the same webhook.`,
    evidence: [again.refused.evidence, before.evidence, again.taken.evidence, after.evidence],
    orderId,
  })
}

function recordRead(
  { again: all, early }: State,
  read: ObservedExchange,
  orderId: string,
  context: Context,
) {
  const again = all.get(orderId)
  if (again) {
    if (again.reads.length < maxReads) again.reads.push(read)
    return reportIfReadTwice(orderId, again, context)
  }
  const order = context.tracker.orders.get(orderId)
  if (!order || order.firstReceipt) return
  const list = early.get(orderId) ?? []
  if (list.length < maxReads) list.push(read)
  setBounded(early, orderId, list, maxEntries)
}

export const refusedWebhooksAreHandledOnce = defineInvariant<State>({
  id: 'WH-4',
  name: 'refused-webhooks-are-handled-once',
  sentence:
    'Must process an event whose webhook it refused when the event is sent again, and only then.',
  remedy:
    'Record an event as processed only when its webhook is answered 2xx, and do nothing for a webhook that is refused.',
  kind: 'safety',
  clauses: ['ORD-EVR-03', 'ORD-OPS-03'],
  premise:
    'the service refused a webhook that reveals an order, and accepted it when it was sent again',
  calls: ['getOrder'],
  start: () => ({ again: new Map(), early: new Map() }),
  handover({ again, early }, { orderId, channel, eventId, exchange }) {
    if (orderId === undefined || (again.size === 0 && early.size === 0)) return
    if (!isRefusedWebhook(exchange)) early.delete(orderId)
    // Another event announced the order, or the reply to the same webhook was lost: actions from now on may be caused
    // by that.
    const isOther = channel === 'polling' || eventId !== again.get(orderId)?.eventId
    if (isOther || exchange.status === 0) again.delete(orderId)
  },
  call(state, exchange, tracker, report) {
    const { orderId } = exchange
    if (orderId !== undefined) recordRead(state, exchange, orderId, { tracker, report })
  },
  webhook({ again: all, early }, exchange, tracker, report) {
    const { orderId } = exchange
    if (orderId === undefined || exchange.operation !== 'receiveOrderEvent') return
    const again = all.get(orderId)
    const eventId = exchange.exchange.eventIds?.[0] ?? ''
    if (mayBeTaken(exchange)) {
      all.delete(orderId)
      early.delete(orderId)
    } else if (isRefusedWebhook(exchange)) {
      if (again) {
        again.reads = again.reads.filter(isProcessing(exchange))
        again.lastRefusal = exchange
      }
      const isNew = tracker.orders.get(orderId)?.firstReceipt === undefined
      const { eventType = '' } = tracker.events.get(eventId) ?? {}
      if (again || !isNew || eventType !== revealingEventType) return
      const { seq } = exchange.exchange
      const since = (early.get(orderId) ?? [])
        .filter((read) => read.exchange.seq > seq)
        .filter(isProcessing(exchange))
      const entry = {
        eventId,
        refused: exchange,
        lastRefusal: exchange,
        taken: undefined,
        reads: since,
      }
      setBounded(all, orderId, entry, maxEntries)
    } else if (again && exchange.ok && again.eventId === eventId && !again.taken) {
      report.premise()
      again.taken = exchange
      reportIfReadTwice(orderId, again, { tracker, report })
    }
  },
  end({ again }, tracker, report) {
    for (const [orderId, { refused, taken, reads: since }] of again) {
      if (!taken || since.some(({ ok }) => ok)) continue
      const known = tracker.orders.get(orderId)?.knownStatuses
      if (!known || known.has('CANCELLED') || known.has('CONCLUDED')) continue
      report.due(tracker.deadline(taken.ended), () => ({
        because: `The service refused the webhook of CREATED of ${orderName(tracker, orderId)} with ${refused.status}, accepted it when it was sent again, and never read the order.`,
        evidence: [refused.evidence, taken.evidence],
        orderId,
      }))
    }
  },
})
