/** Another app of the same store, as the service sees what it does over a socket. */
import { expect, test } from 'vitest'
import { openFaultyWebhooks, openFaultyWire } from '../../../test/support/faulty-wire.ts'
import { orderProcessingMs, eventTypesOf } from '../../../test/support/wire.ts'

test('[ORD-OPS-02] what the other app has acknowledged is in no poll; the order and its next event show it', async () => {
  await using wire = await openFaultyWire('ghost:does=acknowledges,event=CONFIRMED')
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED'])
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  await wire.ask(orderId, 'preparing')
  await wire.pass(orderProcessingMs)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['PREPARING'])
})

test('an order that the other app has confirmed is CONFIRMED when CREATED comes, and its confirmation is announced', async () => {
  await using wire = await openFaultyWire('ghost')
  const orderId = await wire.create()
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED', 'CONFIRMED'])
  expect((await wire.session.look({ faults: true })).faults).toMatchObject([{ fired: 1 }])
})

test('it confirms later than CREATED where that is said, and an order that went on by then is left alone', async () => {
  await using wire = await openFaultyWire('ghost:does=confirms,by=5s')
  const orderId = await wire.create()
  await wire.bring(orderId, 'PREPARING')
  await wire.pass(10_000)
  expect((await wire.read(orderId)).status).toBe('PREPARING')
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED', 'CONFIRMED', 'PREPARING'])
  const another = await wire.create()
  await wire.pass(4999)
  expect((await wire.read(another)).status).toBe('CREATED')
  await wire.pass(1)
  expect((await wire.read(another)).status).toBe('CONFIRMED')
})

test('[ORD-RUL-01] confirmed in the same moment: the call of the service is answered 202, and moves nothing', async () => {
  await using wire = await openFaultyWire('ghost:does=confirms,before=call')
  const orderId = await wire.create()
  expect((await wire.read(orderId)).status).toBe('CREATED')
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  // A repetition of its own, and the next step, are no business of the other app.
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  expect(await wire.ask(orderId, 'preparing')).toBe(202)
  await wire.pass(orderProcessingMs)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED', 'CONFIRMED', 'PREPARING'])
  expect((await wire.session.look({ faults: true })).faults).toMatchObject([{ fired: 1 }])
})

test('[ORD-TRA-02] cancelled in the same moment: the step is refused like any step of a cancelled order', async () => {
  await using wire = await openFaultyWire('ghost:does=cancels,before=call,nth=1')
  const orderId = await wire.create()
  const refused = await wire.ask(orderId, 'confirm')
  expect([409, 422]).toContain(refused)
  expect((await wire.read(orderId)).status).toBe('CANCELLED')
  expect(await wire.ask(orderId, 'confirm')).toBe(refused)
  await wire.pass(0)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED', 'CANCELLED'])
})

test('it cancels what is under way, and leaves alone what is over', async () => {
  await using wire = await openFaultyWire('ghost:does=cancels,event=CONFIRMED|CANCELLED|CONCLUDED')
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  await wire.pass(60_000)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual([
    'CREATED',
    'CONFIRMED',
    'CANCELLED',
    'CONCLUDED',
  ])
  expect((await wire.session.look({ faults: true })).faults).toMatchObject([{ fired: 1 }])
})

test('it takes an order with its announcement: the next event is the first that comes', async () => {
  await using wire = await openFaultyWire({
    ghost: { does: ['acknowledges', 'confirms'], event: 'CREATED' },
  })
  const orderId = await wire.create()
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CONFIRMED'])
})

test('leaves=revealing: an event that alone reveals an order is not taken', async () => {
  await using wire = await openFaultyWire('ghost:does=acknowledges,leaves=revealing')
  const orderId = await wire.create()
  await wire.bring(orderId, 'PREPARING')
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED'])
})

test('by webhook nothing is acknowledged for another app; by both channels the webhook still comes', async () => {
  const spec = 'ghost:does=acknowledges|confirms,event=CREATED'
  await using webhooks = await openFaultyWebhooks([spec])
  const orderId = await webhooks.wire.create()
  await webhooks.wire.pass(0)
  expect(webhooks.eventTypes()).toEqual(['CREATED', 'CONFIRMED'])
  expect((await webhooks.wire.read(orderId)).status).toBe('CONFIRMED')
  await using both = await openFaultyWebhooks([spec], 'both')
  await both.wire.create()
  await both.wire.pass(0)
  expect(both.eventTypes()).toEqual(['CREATED', 'CONFIRMED'])
  expect(eventTypesOf(await both.wire.drain())).toEqual(['CONFIRMED'])
})
