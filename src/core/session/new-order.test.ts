/** Orders that are described in a few words, or by a part of a document. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order } from '../protocol/orders/order.ts'
import { sumProblems } from '../protocol/orders/totals.ts'
import type { NewOrder } from '../session-api/new-order.ts'
import type { OrderDetail } from '../session-api/session-api.ts'
import type { Session } from '../session-api/session.ts'
import { openSession } from './open-session.ts'
import type { SessionOptions } from './options.ts'

const options = {
  listen: false,
  clock: 'virtual',
  only: ['ordering-application'],
  merchants: [
    { id: 'm-1', name: 'Cantina da Praça', externalCode: 'C1' },
    { id: 'm-2', name: 'Bar', menu: [{ externalCode: 'b-1', name: 'Chopp', price: 12 }] },
    { id: 'm-3', name: 'Closed', status: 'CLOSED' },
  ],
  menu: [
    {
      externalCode: '1001',
      name: 'Margherita',
      price: 42.9,
      options: 'Size (1-1): Small; Large=10 | Extras: Bacon=4.50; Egg=2',
    },
    { externalCode: '1002', name: 'Coca-Cola lata', price: 8 },
  ],
} satisfies SessionOptions

let session: Session
beforeAll(async () => {
  session = await openSession(options)
})
afterAll(() => session.close())

async function created(request: NewOrder, of = session) {
  const made = await of.createOrder(request)
  if (!made.ok) throw new Error(made.error.message)
  const { order } = await of.look({ orderId: made.value.orderId })
  return { ...made.value, detail: order as OrderDetail, order: Order.parse(order?.document) }
}

async function refusal(request: NewOrder): Promise<string> {
  const before = (await session.look({})).info.counts.orders
  const made = await session.createOrder(request)
  expect((await session.look({})).info.counts.orders).toBe(before)
  return made.ok ? 'it was created' : made.error.message
}

const amount = ({ total }: Order): number => total.orderAmount.value

test('merchant, items, customer and payment are as described; totals are computed', async () => {
  const { order, warnings } = await created({
    type: 'TAKEOUT',
    merchant: 'cantina da praca',
    items: [{ item: '1001', quantity: 2, price: 25.9 }, { item: 'coca-cola lata' }],
    customer: { name: 'Ana Souza', phone: '+5511999990000', email: 'ana@example.com' },
    payment: { method: 'cash', changeFor: 100 },
  })
  expect(warnings).toBeUndefined()
  expect(sumProblems(order)).toEqual([])
  expect(order).toMatchObject({
    merchant: { id: 'm-1', externalCode: 'C1', name: 'Cantina da Praça' },
    fulfillment: { orderType: 'TAKEOUT' },
    customer: { name: 'Ana Souza', phone: { number: '+5511999990000' }, email: 'ana@example.com' },
    items: [
      { externalCode: '1001', name: 'Margherita', quantity: 2, options: [{ name: 'Small' }] },
      { externalCode: '1002', name: 'Coca-Cola lata', quantity: 1 },
    ],
    payments: {
      prepaid: 0,
      pending: 59.8,
      methods: [{ method: 'CASH', type: 'PENDING', value: 59.8, changeFor: 100 }],
    },
  })
  expect(amount(order)).toBe(59.8)
  expect(order.otherFees).toBeUndefined()
})

test('an item of no menu needs a price, and has it then', async () => {
  const { order } = await created({ items: [{ item: 'Daily special', quantity: 3, price: 5.5 }] })
  expect(order.items).toMatchObject([{ name: 'Daily special', quantity: 3 }])
  expect(order.items[0]).not.toHaveProperty('externalCode')
  expect(amount(order)).toBe(16.5)
  expect((await created({ items: [{ item: 'X-9', price: 1 }] })).order.items).toMatchObject([
    { externalCode: 'X-9', name: 'X-9' },
  ])
  expect(await refusal({ merchant: 'C1', items: [{ item: 'cola' }, { item: '1003' }] })).toBe(
    [
      'the order has 2 errors:',
      'items.0: "cola" is not on the menu of Cantina da Praça, and has no price of its own. Nearest: 1002 Coca-Cola lata. Name an item of the menu, or add a price.',
      'items.1: "1003" is not on the menu of Cantina da Praça, and has no price of its own. Nearest: 1001 Margherita, 1002 Coca-Cola lata. Name an item of the menu, or add a price.',
    ].join('\n'),
  )
})

test('options are chosen by name or code, and cost what the menu says', async () => {
  const items = [{ item: '1001', options: ['large', 'Bacon'] }]
  const { order } = await created({ items })
  expect(order.items[0]).toMatchObject({
    pricing: {
      unitPrice: { value: 42.9 },
      optionsPrice: { value: 14.5 },
      totalPrice: { value: 57.4 },
    },
    options: [{ name: 'Large', optionGroupName: 'Size' }, { name: 'Bacon' }],
  })
  expect(await refusal({ items: [{ item: '1001', options: ['Becon'] }] })).toBe(
    'items.0.options.0: "Becon" is no option of the item, and it has no pricing.unitPrice. Did you mean Bacon?',
  )
})

test('the merchant is one that sells the items; an unknown one is refused with the list', async () => {
  for (let count = 0; count < 5; count++)
    expect((await created({ items: [{ item: 'chopp' }] })).order.merchant.id).toBe('m-2')
  expect(await refusal({ merchant: 'Cantna' })).toBe(
    'merchant: this session has no merchant "Cantna". Did you mean "Cantina da Praça"? Merchants: Cantina da Praça (C1), Bar (m-2), Closed (m-3).',
  )
  expect((await created({ merchant: 'Closed' })).warnings).toEqual([
    'the merchant Closed is CLOSED',
  ])
})

test.each([
  ['cash', 'PENDING', 'CASH'],
  ['credit', 'PREPAID', 'CREDIT'],
  ['card', 'PREPAID', 'CREDIT'],
  ['MEAL_VOUCHER', 'PREPAID', 'MEAL_VOUCHER'],
  ['digital wallet', 'PREPAID', 'DIGITAL_WALLET'],
])('paid by %s, an order is %s with %s', async (method, type, name) => {
  const { order } = await created({ type: 'DELIVERY', payment: { method } })
  expect(order.payments.methods).toMatchObject([{ type, method: name, value: amount(order) }])
  expect(sumProblems(order)).toEqual([])
})

test('a bill at a table is paid in the end, and what is said of a payment holds', async () => {
  const indoor = { fulfillment: { indoor: { operationMode: 'TABLE', identifier: '12' } } }
  const methods = [{ method: 'PIX' }]
  const { order } = await created({ order: { ...indoor, payments: { methods } } })
  expect(order.payments.methods).toMatchObject([{ type: 'PENDING', value: amount(order) }])
  expect(order.fulfillment.indoor).toMatchObject({ operationMode: 'TABLE', identifier: '12' })
  const payment = { method: 'debit', type: 'PENDING' } as const
  expect((await created({ type: 'TAKEOUT', payment })).order.payments.methods).toMatchObject([
    { type: 'PENDING', method: 'DEBIT' },
  ])
})

test.each([
  ['7', { operationMode: 'TABLE', identifier: '7' }],
  ['TAB:A-12', { operationMode: 'TAB', identifier: 'A-12' }],
  ['COUNTER:3', { operationMode: 'COUNTER', identifier: '3' }],
])('with a table, %s, it is an INDOOR order for that place', async (table, indoor) => {
  const { order } = await created({ table, items: 2 })
  expect(order.fulfillment).toMatchObject({ orderType: 'INDOOR', indoor })
  expect(order.items).toHaveLength(2)
  expect(sumProblems(order)).toEqual([])
})

test('orders for tables are all of one merchant, so that a second order comes to the open account', async () => {
  const merchants = new Set<string>()
  for (let nth = 0; nth < 12; nth++)
    merchants.add((await created({ table: '7' })).order.merchant.id)
  expect([...merchants]).toEqual(['m-1'])
  expect((await created({ table: '7', merchant: 'm-2' })).order.merchant.id).toBe('m-2')
})

test('a table of another profile, and a place that is none, are refused', async () => {
  expect(await refusal({ table: '7', type: 'TAKEOUT' })).toBe(
    'table: a TAKEOUT order has no table. Leave out its type, or the table.',
  )
  expect(await refusal({ table: 'BENCH:7' })).toContain('write 7, TAB:12 or COUNTER:3')
})

test('the same customer has the same id in every order; a made-up one is known by name', async () => {
  const customer = { name: 'Zé', phone: '+5511988887777' }
  const [first, second] = [await created({ customer }), await created({ customer })]
  expect(second.order.customer).toMatchObject({ id: first.order.customer?.id, name: 'Zé' })
  const known = (await created({ type: 'DELIVERY' })).order.customer
  const again = await created({ type: 'DELIVERY', customer: { name: known?.name ?? '' } })
  expect(again.order.customer).toMatchObject({ id: known?.id, phone: known?.phone })
})

test('a part of a document is completed: with the items of the menu, a customer, a time, payments and totals', async () => {
  const part = {
    displayId: 'A-17',
    fulfillment: { delivery: { observations: 'Ring twice' } },
    items: [{ externalCode: '1002', quantity: 2 }],
    otherFees: [{ name: 'Delivery', type: 'DELIVERY_FEE', price: { value: 6, currency: 'BRL' } }],
    kitchen: 'B',
  }
  const { order, warnings } = await created({ order: part })
  expect(warnings).toBeUndefined()
  expect(sumProblems(order)).toEqual([])
  expect(order).toMatchObject({
    displayId: 'A-17',
    kitchen: 'B',
    merchant: { id: 'm-1' },
    fulfillment: {
      orderType: 'DELIVERY',
      delivery: { observations: 'Ring twice', address: { city: 'São Paulo' } },
    },
    items: [{ name: 'Coca-Cola lata', pricing: { totalPrice: { value: 16 } } }],
    total: { orderAmount: { value: 22 } },
  })
  expect(order.customer?.name).toMatch(/\w+ \w+/)
})

test('a time that is only named is filled in', async () => {
  const { order } = await created({ order: { timing: { orderTiming: 'SCHEDULED' } } })
  const { scheduledDateTimeStart: start = '', scheduledDateTimeEnd: end = '' } =
    order.timing.schedule ?? {}
  expect(Date.parse(start)).toBeGreaterThan(Date.parse(order.createdAt))
  expect(Date.parse(end) - Date.parse(start)).toBe(30 * 60_000)
  const instant = await created({ order: { timing: { orderTiming: 'INSTANT' } } })
  expect(instant.order.timing).toEqual({ orderTiming: 'INSTANT' })
})

test('what is wrong in a document is reported all at once, with path, expected and received', async () => {
  const text = await refusal({
    order: {
      merchant: { name: 'Nope' },
      customer: 'Ana',
      timing: { orderTiming: 'SOON' },
      items: [{ externalCode: '1002', quantity: 'two' }, { name: 'Foo' }, 5],
      payments: { methods: [{ method: 'cash' }] },
    },
  })
  expect(text.split('\n')).toEqual([
    'the order has 7 errors:',
    expect.stringMatching(/^merchant: this session has no merchant "Nope"\. Merchants: /),
    expect.stringMatching(/^items\.1: "Foo" is not on the menu of Cantina da Praça/),
    'customer is "Ana", and it must be an object. Correct it and try again.',
    expect.stringMatching(/^timing\.orderTiming is "SOON", and it must be INSTANT, SCHEDULED or/),
    'items.0.quantity is "two", and it must be a number. Correct it and try again.',
    'items.2 is 5, and it must be an object. Correct it and try again.',
    expect.stringMatching(/^payments\.methods\.0\.method is "cash", .* Did you mean "CASH"\?$/),
  ])
  expect(await refusal({ order: [] })).toBe('an order is an object')
})

test('sums that do not match are warnings with both values, and the document stays as it is', async () => {
  const price = (value: number) => ({ value, currency: 'BRL' })
  const { order, warnings } = await created({
    order: {
      items: [{ externalCode: '1002', quantity: 2, pricing: { totalPrice: price(20) } }],
      total: { orderAmount: price(99) },
      payments: { prepaid: 50, methods: [{ method: 'PIX', value: 99 }] },
    },
  })
  expect(warnings).toEqual([
    'items.0.pricing.totalPrice (Coca-Cola lata) is 20, but 2 × (8 + 0) is 16',
    'total.orderAmount is 99, but items + fees - discounts is 20',
    'payments.prepaid is 50, but PREPAID methods add up to 99',
  ])
  expect(amount(order)).toBe(99)
})

test('a merchant of elsewhere is a warning, and its items need their prices', async () => {
  const merchant = { id: 'other', name: 'Elsewhere' }
  const priced = { name: 'Soup', pricing: { unitPrice: { value: 9 } } }
  const { order, warnings } = await created({ order: { merchant, items: [priced] } })
  expect(order.merchant).toEqual(merchant)
  expect(warnings).toEqual([
    'the merchant Elsewhere is not one of this session: GET /merchants does not list it',
  ])
  expect(await refusal({ order: { merchant, items: [{ externalCode: '1002' }] } })).toBe(
    'items.0: "1002" has no price, and the menu of this merchant is not known here. Add its price.',
  )
})

test('an id that exists already is refused with the remedy', async () => {
  await created({ order: { id: 'mine' } })
  expect(await refusal({ order: { id: 'mine' } })).toBe(
    'there is an order mine already; leave its id out, and the new one gets a fresh id',
  )
})

test('an order that was looked at is copied: fresh id, number and times, and nothing of what became of it', async () => {
  const own = await openSession(options)
  try {
    const source = {
      items: [{ item: '1001' }, { item: '1002', quantity: 2 }],
      type: 'DELIVERY',
    } as const
    const first = await created(source, own)
    const itemId = first.order.items[0]?.id ?? ''
    await own.submit({ kind: 'order.apply', orderId: first.orderId, trigger: 'confirm' })
    await own.submit({
      kind: 'item.cancel',
      orderId: first.orderId,
      itemId,
      cancellation: { quantity: 1 },
    })
    await own.advance(3_600_000)
    const { order: detail } = await own.look({ orderId: first.orderId })
    expect(detail?.document).toMatchObject({ total: { orderAmount: { value: 16 } } })
    const copy = await created({ order: detail }, own)
    expect(copy.orderId).not.toBe(first.orderId)
    expect(copy.order.displayId).not.toBe(first.order.displayId)
    expect(copy.detail.row.status).toBe('CREATED')
    expect(amount(copy.order)).toBe(amount(first.order))
    expect(copy.order.items.map(({ status }) => status)).toEqual([undefined, undefined])
    const arrival = ({ fulfillment, createdAt }: Order) =>
      Date.parse(fulfillment.delivery?.estimatedDeliveryDateTime ?? '') - Date.parse(createdAt)
    expect(arrival(copy.order)).toBe(arrival(first.order))
  } finally {
    await own.close()
  }
})

test('the same seed and the same requests give the same orders', async () => {
  const requests: readonly NewOrder[] = [
    { items: [{ item: '1001' }] },
    { order: { customer: { name: 'Zé' } } },
    { merchant: 'Bar', payment: { method: 'cash' } },
    {},
  ]
  const all = async (seed: number) => {
    await using own = await openSession({ ...options, seed })
    const orders: Order[] = []
    for (const request of requests) orders.push((await created(request, own)).order)
    return orders
  }
  expect(await all(5)).toEqual(await all(5))
  expect(await all(6)).not.toEqual(await all(5))
})

test('the menu can be looked at: merchants, and the items of one', async () => {
  const { menu } = await session.look({ menu: { limit: 10 } })
  expect(menu?.merchants).toMatchObject([
    { id: 'm-1', externalCode: 'C1', status: 'OPEN', currency: 'BRL', items: 2 },
    { id: 'm-2', items: 1 },
    { id: 'm-3', status: 'CLOSED', items: 2 },
  ])
  const one = await session.look({ menu: { limit: 10, merchant: 'bar' } })
  expect(one.menu?.items).toEqual([
    {
      merchantId: 'm-2',
      externalCode: 'b-1',
      name: 'Chopp',
      category: 'Cardápio',
      price: 12,
      unit: 'UN',
      options: [],
    },
  ])
  expect((await session.look({ menu: { limit: 10, merchant: 'Baz' } })).problem).toMatch(
    /this session has no merchant "Baz"\. Did you mean "Bar"\?/,
  )
})

test('[ORD-UND-01] a sample holds together with what is said of the order besides', async () => {
  const { order, warnings } = await created({
    sample: 'cash-with-change',
    type: 'TAKEOUT',
    merchant: 'C1',
    items: [{ item: '1001', quantity: 2, price: 25.9 }],
    customer: { name: 'Ana Souza' },
  })
  expect(order).toMatchObject({
    fulfillment: { orderType: 'TAKEOUT' },
    merchant: { id: 'm-1' },
    customer: { name: 'Ana Souza' },
    payments: { pending: 51.8, methods: [{ method: 'CASH', value: 51.8, changeFor: 100 }] },
  })
  expect([amount(order), warnings, sumProblems(order)]).toEqual([51.8, undefined, []])
})

test('[ORD-UND-01] the order of a sample is of a type that can be so', async () => {
  expect((await created({ sample: 'order-at-table' })).order.fulfillment.indoor?.identifier).toBe(
    '07',
  )
  expect(await refusal({ sample: 'order-at-table', type: 'DELIVERY' })).toBe(
    'the sample order-at-table is one of INDOOR orders, and this is one of DELIVERY',
  )
  expect(await refusal({ sample: 'no-customer', table: '7', order: {} })).toMatch(
    /an order document takes no other field beside it/,
  )
  expect(await refusal({ sample: 'emoijs' } as unknown as NewOrder)).toMatch(
    /sample: there is no such sample: see sparring list samples.* Did you mean "emoji"\?/,
  )
})

test('[ORD-UND-01] a sample that no document allows is served as it is, and a warning says what it shows', async () => {
  const made = await session.createOrder({ sample: 'unknown-payment-method' })
  if (!made.ok) throw new Error(made.error.message)
  expect(made.value.warnings?.[0]).toMatch(
    /^unknown-payment-method: .*ORD-UND-01.*; what it shows is advice$/,
  )
  const { order } = await session.look({ orderId: made.value.orderId })
  expect(order?.document).toMatchObject({ payments: { methods: [{ method: 'CRYPTO' }] } })
  expect([...session.facts()].map(({ fact }) => fact)).toContainEqual(
    expect.objectContaining({ kind: 'order.created', outside: true }),
  )
})

test('[MIG-ORD-04] a V1 session says what of a sample V1 cannot say', async () => {
  await using legacy = await openSession({ ...options, dialect: 'v1' })
  const made = await legacy.createOrder({ sample: 'options-five-deep' })
  expect(made).toMatchObject({
    value: { warnings: ['options-five-deep: V1 has one level of options: they are flattened'] },
  })
})
