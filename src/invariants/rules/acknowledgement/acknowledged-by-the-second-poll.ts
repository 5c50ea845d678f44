/**
 * AK-5. Outside the fault window an event is returned at most once more before it is acknowledged; a service that
 * delays acknowledgments gets the same events repeatedly. Only what the service sent counts, not when the host applied
 * it.
 */
import { defineInvariant } from '../../invariant.ts'
import { acknowledgments, isAcknowledgment } from '../../helpers/polling.ts'
import { createOwedEvents, owe, settle, type OwedEvents } from '../../helpers/unacknowledged.ts'
import { lasting, nameOf } from '../../tracking/wording.ts'

interface State extends OwedEvents {
  /** The last acknowledgment failed: the service may have reason to delay the next. */
  troubled: boolean
}

/** The first poll, and one more. */
const maxPolls = 2

export const acknowledgedByTheSecondPoll = defineInvariant<State>({
  id: 'AK-5',
  name: 'acknowledged-by-the-second-poll',
  sentence: 'In calm weather an event is acknowledged before polls bring it for the third time.',
  kind: 'timing',
  clauses: ['ORD-OPS-02'],
  premise: 'a poll brought an event in calm weather',
  binds: ['software-service'],
  sees: {
    exchanges: acknowledgments,
    handovers: (_eventType, channel) => channel === 'polling',
  },
  start: () => ({ ...createOwedEvents('pressing'), troubled: false }),
  shown: {
    exchange(state, exchange) {
      if (!isAcknowledgment(exchange)) return
      settle(state, exchange)
      state.troubled = !exchange.ok
      if (state.troubled) state.count++
    },
    handover(state, handover, tracker, report) {
      const { eventId, eventType, orderId, exchange } = handover
      if (state.troubled || !tracker.wasCalm(exchange.began)) return
      report.premise()
      const owed = owe(state, handover)
      if (!owed) return
      if (owed.polls <= maxPolls || !tracker.wasCalm(owed.first.at)) return
      const of = orderId === undefined ? '' : ` of ${nameOf(tracker, orderId)}`
      report.broken({
        because: `A poll brought ${eventType}${of} to the service for the third time, ${lasting(exchange.began - owed.since)} after the first, and it had not acknowledged it yet.`,
        evidence: [owed.first, exchange.cite],
        orderId,
        once: eventId,
      })
    },
  },
})
