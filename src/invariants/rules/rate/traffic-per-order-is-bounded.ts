/**
 * RC-3. In calm weather the calls about one order are so many and no more, as long as nothing new happens to it: a service
 * that works without getting anywhere is stuck in a loop.
 */
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import { orderNamed } from '../../helpers/call-outcome.ts'
import { isRead } from '../../helpers/order-reads.ts'
import type { Cited } from '../../verdict.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { isOver } from '../../tracking/progress.ts'
import { cites, lasting, nameOf } from '../../tracking/wording.ts'

interface Busy {
  /** Since when the order is what it was then. */
  readonly truthSince: Instant
  /** When the minute began, the calls since then, and the readings among them. */
  readonly since: Instant
  calls: number
  reads: number
  readonly first: Cited
}

const busyOf = createNote<Busy>()

const windowMs = 60_000
const mostCalls = 100

export const trafficPerOrderIsBounded = defineInvariant<undefined>({
  id: 'RC-3',
  name: 'traffic-per-order-is-bounded',
  sentence:
    'In calm weather the service makes at most a hundred calls a minute about an order that does not move.',
  kind: 'timing',
  clauses: ['TRN-STA-10'],
  premise: 'the service made calls about an open order in calm weather',
  binds: ['software-service'],
  sees: { exchanges: 'all' },
  start: () => undefined,
  shown: {
    exchange(_state, exchange, watch, tell) {
      // While there are faults nothing is counted.
      if (exchange.by !== 'subject' || watch.calmSince() === undefined) return
      const order = orderNamed(exchange, watch)
      if (!order) return
      const { orderId, truthSince } = order
      const before = busyOf.of(order)
      const busy = before?.truthSince === truthSince ? before : undefined
      if (!busy || exchange.began - busy.since >= windowMs || !watch.wasCalm(busy.since)) {
        if (isOver(order.truth) || !watch.wasCalm(exchange.began)) return
        tell.premise()
        const reads = isRead(exchange) ? 1 : 0
        const { began: since, cite: first } = exchange
        busyOf.keep(order, { truthSince, since, calls: 1, reads, first })
        return
      }
      busy.calls++
      if (isRead(exchange)) busy.reads++
      if (busy.calls <= mostCalls) return
      tell.broken({
        because: `The service made ${busy.calls} calls about ${nameOf(watch, orderId)} within ${lasting(exchange.began - busy.since)}, ${busy.reads} of them to read it, while nothing happened to it.`,
        evidence: cites(busy.first, exchange.cite),
        orderId,
        once: orderId,
      })
    },
  },
})
