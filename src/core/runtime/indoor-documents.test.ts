/** `fulfillment.indoor` of the orders that our Ordering Application generates, as GET serves it, field by field. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order } from '../protocol/orders/order.ts'
import { openOrdersWire, type OrdersWire } from '../../../test/support/wire.ts'

type Json = Readonly<Record<string, unknown>>

const howMany = 400
let wire: OrdersWire
let orders: readonly Json[]
let blocks: readonly Json[]

beforeAll(async () => {
  wire = await openOrdersWire({
    listen: false,
    counterparts: {
      'ordering-application': { orders: { every: 10, limit: howMany, mix: { INDOOR: 1 } } },
    },
  })
  await wire.pass(howMany * 10)
  const events = await wire.drain()
  const read: Json[] = []
  for (const { orderId } of events) read.push(await wire.read(orderId))
  orders = read
  blocks = read.map(({ fulfillment }) => (fulfillment as Json)['indoor'] as Json)
})
afterAll(() => wire[Symbol.asyncDispose]())

/** A field's values in all blocks that have its parent. */
const values = (path: string): readonly unknown[] =>
  blocks.flatMap((block) => {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let here: unknown = block
    for (const name of names) here = (here as Json | undefined)?.[name]
    return here === undefined ? [] : [(here as Json)[last]]
  })

const kinds = (path: string): ReadonlySet<unknown> => new Set(values(path))
const types = (path: string): ReadonlySet<string> =>
  new Set(values(path).map((value) => typeof value))

const always = (type: string): ReadonlySet<string> => new Set([type])
const atTimes = (type: string): ReadonlySet<string> => new Set([type, 'undefined'])

test('there are INDOOR orders to check', () => {
  expect(orders).toHaveLength(howMany)
  expect(blocks.every((block) => typeof block === 'object')).toBe(true)
})

test('[IND-FLD-01, IND-ACC-02, IND-FLR-02] operationMode is always present: TABLE, TAB and COUNTER, in English', () => {
  expect(kinds('operationMode')).toEqual(new Set(['TABLE', 'TAB', 'COUNTER']))
})

test('[IND-FLD-02] identifier is always a string', () => {
  expect(types('identifier')).toEqual(always('string'))
  expect(values('identifier')).not.toContain('')
})

test('[IND-FLD-04] originChannel.type is always present, and each of the nine occurs', () => {
  expect(kinds('originChannel.type')).toEqual(
    new Set([
      'TOTEM',
      'QR_CODE',
      'CUSTOMER_TABLET',
      'WAITER_TABLET',
      'FRONT_DESK',
      'POS',
      'APP',
      'CHAT',
      'OTHER',
    ]),
  )
})

test('[IND-FLD-05] originChannel.id and notes are optional strings', () => {
  expect(types('originChannel.id')).toEqual(atTimes('string'))
  expect(types('originChannel.notes')).toEqual(atTimes('string'))
})

test('[IND-FLD-06] consumptionType is always DINE_IN or TAKEAWAY', () => {
  expect(kinds('consumptionType')).toEqual(new Set(['DINE_IN', 'TAKEAWAY']))
})

test('[IND-FLD-07, IND-UND-02] fulfillment.type is DISPATCH or CALL, with the block of its own and no other', () => {
  expect(kinds('fulfillment.type')).toEqual(new Set(['DISPATCH', 'CALL']))
  const handoffs = values('fulfillment') as readonly (Json | undefined)[]
  expect(handoffs).toContain(undefined)
  for (const handoff of handoffs) {
    if (!handoff) continue
    expect('call' in handoff).toBe(handoff['type'] === 'CALL')
    expect('dispatch' in handoff).toBe(handoff['type'] === 'DISPATCH')
  }
})

test('[IND-FLD-08, IND-FLD-09, IND-UND-02] a CALL block has target, method and content', () => {
  expect(types('fulfillment.call.notifyOriginator')).toEqual(always('boolean'))
  expect(types('fulfillment.call.label')).toEqual(always('string'))
  const known = ['TICKET_NUMBER', 'PAGER', 'CALL_NAME', 'CHAT', 'OTHER']
  const ways = [...kinds('fulfillment.call.type')] as string[]
  expect(ways.length).toBeGreaterThan(2)
  expect(ways.filter((way) => !known.includes(way))).toEqual([])
})

test('[IND-FLD-10, IND-FLD-11, IND-UND-02] a DISPATCH block has a destination, with a seat where there is one', () => {
  for (const field of ['id', 'label', 'sector'])
    expect(types(`fulfillment.dispatch.${field}`)).toEqual(always('string'))
  expect(types('fulfillment.dispatch.seat')).toEqual(atTimes('object'))
  for (const field of ['id', 'label'])
    expect(types(`fulfillment.dispatch.seat.${field}`)).toEqual(always('string'))
  // Both name the same seat, and neither is empty.
  const seats = values('fulfillment.dispatch.seat').filter((seat) => seat !== undefined) as Json[]
  const labels = new Map(seats.map(({ id, label }) => [id, label]))
  expect(labels.size).toBeGreaterThan(1)
  expect(new Set(labels.values()).size).toBe(labels.size)
  for (const { id, label } of seats)
    expect([id, label]).toEqual([expect.stringMatching(/./), labels.get(id)])
})

test('[IND-FLD-11] a seat that an order is created with is served as it is', async () => {
  const [order] = orders.filter(({ fulfillment }) => JSON.stringify(fulfillment).includes('"seat"'))
  const document = structuredClone(order) as Json & { fulfillment: { indoor: Json } }
  const handoff = document.fulfillment.indoor['fulfillment'] as { dispatch: { seat: unknown } }
  handoff.dispatch.seat = { id: 's-7', label: 'Janela' }
  const orderId = await wire.create({ order: { ...document, id: 'with-a-seat' } })
  const read = (await wire.read(orderId)) as unknown as typeof document
  expect(read.fulfillment.indoor['fulfillment']).toMatchObject({
    dispatch: { seat: { id: 's-7', label: 'Janela' } },
  })
})

test('[IND-FLD-12] server and number of guests are optional', () => {
  expect(types('service.waiterCode')).toEqual(atTimes('string'))
  expect(types('service.waiterName')).toEqual(atTimes('string'))
  const counts = values('service.peopleCount')
  expect(counts).toContain(undefined)
  const people = counts.filter((count) => count !== undefined)
  expect(people.length).toBeGreaterThan(0)
  expect(people.every(Number.isInteger)).toBe(true)
})

test('[IND-FLD-13] notifications.chatId is a string, if present', () => {
  expect(types('notifications')).toEqual(atTimes('object'))
  expect(types('notifications.chatId')).toEqual(always('string'))
})

test('[IND-FLD-14, IND-FLD-15, IND-FLD-16, IND-UND-02] fiscal data are optional, and always state whether a document is wanted', () => {
  expect(types('fiscal')).toEqual(atTimes('object'))
  expect(kinds('fiscal.shouldIssueDocument')).toEqual(new Set([true, false]))
  const statuses = [...kinds('fiscal.documentStatus')]
  const known = ['NOT_ISSUED', 'ISSUED', 'PENDING', undefined]
  expect(statuses.filter((status) => !known.includes(status as string))).toEqual([])
  expect(statuses).toContain('PENDING')
  expect(types('fiscal.printDocument')).toContain('boolean')
  expect(types('fiscal.paymentNSURequiredForNFCE')).toEqual(atTimes('boolean'))
})

test('[IND-UND-02] blocks without conditional fields are understood', () => {
  for (const order of orders.slice(0, 50)) {
    const indoor = (order['fulfillment'] as Json)['indoor'] as Json
    const { operationMode, identifier, originChannel, consumptionType } = indoor
    const bare = { operationMode, identifier, originChannel, consumptionType }
    const fulfillment = { orderType: 'INDOOR', indoor: bare }
    expect(Order.safeParse({ ...order, fulfillment }).success).toBe(true)
  }
})

test('[IND-FLR-02] an order with legacy labels can be sent unchanged', async () => {
  const [order] = orders
  const fulfillment = order!['fulfillment'] as Json
  const indoor = { ...(fulfillment['indoor'] as Json), operationMode: 'MESA' }
  const made = await wire.session.createOrder({
    order: { ...order, id: 'legacy', fulfillment: { ...fulfillment, indoor } },
  })
  expect(made.ok).toBe(true)
  const read = await wire.send('GET', '/orders/legacy')
  expect(read.json).toMatchObject({ fulfillment: { indoor: { operationMode: 'MESA' } } })
})
