/**
 * CV-7: of two reads the one requested later is newer, whichever reply comes first. Actions after both follow the newer
 * one.
 */
import { defineInvariant } from '../../invariant.ts'
import { createPerOrderState } from '../../tracking/per-order-state.ts'
import { progressOperations, progressStepOf } from '../../tracking/progress.ts'
import { atTimeOfDay, collectEvidence, actionText, orderName } from '../../tracking/wording.ts'
import type { OrderSnapshot } from '../../tracking/order-snapshot.ts'
import { timingOfMaximum } from '../../tracking/timing.ts'
import { statusRank } from '../../tracking/status-rank.ts'

/** The read with the highest status. */
const newestOf = createPerOrderState<OrderSnapshot>()
/** An older read whose reply came later. */
const lateOf = createPerOrderState<OrderSnapshot>()

export const newestReadingWins = defineInvariant<undefined>({
  id: 'CV-7',
  name: 'newest-reading-wins',
  sentence: 'Must follow the GET that was sent last when replies arrive out of order.',
  remedy:
    'Number the GETs of an order when they are sent, and ignore a reply that is older than the last one used.',
  kind: 'safety',
  clauses: ['ORD-EVR-01', 'ORD-OPS-04'],
  premise: 'the reply to an older GET of an order arrived after that to a newer one',
  binds: ['software-service'],
  subscriptions: { exchanges: [...progressOperations, 'getOrder'] },
  start: () => undefined,
  handlers: {
    exchange(_state, seen, tracker, report) {
      const { order } = seen
      if (seen.caller !== 'subject' || !order) return
      const { orderId } = order
      const newest = newestOf.get(order)
      if (seen.operation === 'getOrder') {
        const status = seen.orderStatus
        if (!status) return
        if (!newest?.status || statusRank(status) > statusRank(newest.status))
          return newestOf.set(order, seen.snapshot())
        const isOvertaken = seen.began < newest.began && seen.ended > newest.ended
        if (!isOvertaken || status === newest.status) return
        report.premise()
        return lateOf.set(order, seen.snapshot())
      }
      const late = lateOf.get(order)
      if (!newest?.status || !late?.status || seen.began < late.ended) return
      const step = progressStepOf(seen)
      if (!step) return
      const { inFlightMs } = tracker.limits
      const timing = timingOfMaximum(tracker.lag, newest.ended, seen.began, inFlightMs)
      if (timing.outcome === 'fine') return
      const follows =
        step.from.includes(late.status) && statusRank(step.to) <= statusRank(newest.status)
      if (!follows || order.hostStatus === late.status) return
      report.failed({
        timing,
        because: `The service ${actionText(seen, orderName(tracker, orderId))} ${atTimeOfDay(seen.began)}, based on ${late.status}: that reply arrived last, but its GET (${atTimeOfDay(late.began)}) was sent before the one that returned ${newest.status} (${atTimeOfDay(newest.began)}).`,
        evidence: collectEvidence(late.evidence, newest.evidence, seen.evidence),
        orderId,
        deduplicationKey: `${orderId} ${seen.operation}`,
      })
    },
  },
})
