/** CV-10: all events of a large poll are processed, and those of the next poll. */
import { handedOver } from '../../judge/carried-events.ts'
import { defineInvariant } from '../../invariant.ts'
import { isPoll, polls } from '../../helpers/polling.ts'
import { createDebts, isReadSince, payments } from '../../tracking/unread-events.ts'
import { projected } from '../../tracking/progress.ts'
import { atClock, lasting, nameOf } from '../../tracking/wording.ts'

/** A poll with more events than this is a backlog. */
const backlogSize = 20

const unread = createDebts()

interface State {
  /** Number of events in the last poll and in the one before. */
  size: number
  before: number
}

export const wholeBacklogIsProcessed = defineInvariant<State>({
  id: 'CV-10',
  name: 'whole-backlog-is-processed',
  sentence: `When a poll brings more than ${backlogSize} events the service deals with all of them, and with those of the next poll.`,
  kind: 'liveness',
  clauses: ['ORD-OPS-01', 'ORD-FLO-03'],
  premise: `a poll brought more than ${backlogSize} events, or followed one that did`,
  binds: ['software-service'],
  sees: {
    exchanges: [...polls, ...payments],
    handovers: (_eventType, channel) => channel === 'polling',
  },
  start: () => ({ size: 0, before: 0 }),
  shown: {
    exchange(state, exchange) {
      unread.pay(exchange)
      if (!isPoll(exchange) || !exchange.ok) return
      state.before = state.size
      state.size = handedOver(exchange).length
    },
    handover(state, { order, event, eventType, nth: handoverNumber, exchange }, _watch, report) {
      const isBacklog = state.size > backlogSize || state.before > backlogSize
      if (!isBacklog || handoverNumber > 1) return
      // Events without a status need not be processed.
      if (!order || !event || !projected(eventType) || order.isForeign) return
      report.premise()
      if (isReadSince(order, event.emitted)) return
      const { ended: since, cite: evidence } = exchange
      unread.owe(order, { eventType, emitted: event.emitted, since, cite: evidence })
    },
  },
  end(_state, tracker, report) {
    unread.settle(tracker, report, ({ eventType, since }, { orderId }) => {
      const name = nameOf(tracker, orderId)
      return `The service made nothing of ${eventType} of ${name}, which came in a long list or right after one (${atClock(since)}): in the ${lasting(tracker.now - since)} since it has neither read the order nor gone on with it.`
    })
  },
})
