/**
 * Events that must lead to a read. A subject that accepts an event must learn the order's state: by GET, or by a next
 * progress call. An order whose end was announced need not be read.
 */
import type { Instant } from '../../engine/instant.ts'
import type { Tell } from '../invariant.ts'
import type { SeenExchange } from '../judge/observations.ts'
import type { Cited } from '../verdict.ts'
import { isRead, reads } from '../helpers/order-reads.ts'
import { createNote } from './per-order-state.ts'
import { isOver, progressionsInBoth, progressOf } from './progress.ts'
import { cites } from './wording.ts'
import type { OrderWatch, Watch } from './tracker-state.ts'

export interface Debt {
  readonly eventType: string
  /** The read must not have begun before this instant. */
  readonly emitted: Instant
  /** When the subject accepted the event. */
  readonly since: Instant
  readonly cite: Cited
}

/** By order: one read covers all earlier events. */
export interface Debts {
  /** Returns whether the event was added: an order with an unread event gets no second one. */
  readonly owe: (order: OrderWatch, unread: Debt) => boolean
  /** Clears the event on a read, or on a progress call that follows it. */
  readonly pay: (seen: SeenExchange) => void
  /** Reports unread events: broken when overdue, otherwise open. */
  readonly settle: (
    tracker: Watch,
    report: Tell,
    because: (unread: Debt, order: OrderWatch) => string,
  ) => void
}

/** Operations that clear an event, of all versions. */
export const payments = [...reads, ...progressionsInBoth]

/** Whether the order was read since the event was emitted. */
export const isReadSince = ({ lastRead: lastSnapshot }: OrderWatch, emitted: Instant): boolean =>
  lastSnapshot !== undefined && lastSnapshot.began >= emitted

const isExcused = ({ shown: shownStatuses }: OrderWatch): boolean =>
  shownStatuses.statuses().some(isOver)

/** Call once per invariant, at module level: the events are stored on the orders. */
export function createDebts(): Debts {
  const unreadOf = createNote<Debt>()
  return {
    owe(order, unread) {
      if (unreadOf.of(order)) return false
      unreadOf.keep(order, unread)
      return true
    },
    pay(seen) {
      const { order } = seen
      const unread = order && seen.by === 'subject' ? unreadOf.of(order) : undefined
      if (!order || !unread || seen.began < unread.emitted) return
      const isReading = isRead(seen) && seen.ok
      if (isReading || (progressOf(seen) && seen.began >= unread.since))
        unreadOf.keep(order, undefined)
    },
    settle(tracker, report, because) {
      for (const order of tracker.orders.values()) {
        const unread = unreadOf.of(order)
        if (!unread || isExcused(order)) continue
        if (!tracker.overdue(unread.since)) {
          report.open()
          continue
        }
        report.broken({
          because: because(unread, order),
          evidence: cites(unread.cite, order.lastCall),
          orderId: order.orderId,
        })
      }
    },
  }
}
