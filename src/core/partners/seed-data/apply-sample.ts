/** Applies a sample to an order: the row's change, then every sum and the payments anew, so that all of them match. */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../../engine/chance.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import { fromUnits, type Price, toUnits } from '../../protocol/orders/price.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { completeItem } from './complete-items.ts'
import { completeTotal } from './complete-order.ts'
import { completePayments } from './complete-payments.ts'
import { percentOfUnits } from './money.ts'
import { paymentSituationOf } from './orders.ts'
import { type SampleContext, type SampleName, sampleNamed, type SamplePayment } from './samples.ts'

/** Notes of 50 that are more than an amount. */
const inNotes = (value: number): number => (Math.floor(value / 50) + 1) * 50

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
  const kept = payments.methods
    .slice(0, 1)
    .map(({ value: _value, changeFor: _change, ...method }) => method)
  const named = pays?.map(({ percent, needsChange: _change, ...method }) =>
    percent === undefined
      ? method
      : { ...method, value: fromUnits(percentOfUnits(amountUnits, percent)) },
  )
  const completed = completePayments(
    { methods: amountUnits === 0 ? [] : (named ?? kept) },
    {
      chance,
      situation: paymentSituationOf(fulfillment.orderType, fulfillment),
      amountUnits,
      currency,
    },
  ) as Order['payments']
  const methods = completed.methods.map((method, index) =>
    pays?.[index]?.needsChange ? { ...method, changeFor: inNotes(method.value) } : method,
  )
  return { ...completed, methods }
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
  const changed = change?.(order, { chance, now }) ?? {}
  // Discounts were computed from other items, and may name one that is gone.
  const { discounts: _discounts, ...undiscounted } = order
  const base = changed.items || changed['otherFees'] ? undiscounted : order
  const context = { merchant: undefined, currency, chance, report: () => undefined }
  const items = changed.items?.map((fields, index) =>
    'totalPrice' in (fields['pricing'] as object)
      ? fields
      : completeItem({ fields }, index, context),
  )
  const parts = { ...base, ...changed, items: items ?? order.items } as Order
  const total = completeTotal(undefined, parts, currency) as Order['total']
  const payments = paymentsOf(order, pays, total.orderAmount, chance)
  const whole = compact({ ...parts, total, payments })
  return ok({ ...whole, ...spoil?.(whole) })
}
