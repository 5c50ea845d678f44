/**
 * CV-14: an order is confirmed within the partner's time (conduct.confirmWithin), where faults, failed calls and a restart left the service half of
 * it, or the time to converge. A request to cancel it answers the partner as well.
 */
import type { Instant } from '../../../../engine/instant.ts'
import { callResultOf } from '../../helpers/call-outcome.ts'
import { defineInvariant } from '../../invariant.ts'
import { durationText, orderName } from '../../tracking/wording.ts'

interface State {
  /** When its last call was distorted or failed, or its process began; `Infinity` while that is ended. */
  hinderedUntil: Instant
}

export const confirmedInTime = defineInvariant<State>({
  id: 'CV-14',
  name: 'confirmed-in-time',
  sentence: 'Must confirm an order before the partner cancels it, if faults left it the time.',
  remedy:
    'Retry a confirm that failed, within the partner’s time, and confirm an order that was read late before all others.',
  kind: 'liveness',
  clauses: ['ORD-GEN-05', 'ORD-FLO-04'],
  premise:
    'an order with conduct.confirmWithin, of which the service received an event, was confirmed or cancelled',
  needs: ['conduct.confirmWithin'],
  calls: 'all',
  start: () => ({ hinderedUntil: 0 }),
  call(state, exchange) {
    const result = callResultOf(exchange)
    const isDistorted = exchange.isFaulted && !exchange.isRewritten
    if (isDistorted || (result !== 'done' && result !== 'refused'))
      state.hinderedUntil = Math.max(state.hinderedUntil, exchange.ended)
  },
  facts: {
    'session.subject-ended'(state) {
      state.hinderedUntil = Number.POSITIVE_INFINITY
    },
    'session.subject-renewed'(state, _fact, { now }) {
      state.hinderedUntil = now
    },
    'order.moved'({ hinderedUntil }, { orderId, from, unconfirmedMs }, tracker, report) {
      const order = tracker.orders.get(orderId)
      if (from !== 'CREATED' || !order?.firstReceipt || order.isForeign) return
      if (tracker.settings.conduct.confirmWithin === undefined) return
      report.premise()
      if (unconfirmedMs === undefined || order.hasRequestedCancellation) return
      const { now, timing, limits } = tracker
      const since = Math.max(order.firstReceipt.since, hinderedUntil)
      report.failed({
        timing: timing.atMost(since, now, Math.min(limits.convergeMs, unconfirmedMs / 2)),
        because: `The partner cancelled ${orderName(tracker, orderId)}, which was not confirmed within ${durationText(unconfirmedMs)}; for the last ${durationText(now - since)} of them nothing kept the service from it.`,
        evidence: [order.firstReceipt.evidence, order.lastCall],
        orderId,
      })
    },
  },
})
