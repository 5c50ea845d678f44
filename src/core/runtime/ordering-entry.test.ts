/** How an order begins: created internally, readable, announced, polled, acknowledged. */
import { expect, test } from 'vitest'
import { receiverManifest } from '../../../test/support/webhook-receiver.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { openOrdersWire, eventTypesOf } from '../../../test/support/wire.ts'
import type { OrderEvent } from '../protocol/orders/event.ts'

test.each(['polling', 'webhook', 'both'] as const)(
  '[ORD-GEN-04] it originates an order and emits its events by %s',
  async (channel) => {
    const hooks: string[] = []
    await using wire = await openOrdersWire({
      listen: false,
      counterparts: { 'ordering-application': { channel } },
      async handler(request) {
        const { pathname } = new URL(request.url)
        if (pathname === '/oauth/token')
          return Response.json({ access_token: 't', token_type: 'bearer', expires_in: 3600 })
        if (pathname === '/.well-known/protocol') return Response.json(receiverManifest())
        if (!pathname.startsWith('/webhooks/')) return new Response(null, { status: 404 })
        hooks.push(((await request.json()) as OrderEvent).eventType)
        return new Response(null, { status: 204 })
      },
    })
    const orderId = await wire.create({ type: 'DELIVERY' })
    await wire.bring(orderId, 'DELIVERED')
    const all = ['CREATED', 'CONFIRMED', 'PREPARING', 'READY_FOR_PICKUP', 'DELIVERED']
    const polled = (await wire.send('GET', '/events:polling')).status
    if (channel === 'webhook') expect(polled).not.toBe(200)
    else expect(eventTypesOf(await wire.drain(orderId))).toEqual(all)
    expect(hooks).toEqual(channel === 'polling' ? [] : all)
  },
)

test('[ORD-EVF-03] CREATED has an absolute URL that leads to the order', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ order: { ...plainOrder('a/b ü'), id: 'a/b ü' } })
  const [event] = await wire.poll()
  expect(new URL(event!.orderURL!).origin).toBe(wire.base)
  const answer = await wire.send('GET', event!.orderURL!)
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({ id: orderId })
  expect((await wire.send('GET', event!.orderURL!, { token: null })).status).toBe(401)
})

test('[ORD-EVF-01, ORD-EVF-02, ORD-UND-02] an event has a unique id, a listed type, its order and its time', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'DELIVERY' })
  await wire.bring(orderId, 'DELIVERED')
  const events = await wire.poll()
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
  expect(eventTypesOf(events)).toEqual([
    'CREATED',
    'CONFIRMED',
    'PREPARING',
    'READY_FOR_PICKUP',
    'DELIVERED',
  ])
  const { sourceAppId } = await wire.read(orderId)
  for (const event of events) {
    expect(event).toMatchObject({ orderId, sourceAppId })
    expect(new Date(event.createdAt ?? '').toISOString()).toBe(event.createdAt ?? '')
    expect(Object.keys(event).sort()).toEqual(
      ['createdAt', 'eventId', 'eventType', 'orderId', 'orderURL', 'sourceAppId'].sort(),
    )
  }
})

test('[ORD-OPS-01, ORD-OPS-02, ORD-EVF-01] events are returned by every poll until they are acknowledged', async () => {
  await using wire = await openOrdersWire()
  await wire.create()
  await wire.create()
  const events = await wire.poll()
  expect(events).toHaveLength(2)
  expect(await wire.poll()).toEqual(events)
  const answer = await wire.acknowledge(events.slice(0, 1))
  expect([answer.status, answer.text]).toEqual([202, ''])
  expect(await wire.poll()).toEqual(events.slice(1))
  await wire.acknowledge(events.slice(1))
  expect(await wire.poll()).toEqual([])
  // A repetition is accepted: the client may not have received our 202.
  expect((await wire.acknowledge(events)).status).toBe(202)
  expect(await wire.poll()).toEqual([])
})

test('[ORD-UND-09] an empty mailbox is 204 without a body by default; an empty list when configured', async () => {
  for (const [emptyPoll, expected] of [
    [204, ''],
    [200, '[]'],
  ] as const) {
    await using wire = await openOrdersWire({ conduct: { emptyPoll } })
    const answer = await wire.send('GET', '/events:polling')
    expect([answer.status, answer.text]).toEqual([emptyPoll, expected])
  }
})

test('[ORD-UND-09] a poll answers a bare JSON array, and at most a batch', async () => {
  await using wire = await openOrdersWire({ conduct: { pollBatch: 2 } })
  for (let order = 0; order < 5; order++) await wire.create()
  const answer = await wire.send('GET', '/events:polling')
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(Array.isArray(answer.json)).toBe(true)
  expect(answer.json).toHaveLength(2)
  expect(await wire.drain()).toHaveLength(5)
})

test.each([
  ['{eventIds}', (ids: readonly string[]): unknown => ({ eventIds: ids })],
  ['ids', (ids: readonly string[]): unknown => ids],
  ['{id}', (ids: readonly string[]): unknown => ids.map((id) => ({ id, eventType: 'CREATED' }))],
  ['{eventId}', (ids: readonly string[]): unknown => ids.map((eventId) => ({ eventId }))],
])('[ORD-UND-09] an acknowledgment by %s is accepted', async (_shape, write) => {
  await using wire = await openOrdersWire()
  await wire.create()
  await wire.create()
  const ids = (await wire.poll()).map(({ eventId }) => eventId)
  const answer = await wire.send('POST', '/events/acknowledgment', { body: write(ids) })
  expect(answer.status).toBe(202)
  expect(await wire.poll()).toEqual([])
})

test('[ORD-UND-09] when configured only {eventIds} is accepted, and unknown events are refused', async () => {
  await using wire = await openOrdersWire({
    conduct: { acknowledgment: 'eventIds', unknownAcknowledgment: 'refuse' },
  })
  await wire.create()
  const [event] = await wire.poll()
  const send = (body: unknown) => wire.send('POST', '/events/acknowledgment', { body })
  expect((await send([event!.eventId])).status).toBe(400)
  expect((await send({ eventIds: ['nobody-knows-me'] })).status).toBe(404)
  // One unknown id invalidates the whole body: no event is acknowledged.
  expect((await send({ eventIds: [event!.eventId, 'nobody-knows-me'] })).status).toBe(404)
  expect(await wire.poll()).toHaveLength(1)
  expect((await send({ eventIds: [event!.eventId] })).status).toBe(202)
  expect(await wire.poll()).toEqual([])
})

test('[ORD-UND-09] by default an acknowledgment of an unknown event is accepted without effect', async () => {
  await using wire = await openOrdersWire()
  const answer = await wire.send('POST', '/events/acknowledgment', { body: { eventIds: ['x'] } })
  expect(answer.status).toBe(202)
})

test.each(['', '{}', '{"eventIds":"x"}', '[{"name":"x"}]', '{"eventIds":[1]}', '{"eventIds":['])(
  'an acknowledgment of %j is malformed: 400 with the error body',
  async (text) => {
    await using wire = await openOrdersWire({ listen: false })
    const headers = { 'content-type': 'application/json' }
    const answer = await wire.send('POST', '/events/acknowledgment', { text, headers })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code: 'INVALID_PAYLOAD', retryable: false } })
  },
)

test('a poll may filter by types and by merchants', async () => {
  await using wire = await openOrdersWire()
  const here = await wire.create({ order: plainOrder('here') })
  const there = await wire.create({
    order: { ...plainOrder('there'), merchant: { id: 'merchant-2' } },
  })
  await wire.bring(here, 'CONFIRMED')
  const some = await wire.send('GET', '/events:polling', {
    headers: { 'x-polling-merchants': 'merchant-2,merchant-3' },
  })
  expect((some.json as { orderId: string }[]).map(({ orderId }) => orderId)).toEqual([there])
  const confirmed = await wire.poll('?eventType=CONFIRMED&eventType=CANCELLED')
  expect(eventTypesOf(confirmed)).toEqual(['CONFIRMED'])
  // Events that a filter excludes count as acknowledged.
  expect(eventTypesOf(await wire.poll())).toEqual(['CONFIRMED'])
  const many = Array.from({ length: 21 }, () => 'eventType=CREATED').join('&')
  expect((await wire.send('GET', `/events:polling?${many}`)).status).toBe(400)
})

test('[ORD-EVT-01] a poll for a word that is no event type is 400 with the nearest one, and takes no event', async () => {
  await using wire = await openOrdersWire()
  await wire.create()
  for (const [query, because] of [
    ['eventType=created', 'eventType created is no event type; is CREATED meant?'],
    ['eventType=CREATED,CONFIRMD', 'eventType CONFIRMD is no event type; is CONFIRMED meant?'],
    ['eventType=PICKED_UP', 'eventType PICKED_UP is no event type'],
    ['eventType=ORDER_TELEPORTED', 'eventType ORDER_TELEPORTED is no event type'],
  ] as const) {
    const answer = await wire.send('GET', `/events:polling?${query}`)
    expect([query, answer.status]).toEqual([query, 400])
    expect(answer.text).toContain(because)
  }
  const merchants = Array.from({ length: 101 }, (_, index) => `m${index}`).join()
  const crowd = await wire.send('GET', '/events:polling', {
    headers: { 'x-polling-merchants': merchants },
  })
  expect(crowd.status).toBe(400)
  expect(eventTypesOf(await wire.poll())).toEqual(['CREATED'])
})

test('the colon of the polling path may be written as %3A', async () => {
  await using wire = await openOrdersWire()
  await wire.create()
  expect((await wire.send('GET', '/events%3Apolling')).status).toBe(200)
})

test('a read records no fact', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create()
  await wire.read(orderId)
  const before = wire.session.facts().length
  await wire.read(orderId)
  await wire.send('GET', '/orders/no-such-order')
  expect(wire.session.facts()).toHaveLength(before)
})

test('a credential of one merchant gives access to that merchant’s orders and events only', async () => {
  const client = { clientId: 'one', clientSecret: 'store', role: 'software-service' } as const
  for (const unknownAcknowledgment of ['ignore', 'refuse'] as const) {
    await using wire = await openOrdersWire({
      conduct: { unknownAcknowledgment },
      clients: [{ ...client, merchants: ['merchant-1'] }],
    })
    const issued = await wire.send('POST', '/oauth/token', {
      token: null,
      body: { client_id: client.clientId, client_secret: client.clientSecret },
    })
    const { access_token: token } = issued.json as { access_token: string }
    await wire.create({ order: plainOrder('mine') })
    await wire.create({ order: { ...plainOrder('theirs'), merchant: { id: 'merchant-2' } } })
    const all = await wire.poll()
    expect(all.map(({ orderId }) => orderId)).toEqual(['mine', 'theirs'])

    const polled = await wire.send('GET', '/events:polling', { token })
    expect(polled.json).toEqual(all.slice(0, 1))
    const asked = { token, headers: { 'x-polling-merchants': 'merchant-2' } }
    expect((await wire.send('GET', '/events:polling', asked)).status).toBe(204)
    expect((await wire.send('GET', '/orders/mine', { token })).status).toBe(200)
    expect((await wire.send('GET', '/orders/theirs', { token })).status).toBe(404)
    expect((await wire.send('POST', '/orders/theirs/confirm', { token })).status).toBe(404)

    const body = { eventIds: all.map(({ eventId }) => eventId) }
    const acknowledged = await wire.send('POST', '/events/acknowledgment', { token, body })
    expect(acknowledged.status).toBe(unknownAcknowledgment === 'ignore' ? 202 : 404)
    const left = (await wire.poll()).map(({ orderId }) => orderId)
    expect(left).toEqual(unknownAcknowledgment === 'ignore' ? ['theirs'] : ['mine', 'theirs'])
  }
})
