/**
 * AK-2. Events of types that a service does not use, or does not know, are acknowledged as well (ORD-OPS-02): otherwise
 * they come again for ever. What a service uses nobody can see from outside; types that tell of no status are taken for
 * those that it may do without.
 */
import { isOrderEventType } from '../protocol/orders/events.ts'
import { defineInvariant } from './invariant.ts'
import { acknowledgments } from './pace/acknowledged.ts'
import { createOwedEvents, owe, owedNow, settle, type OwedEvents } from './pace/owed.ts'
import { timesName } from './pace/words.ts'
import { projected } from './watch/progress.ts'
import { nameOf } from './watch/say.ts'

const isMeant = (eventType: string): boolean => projected(eventType) === undefined

export const unusedTypesAreAcknowledged = defineInvariant<OwedEvents>({
  id: 'AK-2',
  name: 'unused-types-are-acknowledged',
  sentence:
    'Events of types that are unknown or tell of no status are acknowledged like all others.',
  kind: 'liveness',
  clauses: ['ORD-OPS-02'],
  premise: 'a poll brought an event of a type that is unknown or tells of no status',
  binds: ['software-service'],
  sees: {
    exchanges: acknowledgments,
    handovers: (eventType = '', channel) => channel === 'polling' && isMeant(eventType),
  },
  start: () => createOwedEvents('owed'),
  shown: {
    handover(state, handover, _watch, tell) {
      tell.premise()
      owe(state, handover)
    },
    exchange: (state, exchange) => settle(state, exchange),
  },
  end(state, watch, tell) {
    for (const entry of owedNow(state, watch, isMeant)) {
      const { eventId, eventType, orderId, since, first, last, polls, again } = entry
      if (!watch.overdue(since)) {
        tell.open()
        continue
      }
      const kind = isOrderEventType(eventType) ? 'which tells of no status' : 'a type unknown to it'
      const of = orderId === undefined ? '' : ` of ${nameOf(watch, orderId)}`
      const brought = `Polls brought ${eventType || 'an event without a type'}${of}, ${kind}, to the service ${timesName(polls)}`
      const missing = again
        ? 'after it had acknowledged it, and it did not do so again'
        : 'and it never acknowledged it'
      tell.broken({
        because: `${brought}${again ? ' ' : ', '}${missing} (event ${eventId}).`,
        evidence: first === last ? [first.cite] : [first.cite, last.cite],
        orderId,
        once: eventId,
      })
    }
  },
})
