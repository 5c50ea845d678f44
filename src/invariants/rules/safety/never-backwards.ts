/**
 * SE-8: progress calls about one order follow the lifecycle and never go back, except for calls in flight together. An
 * order that was forced back starts anew.
 */
import { defineInvariant } from '../../invariant.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { progressions, progressOf, rankReached, rankOf } from '../../tracking/progress.ts'
import { atClock, cites, did, nameOf } from '../../tracking/wording.ts'
import type { CitedCall } from '../../tracking/order-reading.ts'

/** The most advanced progress call about an order. */
const furthest = createNote<CitedCall>()

export const neverBackwards = defineInvariant<undefined>({
  id: 'SE-8',
  name: 'never-backwards',
  sentence: 'The calls of the service about an order follow its life and never go back.',
  kind: 'safety',
  clauses: ['ORD-EVR-01', 'ORD-EVR-04', 'ORD-UND-05'],
  premise: 'the service made a second call that takes an order on',
  binds: ['software-service'],
  sees: { exchanges: progressions, facts: ['order.moved'] },
  start: () => undefined,
  shown: {
    exchange(_state, call, tracker, report) {
      const step = progressOf(call)
      const { order } = call
      if (!step || !order) return
      const { orderId } = order
      const { operation, began, cite: evidence } = call
      const before = furthest.of(order)
      if (before) report.premise()
      const ahead = before ? rankOf(step.to) - rankReached(before) : 1
      if (!before || ahead > 0) return furthest.keep(order, evidence)
      const isLate = began > before.at + tracker.patience.inFlightMs
      if (ahead === 0 || !isLate) return
      const name = nameOf(tracker, orderId)
      report.broken({
        because: `The service ${did(call, name)} ${atClock(began)}, after it had ${did(before, 'it')} ${atClock(before.at)}.`,
        evidence: cites(before, evidence),
        orderId,
        once: `${orderId} ${operation}`,
      })
    },
    fact(_state, { fact }, { orders }) {
      if (fact.kind !== 'order.moved' || !fact.forced) return
      const order = orders.get(fact.orderId)
      if (order) furthest.keep(order, undefined)
    },
  },
})
