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

type Money = number | undefined

/** The parts of an account that a partner states, as decimals. */
export interface StatedAccount {
  readonly status: string
  readonly items: readonly {
    readonly status?: string | undefined
    readonly totalPrice?: Money
    readonly discount?: Money
  }[]
  readonly payments?:
    | readonly {
        readonly amount?: Money
        readonly tip?: Money
        readonly serviceCharge?: { readonly amount?: Money } | undefined
      }[]
    | undefined
  readonly totals?:
    | {
        readonly itemsSubtotal?: Money
        readonly paid?: Money
        readonly due?: Money
        readonly discount?: Money
        readonly serviceCharge?: { readonly amount?: Money } | undefined
        readonly taxes?: { readonly amount?: Money } | undefined
      }
    | undefined
  readonly paidTotal?: Money
}

const decimal = (cents: number): string => fromCents(cents).toFixed(2)

/**
 * Where the stated sums of an account do not follow from what it lists. Whether tips and service charges are part of a
 * sum is left open, so either is right; a closed account may have been closed by courtesy.
 */
export function accountDifferences(account: StatedAccount): readonly string[] {
  const { status, items, payments, totals = {}, paidTotal } = account
  const differences: string[] = []
  const cents = (value: Money): number => toCents(value ?? 0)
  const active = items.filter((item) => item.status !== 'CANCELLED')
  const subtotal = sum(active, ({ totalPrice }) => cents(totalPrice))
  const discounted = subtotal - sum(active, ({ discount }) => cents(discount))
  const compare = (name: string, stated: Money, right: readonly number[], because: string) => {
    const [first] = right
    if (stated !== undefined && first !== undefined && !right.includes(cents(stated)))
      differences.push(`${name} is ${stated.toFixed(2)}, and ${because} ${decimal(first)}`)
  }
  if (active.every(({ totalPrice }) => totalPrice !== undefined))
    compare(
      'totals.itemsSubtotal',
      totals.itemsSubtotal,
      [subtotal, discounted],
      'its items come to',
    )
  if (payments) {
    const paid = sum(payments, ({ amount }) => cents(amount))
    const tips = sum(payments, ({ tip }) => cents(tip))
    const service = sum(payments, ({ serviceCharge }) => cents(serviceCharge?.amount))
    const right = [paid, paid + tips, paid + service, paid + tips + service]
    compare('totals.paid', totals.paid, right, 'its payments come to')
    compare('paidTotal', paidTotal, right, 'its payments come to')
  }
  if (totals.itemsSubtotal !== undefined && status !== 'CLOSED') {
    const rest = cents(totals.itemsSubtotal) - cents(totals.discount) - cents(totals.paid)
    const [service, taxes] = [cents(totals.serviceCharge?.amount), cents(totals.taxes?.amount)]
    const right = [rest + service + taxes, rest + service, rest + taxes, rest].map((each) =>
      Math.max(0, each),
    )
    compare('totals.due', totals.due, right, 'its other totals leave')
  }
  return differences
}

/** The price of part of a line in cents, rounded so that the part and the rest add up. */
export const proportionalCents = (cents: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((cents * part) / whole)
