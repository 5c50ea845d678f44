import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import type { OrderItem } from './items.ts'
import type { Order } from './order.ts'
import { fromUnits, priceFromUnits, toUnits } from './price.ts'
import {
  beforeItemCancellations,
  remainingItemUnits,
  paymentsAfterCancellation,
  remainingQuantity,
  sumProblems,
  totalAfterCancellation,
} from './totals.ts'

test('a correct order has no sum problems', () => {
  expect(sumProblems(plainOrder('a'))).toEqual([])
})

test.each<[string, (order: Order) => void]>([
  [
    'items.0.pricing.totalPrice (Hambúrguer) is 51, but 2 × (20 + 5) is 50',
    ({ items }) => items[0]!.pricing.totalPrice.value++,
  ],
  [
    'total.itemsPrice is 60.9, but the items add up to 59.9',
    ({ total }) => total.itemsPrice.value++,
  ],
  ['total.otherFees is 8, but otherFees add up to 7', ({ total }) => total.otherFees.value++],
  ['total.discount is 5, but discounts add up to 4', ({ total }) => total.discount.value++],
  [
    'total.orderAmount is 62.9, but the payments add up to 63.9',
    ({ payments }) => payments.methods[0]!.value++,
  ],
])('a wrong sum is reported: %s', (sentence, spoil) => {
  const order = structuredClone(plainOrder('a'))
  spoil(order)
  expect(sumProblems(order)[0]).toBe(sentence)
})

test('a wrong orderAmount is reported together with the payments, which no longer match it', () => {
  const order = plainOrder('a')
  order.total = { ...order.total, orderAmount: { value: 70, currency: 'BRL' } }
  expect(sumProblems(order)).toHaveLength(2)
})

test('an item costs in proportion to its remaining quantity', () => {
  const [burger] = plainOrder('a').items
  const line = (quantityCancelled: number): OrderItem => ({ ...burger!, quantityCancelled })
  expect([0, 1, 2, 3].map((gone) => fromUnits(remainingItemUnits(line(gone))))).toEqual([
    50, 25, 0, 0,
  ])
  expect([0, 1, 2, 3].map((gone) => remainingQuantity(line(gone)))).toEqual([2, 1, 0, 0])
})

/** Arbitrary order with correct sums and any number of payments. */
const anyOrder = fc
  .record({
    lines: fc.array(
      fc.record({ quantity: fc.integer({ min: 1, max: 9 }), cents: fc.nat(20_000) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    fee: fc.nat(3000),
    discount: fc.nat(5000),
    split: fc.array(fc.nat(30_000), { maxLength: 3 }),
  })
  .map(({ lines, fee, discount, split }): Order => {
    const items = lines.map(({ quantity, cents }, index) => ({
      id: `${index}`,
      name: 'Prato',
      quantity,
      pricing: {
        unitPrice: priceFromUnits(cents * 100, 'BRL'),
        totalPrice: priceFromUnits(quantity * cents * 100, 'BRL'),
      },
    }))
    const itemsUnits = items.reduce((all, each) => all + toUnits(each.pricing.totalPrice.value), 0)
    const less = Math.min(discount * 100, itemsUnits + fee * 100)
    const amount = itemsUnits + fee * 100 - less
    const parts: number[] = []
    let rest = amount
    for (const part of split) {
      const units = Math.min(part * 100, rest)
      if (units > 0) parts.push(units)
      rest -= units
    }
    if (rest > 0) parts.push(rest)
    const methods = parts.map((units, index) => ({
      type: index % 2 === 0 ? ('PREPAID' as const) : ('PENDING' as const),
      method: 'PIX' as const,
      value: fromUnits(units),
      currency: 'BRL',
    }))
    const paid = (type: string): number =>
      fromUnits(
        methods
          .filter((method) => method.type === type)
          .reduce((all, { value }) => all + toUnits(value), 0),
      )
    return {
      ...plainOrder('a'),
      items,
      otherFees: [
        { name: 'Entrega', type: 'DELIVERY_FEE', price: priceFromUnits(fee * 100, 'BRL') },
      ],
      discounts: [{ amount: priceFromUnits(less, 'BRL'), target: 'CART', sponsorshipValues: [] }],
      total: {
        itemsPrice: priceFromUnits(itemsUnits, 'BRL'),
        otherFees: priceFromUnits(fee * 100, 'BRL'),
        discount: priceFromUnits(less, 'BRL'),
        orderAmount: priceFromUnits(amount, 'BRL'),
      },
      payments: { prepaid: paid('PREPAID'), pending: paid('PENDING'), methods },
    }
  })

test('property: after any cancellation of items, totals and payments still add up, and can be taken back', () => {
  fc.assert(
    fc.property(anyOrder, fc.array(fc.nat(), { maxLength: 8 }), (before, cancels) => {
      expect(sumProblems(before)).toEqual([])
      let order = before
      for (const which of cancels) {
        const index = which % order.items.length
        const items = order.items.map((item, at) =>
          at === index && remainingQuantity(item) > 0
            ? { ...item, quantityCancelled: (item.quantityCancelled ?? 0) + 1 }
            : item,
        )
        const total = totalAfterCancellation(order, items)
        order = { ...order, items, total, payments: paymentsAfterCancellation(order, total) }
        expect(sumProblems(order)).toEqual([])
        const { prepaid, pending, methods } = order.payments
        expect(toUnits(prepaid) + toUnits(pending)).toBe(toUnits(total.orderAmount.value))
        expect(methods.every(({ value }) => value > 0)).toBe(true)
      }
      const again = { ...order, ...beforeItemCancellations(order) }
      expect(sumProblems(again)).toEqual([])
      const { items, total } = before
      expect(again).toMatchObject({ items, total })
    }),
  )
})

test('pending payments are reduced first, then prepaid ones are refunded', () => {
  const order = plainOrder('a')
  const less = (amount: number) =>
    paymentsAfterCancellation(order, {
      ...order.total,
      orderAmount: { value: amount, currency: 'BRL' },
    })
  expect(less(50)).toMatchObject({
    prepaid: 40,
    pending: 10,
    methods: [{ value: 40 }, { value: 10 }],
  })
  expect(less(30)).toMatchObject({
    prepaid: 30,
    pending: 0,
    methods: [{ type: 'PREPAID', value: 30 }],
  })
  expect(less(62.9)).toEqual(order.payments)
})
