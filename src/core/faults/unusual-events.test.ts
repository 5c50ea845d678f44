/** Unusual events and batches, as a service sees them over a socket. */
import { expect, test } from 'vitest'
import { openFaultyWebhooks, openFaultyWire } from '../../../test/support/faulty-wire.ts'
import { orderProcessingMs, eventTypesOf } from '../../../test/support/wire.ts'

const four = ['CREATED', 'CONFIRMED', 'PREPARING', 'READY_FOR_PICKUP']

test('[ORD-EVR-04] batch reverse: the last event comes first', async () => {
  await using wire = await openFaultyWire('batch:as=reverse')
  await wire.bring(await wire.create(), 'READY')
  expect(eventTypesOf(await wire.poll())).toEqual(four.toReversed())
})

test('batch shuffle: the same events in an order that depends on the seed', async () => {
  const polled: (readonly string[])[] = []
  for (let run = 0; run < 2; run++) {
    await using wire = await openFaultyWire('batch:as=shuffle')
    for (let order = 0; order < 3; order++) await wire.bring(await wire.create(), 'READY')
    polled.push(eventTypesOf(await wire.poll()))
  }
  expect(polled[0]).toEqual(polled[1])
  expect(polled[0]).not.toEqual([...four, ...four, ...four])
  expect(polled[0]?.toSorted()).toEqual([...four, ...four, ...four].toSorted())
})

test('batch one: each poll returns one event, and the next poll the next one', async () => {
  await using wire = await openFaultyWire('batch:as=one')
  await wire.bring(await wire.create(), 'READY')
  const seen: string[] = []
  for (let poll = 0; poll < 4; poll++) {
    const events = await wire.poll()
    expect(events).toHaveLength(1)
    seen.push(...eventTypesOf(events))
    await wire.acknowledge(events)
  }
  expect(seen).toEqual(four)
  expect(await wire.poll()).toEqual([])
})

test('batch backlog: no events for a while, then all at once', async () => {
  await using wire = await openFaultyWire('batch:as=backlog,of=4,atMost=1m')
  const orderId = await wire.create()
  await wire.bring(orderId, 'PREPARING')
  expect(await wire.poll()).toEqual([])
  await wire.ask(orderId, 'ready-for-pickup')
  await wire.pass(orderProcessingMs)
  expect(eventTypesOf(await wire.poll())).toEqual(four)
})

test('batch backlog: no event waits longer than the maximum wait', async () => {
  await using wire = await openFaultyWire('batch:as=backlog,of=4,atMost=1m')
  await wire.create()
  await wire.pass(60_000)
  expect(eventTypesOf(await wire.poll())).toEqual(['CREATED'])
})

test('[ORD-EVR-05] unknown-event: an additional event of unknown type, of the same order', async () => {
  await using wire = await openFaultyWire('unknown-event:event=CONFIRMED,type=X_KITCHEN_PRINTED')
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  const events = await wire.drain(orderId)
  expect(eventTypesOf(events)).toEqual(['CREATED', 'CONFIRMED', 'X_KITCHEN_PRINTED'])
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
})

test('unknown-event: the additional event triggers no further one, on both channels', async () => {
  await using called = await openFaultyWebhooks(['unknown-event'], 'both')
  await called.wire.create()
  await called.wire.pass(60_000)
  expect(called.eventTypes()).toEqual(['CREATED', 'X_LOYALTY_HINT'])
  expect(eventTypesOf(await called.wire.drain())).toEqual(['CREATED', 'X_LOYALTY_HINT'])
})

test('unknown-field: an unknown field, the same on both channels and in every attempt', async () => {
  await using called = await openFaultyWebhooks(['unknown-field:name=x_trace,of=list'], 'both', {
    reply: (nth) => ({ status: nth < 3 ? 500 : 204 }),
  })
  const { wire, receiver } = called
  await wire.create()
  await wire.pass(10_000)
  const [event] = await wire.poll()
  expect(event).toMatchObject({ eventType: 'CREATED', x_trace: [1, 'two', { three: 3 }] })
  expect(receiver.received).toHaveLength(3)
  expect(new Set(receiver.received.map(({ text }) => text))).toEqual(
    new Set([JSON.stringify(event)]),
  )
  // It is one event, altered once, before its first handover.
  expect((await wire.session.look({ faults: true })).faults).toMatchObject([{ fired: 1 }])
})

test.each([
  ['earlier', -60_000],
  ['equal', 0],
] as const)('contradictory-time: %s than the one before it, by its own word', async (as, ms) => {
  await using wire = await openFaultyWire({
    'contradictory-time': { event: 'PREPARING', as, by: '1m' },
  })
  await wire.bring(await wire.create(), 'PREPARING')
  const [, confirmed = 0, preparing = 0] = (await wire.drain()).map(({ createdAt }) =>
    Date.parse(createdAt ?? ''),
  )
  expect(preparing - confirmed).toBe(ms)
})

test('contradictory-time: the first event of an order is left alone', async () => {
  await using wire = await openFaultyWire('contradictory-time')
  await wire.create()
  expect((await wire.session.look({ faults: true })).faults).toMatchObject([{ fired: 0 }])
})

test('illegal-transition: an event that GET does not confirm comes once, and findings are advice', async () => {
  await using wire = await openFaultyWire('illegal-transition:says=DELIVERED,event=CONFIRMED')
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  await wire.pass(60_000)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED', 'CONFIRMED', 'DELIVERED'])
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  expect((await wire.session.look({ faults: true })).faults).toMatchObject([{ legal: false }])
})

test('illegal-transition: one additional event per event, and none for itself', async () => {
  await using called = await openFaultyWebhooks(['illegal-transition:says=CONFIRMED'], 'both')
  await called.wire.create()
  await called.wire.pass(60_000)
  expect(called.eventTypes()).toEqual(['CREATED', 'CONFIRMED'])
})

test('[ORD-RUL-02] slow-effect: 202 at once, status and event much later', async () => {
  await using wire = await openFaultyWire('slow-effect:trigger=confirm,by=10s')
  const orderId = await wire.create()
  await wire.drain()
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.pass(10_000)
  expect((await wire.read(orderId)).status).toBe('CREATED')
  expect(await wire.poll()).toEqual([])
  await wire.pass(orderProcessingMs)
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  expect(eventTypesOf(await wire.poll())).toEqual(['CONFIRMED'])
})

test('no-effect: 202 without effect; the repeated call takes effect', async () => {
  await using wire = await openFaultyWire('no-effect:nth=1')
  const orderId = await wire.create()
  await wire.drain()
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.pass(600_000)
  expect((await wire.read(orderId)).status).toBe('CREATED')
  expect(await wire.poll()).toEqual([])
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.pass(orderProcessingMs)
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
})

test('slow-effect: a cancellation request is answered late as well', async () => {
  await using wire = await openFaultyWire('slow-effect:by=30s')
  const orderId = await wire.create()
  await wire.ask(orderId, 'requestCancellation', {})
  await wire.pass(30_000)
  expect((await wire.read(orderId)).status).toBe('CREATED')
  await wire.pass(5000)
  expect((await wire.read(orderId)).status).toBe('CANCELLED')
})
