/** Every sample: its property, its sums, and what becomes of it in V1. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { Conduct } from '../../protocol/conduct.ts'
import { Order, type OrderType, orderTypes } from '../../protocol/orders/order.ts'
import { paymentMethods } from '../../protocol/orders/payments.ts'
import { sumProblems } from '../../protocol/orders/totals.ts'
import { v1FlagsOf } from '../../protocol/v1/flags.ts'
import { V1Order } from '../../protocol/v1/order.ts'
import { toV1Order } from '../../protocol/v1/to-v1.ts'
import { applySample, sampleMisfit } from './apply-sample.ts'
import { generateOrder } from './orders.ts'
import { createPopulation } from './population.ts'
import { sampleNamed, type SampleName, sampleNames } from './samples.ts'
import type { Population } from './types.ts'

const now = Date.parse('2026-01-05T12:00:00Z')
let population: Population
beforeAll(async () => {
  population = await createPopulation({ chance: createChance(7, 'population'), now })
})

const plain = (type: OrderType, seed = 7): Order =>
  generateOrder({ population, chance: createChance(seed, 'orders'), now, type })

/** Orders of a sample, of each type that can be so, of several seeds. */
function ordersOf(name: SampleName): readonly Order[] {
  const { types = orderTypes } = sampleNamed(name)
  return types.flatMap((type) =>
    Array.from({ length: 12 }, (_, seed) => {
      const context = { chance: createChance(seed, 'sample'), now }
      const made = applySample(name, plain(type, seed), context)
      if (!made.ok) throw new Error(made.error)
      return made.value
    }),
  )
}

const conformant = sampleNames.filter((name) => sampleNamed(name).outside === undefined)
const outside = sampleNames.filter((name) => sampleNamed(name).outside !== undefined)

const textsIn = (order: Order): string =>
  JSON.stringify([order.items[0]?.name, order.observations, order.customer?.name ?? 'none'])
const nameOf = ({ items }: Order): string => items[0]?.name ?? ''
const amountOf = ({ total }: Order): number => total.orderAmount.value
const methodsOf = ({ payments }: Order) =>
  payments.methods.map(({ type, method }) => `${type} ${method}`)
const depthOf = (options: Order['items'][number]['options'] = []): number =>
  options.length === 0 ? 0 : 1 + Math.max(...options.map(({ options: inner }) => depthOf(inner)))
const sponsorsOf = ({ discounts = [] }: Order) =>
  discounts.flatMap(({ sponsorshipValues }) => sponsorshipValues.map(({ name }) => name))
const startOf = ({ timing }: Order): string => timing.schedule?.scheduledDateTimeStart ?? ''
const hoursAhead = (order: Order): number => (Date.parse(startOf(order)) - now) / 3_600_000

const paid = (method: (typeof paymentMethods)[number]) => (order: Order) =>
  amountOf(order) > 0 && methodsOf(order).join() === `PREPAID ${method}`

/** What each sample is for, as a condition that a plain order does not meet by itself each time. */
const properties: Readonly<Record<SampleName, (order: Order) => boolean>> = {
  'scheduled-today': (order) => hoursAhead(order) >= 3 && hoursAhead(order) < 4,
  'scheduled-in-local-time': (order) =>
    hoursAhead(order) >= 3 &&
    hoursAhead(order) < 4 &&
    startOf(order).endsWith('-03:00') &&
    order.timing.preparationStartDateTime?.endsWith('-03:00') === true,
  'scheduled-next-week': (order) => hoursAhead(order) >= 168 && hoursAhead(order) < 169,
  'scheduled-in-dst-gap': (order) => startOf(order) === '2026-03-08T02:30:00-05:00',
  'cash-with-change': (order) =>
    methodsOf(order).join() === 'PENDING CASH' &&
    (order.payments.methods[0]?.changeFor ?? 0) > amountOf(order),
  'paid-by-credit': paid('CREDIT'),
  'paid-by-debit': paid('DEBIT'),
  'paid-by-meal-voucher': paid('MEAL_VOUCHER'),
  'paid-by-food-voucher': paid('FOOD_VOUCHER'),
  'paid-by-wallet': paid('DIGITAL_WALLET'),
  'paid-by-pix': paid('PIX'),
  'paid-by-credit-debit': paid('CREDIT_DEBIT'),
  'paid-by-coupon': paid('COUPON'),
  'paid-by-redeem': paid('REDEEM'),
  'paid-by-prepaid-redeem': paid('PREPAID_REDEEM'),
  'paid-by-other': paid('OTHER'),
  'paid-by-two': (order) => methodsOf(order).join() === 'PREPAID MEAL_VOUCHER,PREPAID PIX',
  prepaid: ({ payments }) => payments.pending === 0 && payments.prepaid > 0,
  pending: ({ payments }) => payments.prepaid === 0 && payments.pending > 0,
  'prepaid-and-pending': ({ payments }) => payments.prepaid > 0 && payments.pending > 0,
  'coupon-of-platform': (order) => sponsorsOf(order).join() === 'MARKETPLACE',
  'coupon-of-merchant': (order) => sponsorsOf(order).join() === 'MERCHANT',
  'coupon-shared': (order) => sponsorsOf(order).join() === 'MARKETPLACE,MERCHANT',
  'half-and-half-higher': ({ items }) =>
    items[0]?.pricing.unitPrice.value === 0 && items[0].pricing.totalPrice.value === 50,
  'half-and-half-average': ({ items }) => items[0]?.pricing.totalPrice.value === 47.375,
  'item-without-code': ({ items }) => items.every(({ externalCode }) => externalCode === undefined),
  'item-with-unknown-code': ({ items }) => items[0]?.externalCode === 'SKU-0000-NOT-ON-ANY-MENU',
  'item-by-weight': ({ items }) =>
    items[0]?.unit === 'KG' && items[0].pricing.totalPrice.value === 11.5115,
  'item-at-zero': ({ items }) => items.at(-1)?.pricing.totalPrice.value === 0,
  'free-item': ({ items, discounts }) => discounts?.[0]?.targetId === items.at(-1)?.id,
  'discount-to-zero': (order) => amountOf(order) === 0 && order.payments.methods.length === 0,
  'two-hundred-items': ({ items }) => new Set(items.map(({ id }) => id)).size === 200,
  'options-five-deep': ({ items }) => depthOf(items[0]?.options) === 5,
  'text-of-300': (order) => nameOf(order).length === 300,
  'text-of-4000': (order) => order.observations?.length === 4000,
  emoji: (order) => /[\uD800-\uDBFF]/.test(nameOf(order)),
  'emoji-joined': (order) => nameOf(order).includes('\u200D'),
  'right-to-left': (order) => /\p{Script=Arabic}.*\p{Script=Hebrew}/u.test(nameOf(order)),
  'accents-composed': (order) =>
    textsIn(order) === textsIn(order).normalize('NFC') && /ç/.test(nameOf(order)),
  'accents-combining': (order) => /c\u0327/.test(nameOf(order)),
  'line-breaks': (order) => nameOf(order).split(/\r?\n|\u2028/).length === 4,
  'quotes-and-markup': (order) =>
    ['"', "'", '<b>', '\\', '{{', 'DROP'].every((each) => nameOf(order).includes(each)),
  'ids-beyond-2-53': ({ id, items }) =>
    [id, ...items.map((item) => item.id)].every((each) => BigInt(Number(each)) !== BigInt(each)),
  'half-a-cent': ({ items }) => items[0]?.pricing.totalPrice.value === 10.005,
  'float-sum': ({ total }) => total.itemsPrice.value === 0.3,
  'one-cent-of-rounding': ({ items }) => items[0]?.pricing.totalPrice.value === 3.345,
  'tip-and-service-fee': ({ otherFees = [] }) =>
    ['TIP', 'SERVICE_FEE'].every(
      (type) => otherFees.filter((fee) => fee.type === type).length === 1,
    ),
  'customer-without-phone': ({ customer }) =>
    customer === undefined || customer.phone.number === '',
  'customer-without-name': ({ customer }) => customer === undefined || customer.name === '',
  'no-customer': (order) => !('customer' in order),
  'address-without-number': ({ fulfillment }) =>
    !/\d/.test(fulfillment.delivery?.address?.street ?? ''),
  'takeout-with-code': ({ fulfillment }) => /^0\d{3}$/.test(fulfillment.takeout?.pickupCode ?? ''),
  'order-at-table': ({ fulfillment }) => fulfillment.indoor?.identifier === '07',
  'unknown-payment-method': (order) => methodsOf(order).includes('PREPAID CRYPTO'),
  'null-members': ({ observations }) => (observations as unknown) === null,
  'local-times': (order) => startOf(order) === '2026-01-05T20:00:00',
}

describe('samples of orders', () => {
  test.each(conformant.map((name) => [name, sampleNamed(name).summary] as const))(
    '[ORD-UND-01] %s: %s',
    (name) => {
      for (const order of ordersOf(name)) {
        expect(Order.safeParse(order).error).toBeUndefined()
        expect(sumProblems(order)).toEqual([])
        expect([name, properties[name](order)]).toEqual([name, true])
      }
    },
  )

  test.each(outside.map((name) => [name, sampleNamed(name).outside ?? ''] as const))(
    '[ORD-UND-01] %s is outside: %s',
    (name) => {
      for (const order of ordersOf(name)) {
        expect(Order.safeParse(order).success).toBe(false)
        expect(properties[name](order)).toBe(true)
      }
    },
  )

  test('every method of payment has a sample', () => {
    const methods = sampleNames.flatMap((name) => sampleNamed(name).pays ?? [])
    expect(new Set(methods.map(({ method }) => method))).toEqual(new Set(paymentMethods))
  })

  test('what is not of the sample stays as it was made up', () => {
    const order = plain('DELIVERY')
    for (const name of conformant.filter((each) => sampleMisfit(each, 'DELIVERY') === undefined)) {
      const made = applySample(name, order, { chance: createChance(1), now })
      const odd = made.ok ? made.value : order
      expect(odd.merchant).toEqual(order.merchant)
      expect(odd.createdAt).toBe(order.createdAt)
      if (name !== 'ids-beyond-2-53') expect(odd.id).toBe(order.id)
    }
  })

  test('an order of another type cannot be so, and the error says of which it is', () => {
    expect(
      applySample('order-at-table', plain('DELIVERY'), { chance: createChance(1), now }),
    ).toEqual({
      ok: false,
      error: 'the sample order-at-table is one of INDOOR orders, and this is one of DELIVERY',
    })
  })

  test('[MIG-ORD-04] each conformant one is a V1 order as well; a row says what V1 cannot say', () => {
    const { v1 } = Conduct.parse({})
    for (const name of conformant)
      for (const order of ordersOf(name)) {
        const legacy = toV1Order(order, v1FlagsOf(order.fulfillment.orderType, v1), undefined)
        expect([name, V1Order.safeParse(legacy).error]).toEqual([name, undefined])
      }
    expect(sampleNames.filter((name) => sampleNamed(name).inV1 !== undefined)).toEqual([
      'item-without-code',
      'options-five-deep',
      'address-without-number',
      'takeout-with-code',
    ])
  })

  test('the same seed gives the same order, byte for byte', () => {
    for (const name of sampleNames)
      expect(JSON.stringify(ordersOf(name))).toBe(JSON.stringify(ordersOf(name)))
  })
})
