/**
 * News that has to lead to a reading. Who takes an event takes it on to find out what is so: by GET, or by going on with
 * the order. An order of which the end was announced needs no reading any more.
 */
import { setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Tell } from '../invariant.ts'
import type { SeenExchange } from '../seen.ts'
import type { Cited } from '../verdict.ts'
import { isRead, reads } from '../pace/reads.ts'
import { mostKept } from './kept.ts'
import { isOver, progressionsInBoth, progressOf } from './progress.ts'
import { cites } from './say.ts'
import type { OrderWatch, Watch } from './watch.ts'

export interface Debt {
  readonly orderId: string
  readonly eventType: string
  /** What is read must not be older than this. */
  readonly emitted: Instant
  /** When it was taken on. */
  readonly since: Instant
  readonly cite: () => Cited
}

/** By order: one reading pays for all that was heard of it before. */
export type Debts = Map<string, Debt>

/** The calls that pay: whoever speaks V1 reads and goes on under other names. */
export const payments = [...reads, ...progressionsInBoth]

/** Whether what an event says had been read before it came. */
export const isReadSince = ({ lastRead }: OrderWatch, emitted: Instant): boolean =>
  lastRead !== undefined && lastRead.began >= emitted

export function owe(debts: Debts, debt: Debt): boolean {
  if (debts.has(debt.orderId)) return false
  setBounded(debts, debt.orderId, debt, mostKept)
  return true
}

/** A reading, or a step that goes on from it. */
export function pay(debts: Debts, seen: SeenExchange): void {
  if (debts.size === 0 || seen.by !== 'subject' || seen.orderId === undefined) return
  const debt = debts.get(seen.orderId)
  if (!debt || seen.began < debt.emitted) return
  const isReading = isRead(seen) && seen.ok
  if (isReading || (progressOf(seen) && seen.began >= debt.since)) debts.delete(seen.orderId)
}

const isExcused = ({ shown }: OrderWatch): boolean => shown.statuses().some(isOver)

/** What is still owed: broken when it had its time, and open before. */
export function settle(
  debts: Debts,
  watch: Watch,
  tell: Tell,
  because: (debt: Debt, order: OrderWatch) => string,
): void {
  for (const debt of debts.values()) {
    const order = watch.orders.get(debt.orderId)
    if (!order || isExcused(order)) continue
    if (!watch.overdue(debt.since)) {
      tell.open()
      continue
    }
    tell.broken({
      because: because(debt, order),
      evidence: cites(debt.cite(), order.lastCall?.()),
      orderId: debt.orderId,
    })
  }
}
