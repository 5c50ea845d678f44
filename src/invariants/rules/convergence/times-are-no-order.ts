/**
 * CV-9: createdAt defines no order. An event with an older or equal createdAt than the newest one received must be
 * processed like any other.
 */
import { defineInvariant } from '../../invariant.ts'
import { createDebts, isReadSince, payments } from '../../tracking/unread-events.ts'
import { projected } from '../../tracking/progress.ts'
import { atClock, lasting, nameOf } from '../../tracking/wording.ts'
import type { EventWatch } from '../../tracking/tracker-state.ts'

const unread = createDebts()

interface State {
  /** The newest createdAt handed over, and its event. */
  newest: { readonly createdAt: number; readonly eventId: string } | undefined
}

/** An unaltered createdAt is the instant of emission: this avoids parsing thousands of dates. */
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
    exchange: (_state, exchange) => unread.pay(exchange),
    handover(
      state,
      { order, event, eventId, eventType, createdAt, nth: handoverNumber, exchange, channel },
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
      if (isNewer || !order || !event || !isTaken || !projected(eventType)) return
      if (order.isForeign || isReadSince(order, event.emitted)) return
      const since = exchange.ended
      const { emitted: emittedAt } = event
      if (unread.owe(order, { eventType, emitted: emittedAt, since, cite: exchange.cite }))
        report.premise()
    },
  },
  end(_state, tracker, report) {
    unread.settle(tracker, report, ({ eventType, since }, { orderId }) => {
      const name = nameOf(tracker, orderId)
      return `The service made nothing of ${eventType} of ${name} (${atClock(since)}), whose createdAt is not after that of events that came before it: in the ${lasting(tracker.now - since)} since it has neither read the order nor gone on with it.`
    })
  },
})
