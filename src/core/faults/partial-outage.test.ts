/** One order or one store fails for good, and all others work: seen by a service over a socket. */
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import {
  openFaultyWebhooks,
  type FaultSpecs,
  openFaultyWire,
} from '../../../test/support/faulty-wire.ts'
import { orderProcessingMs, eventTypesOf, type OrdersWire } from '../../../test/support/wire.ts'

const inStore = (id: string, merchantId: string): Record<string, unknown> => {
  const order = plainOrder(id)
  return { ...order, merchant: { ...order.merchant, id: merchantId } }
}

/** Two stores with one order each. */
async function twoStores(wire: OrdersWire): Promise<readonly [string, string]> {
  const first = await wire.create({ order: inStore('first', 'store-1') })
  return [first, await wire.create({ order: inStore('second', 'store-2') })]
}

test('calls of one order fail for good, however often repeated, and those of no other order', async () => {
  await using wire = await openFaultyWire('fail:order=o1,operation=confirmOrder')
  const [first, second] = await twoStores(wire)
  for (let attempt = 0; attempt < 30; attempt++) {
    expect(await wire.ask(first, 'confirm')).toBe(503)
    await wire.pass(60_000)
  }
  expect(await wire.ask(second, 'confirm')).toBe(202)
  await wire.pass(orderProcessingMs)
  expect((await wire.read(first)).status).toBe('CREATED')
  expect((await wire.read(second)).status).toBe('CONFIRMED')
})

test('a store whose orders cannot be read or moved, and whose polls fail', async () => {
  await using wire = await openFaultyWire('fail:merchant=store-1')
  const [first, second] = await twoStores(wire)
  const header = (store: string) => ({ headers: { 'x-polling-merchants': store } })
  expect((await wire.send('GET', `/orders/${first}`)).status).toBe(503)
  expect(await wire.ask(first, 'confirm')).toBe(503)
  expect((await wire.send('GET', '/events:polling', header('store-1'))).status).toBe(503)
  // A poll for both stores would return events of the broken one as well.
  expect((await wire.send('GET', '/events:polling')).status).toBe(503)
  expect((await wire.send('GET', `/orders/${second}`)).status).toBe(200)
  expect(await wire.ask(second, 'confirm')).toBe(202)
  const polled = await wire.send('GET', '/events:polling', header('store-2'))
  expect(polled.json).toMatchObject([{ eventType: 'CREATED', orderId: second }])
})

test('a store is matched by its code as well as by its id', async () => {
  await using wire = await openFaultyWire('fail:merchant=LOJA-001,operation=getOrder')
  const order = plainOrder('first')
  const merchant = { ...order.merchant, externalCode: 'LOJA-001' }
  const first = await wire.create({ order: { ...order, merchant } })
  const second = await wire.create({ order: inStore('second', 'store-2') })
  expect((await wire.send('GET', `/orders/${first}`)).status).toBe(503)
  expect((await wire.send('GET', `/orders/${second}`)).status).toBe(200)
})

test('a poll for a broken store fails even when it has no events', async () => {
  await using wire = await openFaultyWire('fail:merchant=store-1,operation=pollingEvents')
  const status = async (store: string): Promise<number> =>
    (await wire.send('GET', '/events:polling', { headers: { 'x-polling-merchants': store } }))
      .status
  expect(await status('store-1')).toBe(503)
  expect(await status('store-2')).toBe(204)
})

test.each<[string, FaultSpecs]>([
  ['nothing is heard of', ['drop:merchant=store-1,even=revealing']],
  ['every webhook gets lost of', ['hang:merchant=store-1']],
])('a store that %s does not touch the other', async (_what, faults) => {
  await using called = await openFaultyWebhooks(faults)
  const { wire, receiver } = called
  const [, second] = await twoStores(wire)
  await wire.ask(second, 'confirm')
  await wire.pass(orderProcessingMs)
  expect(eventTypesOf(receiver.received.map(({ event }) => event))).toEqual([
    'CREATED',
    'CONFIRMED',
  ])
  expect(new Set(receiver.received.map(({ event }) => event.orderId))).toEqual(new Set([second]))
})
