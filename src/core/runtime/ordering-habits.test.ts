/** Automatic behaviour of the Ordering Application: arriving orders, and behaviour profiles as seen on the wire. */
import { expect, test } from 'vitest'
import {
  openOrdersWire,
  orderProcessingMs,
  eventTypesOf,
  type OrdersWire,
} from '../../../test/support/wire.ts'
import type { HostSessionOptions } from '../../../test/support/host-session.ts'

type Ordering = NonNullable<NonNullable<HostSessionOptions['counterparts']>['ordering-application']>

const openOrdering = (ordering: Ordering, more: HostSessionOptions = {}): Promise<OrdersWire> =>
  openOrdersWire({ ...more, counterparts: { 'ordering-application': ordering } })

test('[ORD-GEN-03] orders arrive automatically at the configured rate, up to the limit', async () => {
  await using wire = await openOrdering({ orders: { every: '5s', limit: 3, mix: { INDOOR: 1 } } })
  const arrived: number[] = []
  for (let second = 1; second <= 30; second++) {
    await wire.pass(1000)
    for (const { eventType } of await wire.drain()) {
      expect(eventType).toBe('CREATED')
      arrived.push(second)
    }
  }
  expect(arrived).toEqual([5, 10, 15])
  const { orders } = await wire.session.look({ orders: { limit: 10 } })
  expect(orders.map(({ profile }) => profile)).toEqual(['INDOOR', 'INDOOR', 'INDOOR'])
})

test('by default no orders arrive', async () => {
  await using wire = await openOrdering({})
  await wire.pass(3_600_000)
  expect(await wire.poll()).toEqual([])
})

test('profiles are drawn by their weights; a weight of 0 is never drawn', async () => {
  await using wire = await openOrdering(
    { orders: { every: 10, limit: 400, mix: { DELIVERY: 3, TAKEOUT: 1, INDOOR: 0 } } },
    { listen: false },
  )
  await wire.pass(5000)
  const { orders } = await wire.session.look({ orders: { limit: 1000 } })
  const count = (type: string): number => orders.filter(({ profile }) => profile === type).length
  expect(orders).toHaveLength(400)
  expect(count('INDOOR')).toBe(0)
  expect(count('DELIVERY')).toBeGreaterThan(260)
  expect(count('DELIVERY')).toBeLessThan(340)
})

test('the next order is on the agenda, complete, before it arrives', async () => {
  await using wire = await openOrdering({ orders: { every: '1m' } })
  const { agenda } = await wire.session.look({ agenda: { limit: 5 } })
  const next = agenda.find(({ kind }) => kind === 'order.create')!
  await wire.session.submit({ kind: 'agenda.delay', id: next.id, byMs: 60_000 })
  await wire.pass(60_000)
  expect(await wire.poll()).toEqual([])
  await wire.pass(60_000)
  expect((await wire.poll()).map(({ orderId }) => orderId)).toEqual([next.orderId])
})

test('a slow application delays its events before handing them over', async () => {
  await using wire = await openOrdering({ behaviour: 'slow' })
  await wire.create()
  await wire.pass(999)
  expect(await wire.poll()).toEqual([])
  await wire.pass(3001)
  expect(eventTypesOf(await wire.poll())).toEqual(['CREATED'])
})

test('[ORD-EVR-03, ORD-EVR-04] a hostile application repeats events, hands them over out of order, and cancels at random', async () => {
  await using wire = await openOrdering({ behaviour: 'hostile', processing: 0 }, { listen: false })
  let repeated = 0
  let crossed = 0
  let cancelled = 0
  for (let count = 0; count < 40; count++) {
    const orderId = await wire.create()
    await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
    await wire.pass(25_000)
    const events = await wire.drain(orderId)
    const ids = events.map(({ eventId }) => eventId)
    if (new Set(ids).size < ids.length) repeated++
    const types = eventTypesOf(events)
    if (types.indexOf('CONFIRMED') < types.indexOf('CREATED')) crossed++
    if (types.includes('CANCELLED')) cancelled++
    // Whatever events were handed over, and however often, GET is right.
    const { status } = await wire.read(orderId)
    expect(status === 'CONFIRMED').toBe(!types.includes('CANCELLED'))
  }
  expect(repeated).toBeGreaterThan(5)
  expect(crossed).toBeGreaterThan(5)
  expect(cancelled).toBeGreaterThan(2)
  expect(cancelled).toBeLessThan(20)
})

test('a prompt application does none of that', async () => {
  await using wire = await openOrdering({ behaviour: 'prompt' }, { listen: false })
  for (let count = 0; count < 40; count++) {
    const orderId = await wire.create()
    await wire.bring(orderId, 'CONFIRMED')
    await wire.pass(orderProcessingMs)
    expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED', 'CONFIRMED'])
  }
})
