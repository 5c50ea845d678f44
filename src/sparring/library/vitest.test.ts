/** The fixtures of `sparring/vitest`: one session for each set of options, a fresh world for each test. */
import { createHmac } from 'node:crypto'
import { afterAll, describe, expect } from 'vitest'
import type { Session } from '../../core/session-api/session.ts'
import { test } from './vitest.ts'

const heard: string[] = []

/** The smallest service: takes events that are signed. */
async function service(request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/webhooks/orders')
    return new Response(null, { status: 404 })
  const text = await request.text()
  const signature = createHmac('sha256', 'secret').update(text).digest('hex')
  if (request.headers.get('x-app-signature') !== signature)
    return new Response(null, { status: 401 })
  heard.push(text)
  return new Response(null, { status: 204 })
}

test.override('sparring', {
  as: 'software-service',
  subject: service,
  counterparts: { 'ordering-application': { channel: 'webhook' } },
})

const sessions = new Set<Session>()
const orderIds = new Set<string>()

describe('tests with the same options', () => {
  test.for([1, 2])('share a session, and each has its first order: %i', async (_, { session }) => {
    sessions.add(session)
    const { info, orders } = await session.look({ orders: { limit: 10 } })
    expect({ orders, mode: info.clock.mode, seed: info.seed }).toEqual({
      orders: [],
      mode: 'virtual',
      seed: 42,
    })
    expect(session.faults.list()).toEqual([])
    session.faults.add({ drop: { event: 'CONFIRMED' } })
    const created = await session.createOrder({ type: 'TAKEOUT' })
    if (created.ok) orderIds.add(created.value.orderId)
    await session.settle()
    expect(heard.splice(0).some((text) => text.includes('CREATED'))).toBe(true)
  })

  afterAll(() => {
    expect(sessions.size).toBe(1)
    // The same seed: the same ids.
    expect(orderIds.size).toBe(1)
  })
})

describe('a suite with options of its own', () => {
  test.override('sparring', { seed: 7, clock: 'stepped', listen: false })

  test('gets a session of its own', async ({ session }) => {
    expect(sessions.has(session)).toBe(false)
    const { info } = await session.look({})
    expect([info.seed, info.clock.mode, info.subject]).toEqual([7, 'stepped', undefined])
    expect(session.hasRules()).toBe(false)
  })
})

describe('tests that run at the same time', () => {
  const seen: Session[] = []
  const both = Promise.withResolvers<void>()

  test.concurrent.for([1, 2])('get a session each: %i', async (_, { session }) => {
    seen.push(session)
    if (seen.length === 2) both.resolve()
    await both.promise
    expect(new Set(seen).size).toBe(2)
    await session.createOrder({ type: 'TAKEOUT' })
    const { orders } = await session.look({ orders: { limit: 10 } })
    expect(orders).toHaveLength(1)
  })
})
