/**
 * CV-7: of two reads the one requested later is newer, whichever reply comes first. Actions after both follow the newer
 * one.
 */
import { defineInvariant } from '../../invariant.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { progressions, progressOf, rankOf } from '../../tracking/progress.ts'
import { atClock, cites, did, nameOf } from '../../tracking/wording.ts'
import type { SeenReading } from '../../tracking/order-reading.ts'

/** The read with the highest status. */
const newestOf = createNote<SeenReading>()
/** An older read whose reply came later. */
const lateOf = createNote<SeenReading>()

export const newestReadingWins = defineInvariant<undefined>({
  id: 'CV-7',
  name: 'newest-reading-wins',
  sentence: 'When the answer to an older reading comes last, the service goes by the newer one.',
  kind: 'safety',
  clauses: ['ORD-EVR-01', 'ORD-OPS-04'],
  premise: 'the answer to an older reading of an order came after that to a newer one',
  binds: ['software-service'],
  sees: { exchanges: [...progressions, 'getOrder'] },
  start: () => undefined,
  shown: {
    exchange(_state, seen, tracker, report) {
      const { order } = seen
      if (seen.by !== 'subject' || !order) return
      const { orderId } = order
      const newest = newestOf.of(order)
      if (seen.operation === 'getOrder') {
        const status = seen.orderStatus
        if (!status) return
        if (!newest?.status || rankOf(status) > rankOf(newest.status))
          return newestOf.keep(order, seen.reading())
        const isOvertaken = seen.began < newest.began && seen.ended > newest.ended
        if (!isOvertaken || status === newest.status) return
        report.premise()
        return lateOf.keep(order, seen.reading())
      }
      const late = lateOf.of(order)
      if (!newest?.status || !late?.status || seen.began < late.ended) return
      const step = progressOf(seen)
      if (!step) return
      if (seen.began <= newest.ended + tracker.patience.inFlightMs) return
      const follows = step.from.includes(late.status) && rankOf(step.to) <= rankOf(newest.status)
      if (!follows || order.truth === late.status) return
      report.broken({
        because: `The service ${did(seen, nameOf(tracker, orderId))} ${atClock(seen.began)}, as follows from ${late.status}: that answer came last, but it was asked for ${atClock(late.began)}, before the one that says ${newest.status} (${atClock(newest.began)}).`,
        evidence: cites(late.cite, newest.cite, seen.cite),
        orderId,
        once: `${orderId} ${seen.operation}`,
      })
    },
  },
})
