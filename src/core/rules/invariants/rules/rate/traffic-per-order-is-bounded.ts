/**
 * RC-3. Outside the fault window the number of calls per minute about an unchanged order is bounded: more means a loop
 * without progress.
 */
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import { orderOfCall } from '../../helpers/call-outcome.ts'
import { durationText, orderName } from '../../tracking/wording.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'
import type { CallEvidence, TrackedOrder } from '../../tracking/tracker-state.ts'

interface CallCount {
  /** Instant of the order's last transition: a new one restarts the count. */
  readonly truthSince: Instant
  /** The first call of the window, and the calls and reads in it. */
  readonly first: CallEvidence
  calls: number
  reads: number
}

const countOf = new WeakMap<TrackedOrder, CallCount>()

const windowMs = 60_000
const maxCalls = 100

export const trafficPerOrderIsBounded = defineInvariant({
  id: 'RC-3',
  name: 'traffic-per-order-is-bounded',
  sentence:
    'Must not make more than 100 calls a minute about an order that does not change, when no faults are active.',
  remedy:
    'Add a pause to the loop that handles an order, and act on events instead of repeated calls.',
  kind: 'timing',
  ofOneProcess: true,
  clauses: ['TRN-STA-10'],
  premise: 'the service made calls about an open order while no faults were active',
  calls: 'all',
  call(_state, exchange, tracker, report) {
    // Nothing is counted while faults are active.
    if (tracker.faultFreeSince() === undefined) return
    const order = orderOfCall(exchange, tracker)
    if (!order) return
    const { orderId, hostStatusSince } = order
    const before = countOf.get(order)
    const count = before?.truthSince === hostStatusSince ? before : undefined
    if (
      !count ||
      tracker.timing.longestMs(count.first, exchange.start) >= windowMs ||
      !tracker.wasFaultFreeSince(count.first.at)
    ) {
      if (isFinalStatus(order.hostStatus) || !tracker.wasFaultFreeSince(exchange.began)) return
      report.premise()
      const reads = exchange.operation === 'getOrder' ? 1 : 0
      countOf.set(order, {
        truthSince: hostStatusSince,
        first: exchange.evidence,
        calls: 1,
        reads,
      })
      return
    }
    count.calls++
    if (exchange.operation === 'getOrder') count.reads++
    if (count.calls <= maxCalls) return
    report.failed({
      timing: tracker.timing.atLeast(count.first, exchange.start, windowMs),
      because: `The service made ${count.calls} calls about ${orderName(tracker, orderId)} within ${durationText(tracker.timing.longestMs(count.first, exchange.start))} (GETs: ${count.reads}), while the order did not change.`,
      evidence: [count.first, exchange.evidence],
      orderId,
    })
  },
})
