/**
 * AK-5. Outside the fault window an event is returned at most once more before it is acknowledged; a service that
 * delays acknowledgments gets the same events repeatedly. Only what the service sent counts, not when the host applied
 * it.
 */
import { defineInvariant } from '../../invariant.ts'
import {
  createUnacknowledgedEvents,
  recordPolledEvent,
  clearAcknowledged,
  refusalText,
  type UnacknowledgedEvents,
} from '../../helpers/unacknowledged.ts'
import { durationText, orderName } from '../../tracking/wording.ts'

interface State extends UnacknowledgedEvents {
  /** The last acknowledgment failed: the service may have reason to delay the next. */
  troubled: boolean
}

/** The first poll, and one more. */
const maxPolls = 2

export const acknowledgedByTheSecondPoll = defineInvariant<State>({
  id: 'AK-5',
  name: 'acknowledged-by-the-second-poll',
  sentence:
    'Must acknowledge an event before polls return it for the third time, when no faults are active.',
  remedy: 'Send the acknowledgment right after each poll, as soon as its events are stored.',
  kind: 'timing',
  clauses: ['ORD-OPS-02'],
  premise: 'a poll returned an event while no faults were active',
  calls: ['acknowledgeEvents'],
  start: () => ({ ...createUnacknowledgedEvents('pressing'), troubled: false }),
  call(state, exchange) {
    clearAcknowledged(state, exchange)
    state.troubled = !exchange.ok && !state.refused
    if (state.troubled) state.generation++
  },
  handover(state, handover, tracker, report) {
    const { eventId, eventType, orderId, exchange, channel } = handover
    if (channel === 'webhook' || state.troubled || !tracker.wasFaultFreeSince(exchange.began))
      return
    report.premise()
    const owed = recordPolledEvent(state, handover)
    if (!owed) return
    if (owed.polls <= maxPolls || !tracker.wasFaultFreeSince(owed.first.at)) return
    const of = orderId === undefined ? '' : ` of ${orderName(tracker, orderId)}`
    // The acknowledgment was due between the poll before and this one: within our lag it may have been under way.
    const timing = tracker.timing.inOrder(owed.pollBefore.at, exchange.began)
    report.failed({
      timing,
      because: `A poll returned ${eventType}${of} for the third time, ${durationText(exchange.began - owed.since)} after the first, and the service had not acknowledged it yet${refusalText(state)}.`,
      evidence: [owed.first, exchange.evidence],
      orderId,
      deduplicationKey: eventId,
    })
  },
})
