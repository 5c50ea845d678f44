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
  readonly owe: (order: OrderWatch, debt: Debt) => boolean
  /** Clears the event on a read, or on a progress call that follows it. */
  readonly pay: (seen: SeenExchange) => void
  /** Reports unread events: broken when overdue, otherwise open. */
  readonly settle: (
    tracker: Watch,
    report: Tell,
    because: (debt: Debt, order: OrderWatch) => string,
  ) => void
}

/** Operations that clear an event, of all versions. */
export const payments = [...reads, ...progressionsInBoth]

/** Whether the order was read since the event was emitted. */
export const isReadSince = ({ lastRead }: OrderWatch, emitted: Instant): boolean =>
  lastRead !== undefined && lastRead.began >= emitted

const isExcused = ({ shown }: OrderWatch): boolean => shown.statuses().some(isOver)

/** Call once per invariant, at module level: the events are stored on the orders. */
export function createDebts(): Debts {
  const debts = createNote<Debt>()
  return {
    owe(order, debt) {
      if (debts.of(order)) return false
      debts.keep(order, debt)
      return true
    },
    pay(seen) {
      const { order } = seen
      const debt = order && seen.by === 'subject' ? debts.of(order) : undefined
      if (!order || !debt || seen.began < debt.emitted) return
      const isReading = isRead(seen) && seen.ok
      if (isReading || (progressOf(seen) && seen.began >= debt.since)) debts.keep(order, undefined)
    },
    settle(tracker, report, because) {
      for (const order of tracker.orders.values()) {
        const debt = debts.of(order)
        if (!debt || isExcused(order)) continue
        if (!tracker.overdue(debt.since)) {
          report.open()
          continue
        }
        report.broken({
          because: because(debt, order),
          evidence: cites(debt.cite, order.lastCall),
          orderId: order.orderId,
        })
      }
    },
  }
}
