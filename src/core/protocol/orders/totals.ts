/**
 * Totals of an order (fields.md, O2, O3, O5): item = quantity × (unit price + options), option = quantity × unit price,
 * order = items + fees − discounts, at least zero; the payments add up to the order. Computed in the integer units of
 * price.ts, so that sums are exact.
 */
import type { ItemOption, OrderItem } from './items.ts'
import type { Order } from './order.ts'
import type { OrderTotal } from './payments.ts'
import { fromUnits, priceFromUnits, toUnits } from './price.ts'

type Payments = Order['payments']

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Quantity of an item that is not cancelled. */
export const remainingQuantity = (item: OrderItem): number =>
  Math.max(0, item.quantity - (item.quantityCancelled ?? 0))

/** Price in units of the quantity of an item that remains: its total in proportion. */
export function remainingItemUnits(item: OrderItem): number {
  const whole = toUnits(item.pricing.totalPrice.value)
  if (!item.quantityCancelled) return whole
  return item.quantity === 0 ? 0 : Math.round((whole * remainingQuantity(item)) / item.quantity)
}

/**
 * Totals after a cancellation of items (ORD-ITM-03): the items' price is reduced, fees and discounts stay, and the amount
 * is at least zero. In a document whose sums did not match before, the difference stays.
 */
export function totalAfterCancellation(order: Order, items: readonly OrderItem[]): OrderTotal {
  const { total } = order
  const before = sum(order.items.map(remainingItemUnits))
  const after = sum(items.map(remainingItemUnits))
  const currency = total.orderAmount.currency
  const less = (amount: number): number => Math.max(0, toUnits(amount) - (before - after))
  return {
    ...total,
    itemsPrice: priceFromUnits(less(total.itemsPrice.value), currency),
    orderAmount: priceFromUnits(less(total.orderAmount.value), currency),
  }
}

/**
 * Reduces the payment methods of a type by `less` units, the last method first; methods with zero left are removed.
 */
function reducePayments(
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
 * Payments after the amount was reduced (fields.md, O5: the methods add up to the amount): pending payments are reduced
 * first, then prepaid ones are refunded.
 */
export function paymentsAfterCancellation({ total, payments }: Order, after: OrderTotal): Payments {
  const less = toUnits(total.orderAmount.value) - toUnits(after.orderAmount.value)
  const pending = reducePayments(payments.methods, 'PENDING', less)
  const prepaid = reducePayments(pending.methods, 'PREPAID', less - pending.taken)
  const minus = (amount: number, taken: number): number =>
    fromUnits(Math.max(0, toUnits(amount) - taken))
  return {
    ...payments,
    prepaid: minus(payments.prepaid, prepaid.taken),
    pending: minus(payments.pending, pending.taken),
    methods: prepaid.methods,
  }
}

/**
 * What an order had before items of it were cancelled, which a later read shows no more; none where none was. The first
 * payment method is higher by what was cancelled.
 */
export function beforeItemCancellations(
  order: Order,
): Partial<Pick<Order, 'items' | 'total' | 'payments'>> {
  const { total, payments } = order
  if (order.items.every(({ quantityCancelled }) => !quantityCancelled)) return {}
  const items = order.items.map(({ status: _status, quantityCancelled: _left, ...item }) => item)
  const cancelled = sum(items.map(remainingItemUnits)) - sum(order.items.map(remainingItemUnits))
  const currency = total.orderAmount.currency
  const itemsPrice = toUnits(total.itemsPrice.value) + cancelled
  const amount = toUnits(total.orderAmount.value)
  // An amount of zero may have been less.
  const amountBefore =
    amount > 0
      ? amount + cancelled
      : Math.max(0, itemsPrice + toUnits(total.otherFees.value) - toUnits(total.discount.value))
  const plus = (value: number): number => fromUnits(toUnits(value) + amountBefore - amount)
  const [first = { type: 'PREPAID', method: 'CREDIT', value: 0, currency }, ...others] =
    payments.methods
  const paid = first.type === 'PREPAID' ? 'prepaid' : 'pending'
  return {
    items,
    total: {
      ...total,
      itemsPrice: priceFromUnits(itemsPrice, currency),
      orderAmount: priceFromUnits(amountBefore, currency),
    },
    payments: {
      ...payments,
      [paid]: plus(payments[paid]),
      methods: [{ ...first, value: plus(first.value) }, ...others],
    },
  }
}

/** Total of a tree of options in units. */
const optionTreeUnits = (options: readonly ItemOption[] = []): number =>
  sum(
    options.map(
      ({ pricing, options: inner }) => toUnits(pricing.totalPrice.value) + optionTreeUnits(inner),
    ),
  )

/** One sentence for each wrong sum of an order, with both values; empty when all sums match. */
export function sumProblems(order: Order): readonly string[] {
  const problems: string[] = []
  const expect = (what: string, found: number, parts: string, expected: number): void => {
    if (toUnits(found) !== expected)
      problems.push(`${what} is ${found}, but ${parts} ${fromUnits(expected)}`)
  }
  for (const [index, { name, quantity, pricing, options }] of order.items.entries()) {
    const { unitPrice, optionsPrice, totalPrice } = pricing
    const field = `items.${index}.pricing`
    const optionsValue = optionsPrice?.value ?? 0
    expect(`${field}.optionsPrice`, optionsValue, 'the options add up to', optionTreeUnits(options))
    expect(
      `${field}.totalPrice (${name})`,
      totalPrice.value,
      `${quantity} × (${unitPrice.value} + ${optionsValue}) is`,
      Math.round(quantity * (toUnits(unitPrice.value) + toUnits(optionsValue))),
    )
  }
  const { total, payments } = order
  const items = sum(order.items.map(remainingItemUnits))
  const fees = sum((order.otherFees ?? []).map((fee) => toUnits(fee.price.value)))
  const discount = sum((order.discounts ?? []).map((each) => toUnits(each.amount.value)))
  expect('total.itemsPrice', total.itemsPrice.value, 'the items add up to', items)
  expect('total.otherFees', total.otherFees.value, 'otherFees add up to', fees)
  expect('total.discount', total.discount.value, 'discounts add up to', discount)
  expect(
    'total.orderAmount',
    total.orderAmount.value,
    'items + fees - discounts is',
    Math.max(0, items + fees - discount),
  )
  const unitsPaid = (type?: string): number =>
    sum(
      payments.methods
        .filter((method) => type === undefined || method.type === type)
        .map(({ value }) => toUnits(value)),
    )
  expect('total.orderAmount', total.orderAmount.value, 'the payments add up to', unitsPaid())
  for (const [field, type] of [
    ['prepaid', 'PREPAID'],
    ['pending', 'PENDING'],
  ] as const)
    expect(`payments.${field}`, payments[field], `${type} methods add up to`, unitsPaid(type))
  return problems
}
