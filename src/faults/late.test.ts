/** Events that come late, as a service sees them over a socket: past, delay, redeliver, drop. */
import { expect, test } from 'vitest'
import { calledUnderFaults, underFaults } from '../../test/support/faulty-wire.ts'
import { concluded, processed, typesOf } from '../../test/support/wire.ts'

test('[ORD-EVR-04] past: a poll brings CONFIRMED behind PREPARING, and both are what they were', async () => {
  await using wire = await underFaults({ past: { event: 'CONFIRMED' } })
  const orderId = await wire.create()
  await wire.bring(orderId, 'CONFIRMED')
  expect(typesOf(await wire.drain())).toEqual(['CREATED'])
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  await wire.ask(orderId, 'preparing')
  await wire.pass(processed)
  const events = await wire.drain()
  expect(typesOf(events)).toEqual(['PREPARING', 'CONFIRMED'])
  const [late, early] = events.map(({ createdAt }) => createdAt)
  expect((early ?? '') < (late ?? '')).toBe(true)
})

test('[ORD-EVR-04] past all: by webhook CONFIRMED is the last that is heard of the order', async () => {
  await using called = await calledUnderFaults([
    { past: { event: 'CONFIRMED', k: 'all', atMost: '1h' } },
  ])
  await called.wire.bring(await called.wire.create({ type: 'TAKEOUT' }), 'CONCLUDED')
  expect(called.heard()).toEqual([
    'CREATED',
    'PREPARING',
    'READY_FOR_PICKUP',
    'DELIVERED',
    'CONCLUDED',
    'CONFIRMED',
  ])
})

test('past: nothing later comes, and after its time it comes all the same', async () => {
  await using wire = await underFaults('past:event=CONFIRMED,k=3,atMost=20s')
  await wire.bring(await wire.create(), 'CONFIRMED')
  await wire.pass(18_000)
  expect(typesOf(await wire.drain())).toEqual(['CREATED'])
  await wire.pass(2000)
  expect(typesOf(await wire.drain())).toEqual(['CONFIRMED'])
})

test('delay: not in the mailbox before its time, there at its time', async () => {
  await using wire = await underFaults('delay:event=CREATED,by=5s')
  await wire.create()
  await wire.pass(4999)
  expect(await wire.poll()).toEqual([])
  await wire.pass(1)
  expect(typesOf(await wire.poll())).toEqual(['CREATED'])
})

test('delay: a webhook goes out as late, and once', async () => {
  await using called = await calledUnderFaults(['delay:by=5s'])
  await called.wire.create()
  await called.wire.pass(4999)
  expect(called.heard()).toEqual([])
  await called.wire.pass(600_000)
  expect(called.heard()).toEqual(['CREATED'])
})

test('redeliver: lost for longer than a service waits before it looks for itself, and then it comes', async () => {
  await using wire = await underFaults({ redeliver: { event: 'CONFIRMED' } })
  const orderId = await wire.create()
  await wire.bring(orderId, 'PREPARING')
  expect(typesOf(await wire.drain())).toEqual(['CREATED', 'PREPARING'])
  await wire.pass(45_000)
  expect(typesOf(await wire.drain())).toEqual(['CONFIRMED'])
})

test('[ORD-EVR-06] drop: the event never comes, and GET says what is so', async () => {
  await using wire = await underFaults('drop:event=CANCELLED')
  const orderId = await wire.create()
  await wire.bring(orderId, 'CANCELLED')
  await wire.pass(concluded)
  expect(typesOf(await wire.drain())).toEqual(['CREATED', 'CONCLUDED'])
  expect((await wire.read(orderId)).status).toBe('CONCLUDED')
})

test('drop: what alone reveals an order comes in any case, but for robustness', async () => {
  await using lawful = await underFaults('drop')
  await lawful.bring(await lawful.create(), 'CONFIRMED')
  expect(typesOf(await lawful.drain())).toEqual(['CREATED'])
  await using harsh = await underFaults('drop:even=revealing')
  await harsh.bring(await harsh.create(), 'CONFIRMED')
  expect(await harsh.drain()).toEqual([])
  const { faults } = await harsh.session.look({ faults: true })
  expect(faults).toMatchObject([{ name: 'drop', legal: false, fired: 2 }])
})

test('one order that is never heard of again does not touch the others', async () => {
  await using wire = await underFaults('drop:order=o1')
  const first = await wire.create()
  const second = await wire.create()
  await wire.bring(first, 'PREPARING')
  await wire.bring(second, 'PREPARING')
  const events = await wire.drain()
  expect(typesOf(events.filter(({ orderId }) => orderId === first))).toEqual(['CREATED'])
  expect(typesOf(events.filter(({ orderId }) => orderId === second))).toHaveLength(3)
})
