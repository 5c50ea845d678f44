/** Applies a sample to an order: the row's change, then every sum and the payments anew, so that all of them match. */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'
import type { ItemOption, OrderItem } from '../../protocol/orders/items.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import { fromUnits, type Price, priceFromUnits, toUnits } from '../../protocol/orders/price.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { completePayments } from './complete-payments.ts'
import { percentOfUnits } from './money.ts'
import { optionTreeUnits, paymentSituationOf, totalOf } from './orders.ts'
import { type SampleName, sampleNamed, type SamplePayment } from './samples.ts'

export interface SampleContext {
  readonly chance: Chance
  readonly now: Instant
}

function summedOption(option: ItemOption): ItemOption {
  const { unitPrice } = option.pricing
  const units = Math.round(toUnits(unitPrice.value) * option.quantity)
  return {
    ...option,
    pricing: { ...option.pricing, totalPrice: priceFromUnits(units, unitPrice.currency) },
    ...(option.options ? { options: option.options.map(summedOption) } : {}),
  }
}

function summedItem(item: OrderItem): OrderItem {
  const { unitPrice } = item.pricing
  const options = item.options?.map(summedOption)
  const optionsUnits = optionTreeUnits(options ?? [])
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

/** The payments of an amount: by the methods of the sample, or as they were where they pay it. */
function paymentsOf(
  { payments, fulfillment }: Order,
  pays: readonly SamplePayment[] | undefined,
  { value, currency }: Price,
  chance: Chance,
): Order['payments'] {
  const amountUnits = toUnits(value)
  const paid = payments.methods.reduce((sum, each) => sum + toUnits(each.value), 0)
  if (!pays && paid === amountUnits) return payments
  // The first without a value pays the rest.
  const kept = payments.methods.slice(0, 1).map(({ value: _, changeFor: __, ...method }) => method)
  const named = pays?.map(({ percent, hands, ...method }) => {
    const units = percent === undefined ? undefined : percentOfUnits(amountUnits, percent)
    const left = units ?? amountUnits - sharesOf(pays, amountUnits)
    const handed = hands === undefined ? undefined : hands === 'exact' ? left : inNotes(left)
    return {
      ...method,
      ...compact({
        value: units === undefined ? undefined : fromUnits(units),
        changeFor: handed === undefined ? undefined : fromUnits(handed),
      }),
    }
  })
  const situation = paymentSituationOf(fulfillment.orderType, fulfillment)
  const methods = amountUnits === 0 ? [] : (named ?? kept)
  return completePayments(
    { methods },
    { chance, situation, amountUnits, currency },
  ) as Order['payments']
}

const sharesOf = (pays: readonly SamplePayment[], amountUnits: number): number =>
  pays.reduce((sum, { percent = 0 }) => sum + percentOfUnits(amountUnits, percent), 0)

/** The order with every sum that follows from its parts. */
function summed(order: Order, pays: readonly SamplePayment[] | undefined, chance: Chance): Order {
  const items = order.items.map(summedItem)
  const total = totalOf({ ...order, items }, order.total.orderAmount.currency)
  return { ...order, items, total, payments: paymentsOf(order, pays, total.orderAmount, chance) }
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
