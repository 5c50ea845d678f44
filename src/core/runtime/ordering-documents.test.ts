/** The order as GET answers it: generated orders of every profile, and documents given whole. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { openOrdersWire, orderProcessingMs, type OrdersWire } from '../../../test/support/wire.ts'
import type { OrderItem, ItemOption } from '../protocol/orders/items.ts'
import { Order, orderTypes } from '../protocol/orders/order.ts'
import { sumProblems } from '../protocol/orders/totals.ts'

type Json = Readonly<Record<string, unknown>>

let wire: OrdersWire
/** Sixty orders of each profile, as read over the wire. */
let orders: readonly Order[]

beforeAll(async () => {
  wire = await openOrdersWire({ listen: false })
  const read: Order[] = []
  for (const type of orderTypes)
    for (let count = 0; count < 60; count++) read.push(await wire.read(await wire.create({ type })))
  orders = read
})

afterAll(async () => wire[Symbol.asyncDispose]())

/** All objects in a document, at any depth. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Json
  for (const each of Object.values(value)) yield* objectsIn(each)
}

const items = (): readonly OrderItem[] => orders.flatMap((order) => order.items)

function* optionsIn(options: readonly ItemOption[] = []): Generator<ItemOption> {
  for (const option of options) {
    yield option
    yield* optionsIn(option.options)
  }
}
const options = (): readonly ItemOption[] => items().flatMap((item) => [...optionsIn(item.options)])

/** The types of a field where present, and `undefined` where absent: a reader must accept both. */
const typesFound = (values: readonly unknown[]): ReadonlySet<string> =>
  new Set(values.map((value) => typeof value))
const atTimes = (type: string): ReadonlySet<string> => new Set([type, 'undefined'])

test('every document matches the schema, and its sums add up', () => {
  expect(orders).toHaveLength(180)
  for (const order of orders) {
    expect(Order.safeParse(order).error).toBeUndefined()
    expect(sumProblems(order)).toEqual([])
  }
})

test('[ORD-FLD-03] lastEvent is the type of the last event, including informational ones', async () => {
  await using own = await openOrdersWire({ listen: false })
  const orderId = await own.create({ type: 'DELIVERY' })
  expect((await own.read(orderId)).lastEvent).toBe('CREATED')
  await own.session.submit({ kind: 'event.emit', orderId, eventType: 'PREPARATION_REQUESTED' })
  expect((await own.read(orderId)).lastEvent).toBe('PREPARATION_REQUESTED')
  await own.bring(orderId, 'CONFIRMED')
  expect((await own.read(orderId)).lastEvent).toBe('CONFIRMED')
  expect((await own.drain()).at(-1)?.eventType).toBe('CONFIRMED')
})

test('[ORD-FLD-04] the profile is fulfillment.orderType, and there is no type at the root', () => {
  for (const [index, order] of orders.entries()) {
    expect(order.fulfillment.orderType).toBe(orderTypes[Math.floor(index / 60)])
    expect(order).not.toHaveProperty('type')
    expect(order).not.toHaveProperty('orderType')
  }
})

test('[ORD-FLD-05] the block of the profile is under fulfillment, and no other block anywhere', () => {
  const blocks = ['delivery', 'takeout', 'indoor'] as const
  for (const order of orders) {
    const own = order.fulfillment.orderType.toLowerCase()
    for (const block of blocks) {
      expect(order).not.toHaveProperty(block)
      expect(typeof order.fulfillment[block]).toBe(block === own ? 'object' : 'undefined')
    }
  }
})

test('[ORD-FLD-06] a delivery has its customer; in other profiles the customer is optional', () => {
  const customers = (type: string) =>
    orders
      .filter((order) => order.fulfillment.orderType === type)
      .map((order) => order.customer as unknown)
  expect(customers('DELIVERY').every((customer) => typeof customer === 'object')).toBe(true)
  expect(typesFound(customers('TAKEOUT'))).toEqual(atTimes('object'))
  expect(typesFound(customers('INDOOR'))).toEqual(atTimes('object'))
  const known = orders.flatMap(({ customer }) => (customer ? [customer] : []))
  expect(typesFound(known.map(({ birthDate }) => birthDate))).toEqual(atTimes('string'))
  expect(typesFound(known.map(({ gender }) => gender))).toEqual(atTimes('string'))
  for (const { birthDate } of known)
    if (birthDate !== undefined)
      expect(new Date(birthDate).toISOString().slice(0, 10)).toBe(birthDate)
})

test('[ORD-FLD-07] the four time fields are under timing, and SCHEDULED has its schedule', () => {
  for (const order of orders) {
    for (const field of [
      'orderTiming',
      'schedule',
      'preparationStartDateTime',
      'orderPriority',
    ] as const)
      expect(order).not.toHaveProperty(field)
    const { orderTiming, schedule } = order.timing
    expect(typeof schedule).toBe(orderTiming === 'SCHEDULED' ? 'object' : 'undefined')
  }
  expect(new Set(orders.map(({ timing }) => timing.orderTiming))).toEqual(
    new Set(['INSTANT', 'SCHEDULED', 'ONDEMAND']),
  )
  expect(typesFound(orders.map(({ timing }) => timing.preparationStartDateTime))).toEqual(
    atTimes('string'),
  )
  expect(typesFound(orders.map(({ timing }) => timing.orderPriority))).toEqual(atTimes('string'))
})

test('[ORD-FLD-08] context.salesChannel is an optional string', () => {
  expect(typesFound(orders.map(({ context }) => context?.salesChannel))).toEqual(atTimes('string'))
})

test('[ORD-FLD-09] notes on the order are an optional string of their own', () => {
  expect(typesFound(orders.map(({ observations }) => observations))).toEqual(atTimes('string'))
  const onItems = new Set(items().map(({ observations }) => observations))
  for (const { observations } of orders)
    if (observations !== undefined) expect(onItems.has(observations)).toBe(false)
})

test('[ORD-FLD-10] unavailabilityPreference is only at the order’s level: either value, or absent', () => {
  expect(new Set(orders.map(({ unavailabilityPreference }) => unavailabilityPreference))).toEqual(
    new Set(['REMOVE_ITEM', 'CANCEL_ORDER', undefined]),
  )
  for (const order of orders)
    for (const item of objectsIn(order.items))
      expect(item).not.toHaveProperty('unavailabilityPreference')
})

test('[ORD-FLD-11] items[].itemOfferId is an optional string', () => {
  expect(typesFound(items().map(({ itemOfferId }) => itemOfferId))).toEqual(atTimes('string'))
})

test('[ORD-FLD-12] notes on an item are its observations, never specialInstructions', () => {
  expect(typesFound(items().map(({ observations }) => observations))).toEqual(atTimes('string'))
  for (const order of orders)
    for (const each of objectsIn(order)) expect(each).not.toHaveProperty('specialInstructions')
})

test('[ORD-FLD-13] an item’s prices are grouped under pricing, and subtotalPrice is nowhere', () => {
  for (const item of items()) {
    expect(item.pricing).toMatchObject({
      unitPrice: { value: expect.any(Number) },
      totalPrice: { value: expect.any(Number) },
    })
    for (const field of ['unitPrice', 'totalPrice', 'price', 'optionsPrice'])
      expect(item).not.toHaveProperty(field)
  }
  for (const order of orders)
    for (const each of objectsIn(order)) expect(each).not.toHaveProperty('subtotalPrice')
})

test('[ORD-FLD-14] an option’s prices are grouped under pricing too', () => {
  expect(options().length).toBeGreaterThan(50)
  for (const option of options()) {
    expect(option.pricing).toMatchObject({
      unitPrice: { value: expect.any(Number) },
      totalPrice: { value: expect.any(Number) },
    })
    expect(option).not.toHaveProperty('unitPrice')
  }
})

test('[ORD-FLD-15] options[].defaultQuantity is an optional integer', () => {
  const given = options().map(({ defaultQuantity }) => defaultQuantity)
  expect(typesFound(given)).toEqual(atTimes('number'))
  for (const quantity of given) if (quantity !== undefined) expect(quantity % 1).toBe(0)
})

test('[ORD-FLD-16] options have options of their own, two levels deep and more', () => {
  const depth = (of: readonly ItemOption[] = []): number =>
    of.length === 0 ? 0 : 1 + Math.max(...of.map((option) => depth(option.options)))
  expect(Math.max(...items().map((item) => depth(item.options)))).toBeGreaterThanOrEqual(2)
})

test('[ORD-FLD-17] every price is a value with its currency: of items, options, discounts, fees and totals', () => {
  const isPrice = { value: expect.any(Number) as number, currency: 'BRL' }
  for (const order of orders) {
    const { total, otherFees = [], discounts = [] } = order
    for (const each of Object.values(total)) expect(each).toEqual(isPrice)
    for (const { price } of otherFees) expect(price).toEqual(isPrice)
    for (const { amount } of discounts) expect(amount).toEqual(isPrice)
  }
  for (const { pricing } of [...items(), ...options()])
    for (const each of Object.values(pricing)) expect(each).toEqual(isPrice)
  expect(orders.some(({ otherFees = [] }) => otherFees.length > 0)).toBe(true)
  expect(orders.some(({ discounts = [] }) => discounts.length > 0)).toBe(true)
})

test('[ORD-FLD-18, ORD-UND-03] an item has no status until it is cancelled, in part and then whole', async () => {
  await using own = await openOrdersWire()
  const orderId = await own.create({ order: plainOrder('a') })
  await own.bring(orderId, 'CONFIRMED')
  const statuses: unknown[] = []
  for (const body of [undefined, { quantity: 1 }, { quantity: 1 }]) {
    if (body) await own.ask(orderId, 'items/burger/cancel', body)
    await own.pass(orderProcessingMs)
    const [burger, lemonade] = (await own.read(orderId)).items
    statuses.push(burger?.status)
    expect(lemonade).not.toHaveProperty('status')
  }
  expect(statuses).toEqual([undefined, 'PARTIALLY_CANCELLED', 'CANCELLED'])
})

test('[ORD-UND-01] what the documents leave open has a default shape: totals, payments, an address', () => {
  for (const order of orders) {
    expect(Object.keys(order.total).sort()).toEqual([
      'discount',
      'itemsPrice',
      'orderAmount',
      'otherFees',
    ])
    expect(order.payments.methods.length).toBeGreaterThan(0)
    expect(order.merchant.id).toEqual(expect.any(String))
    if (order.fulfillment.orderType === 'DELIVERY')
      expect(order.fulfillment.delivery?.address).toMatchObject({
        street: expect.any(String),
        city: expect.any(String),
      })
    for (const item of order.items)
      expect(item).toMatchObject({
        id: expect.any(String),
        name: expect.any(String),
        quantity: expect.any(Number),
      })
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
