/**
 * AK-3. An acknowledgment names ids that this service was given, letter for letter (ORD-OPS-02). An id that the host has
 * emitted may have reached it in a way that nobody saw, in half a poll for one; one that nobody emitted has not.
 */
import { addBounded, setBounded } from '../../../engine/bounded.ts'
import { type World, worldBounds } from '../../../engine/world.ts'
import { defineInvariant, type Broken } from '../../invariant.ts'
import { acknowledgments, isAcknowledgment } from '../../helpers/polling.ts'
import { answerName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'

interface State {
  /** Ids that were handed over and that nobody emitted: a fault made them up. */
  readonly strangers: Set<string>
  /** Unknown ids that may be those of events which we have forgotten; the host knows more of them. */
  readonly doubtful: Map<string, Broken>
}

const mostStrangers = 10_000
const mostDoubtful = 1000

const strange = (id: string, exchange: SeenExchange): Broken => ({
  because: `The service acknowledged the id ${JSON.stringify(id)}, which no event that it was given has; it was told ${answerName(exchange)}.`,
  evidence: [exchange.cite],
  once: id,
})

/** Whether the host has emitted it, or has forgotten so much that nobody can say. */
const mayBeEmitted = ({ ordering, announcements }: World, eventId: string): boolean =>
  ordering.events.has(eventId) ||
  announcements.events.has(eventId) ||
  ordering.over.size >= worldBounds.ordersOver

export const onlyDeliveredIdsAreAcknowledged = defineInvariant<State>({
  id: 'AK-3',
  name: 'only-delivered-ids-are-acknowledged',
  sentence: 'An acknowledgment names only ids of events that were delivered to the service.',
  kind: 'safety',
  clauses: ['ORD-OPS-02'],
  premise: 'the service acknowledged events',
  binds: ['software-service'],
  sees: { exchanges: acknowledgments },
  start: () => ({ strangers: new Set(), doubtful: new Map() }),
  shown: {
    handover(state, { event, eventId }) {
      if (!event) addBounded(state.strangers, eventId, mostStrangers)
    },
    exchange({ strangers, doubtful }, exchange, watch, tell) {
      if (!isAcknowledgment(exchange)) return
      const ids = exchange.named()
      if (!ids || ids.length === 0) return
      tell.premise()
      for (const { id, eventId, event } of ids) {
        if (event || strangers.has(eventId)) continue
        if (watch.hasForgotten()) setBounded(doubtful, eventId, strange(id, exchange), mostDoubtful)
        else tell.broken(strange(id, exchange))
      }
    },
  },
  end({ doubtful }, { world }, tell) {
    for (const [eventId, broken] of doubtful) if (!mayBeEmitted(world, eventId)) tell.broken(broken)
  },
})
