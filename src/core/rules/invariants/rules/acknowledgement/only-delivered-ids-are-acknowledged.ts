/**
 * AK-3. An acknowledgment names only ids that the service received, exactly (ORD-OPS-02). An id that the host emitted
 * may have arrived unobserved, e.g. in a truncated poll, or in an earlier session; one that was never emitted cannot have.
 */
import { addBounded, setBounded } from '../../../../engine/bounded.ts'
import { isEventIdOfAnySession } from '../../../../engine/event-id.ts'
import { type World, worldBounds } from '../../../../engine/world.ts'
import { defineInvariant, type Violation } from '../../invariant.ts'
import { replyName } from '../../tracking/wording.ts'
import type { ObservedExchange } from '../../judge/observations.ts'

const maxInventedIds = 10_000
const maxUnknownIds = 1000

const strange = (id: string, exchange: ObservedExchange): Violation => ({
  because: `The service acknowledged the id ${JSON.stringify(id)}, which no event sent to it has; it got ${replyName(exchange)}.`,
  evidence: [exchange.evidence],
  deduplicationKey: id,
})

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
