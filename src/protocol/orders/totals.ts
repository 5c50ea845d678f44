/**
 * The sums of an order (fields.md, O2, O3, O5): an item is quantity × (unit + options), an option is quantity × unit, the
 * order is items + fees − discounts and never below zero, the payments are the order. All in whole units of price.ts, so
 * that sums add up.
 */
import type { Item } from './items.ts'
import type { Order } from './order.ts'
import type { Total } from './payments.ts'
import { fromUnits, price, toUnits } from './price.ts'

type Payments = Order['payments']

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** How much of a line is still wanted. */
export const remainingQuantity = (item: Item): number =>
  Math.max(0, item.quantity - (item.quantityCancelled ?? 0))

/** What a line costs for what is left of it, in units: its own total, in proportion to the quantity that remains. */
export function itemUnits(item: Item): number {
  const whole = toUnits(item.pricing.totalPrice.value)
  if (!item.quantityCancelled) return whole
  return item.quantity === 0 ? 0 : Math.round((whole * remainingQuantity(item)) / item.quantity)
}

/**
 * The totals after something was cancelled (ORD-ITM-03): the items' price follows the lines that remain, fees and
 * discounts stay, and the amount never falls below zero. A document that did not add up keeps its own difference.
 */
export function totalAfter(order: Order, items: readonly Item[]): Total {
  const { total } = order
  const before = sum(order.items.map(itemUnits))
  const after = sum(items.map(itemUnits))
  const currency = total.orderAmount.currency
  const less = (amount: number): number => Math.max(0, toUnits(amount) - (before - after))
  return {
    ...total,
    itemsPrice: price(less(total.itemsPrice.value), currency),
    orderAmount: price(less(total.orderAmount.value), currency),
  }
}

/** Methods with so much less in all, the last one first; those that nothing is left of go. */
function lowered(
  methods: Payments['methods'],
  type: 'PREPAID' | 'PENDING',
  less: number,
): { readonly methods: Payments['methods']; readonly taken: number } {
  let taken = 0
  const left = methods.toReversed().flatMap((method) => {
    const value = toUnits(method.value)
    const part = method.type === type ? Math.min(less - taken, value) : 0
    taken += part
    if (part === 0) return [method]
    return part === value ? [] : [{ ...method, value: fromUnits(value - part) }]
  })
  return { methods: left.toReversed(), taken }
}

/**
 * The payments after the amount fell (fields.md, O5: the methods add up to the amount): what is still to be paid falls
 * first, and what was paid is given back after that.
 */
export function paymentsAfter({ total, payments }: Order, after: Total): Payments {
  const less = toUnits(total.orderAmount.value) - toUnits(after.orderAmount.value)
  const pending = lowered(payments.methods, 'PENDING', less)
  const prepaid = lowered(pending.methods, 'PREPAID', less - pending.taken)
  const minus = (amount: number, taken: number): number =>
    fromUnits(Math.max(0, toUnits(amount) - taken))
  return {
    ...payments,
    prepaid: minus(payments.prepaid, prepaid.taken),
    pending: minus(payments.pending, pending.taken),
    methods: prepaid.methods,
  }
}

/** What is wrong with the sums of an order, one sentence each; empty when they add up. */
export function sumProblems(order: Order): readonly string[] {
  const problems: string[] = []
  const expect = (what: string, found: number, expected: number): void => {
    if (toUnits(found) !== expected)
      problems.push(`${what} is ${found}, but its parts add up to ${fromUnits(expected)}`)
  }
  for (const item of order.items) {
    const options = toUnits(item.pricing.optionsPrice?.value ?? 0)
    const unit = toUnits(item.pricing.unitPrice.value)
    expect(
      `item ${item.id}`,
      item.pricing.totalPrice.value,
      Math.round(item.quantity * (unit + options)),
    )
  }
  const items = sum(order.items.map(itemUnits))
  const fees = sum((order.otherFees ?? []).map((fee) => toUnits(fee.price.value)))
  const discount = sum((order.discounts ?? []).map((each) => toUnits(each.amount.value)))
  expect('total.itemsPrice', order.total.itemsPrice.value, items)
  expect('total.otherFees', order.total.otherFees.value, fees)
  expect('total.discount', order.total.discount.value, discount)
  expect('total.orderAmount', order.total.orderAmount.value, Math.max(0, items + fees - discount))
  const paid = sum(order.payments.methods.map((method) => toUnits(method.value)))
  expect('the payments', fromUnits(paid), toUnits(order.total.orderAmount.value))
  return problems
}
