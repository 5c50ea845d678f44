/** A session with the user's own merchants and menu: every order is made up from them, whoever asks for it. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDeliverySession } from '../../../test/support/delivery-session.ts'
import { savedScenario } from '../scenario/save.ts'
import type { Order } from '../protocol/orders/order.ts'
import type { Session } from '../session-api/session.ts'
import { openSession } from './open-session.ts'
import type { SessionOptions } from './options.ts'
import { scenarioOptions } from './run-scenario.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

const menu = [
  { externalCode: '1001', name: 'Margherita', price: 42.9, options: 'Size (1-1): S; L=10,00' },
  { externalCode: '1002', name: 'Cola', price: '8,50' },
]
const merchants = [
  { id: 'm-1', name: 'Cantina', externalCode: 'C1' },
  { id: 'm-2', name: 'Bar', menu: [{ externalCode: 'b-1', name: 'Beer', price: 12 }] },
]

const own = { merchants, menu } satisfies SessionOptions
const inProcess = { clock: 'virtual', listen: false, only: ['ordering-application'] } as const

async function documentsOf(session: Session): Promise<readonly Order[]> {
  const { orders } = await session.look({ orders: { limit: 100 } })
  const details = await Promise.all(orders.map(({ orderId }) => session.look({ orderId })))
  return details.map(({ order }) => order?.document as Order)
}

const soldAt: Readonly<Record<string, readonly string[]>> = {
  'm-1': ['1001', '1002'],
  'm-2': ['b-1'],
}

function expectOwn(orders: readonly Order[]): void {
  for (const { merchant, items } of orders)
    for (const { externalCode } of items) expect(soldAt[merchant.id]).toContain(externalCode)
}

test('orders that come of their own accord, and those that the operator asks for, are from the menu', async () => {
  await using session = await openSession({
    ...inProcess,
    ...own,
    counterparts: { 'ordering-application': { orders: { every: '10s', limit: 12 } } },
  })
  for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const)
    expect(await session.createOrder({ type, items: 2 })).toMatchObject({ ok: true })
  await session.settle()
  const orders = await documentsOf(session)
  expect(orders).toHaveLength(15)
  expect(new Set(orders.map(({ merchant }) => merchant.id))).toEqual(new Set(['m-1', 'm-2']))
  expect(new Set(orders.map(({ fulfillment }) => fulfillment.orderType)).size).toBe(3)
  expectOwn(orders)
})

test('GET /merchants lists the own merchants and no others', async () => {
  await using session = await openSession({
    ...inProcess,
    merchants: [...merchants, { id: 'm-3', name: 'Closed', status: 'CLOSED' }],
  })
  const base = session.urls.get('ordering-application') ?? ''
  const { read } = createHostClient({ fetch: session.fetch, base })
  expect(await read('/merchants')).toMatchObject({
    merchants: [
      { id: 'm-1', name: 'Cantina', externalCode: 'C1', status: 'OPEN' },
      { id: 'm-2', name: 'Bar', externalCode: 'm-2', status: 'OPEN' },
      { id: 'm-3', name: 'Closed', externalCode: 'm-3', status: 'CLOSED' },
    ],
    pagination: { totalItems: 3 },
  })
})

test('a V1 document names the codes of items and options', async () => {
  await using session = await openSession({
    ...inProcess,
    dialect: 'v1',
    menu: [
      {
        externalCode: '1001',
        name: 'Margherita',
        price: 40,
        options: [{ name: 'Size', min: 1, choices: [{ name: 'L', externalCode: 'L1', price: 9 }] }],
      },
    ],
  })
  const made = await session.createOrder({ type: 'TAKEOUT', items: 1 })
  const orderId = made.ok ? made.value.orderId : ''
  const base = session.urls.get('ordering-application') ?? ''
  const { read } = createHostClient({ fetch: session.fetch, base })
  expect(await read(`/v1/orders/${orderId}`)).toMatchObject({
    items: [
      {
        externalCode: '1001',
        unitPrice: { value: 40 },
        optionsPrice: { value: 9 },
        options: [{ externalCode: 'L1', unitPrice: { value: 9 } }],
      },
    ],
  })
})

test('a reset keeps the menu, and a fork repeats the orders', async () => {
  await using session = await openSession({ ...inProcess, ...own })
  await session.createOrder({ items: 3 })
  const before = await documentsOf(session)
  await session.reset(42)
  await session.createOrder({ items: 3 })
  expect(await documentsOf(session)).toEqual(before)
  await session.reset(7)
  await session.createOrder({ items: 3 })
  const other = await documentsOf(session)
  expect(other).not.toEqual(before)
  expectOwn(other)
})

test('couriers pick up at the address of the merchant', async () => {
  const address = { street: 'Rua A, 7', city: 'Recife', latitude: -8.05, longitude: -34.9 }
  await using shipper = await openDeliverySession({
    merchants: [{ id: 'm-1', name: 'Cantina', address }],
    menu,
  })
  await shipper.createConfirmed()
  await shipper.pass(5000)
  const created = shipper.platform.calls.find(({ json }) => 'pickup' in json)
  expect(created?.json).toMatchObject({
    pickup: {
      address: {
        street: 'Rua A, 7',
        city: 'Recife',
        coordinates: { latitude: -8.05, longitude: -34.9 },
      },
    },
  })
})

test('the library reads files too, relative to the current directory, and reports every wrong row', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-library-'))
  const file = join(folder, 'menu.csv')
  writeFileSync(file, 'plu,name,price\n1,Cola,8\n')
  await using session = await openSession({ ...inProcess, menu: file })
  await session.createOrder({ items: 1 })
  expect((await documentsOf(session))[0]?.items).toMatchObject([
    { externalCode: '1', name: 'Cola' },
  ])
  writeFileSync(file, 'plu,name,price\n1,Cola,x\n2,,8\n')
  await expect(openSession({ ...inProcess, menu: file })).rejects.toThrow(
    /menu.csv:2:8: price: "x" is no price.*\n.*menu.csv:3:3: name is missing/,
  )
  await expect(
    openSession({
      ...inProcess,
      menu: [{ externalCode: '1', name: 'X', price: 1, merchant: 'm' }],
    }),
  ).rejects.toThrow(/^opening the session: .* no merchants are configured/)
})

test('a scenario that is saved from the session has its merchants and menu', async () => {
  await using session = await openSession({ ...inProcess, ...own, seed: 7 })
  await session.createOrder({ type: 'TAKEOUT', items: 2 })
  const [order] = await documentsOf(session)
  const saved = await savedScenario(session)
  await using repeated = await openSession({
    ...scenarioOptions({ ...saved, subject: 'none' }),
    listen: false,
  })
  await repeated.createOrder(saved.orders?.['o1'])
  expect((await documentsOf(repeated))[0]).toMatchObject({
    merchant: order?.merchant,
    items: order?.items,
    total: order?.total,
  })
})
