/**
 * AK-5. In calm weather an event comes at most once more before its acknowledgment is sent: whoever keeps acknowledgments
 * back gets the same events again and again. Judged is what the service sent, not what the host returned: a host may
 * take a while to take an acknowledgment.
 */
import { defineInvariant } from '../../invariant.ts'
import { acknowledgments, isAcknowledgment } from '../../helpers/polling.ts'
import { createOwedEvents, owe, settle, type OwedEvents } from '../../helpers/unacknowledged.ts'
import { lasting, nameOf } from '../../tracking/wording.ts'

interface State extends OwedEvents {
  /** The last acknowledgment came in vain: the service may have reason to wait with the next. */
  troubled: boolean
}

/** The poll that brings it, and one more. */
const mostPolls = 2

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
    handover(state, handover, watch, tell) {
      const { eventId, eventType, orderId, exchange } = handover
      if (state.troubled || !watch.wasCalm(exchange.began)) return
      tell.premise()
      const owed = owe(state, handover)
      if (!owed) return
      if (owed.polls <= mostPolls || !watch.wasCalm(owed.first.at)) return
      const of = orderId === undefined ? '' : ` of ${nameOf(watch, orderId)}`
      tell.broken({
        because: `A poll brought ${eventType}${of} to the service for the third time, ${lasting(exchange.began - owed.since)} after the first, and it had not acknowledged it yet.`,
        evidence: [owed.first, exchange.cite],
        orderId,
        once: eventId,
      })
    },
  },
})
