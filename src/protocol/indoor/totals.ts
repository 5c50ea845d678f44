/**
 * The sums of an account (fields.md, N2), in whole cents so that they add up: what its items cost, what its
 * orders charge and grant beside them, what the house takes off, what was paid, what is due.
 */
export interface AccountSumParts {
  readonly items: readonly { readonly cents: number; readonly status: string }[]
  /** Fees and discounts of the orders that were put on the account. */
  readonly charges: readonly { readonly feeCents: number; readonly discountCents: number }[]
  readonly payments: readonly { readonly cents: number }[]
  /** Taken off by the house. */
  readonly discountCents: number
}

export interface AccountSums {
  readonly items: number
  readonly fees: number
  readonly discount: number
  /** What the account comes to: never below zero. */
  readonly amount: number
  readonly paid: number
  /** What is still to be paid: never below zero. */
  readonly due: number
}

function sum<Value>(values: readonly Value[], of: (value: Value) => number): number {
  let total = 0
  for (const value of values) total += of(value)
  return total
}

export function accountSums(account: AccountSumParts): AccountSums {
  const items = sum(account.items, ({ cents, status }) => (status === 'CANCELLED' ? 0 : cents))
  const fees = sum(account.charges, ({ feeCents }) => feeCents)
  const discount =
    account.discountCents + sum(account.charges, ({ discountCents }) => discountCents)
  const paid = sum(account.payments, ({ cents }) => cents)
  const amount = Math.max(0, items + fees - discount)
  return { items, fees, discount, amount, paid, due: Math.max(0, amount - paid) }
}

/** A part of a line: its share of the price, so that the part and the rest add up to the whole. */
export const shareOf = (cents: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((cents * part) / whole)
