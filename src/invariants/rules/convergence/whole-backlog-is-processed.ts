/** CV-10: all events of a large poll are processed, and those of the next poll. */
import { handedOver } from '../../judge/carried-events.ts'
import { defineInvariant } from '../../invariant.ts'
import { isPoll, polls } from '../../helpers/polling.ts'
import { createDebts, isReadSince, payments } from '../../tracking/unread-events.ts'
import { projected } from '../../tracking/progress.ts'
import { atClock, lasting, nameOf } from '../../tracking/wording.ts'

/** A poll with more events than this is a backlog. */
const page = 20

const debts = createDebts()

interface State {
  /** Number of events in the last poll and in the one before. */
  size: number
  before: number
}

export const wholeBacklogIsProcessed = defineInvariant<State>({
  id: 'CV-10',
  name: 'whole-backlog-is-processed',
  sentence: `When a poll brings more than ${page} events the service deals with all of them, and with those of the next poll.`,
  kind: 'liveness',
  clauses: ['ORD-OPS-01', 'ORD-FLO-03'],
  premise: `a poll brought more than ${page} events, or followed one that did`,
  binds: ['software-service'],
  sees: {
    exchanges: [...polls, ...payments],
    handovers: (_eventType, channel) => channel === 'polling',
  },
  start: () => ({ size: 0, before: 0 }),
  shown: {
    exchange(state, exchange) {
      debts.pay(exchange)
      if (!isPoll(exchange) || !exchange.ok) return
      state.before = state.size
      state.size = handedOver(exchange).length
    },
    handover(state, { order, event, eventType, nth, exchange }, _watch, report) {
      const isBacklog = state.size > page || state.before > page
      if (!isBacklog || nth > 1) return
      // Events without a status need not be processed.
      if (!order || !event || !projected(eventType) || order.isForeign) return
      report.premise()
      if (isReadSince(order, event.emitted)) return
      const { ended: since, cite } = exchange
      debts.owe(order, { eventType, emitted: event.emitted, since, cite })
    },
  },
  end(_state, tracker, report) {
    debts.settle(tracker, report, ({ eventType, since }, { orderId }) => {
      const name = nameOf(tracker, orderId)
      return `The service made nothing of ${eventType} of ${name}, which came in a long list or right after one (${atClock(since)}): in the ${lasting(tracker.now - since)} since it has neither read the order nor gone on with it.`
    })
  },
})
