/**
 * CV-9: createdAt says when something was said, and nothing more. An event with an older one than the newest that was seen,
 * or with the same one, is news of its order like any other.
 */
import { defineInvariant } from '../../invariant.ts'
import { createDebts, isReadSince, payments } from '../../tracking/unread-events.ts'
import { projected } from '../../tracking/progress.ts'
import { atClock, lasting, nameOf } from '../../tracking/wording.ts'
import type { EventWatch } from '../../tracking/tracker-state.ts'

const debts = createDebts()

interface State {
  /** The newest createdAt of all that were handed over, and whose it is. */
  newest: { readonly createdAt: number; readonly eventId: string } | undefined
}

/** To read thousands of times costs its own: one that nobody has changed is that of the emission. */
function momentOf(createdAt: string | undefined, event: EventWatch | undefined): number {
  if (createdAt === undefined) return Number.NaN
  return event?.createdAt === createdAt ? event.emitted : Date.parse(createdAt)
}

export const timesAreNoOrder = defineInvariant<State>({
  id: 'CV-9',
  name: 'times-are-no-order',
  sentence: 'An event with an older createdAt than others had is honoured all the same.',
  kind: 'liveness',
  clauses: ['ORD-EVR-04', 'ORD-EVR-03', 'ORD-EVF-01'],
  premise: 'an event came whose createdAt is not after all that came before it',
  binds: ['software-service'],
  sees: { exchanges: payments },
  start: () => ({ newest: undefined }),
  shown: {
    exchange: (_state, exchange) => debts.pay(exchange),
    handover(
      state,
      { order, event, eventId, eventType, createdAt, nth, exchange, channel },
      _watch,
      tell,
    ) {
      if (nth > 1) return
      const said = momentOf(createdAt, event)
      if (Number.isNaN(said)) return
      const { newest } = state
      const isNewer = newest === undefined || said > newest.createdAt
      if (isNewer) state.newest = { createdAt: said, eventId }
      const isTaken = channel === 'polling' || exchange.ok
      // What announces no status need not be followed.
      if (isNewer || !order || !event || !isTaken || !projected(eventType)) return
      if (order.isForeign || isReadSince(order, event.emitted)) return
      const since = exchange.ended
      const debt = { eventType, emitted: event.emitted, since, cite: exchange.cite }
      if (debts.owe(order, debt)) tell.premise()
    },
  },
  end(_state, watch, tell) {
    debts.settle(watch, tell, ({ eventType, since }, { orderId }) => {
      const name = nameOf(watch, orderId)
      return `The service made nothing of ${eventType} of ${name} (${atClock(since)}), whose createdAt is not after that of events that came before it: in the ${lasting(watch.now - since)} since it has neither read the order nor gone on with it.`
    })
  },
})
