/** CV-10: all events of a large poll are processed, and those of the next poll. */
import { handedOverEvents } from '../../judge/carried-events.ts'
import { defineInvariant } from '../../invariant.ts'
import {
  createUnreadEvents,
  hasReadSince,
  readAndProgressOperations,
} from '../../tracking/unread-events.ts'
import { projectedStatus } from '../../tracking/progress.ts'
import { atTimeOfDay, durationText, orderName } from '../../tracking/wording.ts'

/** A poll with more events than this is a backlog. */
const backlogSize = 20

const unread = createUnreadEvents()

interface State {
  /** Number of events in the last poll and in the one before. */
  size: number
  before: number
}

export const wholeBacklogIsProcessed = defineInvariant<State>({
  id: 'CV-10',
  name: 'whole-backlog-is-processed',
  sentence: `Must process all events of a poll with more than ${backlogSize} events, and those of the next poll.`,
  remedy: 'Process every event of a poll whatever their number, and poll again after a long list.',
  kind: 'liveness',
  clauses: ['ORD-OPS-01', 'ORD-FLO-03'],
  premise: `a poll returned more than ${backlogSize} events, or followed one that did`,
  calls: ['pollingEvents', ...readAndProgressOperations],
  start: () => ({ size: 0, before: 0 }),
  call(state, exchange) {
    unread.clearOnRead(exchange)
    if (exchange.operation !== 'pollingEvents' || !exchange.ok) return
    state.before = state.size
    state.size = handedOverEvents(exchange).length
  },
  handover(
    state,
    { order, event, eventType, handoverNumber, channel, exchange },
    _tracker,
    report,
  ) {
    const isBacklog = state.size > backlogSize || state.before > backlogSize
    if (!isBacklog || handoverNumber > 1 || channel === 'webhook') return
    // Events without a status need not be processed.
    if (!order || !event || !projectedStatus(eventType) || order.isForeign) return
    report.premise()
    if (hasReadSince(order, event.emittedAt)) return
    const { ended: since, evidence } = exchange
    unread.add(order, { eventType, emittedAt: event.emittedAt, since, evidence })
  },
  end(_state, tracker, report) {
    unread.reportOverdue(tracker, report, ({ eventType, since }, { orderId }) => {
      const name = orderName(tracker, orderId)
      return `The service did not process ${eventType} of ${name}, which came in a poll with more than ${backlogSize} events or right after one (${atTimeOfDay(since)}): in the ${durationText(tracker.now - since)} since it has neither read the order nor made the next call about it.`
    })
  },
})
