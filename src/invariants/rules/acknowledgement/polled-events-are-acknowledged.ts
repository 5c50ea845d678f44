/**
 * AK-1. Every polled event is acknowledged, again if the first acknowledgment failed (ORD-OPS-02). Event types without
 * a status belong to AK-2.
 */
import { defineInvariant } from '../../invariant.ts'
import { acknowledgments } from '../../helpers/polling.ts'
import {
  createOwedEvents,
  owe,
  settle,
  tellOwed,
  type OwedEvents,
} from '../../helpers/unacknowledged.ts'
import { projected } from '../../tracking/progress.ts'

const isMeant = (eventType: string): boolean => projected(eventType) !== undefined

export const polledEventsAreAcknowledged = defineInvariant<OwedEvents>({
  id: 'AK-1',
  name: 'polled-events-are-acknowledged',
  sentence:
    'Every event that a poll brings and that tells of a status is acknowledged, and again when it comes again.',
  kind: 'liveness',
  clauses: ['ORD-OPS-02', 'ORD-FLO-03'],
  premise: 'a poll brought an event that tells of a status',
  binds: ['software-service'],
  sees: {
    exchanges: acknowledgments,
    handovers: (eventType = '', channel) => channel === 'polling' && isMeant(eventType),
  },
  start: () => createOwedEvents('owed'),
  shown: {
    handover(state, handover, _watch, report) {
      report.premise()
      owe(state, handover)
    },
    exchange: (state, exchange) => settle(state, exchange),
  },
  end: (state, tracker, report) =>
    tellOwed(state, tracker, report, {
      isMeant,
      wordsOf: ({ eventType }, of) => `${eventType}${of}`,
    }),
})
