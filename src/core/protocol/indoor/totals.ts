/** Amounts and sums of an account in whole cents, so that they add up and can be paid exactly (fields.md, N2). */
import { toUnits } from '../orders/price.ts'

const unitsPerCent = toUnits(0.01)

/** Decimals on the wire; finer prices of orders are rounded when they are booked. */
export const toCents = (decimal: number): number => Math.round(toUnits(decimal) / unitsPerCent)

/** Price units of an order as whole cents. */
export const unitsToCents = (units: number): number => Math.round(units / unitsPerCent)

/** Whole cents as the decimal on the wire. */
export const fromCents = (cents: number): number => cents / 100

/** What of an account is summed up. */
export interface AccountSumParts {
  readonly items: readonly { readonly cents: number; readonly status: string }[]
  /** Fees and discounts of the booked orders, in cents. */
  readonly charges: readonly { readonly feeCents: number; readonly discountCents: number }[]
  readonly payments: readonly { readonly cents: number }[]
  /** The host's discount, in cents. */
  readonly discountCents: number
}

export interface AccountSums {
  readonly items: number
  readonly fees: number
  readonly discount: number
  /** Total to pay; never below zero. */
  readonly amount: number
  readonly paid: number
  /** Still to be paid; never below zero. */
  readonly due: number
}

function sum<Value>(values: readonly Value[], amountOf: (value: Value) => number): number {
  let total = 0
  for (const value of values) total += amountOf(value)
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

/** The price of part of a line in cents, rounded so that the part and the rest add up. */
export const proportionalCents = (cents: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((cents * part) / whole)
