/** Settings that change while a session runs: at once, as facts, and undone by going back. */
import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { Configuration, type ConfigurationInput } from '../session-api/configuration/schema.ts'
import { journalText } from '../engine/journal.ts'
import type { Order } from '../protocol/orders/order.ts'
import type { PreparedSession } from './types.ts'
import { prepareSession } from './session.ts'

const base = {
  seed: 7,
  clock: 'virtual',
  capabilities: { indoor: false, logistics: false, customer: false },
} as const satisfies ConfigurationInput

type Input = ConfigurationInput

const opened = async (input: Input = {}): Promise<PreparedSession> => {
  const session = await prepareSession({ ...base, ...input, listen: false, live: true })
  await session.begin()
  return session
}

/** Changes the settings to those of a file with this content. */
const change = (session: PreparedSession, input: Input) =>
  session.configure(Configuration.parse({ ...base, ...input }))

const effects = (changed: Awaited<ReturnType<typeof change>>): readonly string[] =>
  changed.map(({ path, effect }) => `${path.join('.')} ${effect}`)

const ordersOf = async (session: PreparedSession) =>
  (await session.look({ orders: { limit: 100 } })).orders

const arrivals = (orders: object): Input => ({
  counterparts: { 'ordering-application': { orders } },
})

test('orders come as often as the changed setting says, from now on, and the world is kept', async () => {
  await using session = await opened()
  await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(60_000)
  expect(await ordersOf(session)).toHaveLength(1)
  const every = await change(session, arrivals({ every: '10s', mix: { INDOOR: 1 } }))
  expect(effects(every)).toEqual([
    'counterparts.ordering-application.orders.every now',
    'counterparts.ordering-application.orders.mix now',
  ])
  await session.advance(30_000)
  const orders = await ordersOf(session)
  expect(orders.map(({ profile }) => profile).toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'INDOOR'),
    'TAKEOUT',
  ])
  // The order that is due in an hour gives way to one that is due at once, and 0 ends them.
  await change(session, arrivals({ every: '1h' }))
  await session.advance(60_000)
  expect(await ordersOf(session)).toHaveLength(4)
  await change(session, arrivals({ every: '5s' }))
  await session.advance(5000)
  expect(await ordersOf(session)).toHaveLength(5)
  await change(session, arrivals({ every: 0 }))
  await session.advance(60_000)
  expect(await ordersOf(session)).toHaveLength(5)
})

test('what needs a restart is said and changes nothing', async () => {
  await using session = await opened()
  const before = (await session.look({})).info
  const changed = await change(session, {
    port: 7300,
    seed: 8,
    counterparts: { crm: { mode: 'pull' } },
    conduct: { speaks: 'v1' },
  })
  expect(effects(changed)).toEqual([
    'seed restart',
    'port restart',
    'counterparts.crm.mode restart',
    'conduct.speaks restart',
  ])
  expect((await session.look({})).info).toEqual(before)
  expect(session.facts().some(({ fact }) => fact.kind === 'session.configured')).toBe(false)
})

const errorOf = async (session: PreparedSession): Promise<Response> =>
  session.fetch(new Request(`${session.urls.get('ordering-application')}/orders/none`))

test('answers have the changed protocol options, and going back in time has those of then', async () => {
  await using session = await opened()
  const { headers } = await errorOf(session)
  expect(headers.get('content-type')).toContain('application/json')
  const fact = session.facts().at(-1)!.seq
  await change(session, { conduct: { errorBody: 'problem+json' } })
  expect((await errorOf(session)).headers.get('content-type')).toContain('problem+json')
  expect(session.facts().at(-1)!.fact).toEqual({
    kind: 'session.configured',
    changes: [{ path: ['conduct', 'errorBody'], value: 'problem+json' }],
  })
  expect((await session.fork(fact)).ok).toBe(true)
  expect((await errorOf(session)).headers.get('content-type')).toBe(headers.get('content-type'))
  // A fresh world has the settings of the file.
  await change(session, { conduct: { errorBody: 'problem+json' } })
  await session.reset()
  expect((await errorOf(session)).headers.get('content-type')).toContain('problem+json')
})

test('faults are added and removed, and those that were added by hand stay', async () => {
  await using session = await opened({ faults: ['drop:event=CONFIRMED', 'duplicate'] })
  session.faults.add('delay:by=5s')
  const names = () => session.faults.list().flatMap(({ text, over }) => (over ? [] : [text]))
  await change(session, { faults: ['duplicate', { drop: { event: 'DISPATCHED' } }] })
  expect(names()).toEqual(['duplicate', 'delay:by=5s', 'drop:event=DISPATCHED'])
  await change(session, {})
  expect(names()).toEqual(['delay:by=5s'])
})

test('orders are made up from the changed merchants and menu', async () => {
  await using session = await opened()
  await session.createOrder()
  const menu = [{ externalCode: 'P1', name: 'Pizza da casa', price: 42 }]
  const merchants = [{ id: 'mine', name: 'Minha Loja' }]
  expect(effects(await change(session, { merchants, menu }))).toEqual(['merchants now', 'menu now'])
  const made = await session.createOrder()
  const orderId = made.ok ? made.value.orderId : ''
  const { order } = await session.look({ orderId })
  expect(order?.document).toMatchObject({
    merchant: { id: 'mine', name: 'Minha Loja' },
  })
  for (const item of (order!.document as Order).items)
    expect(item).toMatchObject({ externalCode: 'P1', pricing: { unitPrice: { value: 42 } } })
  expect(await ordersOf(session)).toHaveLength(2)
})

test('the same changes at the same instants give the same journal, byte for byte', async () => {
  const run = async (): Promise<string> => {
    await using session = await opened(arrivals({ every: '7s', limit: 20 }))
    await session.advance(20_000)
    await change(session, {
      counterparts: {
        'ordering-application': { behaviour: 'hostile', orders: { every: '3s', limit: 12 } },
        'software-service': { behaviour: 'slow' },
      },
      faults: ['duplicate:percent=50'],
    })
    await session.advance(200_000)
    return journalText(session.facts())
  }
  const journal = await run()
  expect(journal).toContain('session.configured')
  expect(await run()).toBe(journal)
})

test('a command from outside cannot change settings', async () => {
  await using session = await opened()
  expect(await session.submit({ kind: 'session.configure', changes: [] })).toMatchObject({
    ok: false,
    error: { code: 'CONFLICT' },
  })
})

test('single settings are changed at once, and what they were changes them back', async () => {
  await using session = await opened()
  const path = ['conduct', 'unlistedMethod']
  const before = await session.changeSettings([{ path, value: 405 }])
  expect(before).toEqual([{ path, value: 404 }])
  const status = async () =>
    (
      await session.fetch(
        new Request(`${session.urls.get('ordering-application')}/merchants`, { method: 'PUT' }),
      )
    ).status
  expect(await status()).toBe(405)
  expect(await session.changeSettings(before)).toEqual([{ path, value: 405 }])
  expect(await status()).toBe(404)
})

test('a signature is verified in the form that is set now', async () => {
  await using session = await opened({
    subject: { role: 'ordering-application' },
    counterparts: { 'ordering-application': { channel: 'both' } },
    conduct: { webhookAccess: 'signature' },
  })
  const event = { eventId: 'e-1', eventType: 'CONFIRMED', orderId: 'o-1' }
  const body = JSON.stringify({ ...event, createdAt: '2026-01-05T12:00:00Z' })
  const url = `${session.urls.get('software-service')}/webhooks/orders`
  const usual = createHmac('sha256', 'secret').update(body).digest('hex')
  const md5 = createHash('md5').update(body).update('secret').digest('hex')
  const push = async (headers: Readonly<Record<string, string>>) => {
    const all = { 'content-type': 'application/json', ...headers }
    return (await session.fetch(new Request(url, { method: 'POST', headers: all, body }))).status
  }
  const set = (name: string, value: string) =>
    session.changeSettings([{ path: ['conduct', name], value }])
  const both = async () => [
    await push({ 'x-app-signature': usual }),
    await push({ 'didi-header-sign': md5 }),
  ]
  expect(await both()).toEqual([204, 401])
  await set('signature', 'md5-hex')
  expect(await both()).toEqual([401, 204])
  await set('webhookAccess', 'bearer')
  expect(await both()).toEqual([401, 401])
})

test('the OpenAPI document of a host follows a setting that changes its answers', async () => {
  await using session = await opened()
  const url = session.urls.get('ordering-application') ?? ''
  const document = async () => (await session.fetch(new Request(`${url}/openapi.json`))).text()
  const before = await document()
  expect(await document()).toBe(before)
  await change(session, { conduct: { errorBody: 'flat' } })
  expect(await document()).not.toBe(before)
  await change(session, {})
  expect(await document()).toBe(before)
})
