/** The order as GET answers it: generated orders of every profile, and documents given whole. */
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'
import { Order, orderTypes } from '../protocol/orders/order.ts'
import { sumProblems } from '../protocol/orders/totals.ts'

test('every generated document matches the schema, and its sums add up', async () => {
  await using wire = await openOrdersWire({ listen: false })
  for (const type of orderTypes)
    for (let count = 0; count < 60; count++) {
      const order = await wire.read(await wire.create({ type }))
      expect(Order.safeParse(order).error).toBeUndefined()
      expect(sumProblems(order)).toEqual([])
    }
})

test('[ORD-UND-01] a document given whole is served as given: unknown fields, unknown statuses, wrong sums included', async () => {
  await using own = await openOrdersWire()
  const given = {
    ...plainOrder('given'),
    status: 'PREPARING',
    lastEvent: 'PREPARING',
    loyalty: { points: 17 },
    virtualBrand: 'Hamburgueria da Vó',
    total: { ...plainOrder('given').total, orderAmount: { value: 1, currency: 'BRL' } },
    items: plainOrder('given').items.map((item) => ({ ...item, kitchenPrinter: 'B' })),
  }
  const order = await own.read(await own.create({ order: given }))
  // Only its place in the lifecycle is the host's: it starts here.
  expect(order).toEqual({ ...given, status: 'CREATED', lastEvent: 'CREATED' })
})

test('a document with fields that contradict each other is refused with the field', async () => {
  await using own = await openOrdersWire({ listen: false })
  const refused = async (order: unknown): Promise<string> => {
    const made = await own.session.createOrder({ order })
    return made.ok ? 'made' : `${made.error.code}: ${made.error.message}`
  }
  expect(await refused({ ...plainOrder('a'), customer: { id: 7 } })).toMatch(
    /^INVALID_PAYLOAD: customer\.id is 7, and it must be a text/,
  )
  const { fulfillment } = plainOrder('a')
  expect(
    await refused({
      ...plainOrder('a'),
      fulfillment: { ...fulfillment, takeout: { pickupCode: '1' } },
    }),
  ).toMatch(/fulfillment\.takeout/)
  expect(await refused({ ...plainOrder('a'), items: [] })).toMatch(/items/)
  expect(await refused('an order')).toBe('INVALID_PAYLOAD: an order is an object')
})
