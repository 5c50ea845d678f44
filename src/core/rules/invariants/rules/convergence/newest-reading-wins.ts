/**
 * CV-7: of two reads the one requested later is newer, whichever reply comes first. Actions after both follow the newer
 * one.
 */
import { defineInvariant } from '../../invariant.ts'
import { progressOperations, progressStepOf } from '../../tracking/progress.ts'
import { atTimeOfDay, actionText, orderName } from '../../tracking/wording.ts'
import { statusRank } from '../../tracking/status-rank.ts'
import type { OrderSnapshot, TrackedOrder } from '../../tracking/tracker-state.ts'

/** The read with the highest status. */
const newestOf = new WeakMap<TrackedOrder, OrderSnapshot>()
/** An older read whose reply came later. */
const lateOf = new WeakMap<TrackedOrder, OrderSnapshot>()

export const newestReadingWins = defineInvariant({
  id: 'CV-7',
  name: 'newest-reading-wins',
  sentence: 'Must follow the GET that was sent last when replies arrive out of order.',
  remedy:
    'Number the GETs of an order when they are sent, and ignore a reply that is older than the last one used.',
  kind: 'safety',
  clauses: ['ORD-EVR-01', 'ORD-OPS-04'],
  premise: 'the reply to an older GET of an order arrived after that to a newer one',
  calls: [...progressOperations, 'getOrder'],
  call(_state, observed, tracker, report) {
    const { order } = observed
    if (!order) return
    const { orderId } = order
    const newest = newestOf.get(order)
    if (observed.operation === 'getOrder') {
      const status = observed.orderStatus
      if (!status) return
      if (!newest?.status || statusRank(status) > statusRank(newest.status))
        newestOf.set(order, observed.snapshot())
      else if (
        observed.began < newest.began &&
        observed.ended > newest.ended &&
        status !== newest.status
      ) {
        report.premise()
        lateOf.set(order, observed.snapshot())
      }
      return
    }
    const late = lateOf.get(order)
    if (!newest?.status || !late?.status || observed.began < late.ended) return
    const step = progressStepOf(observed, tracker)
    if (!step) return
    const { inFlightMs } = tracker.limits
    const timing = tracker.timing.atMost(newest.ended, observed.began, inFlightMs)
    const follows =
      step.from.includes(late.status) && statusRank(step.to) <= statusRank(newest.status)
    if (!follows || order.hostStatus === late.status) return
    report.failed({
      timing,
      because: `The service ${actionText(observed, orderName(tracker, orderId))} ${atTimeOfDay(observed.began)}, based on ${late.status}: that reply arrived last, but its GET (${atTimeOfDay(late.began)}) was sent before the one that returned ${newest.status} (${atTimeOfDay(newest.began)}).`,
      evidence: [late.evidence, newest.evidence, observed.evidence],
      orderId,
      deduplicationKey: `${orderId} ${observed.operation}`,
    })
  },
})
