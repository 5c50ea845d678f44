/**
 * AK-3. An acknowledgment names only ids that the service received, exactly (ORD-OPS-02), and in V1 their orders and
 * types. An id that the host emitted
 * may have arrived unobserved, e.g. in a truncated poll, or in an earlier session; one that was never emitted cannot have.
 */
import { addBounded, setBounded } from '../../../../engine/bounded.ts'
import { isEventIdOfAnySession } from '../../../../engine/emitted-event.ts'
import { type World, worldBounds } from '../../../../engine/world.ts'
import { speaksV1 } from '../../../../protocol/dialects/settings.ts'
import { otherEventNamed } from '../../../../protocol/orders/acknowledgment.ts'
import { defineInvariant, type InvariantReporter, type Violation } from '../../invariant.ts'
import { orderName, replyName } from '../../tracking/wording.ts'
import type { ObservedExchange, ReferencedEvent } from '../../judge/observations.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'

const maxInventedIds = 10_000
const maxUnknownIds = 1000

const strange = (id: string, exchange: ObservedExchange): Violation => ({
  because: `The service acknowledged the id ${JSON.stringify(id)}, which no event sent to it has; it got ${replyName(exchange)}.`,
  evidence: [exchange.evidence],
  deduplicationKey: id,
})

/** An acknowledgment of V1 names order and type of each event as well, by which a host may find it. */
function compareWithEvents(
  ids: readonly ReferencedEvent[],
  exchange: ObservedExchange,
  tracker: TrackerState,
  report: InvariantReporter,
): void {
  const entries = exchange.requestJson()
  if (!Array.isArray(entries) || entries.length !== ids.length) return
  for (const [index, { eventId, event }] of ids.entries()) {
    // The service knows an altered event by the bytes that were sent to it.
    const other = event && !event.isChanged ? otherEventNamed(entries[index], event) : undefined
    if (!event || other === undefined) continue
    const { eventType, orderId = '' } = event
    report.failed({
      because: `The service acknowledged ${eventType} of ${orderName(tracker, orderId)} as ${other}; it got ${replyName(exchange)}, and a partner that goes by order and type hands ${eventType} over again.`,
      evidence: [exchange.evidence],
      orderId,
      deduplicationKey: eventId,
    })
  }
}

/** Whether the host emitted it, or may have evicted it. */
const mayBeEmitted = ({ ordering, announcements }: World, eventId: string): boolean =>
  ordering.events.has(eventId) ||
  announcements.events.has(eventId) ||
  ordering.over.size >= worldBounds.ordersOver

export const onlyDeliveredIdsAreAcknowledged = defineInvariant({
  id: 'AK-3',
  name: 'only-delivered-ids-are-acknowledged',
  sentence: 'Must acknowledge only the ids of events that it received.',
  remedy:
    'Send back the eventId of each received event unchanged, and no order ids or ids of your own.',
  kind: 'safety',
  clauses: ['ORD-OPS-02'],
  premise: 'the service acknowledged events',
  calls: ['acknowledgeEvents'],
  start: () => ({
    /** Ids that a fault invented and handed over. */
    strangers: new Set<string>(),
    /** Unknown ids that may belong to evicted events; checked against the world at the verdict. */
    doubtful: new Map<string, Violation>(),
  }),
  handover(state, { event, eventId }) {
    if (!event) addBounded(state.strangers, eventId, maxInventedIds)
  },
  call({ strangers, doubtful }, exchange, tracker, report) {
    const ids = exchange.namedEvents()
    if (!ids || ids.length === 0) return
    report.premise()
    if (speaksV1(tracker.settings.conduct)) compareWithEvents(ids, exchange, tracker, report)
    for (const { id, eventId, event } of ids) {
      if (event || strangers.has(eventId) || isEventIdOfAnySession(eventId)) continue
      if (tracker.hasEvicted()) setBounded(doubtful, eventId, strange(id, exchange), maxUnknownIds)
      else report.failed(strange(id, exchange))
    }
  },
  end({ doubtful }, { world }, report) {
    for (const [eventId, violation] of doubtful)
      if (!mayBeEmitted(world, eventId)) report.failed(violation)
  },
})
