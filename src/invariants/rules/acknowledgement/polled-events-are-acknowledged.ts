/**
 * AK-1. Every polled event is acknowledged, again if the first acknowledgment failed (ORD-OPS-02). Event types without
 * a status belong to AK-2.
 */
import { defineInvariant } from '../../invariant.ts'
import { acknowledgmentOperations } from '../../helpers/polling.ts'
import {
  createUnacknowledgedEvents,
  recordPolledEvent,
  clearAcknowledged,
  reportUnacknowledged,
  type UnacknowledgedEvents,
} from '../../helpers/unacknowledged.ts'
import { projectedStatus } from '../../tracking/progress.ts'

const isMeant = (eventType: string): boolean => projectedStatus(eventType) !== undefined

export const polledEventsAreAcknowledged = defineInvariant<UnacknowledgedEvents>({
  id: 'AK-1',
  name: 'polled-events-are-acknowledged',
  sentence:
    'Must acknowledge every polled event that reports a status, and again when a poll returns it again.',
  remedy:
    'Send POST /events/acknowledgment for every event of a poll once it is stored, also for one that was processed before.',
  kind: 'liveness',
  clauses: ['ORD-OPS-02', 'ORD-FLO-03'],
  premise: 'a poll returned an event that reports a status',
  calls: acknowledgmentOperations,
  start: () => createUnacknowledgedEvents('owed'),
  handover(state, handover, _watch, report) {
    if (handover.channel === 'webhook' || !isMeant(handover.eventType)) return
    report.premise()
    recordPolledEvent(state, handover)
  },
  call: (state, exchange) => clearAcknowledged(state, exchange),
  end: (state, tracker, report) =>
    reportUnacknowledged(state, tracker, report, {
      isMeant,
      wordsOf: ({ eventType }, of) => `${eventType}${of}`,
    }),
})
