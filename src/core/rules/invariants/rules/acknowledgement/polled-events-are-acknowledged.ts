/**
 * AK-1. Every polled event is acknowledged, again if the first acknowledgment failed (ORD-OPS-02). Event types without
 * a status belong to AK-2.
 */
import { defineInvariant } from '../../invariant.ts'
import { eventuallyAcknowledged } from '../../helpers/unacknowledged.ts'
import { projectedStatus } from '../../tracking/progress.ts'

export const polledEventsAreAcknowledged = defineInvariant({
  id: 'AK-1',
  name: 'polled-events-are-acknowledged',
  sentence:
    'Must acknowledge every polled event that reports a status, and again when a poll returns it again.',
  remedy:
    'Send POST /events/acknowledgment for every event of a poll once it is stored, also for one that was processed before.',
  kind: 'liveness',
  clauses: ['ORD-OPS-02', 'ORD-FLO-03'],
  premise: 'a poll returned an event that reports a status',
  ...eventuallyAcknowledged({
    isMeant: (eventType) => projectedStatus(eventType) !== undefined,
    wordsOf: (eventType, of) => `${eventType}${of}`,
  }),
})
