/** `fulfillment.indoor` of an order: served as it was created, and read without its conditional fields. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Order } from '../protocol/orders/order.ts'
import { openOrdersWire, type OrdersWire } from '../../../test/support/wire.ts'

type Json = Readonly<Record<string, unknown>>

const howMany = 50
let wire: OrdersWire
let orders: readonly Json[]

beforeAll(async () => {
  wire = await openOrdersWire({ listen: false })
  const read: Json[] = []
  for (let count = 0; count < howMany; count++)
    read.push(await wire.read(await wire.create({ type: 'INDOOR' })))
  orders = read
})
afterAll(() => wire[Symbol.asyncDispose]())

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

test('[IND-UND-02] blocks without conditional fields are understood', () => {
  for (const order of orders) {
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
