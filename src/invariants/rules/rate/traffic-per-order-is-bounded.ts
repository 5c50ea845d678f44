/**
 * RC-3. Outside the fault window the number of calls per minute about an unchanged order is bounded: more means a loop
 * without progress.
 */
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import { orderNamed } from '../../helpers/call-outcome.ts'
import { isRead } from '../../helpers/order-reads.ts'
import type { Cited } from '../../verdict.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { isOver } from '../../tracking/progress.ts'
import { cites, lasting, nameOf } from '../../tracking/wording.ts'

interface CallCount {
  /** Instant of the order's last transition: a new one restarts the count. */
  readonly truthSince: Instant
  /** Start of the window, and the calls and reads in it. */
  readonly since: Instant
  calls: number
  reads: number
  readonly first: Cited
}

const countOf = createNote<CallCount>()

const windowMs = 60_000
const maxCalls = 100

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
    exchange(_state, exchange, tracker, report) {
      // Nothing is counted while faults are in force.
      if (exchange.by !== 'subject' || tracker.calmSince() === undefined) return
      const order = orderNamed(exchange, tracker)
      if (!order) return
      const { orderId, truthSince: hostStatusSince } = order
      const before = countOf.of(order)
      const count = before?.truthSince === hostStatusSince ? before : undefined
      if (!count || exchange.began - count.since >= windowMs || !tracker.wasCalm(count.since)) {
        if (isOver(order.truth) || !tracker.wasCalm(exchange.began)) return
        report.premise()
        const reads = isRead(exchange) ? 1 : 0
        const { began: since, cite: first } = exchange
        countOf.keep(order, { truthSince: hostStatusSince, since, calls: 1, reads, first })
        return
      }
      count.calls++
      if (isRead(exchange)) count.reads++
      if (count.calls <= maxCalls) return
      report.broken({
        because: `The service made ${count.calls} calls about ${nameOf(tracker, orderId)} within ${lasting(exchange.began - count.since)}, ${count.reads} of them to read it, while nothing happened to it.`,
        evidence: cites(count.first, exchange.cite),
        orderId,
        once: orderId,
      })
    },
  },
})
