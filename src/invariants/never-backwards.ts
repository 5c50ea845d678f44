/**
 * SE-8: the calls about one order go one way. A call that was made is not followed by one that stands before it in the
 * order's life, but for what was under way at the time. Where somebody forced an order back it begins anew.
 */
import { setBounded } from '../engine/bounded.ts'
import { defineInvariant } from './invariant.ts'
import type { SeenExchange } from './seen.ts'
import { mostKept } from './watch/kept.ts'
import { progressions, progressOf, rankOf } from './watch/progress.ts'
import { atClock, cites, did, nameOf } from './watch/say.ts'

/** The furthest call about each order. */
type State = Map<
  string,
  Pick<SeenExchange, 'operation' | 'began' | 'cite'> & { readonly rank: number }
>

export const neverBackwards = defineInvariant<State>({
  id: 'SE-8',
  name: 'never-backwards',
  sentence: 'The calls of the service about an order follow its life and never go back.',
  kind: 'safety',
  clauses: ['ORD-EVR-01', 'ORD-EVR-04', 'ORD-UND-05'],
  premise: 'the service made a second call that takes an order on',
  binds: ['software-service'],
  sees: { exchanges: progressions, facts: ['order.moved'] },
  start: () => new Map(),
  shown: {
    exchange(furthest, call, watch, tell) {
      const step = progressOf(call)
      const { orderId } = call
      if (!step || orderId === undefined || !watch.orders.has(orderId)) return
      const { operation, began, cite } = call
      const rank = rankOf(step.to)
      const before = furthest.get(orderId)
      if (before) tell.premise()
      if (!before || rank > before.rank) {
        setBounded(furthest, orderId, { rank, operation, began, cite }, mostKept)
        return
      }
      const isLate = began > before.began + watch.patience.inFlightMs
      if (rank === before.rank || !isLate) return
      const name = nameOf(watch, orderId)
      tell.broken({
        because: `The service ${did(call, name)} ${atClock(began)}, after it had ${did(before, 'it')} ${atClock(before.began)}.`,
        evidence: cites(before.cite(), cite()),
        orderId,
        once: `${orderId} ${operation}`,
      })
    },
    fact(furthest, { fact }) {
      if (fact.kind === 'order.moved' && fact.forced) furthest.delete(fact.orderId)
    },
  },
})
