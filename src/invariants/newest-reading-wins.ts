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
  readonly began: Instant
  readonly ended: Instant
  readonly cite: () => Cited
}

interface Readings {
  /** The one that showed most. */
  readonly newest: Reading
  /** An older one whose answer came after that one's. */
  readonly late: Reading | undefined
}

const readingsOf = createNote<Readings>()

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
      const readings = readingsOf.of(order)
      if (seen.operation === 'getOrder') {
        const status = seen.orderStatus
        if (!status) return
        const { newest, late } = readings ?? {}
        if (!newest || rankOf(status) > rankOf(newest.status)) {
          readingsOf.keep(order, { newest: { status, began, ended, cite: seen.cite }, late })
          return
        }
        const isOvertaken = began < newest.began && ended > newest.ended
        if (!isOvertaken || status === newest.status) return
        tell.premise()
        readingsOf.keep(order, { newest, late: { status, began, ended, cite: seen.cite } })
        return
      }
      if (!readings?.late || seen.began < readings.late.ended) return
      const { newest, late } = readings
      const step = progressOf(seen)
      if (!step) return
      if (seen.began <= newest.ended + watch.patience.inFlightMs) return
      const follows = step.from.includes(late.status) && rankOf(step.to) <= rankOf(newest.status)
      if (!follows || order.truth === late.status) return
      tell.broken({
        because: `The service ${did(seen, nameOf(watch, orderId))} ${atClock(seen.began)}, as follows from ${late.status}: that answer came last, but it was asked for ${atClock(late.began)}, before the one that says ${newest.status} (${atClock(newest.began)}).`,
        evidence: cites(late.cite(), newest.cite(), seen.cite()),
        orderId,
        once: `${orderId} ${seen.operation}`,
      })
    },
  },
})
