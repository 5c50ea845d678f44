/** Repeated events, as a service sees them over a socket. */
import { expect, test } from 'vitest'
import { openFaultyWebhooks, openFaultyWire } from '../../../test/support/faulty-wire.ts'
import { orderConcludingMs, orderProcessingMs, eventTypesOf } from '../../../test/support/wire.ts'

test('[ORD-GEN-02] duplicate: the same bytes twice in one poll', async () => {
  await using wire = await openFaultyWire('duplicate:times=3')
  await wire.create()
  const events = (await wire.send('GET', '/events:polling')).json as readonly unknown[]
  expect(events).toHaveLength(3)
  expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(1)
})

test('[ORD-GEN-02] duplicate: the same webhook twice, one right after the other', async () => {
  await using called = await openFaultyWebhooks(['duplicate:event=CREATED'])
  await called.wire.create()
  expect(called.receiver.received).toHaveLength(2)
  expect(new Set(called.receiver.received.map(({ text }) => text)).size).toBe(1)
})

test('[ORD-GEN-02] duplicate-late: an acknowledged event is repeated under the same id', async () => {
  await using wire = await openFaultyWire('duplicate-late:event=CREATED')
  await wire.create()
  const first = await wire.poll()
  await wire.pass(5000)
  expect(await wire.poll()).toEqual(first)
  await wire.acknowledge(first)
  await wire.pass(0)
  const again = await wire.poll()
  expect(again).toEqual(first)
  await wire.acknowledge(again)
  await wire.pass(600_000)
  expect(await wire.poll()).toEqual([])
})

test('duplicate-late when=order-ended: after the last event of its order', async () => {
  await using called = await openFaultyWebhooks([
    { 'duplicate-late': { event: 'CONFIRMED', when: 'order-ended' } },
  ])
  await called.wire.bring(await called.wire.create({ type: 'TAKEOUT' }), 'CONCLUDED')
  expect(called.eventTypes().slice(-2)).toEqual(['CONCLUDED', 'CONFIRMED'])
  expect(called.eventTypes().filter((type) => type === 'CONFIRMED')).toHaveLength(2)
})

test('duplicate-late when=later-events: after that many later events', async () => {
  await using wire = await openFaultyWire('duplicate-late:event=CREATED,when=later-events,k=2')
  const orderId = await wire.create()
  expect(eventTypesOf(await wire.drain())).toEqual(['CREATED'])
  await wire.bring(orderId, 'CONFIRMED')
  expect(eventTypesOf(await wire.drain())).toEqual(['CONFIRMED'])
  await wire.ask(orderId, 'preparing')
  await wire.pass(orderProcessingMs)
  expect(eventTypesOf(await wire.drain())).toEqual(['PREPARING', 'CREATED'])
})

test.each(['webhook', 'polling'] as const)(
  'both-channels: by %s first, and by the other one only after it was accepted',
  async (first) => {
    await using called = await openFaultyWebhooks([{ 'both-channels': { first } }], 'both')
    const { wire, receiver } = called
    await wire.create()
    if (first === 'webhook') {
      expect(called.eventTypes()).toEqual(['CREATED'])
      await wire.pass(0)
      expect(JSON.stringify(await wire.poll())).toBe(`[${receiver.received[0]?.text}]`)
      return
    }
    const polled = await wire.poll()
    await wire.pass(5000)
    expect(called.eventTypes()).toEqual([])
    await wire.acknowledge(polled)
    await wire.pass(0)
    expect(JSON.stringify(polled)).toBe(`[${receiver.received[0]?.text}]`)
  },
)

test('both-channels: does not act where there is one channel', async () => {
  await using wire = await openFaultyWire('both-channels:first=webhook')
  await wire.create()
  expect(eventTypesOf(await wire.poll())).toEqual(['CREATED'])
  expect((await wire.session.look({ faults: true })).faults).toMatchObject([{ fired: 0 }])
})

test('[ORD-RUL-04] redeliver: a repeated call is answered 202, and its event is handed over again', async () => {
  await using wire = await openFaultyWire('redeliver')
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  const before = await wire.drain()
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.pass(orderProcessingMs)
  expect(await wire.drain()).toEqual(before.filter(({ eventType }) => eventType === 'CONFIRMED'))
})

test('redeliver with a new id is a new event, and its findings are advice', async () => {
  await using wire = await openFaultyWire('redeliver:newId=true')
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  const before = await wire.drain()
  await wire.ask(orderId, 'confirm')
  await wire.pass(orderProcessingMs)
  const again = await wire.drain()
  expect(eventTypesOf(again)).toEqual(['CONFIRMED'])
  expect(before.map(({ eventId }) => eventId)).not.toContain(again[0]?.eventId)
  expect((await wire.session.look({ faults: true })).faults).toMatchObject([{ legal: false }])
})

test('redeliver works by webhook as well; a first call and a call in flight repeat nothing', async () => {
  await using called = await openFaultyWebhooks(['redeliver'])
  const { wire } = called
  const orderId = await wire.create()
  await wire.ask(orderId, 'confirm')
  await wire.ask(orderId, 'confirm')
  await wire.pass(orderProcessingMs)
  expect(called.eventTypes()).toEqual(['CREATED', 'CONFIRMED'])
  await wire.ask(orderId, 'confirm')
  await wire.pass(orderProcessingMs)
  expect(called.eventTypes()).toEqual(['CREATED', 'CONFIRMED', 'CONFIRMED'])
})

test('ack-lag: answered 202, and the event is returned by two more polls, then no more', async () => {
  await using wire = await openFaultyWire('ack-lag:polls=2,limit=1')
  await wire.create()
  const first = await wire.poll()
  expect((await wire.acknowledge(first)).status).toBe(202)
  expect(await wire.poll()).toEqual(first)
  expect(await wire.poll()).toEqual(first)
  await wire.pass(0)
  expect(await wire.poll()).toEqual([])
})

test('ack-lag: without polls the acknowledgment takes effect after the maximum wait', async () => {
  await using wire = await openFaultyWire('ack-lag:polls=5,atMost=10s')
  await wire.create()
  await wire.acknowledge(await wire.poll())
  await wire.pass(10_000)
  expect(await wire.poll()).toEqual([])
})

test('flood: a hundred times within a second, and findings are advice', async () => {
  await using called = await openFaultyWebhooks(['flood:event=CREATED,times=100'])
  await called.wire.create()
  await called.wire.pass(1000)
  expect(called.receiver.received).toHaveLength(100)
  expect(new Set(called.receiver.received.map(({ text }) => text)).size).toBe(1)
  await called.wire.pass(orderConcludingMs)
  expect(called.receiver.received).toHaveLength(100)
})
