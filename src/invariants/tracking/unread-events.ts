/**
 * News that has to lead to a reading. Who takes an event takes it on to find out what is so: by GET, or by going on with
 * the order. An order of which the end was announced needs no reading any more.
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
  /** What is read must not be older than this. */
  readonly emitted: Instant
  /** When it was taken on. */
  readonly since: Instant
  readonly cite: Cited
}

/** By order: one reading pays for all that was heard of it before. */
export interface Debts {
  /** Whether it was taken on: an order that owes already owes nothing more. */
  readonly owe: (order: OrderWatch, debt: Debt) => boolean
  /** A reading, or a step that goes on from it. */
  readonly pay: (seen: SeenExchange) => void
  /** What is still owed: broken when it had its time, and open before. */
  readonly settle: (
    watch: Watch,
    tell: Tell,
    because: (debt: Debt, order: OrderWatch) => string,
  ) => void
}

/** The calls that pay: whoever speaks V1 reads and goes on under other names. */
export const payments = [...reads, ...progressionsInBoth]

/** Whether what an event says had been read before it came. */
export const isReadSince = ({ lastRead }: OrderWatch, emitted: Instant): boolean =>
  lastRead !== undefined && lastRead.began >= emitted

const isExcused = ({ shown }: OrderWatch): boolean => shown.statuses().some(isOver)

/** For an invariant as a whole: what is owed stands on the orders. */
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
    settle(watch, tell, because) {
      for (const order of watch.orders.values()) {
        const debt = debts.of(order)
        if (!debt || isExcused(order)) continue
        if (!watch.overdue(debt.since)) {
          tell.open()
          continue
        }
        tell.broken({
          because: because(debt, order),
          evidence: cites(debt.cite, order.lastCall),
          orderId: order.orderId,
        })
      }
    },
  }
}
