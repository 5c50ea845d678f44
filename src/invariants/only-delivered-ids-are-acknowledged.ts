/**
 * AK-3. An acknowledgment names ids that this service was given, letter for letter (ORD-OPS-02). An id that the host has
 * emitted may have reached it in a way that nobody saw, in half a poll for one; one that nobody emitted has not.
 */
import { addBounded } from '../engine/bounded.ts'
import { defineInvariant } from './invariant.ts'
import { acknowledgments, isAcknowledgment } from './pace/acknowledged.ts'
import { answerName } from './pace/words.ts'

interface State {
  /** Ids that were handed over and that nobody emitted: a fault made them up. */
  readonly strangers: Set<string>
  /** The events have been so many that the first of them are forgotten: an unknown id may be one of those. */
  forgotten: boolean
}

const mostStrangers = 10_000
const mostEvents = 99_000

export const onlyDeliveredIdsAreAcknowledged = defineInvariant<State>({
  id: 'AK-3',
  name: 'only-delivered-ids-are-acknowledged',
  sentence: 'An acknowledgment names only ids of events that were delivered to the service.',
  kind: 'safety',
  clauses: ['ORD-OPS-02'],
  premise: 'the service acknowledged events',
  binds: ['software-service'],
  sees: { exchanges: acknowledgments },
  start: () => ({ strangers: new Set(), forgotten: false }),
  shown: {
    handover(state, { event, eventId }) {
      if (!event) addBounded(state.strangers, eventId, mostStrangers)
    },
    exchange(state, exchange, watch, tell) {
      if (!isAcknowledgment(exchange)) return
      const ids = exchange.named()
      if (!ids || ids.length === 0) return
      tell.premise()
      if (watch.events.size > mostEvents) state.forgotten = true
      if (state.forgotten) return
      for (const { id, eventId, event } of ids) {
        if (event || state.strangers.has(eventId) || watch.forgotten.has(eventId)) continue
        tell.broken({
          because: `The service acknowledged the id ${JSON.stringify(id)}, which no event that it was given has; it was told ${answerName(exchange)}.`,
          evidence: [exchange.cite()],
          once: id,
        })
      }
    },
  },
})
