/** Applies a sample to an order: the row's change, then every sum and the payments anew, so that all of them match. */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'
import type { ItemOption, OrderItem } from '../../protocol/orders/items.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import { fromUnits, type Price, priceFromUnits, toUnits } from '../../protocol/orders/price.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { percentOfUnits } from './money.ts'
import { drawCashAmount } from './order-payments.ts'
import { type SampleName, sampleNamed, type SamplePayment } from './samples.ts'

export interface SampleContext {
  readonly chance: Chance
  readonly now: Instant
}

const sumOf = (prices: readonly Price[]): number =>
  prices.reduce((total, { value }) => total + toUnits(value), 0)

function summedOption(option: ItemOption): ItemOption {
  const { unitPrice } = option.pricing
  const units = Math.round(toUnits(unitPrice.value) * option.quantity)
  return {
    ...option,
    pricing: { ...option.pricing, totalPrice: priceFromUnits(units, unitPrice.currency) },
    ...(option.options ? { options: option.options.map(summedOption) } : {}),
  }
}

const treeUnits = (options: readonly ItemOption[] = []): number =>
  options.reduce(
    (units, { pricing, options: inner }) =>
      units + toUnits(pricing.totalPrice.value) + treeUnits(inner),
    0,
  )

function summedItem(item: OrderItem): OrderItem {
  const { unitPrice } = item.pricing
  const options = item.options?.map(summedOption)
  const optionsUnits = treeUnits(options)
  const units = Math.round(item.quantity * (toUnits(unitPrice.value) + optionsUnits))
  return {
    ...item,
    pricing: {
      ...item.pricing,
      ...(options ? { optionsPrice: priceFromUnits(optionsUnits, unitPrice.currency) } : {}),
      totalPrice: priceFromUnits(units, unitPrice.currency),
    },
    ...(options ? { options } : {}),
  }
}

/** Notes of 50 that are more than the amount. */
const noteUnits = toUnits(50)
const inNotes = (units: number): number => (Math.floor(units / noteUnits) + 1) * noteUnits

/** The methods that pay an amount; none pays nothing. */
function methodsOf(
  payments: readonly SamplePayment[],
  amountUnits: number,
  currency: string,
): Order['payments']['methods'] {
  let rest = amountUnits
  return payments.flatMap(({ percent, hands, ...payment }, index) => {
    const isLast = index === payments.length - 1
    const units = isLast ? rest : percentOfUnits(amountUnits, percent ?? 0)
    rest -= units
    const handed = hands === undefined ? undefined : hands === 'exact' ? units : inNotes(units)
    const changeFor = handed === undefined ? undefined : fromUnits(handed)
    return units === 0
      ? []
      : [{ ...payment, value: fromUnits(units), currency, ...compact({ changeFor }) }]
  })
}

/** The methods as they were, where they pay the amount; else the first of them pays all. */
function keptMethods({ payments }: Order, amount: Price, chance: Chance) {
  const units = toUnits(amount.value)
  const paid = payments.methods.reduce((sum, { value }) => sum + toUnits(value), 0)
  if (paid === units) return payments.methods
  return payments.methods.slice(0, units === 0 ? 0 : 1).map((method) => ({
    ...method,
    value: amount.value,
    ...(method.method === 'CASH' ? { changeFor: fromUnits(drawCashAmount(chance, units)) } : {}),
  }))
}

/** The order with every sum that follows from its parts. */
function summed(order: Order, pays: readonly SamplePayment[] | undefined, chance: Chance): Order {
  const { currency } = order.total.orderAmount
  const items = order.items.map(summedItem)
  const itemsUnits = sumOf(items.map(({ pricing }) => pricing.totalPrice))
  const fees = sumOf((order.otherFees ?? []).map(({ price }) => price))
  const discount = sumOf((order.discounts ?? []).map(({ amount }) => amount))
  const price = (units: number): Price => priceFromUnits(units, currency)
  const orderAmount = price(Math.max(0, itemsUnits + fees - discount))
  const methods = pays
    ? methodsOf(pays, toUnits(orderAmount.value), currency)
    : keptMethods(order, orderAmount, chance)
  const paidBy = (type: string): number =>
    fromUnits(sumOf(methods.filter((each) => each.type === type)))
  return {
    ...order,
    items,
    total: {
      itemsPrice: price(itemsUnits),
      otherFees: price(fees),
      discount: price(discount),
      orderAmount,
    },
    payments: { prepaid: paidBy('PREPAID'), pending: paidBy('PENDING'), methods },
  }
}

/** Why an order of a type cannot be so; undefined when it can. */
export function sampleMisfit(name: SampleName, type: OrderType): string | undefined {
  const { types } = sampleNamed(name)
  return types === undefined || types.includes(type)
    ? undefined
    : `the sample ${name} is one of ${types.join(' or ')} orders, and this is one of ${type}`
}

/** The order as the sample has it; the error says why it cannot be so. */
export function applySample(
  name: SampleName,
  order: Order,
  { chance, now }: SampleContext,
): Result<Order, string> {
  const misfit = sampleMisfit(name, order.fulfillment.orderType)
  if (misfit !== undefined) return err(misfit)
  const { change, pays, spoil } = sampleNamed(name)
  const { currency } = order.total.orderAmount
  const changed = change?.(order, {
    chance,
    now,
    iso: isoOf,
    units: toUnits,
    price: (units) => priceFromUnits(units, currency),
    percentOf: percentOfUnits,
  })
  // Discounts were computed from other items, and may name one that is gone.
  const { discounts: _discounts, ...undiscounted } = order
  const base = changed?.items || changed?.otherFees ? undiscounted : order
  const whole = compact(summed({ ...base, ...changed }, pays, chance)) as Order
  return ok(spoil ? ({ ...whole, ...spoil(whole) } as unknown as Order) : whole)
}
