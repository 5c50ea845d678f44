/** CV-10: a poll may bring a long list. All of it is dealt with, and what the next poll brings as well. */
import { handedOver } from '../../judge/carried-events.ts'
import { defineInvariant } from '../../invariant.ts'
import { isPoll, polls } from '../../helpers/polling.ts'
import { createDebts, isReadSince, payments } from '../../tracking/unread-events.ts'
import { projected } from '../../tracking/progress.ts'
import { atClock, lasting, nameOf } from '../../tracking/wording.ts'

/** More than this many events are a backlog. */
const page = 20

const debts = createDebts()

interface State {
  /** The events of the last poll, and of the one before it. */
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
    handover(state, { order, event, eventType, nth, exchange }, _watch, tell) {
      const isBacklog = state.size > page || state.before > page
      if (!isBacklog || nth > 1) return
      // What announces no status need not be followed.
      if (!order || !event || !projected(eventType) || order.isForeign) return
      tell.premise()
      if (isReadSince(order, event.emitted)) return
      const { ended: since, cite } = exchange
      debts.owe(order, { eventType, emitted: event.emitted, since, cite })
    },
  },
  end(_state, watch, tell) {
    debts.settle(watch, tell, ({ eventType, since }, { orderId }) => {
      const name = nameOf(watch, orderId)
      return `The service made nothing of ${eventType} of ${name}, which came in a long list or right after one (${atClock(since)}): in the ${lasting(watch.now - since)} since it has neither read the order nor gone on with it.`
    })
  },
})
