/**
 * CV-9: createdAt defines no order. An event with an older or equal createdAt than the newest one received must be
 * processed like any other.
 */
import { defineInvariant } from '../../invariant.ts'
import {
  createUnreadEvents,
  hasReadSince,
  readAndProgressOperations,
} from '../../tracking/unread-events.ts'
import { projectedStatus } from '../../tracking/progress.ts'
import { atTimeOfDay, durationText, orderName } from '../../tracking/wording.ts'
import type { TrackedEvent } from '../../tracking/tracker-state.ts'

const unread = createUnreadEvents()

interface State {
  /** The newest createdAt handed over, and its event. */
  newest: { readonly createdAt: number; readonly eventId: string } | undefined
}

/** An unaltered createdAt is the instant of emission: this avoids parsing thousands of dates. */
function momentOf(createdAt: string | undefined, event: TrackedEvent | undefined): number {
  if (createdAt === undefined) return Number.NaN
  return event?.createdAt === createdAt ? event.emittedAt : Date.parse(createdAt)
}

export const timesAreNoOrder = defineInvariant<State>({
  id: 'CV-9',
  name: 'times-are-no-order',
  sentence: 'Must process an event whose createdAt is not newer than that of earlier events.',
  remedy: 'Deduplicate by eventId, and neither drop nor sort events by createdAt.',
  kind: 'liveness',
  clauses: ['ORD-EVR-04', 'ORD-EVR-03', 'ORD-EVF-01'],
  premise: 'an event arrived whose createdAt is not newer than that of all earlier events',
  calls: readAndProgressOperations,
  start: () => ({ newest: undefined }),
  call: (_state, exchange) => unread.clearOnRead(exchange),
  handover(
    state,
    { order, event, eventId, eventType, createdAt, handoverNumber, exchange, channel },
    _watch,
    report,
  ) {
    if (handoverNumber > 1) return
    const createdMs = momentOf(createdAt, event)
    if (Number.isNaN(createdMs)) return
    const { newest } = state
    const isNewer = newest === undefined || createdMs > newest.createdAt
    if (isNewer) state.newest = { createdAt: createdMs, eventId }
    const isTaken = channel === 'polling' || exchange.ok
    // Events without a status need not be processed.
    if (isNewer || !order || !event || !isTaken || !projectedStatus(eventType)) return
    if (order.isForeign || hasReadSince(order, event.emittedAt)) return
    const since = exchange.ended
    const { emittedAt } = event
    if (unread.add(order, { eventType, emittedAt, since, evidence: exchange.evidence }))
      report.premise()
  },
  end(_state, tracker, report) {
    unread.reportOverdue(tracker, report, ({ eventType, since }, { orderId }) => {
      const name = orderName(tracker, orderId)
      return `The service did not process ${eventType} of ${name} (${atTimeOfDay(since)}), whose createdAt is not newer than that of earlier events: in the ${durationText(tracker.now - since)} since it has neither read the order nor made the next call about it.`
    })
  },
})
