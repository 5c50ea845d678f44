/** Late events, as a service sees them over a socket: reorder, delay, drop-then-deliver, drop. */
import { expect, test } from 'vitest'
import { openFaultyWebhooks, openFaultyWire } from '../../../test/support/faulty-wire.ts'
import { orderConcludingMs, orderProcessingMs, eventTypesOf } from '../../../test/support/wire.ts'

test('[ORD-EVR-04] reorder: a poll returns CONFIRMED after PREPARING, both unchanged', async () => {
  await using wire = await openFaultyWire({ reorder: { event: 'CONFIRMED' } })
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  expect(eventTypesOf(await wire.drain())).toEqual(['CREATED'])
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  await wire.ask(orderId, 'preparing')
  await wire.pass(orderProcessingMs)
  const events = await wire.drain()
  expect(eventTypesOf(events)).toEqual(['PREPARING', 'CONFIRMED'])
  const [late, early] = events.map(({ createdAt }) => createdAt)
  expect((early ?? '') < (late ?? '')).toBe(true)
})

test('[ORD-EVR-04] reorder all: by webhook CONFIRMED is the last event of the order', async () => {
  await using called = await openFaultyWebhooks([
    { reorder: { event: 'CONFIRMED', k: 'all', atMost: '1h' } },
  ])
  await called.wire.bring(await called.wire.create({ type: 'TAKEOUT' }), 'CONCLUDED')
  expect(called.eventTypes()).toEqual([
    'CREATED',
    'PREPARING',
    'READY_FOR_PICKUP',
    'DELIVERED',
    'CONCLUDED',
    'CONFIRMED',
  ])
})

test('reorder: without later events the event comes after the maximum wait', async () => {
  await using wire = await openFaultyWire('reorder:event=CONFIRMED,k=3,atMost=20s')
  await wire.bring(await wire.create(), 'CONFIRMED')
  await wire.pass(18_000)
  expect(eventTypesOf(await wire.drain())).toEqual(['CREATED'])
  await wire.pass(2000)
  expect(eventTypesOf(await wire.drain())).toEqual(['CONFIRMED'])
})

test('delay: the event is in the mailbox at its time, not before', async () => {
  await using wire = await openFaultyWire('delay:event=CREATED,by=5s')
  await wire.create()
  await wire.pass(4999)
  expect(await wire.poll()).toEqual([])
  await wire.pass(1)
  expect(eventTypesOf(await wire.poll())).toEqual(['CREATED'])
})

test('delay: a webhook is sent once, with the same delay', async () => {
  await using called = await openFaultyWebhooks(['delay:by=5s'])
  await called.wire.create()
  await called.wire.pass(4999)
  expect(called.eventTypes()).toEqual([])
  await called.wire.pass(600_000)
  expect(called.eventTypes()).toEqual(['CREATED'])
})

test('drop-then-deliver: the event is missing for longer than a service’s reconciliation interval, then it comes', async () => {
  await using wire = await openFaultyWire({ 'drop-then-deliver': { event: 'CONFIRMED' } })
  const orderId = await wire.create()
  await wire.bring(orderId, 'PREPARING')
  expect(eventTypesOf(await wire.drain())).toEqual(['CREATED', 'PREPARING'])
  await wire.pass(45_000)
  expect(eventTypesOf(await wire.drain())).toEqual(['CONFIRMED'])
})

test('[ORD-EVR-06] drop: the event never comes, and GET shows the status', async () => {
  await using wire = await openFaultyWire('drop:event=CANCELLED')
  const orderId = await wire.create()
  await wire.bring(orderId, 'CANCELLED')
  await wire.pass(orderConcludingMs)
  expect(eventTypesOf(await wire.drain())).toEqual(['CREATED', 'CONCLUDED'])
  expect((await wire.read(orderId)).status).toBe('CONCLUDED')
})

test('drop: an event that alone reveals an order is dropped only with even=revealing', async () => {
  await using conformant = await openFaultyWire('drop')
  await conformant.bring(await conformant.create(), 'CONFIRMED')
  expect(eventTypesOf(await conformant.drain())).toEqual(['CREATED'])
  await using harsh = await openFaultyWire('drop:even=revealing')
  await harsh.bring(await harsh.create(), 'CONFIRMED')
  expect(await harsh.drain()).toEqual([])
  const { faults } = await harsh.session.look({ faults: true })
  expect(faults).toMatchObject([{ name: 'drop', legal: false, fired: 2 }])
})

test('dropping all events of one order does not affect the others', async () => {
  await using wire = await openFaultyWire('drop:order=o1')
  const first = await wire.create()
  const second = await wire.create()
  await wire.bring(first, 'PREPARING')
  await wire.bring(second, 'PREPARING')
  const events = await wire.drain()
  expect(eventTypesOf(events.filter(({ orderId }) => orderId === first))).toEqual(['CREATED'])
  expect(eventTypesOf(events.filter(({ orderId }) => orderId === second))).toHaveLength(3)
})
