/** The lines of an account: cancelled in part, replaced, settled at closing. */
import { accountSums, proportionalCents } from '../../protocol/indoor/totals.ts'
import type { AccountLine, DiningAccountRecord } from './world.ts'

/** The line reduced by this quantity, or cancelled when nothing is left. */
export function reduceLine(line: AccountLine, quantity: number, cents?: number): AccountLine {
  const left = line.quantity - quantity
  return left <= 0
    ? { ...line, status: 'CANCELLED' }
    : {
        ...line,
        quantity: left,
        cents: cents ?? proportionalCents(line.cents, left, line.quantity),
      }
}

/** The items, with those whose ids match replaced. */
export const replaceLines = (
  items: readonly AccountLine[],
  lines: readonly AccountLine[],
): readonly AccountLine[] =>
  items.map((item) => lines.find(({ itemId }) => itemId === item.itemId) ?? item)

/** Active items become PAID when payments cover the account; an account closed unpaid keeps them ACTIVE. */
export function settledLines(account: DiningAccountRecord): readonly AccountLine[] {
  const { paid, amount } = accountSums(account)
  return paid < amount
    ? account.items
    : account.items.map((item) =>
        item.status === 'ACTIVE' ? { ...item, status: 'PAID' as const } : item,
      )
}
