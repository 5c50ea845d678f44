/**
 * CV-7: of two readings the one that was asked for later is the newer one, whichever answer comes first. What is done after
 * both follows from the newer one.
 */
import type { Instant } from '../engine/instant.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import { defineInvariant } from './invariant.ts'
import type { Cited } from './verdict.ts'
import { createNote } from './watch/notes.ts'
import { progressions, progressOf, rankOf } from './watch/progress.ts'
import { atClock, cites, did, nameOf } from './watch/say.ts'

interface Reading {
  readonly status: OrderStatus
  readonly ended: Instant
  readonly cite: Cited
}

/** The one that showed most. */
const newestOf = createNote<Reading>()
/** An older one whose answer came after that one's. */
const lateOf = createNote<Reading>()

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
    exchange(_state, seen, watch, tell) {
      const { order, began, ended } = seen
      if (seen.by !== 'subject' || !order) return
      const { orderId } = order
      const newest = newestOf.of(order)
      if (seen.operation === 'getOrder') {
        const status = seen.orderStatus
        if (!status) return
        const reading: Reading = { status, ended, cite: seen.cite }
        if (!newest || rankOf(status) > rankOf(newest.status)) return newestOf.keep(order, reading)
        const isOvertaken = began < newest.cite.at && ended > newest.ended
        if (!isOvertaken || status === newest.status) return
        tell.premise()
        return lateOf.keep(order, reading)
      }
      const late = lateOf.of(order)
      if (!newest || !late || seen.began < late.ended) return
      const step = progressOf(seen)
      if (!step) return
      if (seen.began <= newest.ended + watch.patience.inFlightMs) return
      const follows = step.from.includes(late.status) && rankOf(step.to) <= rankOf(newest.status)
      if (!follows || order.truth === late.status) return
      tell.broken({
        because: `The service ${did(seen, nameOf(watch, orderId))} ${atClock(seen.began)}, as follows from ${late.status}: that answer came last, but it was asked for ${atClock(late.cite.at)}, before the one that says ${newest.status} (${atClock(newest.cite.at)}).`,
        evidence: cites(late.cite, newest.cite, seen.cite),
        orderId,
        once: `${orderId} ${seen.operation}`,
      })
    },
  },
})
