/** The events of the Ordering Application beside the lifecycle, and those it leaves out, repeats or loses on demand. */
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import {
  openOrdersWire,
  orderProcessingMs,
  eventTypesOf,
  type OrdersWire,
} from '../../../test/support/wire.ts'
import { orderEventTypes, type OrderEventType } from '../protocol/orders/events.ts'
import type { OrderEvent } from '../protocol/orders/event.ts'
import { orderTypes } from '../protocol/orders/order.ts'

const emit = async (
  wire: OrdersWire,
  orderId: string,
  eventType: OrderEventType,
): Promise<string> => {
  const decision = await wire.session.submit({ kind: 'event.emit', orderId, eventType })
  await wire.pass(0)
  return decision.ok ? 'emitted' : decision.error.code
}

/** The item that hands over the last event of an order, before it is due. */
async function handover(wire: OrdersWire, orderId: string): Promise<number> {
  const { agenda } = await wire.session.look({ agenda: { limit: 20, orderId } })
  const item = agenda.findLast(({ kind }) => kind === 'event.offer')
  if (!item) throw new Error('nothing is about to be handed over')
  return item.id
}

/** An order whose confirmation has been applied, with its event not yet handed over. */
async function justConfirmed(wire: OrdersWire): Promise<string> {
  const orderId = await wire.create()
  await wire.drain()
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
  return orderId
}

const courier: readonly (readonly [OrderEventType, string])[] = [
  ['PICKUP_ONGOING', 'ORD-EVT-06'],
  ['RIDER_ARRIVED_AT_STORE', 'ORD-EVT-07'],
  ['DELIVERY_ONGOING', 'ORD-EVT-10'],
  ['ARRIVED_AT_CUSTOMER', 'ORD-EVT-11'],
]

test.each(courier)(
  '%s [%s] is emitted for DELIVERY alone, and changes no status',
  async (eventType) => {
    await using wire = await openOrdersWire()
    for (const type of orderTypes) {
      const orderId = await wire.create({ type })
      await wire.bring(orderId, 'READY')
      await wire.drain()
      const valid = type === 'DELIVERY'
      expect(await emit(wire, orderId, eventType)).toBe(valid ? 'emitted' : 'EVENT_NOT_ALLOWED')
      expect(eventTypesOf(await wire.drain())).toEqual(valid ? [eventType] : [])
      const { status, lastEvent } = await wire.read(orderId)
      expect([status, lastEvent]).toEqual(['READY', valid ? eventType : 'READY_FOR_PICKUP'])
    }
  },
)

test('[ORD-EVT-03] PREPARATION_REQUESTED is emitted for DELIVERY and TAKEOUT, not for INDOOR, and changes no status', async () => {
  await using wire = await openOrdersWire()
  for (const type of orderTypes) {
    const orderId = await wire.create({ type })
    await wire.drain()
    const valid = type !== 'INDOOR'
    expect(await emit(wire, orderId, 'PREPARATION_REQUESTED')).toBe(
      valid ? 'emitted' : 'EVENT_NOT_ALLOWED',
    )
    expect(eventTypesOf(await wire.drain())).toEqual(valid ? ['PREPARATION_REQUESTED'] : [])
    expect((await wire.read(orderId)).status).toBe('CREATED')
  }
})

test('[ORD-EVT-09, ORD-TEN-03] when the courier collects, ORDER_COLLECTED leads to IN_DELIVERY as well', async () => {
  await using wire = await openOrdersWire()
  for (const type of orderTypes) {
    const orderId = await wire.create({ type })
    await wire.bring(orderId, 'READY')
    await wire.drain()
    await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'collect' })
    await wire.pass(0)
    const valid = type === 'DELIVERY'
    expect(eventTypesOf(await wire.drain())).toEqual(valid ? ['ORDER_COLLECTED'] : [])
    expect((await wire.read(orderId)).status).toBe(valid ? 'IN_DELIVERY' : 'READY')
  }
})

test('[ORD-TEN-03] the later of DISPATCHED and ORDER_COLLECTED changes nothing', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'DELIVERY' })
  await wire.bring(orderId, 'IN_DELIVERY')
  await wire.drain()
  expect(await emit(wire, orderId, 'ORDER_COLLECTED')).toBe('emitted')
  expect(eventTypesOf(await wire.drain())).toEqual(['ORDER_COLLECTED'])
  expect((await wire.read(orderId)).status).toBe('IN_DELIVERY')
  await wire.bring(orderId, 'DELIVERED')
  expect(await emit(wire, orderId, 'DISPATCHED')).toBe('emitted')
  expect((await wire.read(orderId)).status).toBe('DELIVERED')

  const collected = await wire.create({ type: 'DELIVERY' })
  await wire.bring(collected, 'READY')
  await wire.session.submit({ kind: 'order.apply', orderId: collected, trigger: 'collect' })
  await wire.pass(0)
  await wire.drain()
  expect(await wire.ask(collected, 'dispatch')).toBe(202)
  await wire.pass(orderProcessingMs)
  expect(await wire.drain(collected)).toEqual([])
})

test('[ORD-EVR-07, ORD-EVR-08] over whole lives TAKEOUT and INDOOR get no courier events, and no order gets PICKED_UP', async () => {
  await using wire = await openOrdersWire({ listen: false })
  const heard = { DELIVERY: new Set<string>(), TAKEOUT: new Set(), INDOOR: new Set() }
  for (const type of orderTypes)
    for (const end of ['CONCLUDED', 'CANCELLED', 'IN_DELIVERY'] as const) {
      const orderId = await wire.create({ type })
      await wire.bring(orderId, end)
      for (const eventType of orderEventTypes) await emit(wire, orderId, eventType)
      for (const each of eventTypesOf(await wire.drain(orderId))) heard[type].add(each)
    }
  const forbidden = [...courier.map(([type]) => type), 'DISPATCHED', 'ORDER_COLLECTED']
  for (const type of forbidden) {
    expect(heard.DELIVERY).toContain(type)
    expect(heard.TAKEOUT).not.toContain(type)
    expect(heard.INDOOR).not.toContain(type)
  }
  for (const type of orderTypes) expect(heard[type]).not.toContain('PICKED_UP')
})

test('[ORD-EVR-07] a forbidden event is emitted as a fault', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'TAKEOUT' })
  await wire.drain()
  await wire.session.submit({ kind: 'event.emit', orderId, eventType: 'DISPATCHED', force: true })
  await wire.pass(0)
  expect(eventTypesOf(await wire.drain())).toEqual(['DISPATCHED'])
  expect((await wire.read(orderId)).status).toBe('CREATED')
})

test('[ORD-EVR-08] PICKED_UP cannot be declared, supported or not', async () => {
  await using wire = await openOrdersWire()
  const manifest = (await wire.send('GET', '/.well-known/protocol')).text
  expect(manifest).not.toContain('PICKED_UP')
  expect(manifest).toContain('ORDER_COLLECTED')
})

const optional = [
  ['PREPARING', 'ORD-EVT-04', 'PREPARING'],
  ['READY_FOR_PICKUP', 'ORD-EVT-05', 'READY'],
  ['DISPATCHED', 'ORD-EVT-08', 'IN_DELIVERY'],
  ['CONCLUDED', 'ORD-EVT-17', 'CONCLUDED'],
] as const

test.each(optional)(
  '%s [%s] can be left out, and the status moves without it',
  async (type, _clause, status) => {
    await using wire = await openOrdersWire({ conduct: { unsupportedEvents: [type] } })
    const orderId = await wire.create({ type: 'DELIVERY' })
    await wire.bring(orderId, status)
    expect((await wire.read(orderId)).status).toBe(status)
    expect(eventTypesOf(await wire.drain(orderId))).not.toContain(type)
    // Events left out are declared as unsupported.
    const { json } = await wire.send('GET', '/.well-known/protocol')
    expect(JSON.stringify(json)).toContain(`"unsupportedEvents":["${type}"]`)
  },
)

test('[ORD-UND-12] a forgetful application leaves out optional events of a profile, and never required ones', async () => {
  await using wire = await openOrdersWire({
    listen: false,
    counterparts: { 'ordering-application': { temperament: 'forgetful', processing: 100 } },
  })
  const lives = { DELIVERY: [] as string[], TAKEOUT: [] as string[], INDOOR: [] as string[] }
  for (const type of orderTypes)
    for (let count = 0; count < 12; count++) {
      const orderId = await wire.create({ type })
      await wire.bring(orderId, 'DELIVERED')
      expect((await wire.read(orderId)).status).toBe('DELIVERED')
      lives[type].push(...eventTypesOf(await wire.drain(orderId)))
    }
  const times = (type: keyof typeof lives, event: string): number =>
    lives[type].filter((each) => each === event).length
  for (const type of orderTypes) {
    // Each reached CREATED and CONFIRMED, so both events are required.
    expect([times(type, 'CREATED'), times(type, 'CONFIRMED')]).toEqual([12, 12])
    expect(times(type, 'PREPARING')).toBeGreaterThan(0)
    expect(times(type, 'PREPARING')).toBeLessThan(12)
    // None reached CANCELLED, so its event is not required.
    expect(times(type, 'CANCELLED')).toBe(0)
  }
  expect(times('TAKEOUT', 'READY_FOR_PICKUP')).toBe(12)
  expect(times('DELIVERY', 'READY_FOR_PICKUP')).toBeLessThan(12)
  expect([times('DELIVERY', 'DELIVERED'), times('TAKEOUT', 'DELIVERED')]).toEqual([12, 12])
  expect(times('INDOOR', 'DELIVERED')).toBeLessThan(12)
})

test('[ORD-EVR-01, ORD-EVR-06] a dropped event is lost, and GET is still right', async () => {
  await using wire = await openOrdersWire()
  const orderId = await justConfirmed(wire)
  await wire.session.submit({ kind: 'agenda.drop', id: await handover(wire, orderId) })
  await wire.pass(600_000)
  expect(await wire.drain(orderId)).toEqual([])
  expect(await wire.read(orderId)).toMatchObject({ status: 'CONFIRMED', lastEvent: 'CONFIRMED' })
})

test('[ORD-EVR-04, ORD-EVR-01] events can be handed over out of order, and GET is still right', async () => {
  await using wire = await openOrdersWire()
  const orderId = await justConfirmed(wire)
  await wire.session.submit({ kind: 'agenda.delay', id: await handover(wire, orderId), byMs: 5000 })
  await wire.bring(orderId, 'PREPARING')
  await wire.pass(5000)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['PREPARING', 'CONFIRMED'])
  expect(await wire.read(orderId)).toMatchObject({ status: 'PREPARING', lastEvent: 'PREPARING' })
})

test('[ORD-EVR-03, ORD-EVF-01] an event can be handed over twice: the same id, the same content', async () => {
  await using wire = await openOrdersWire()
  const orderId = await justConfirmed(wire)
  await wire.session.submit({ kind: 'agenda.duplicate', id: await handover(wire, orderId) })
  await wire.pass(0)
  const events = await wire.poll()
  expect(eventTypesOf(events)).toEqual(['CONFIRMED', 'CONFIRMED'])
  expect(events[0]).toEqual(events[1])
  await wire.acknowledge(events)
  expect(await wire.poll()).toEqual([])
})

test('[ORD-EVR-02] no event changes an order, only a command does: the application serves no operation to send one', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ order: plainOrder('a') })
  const [created] = await wire.poll()
  const event = { ...created!, eventId: 'mine', eventType: 'CONFIRMED' }
  for (const path of ['/events', '/events:polling', '/webhooks/orders', `/orders/${orderId}`])
    expect([path, (await wire.send('POST', path, { body: event })).status]).toEqual([path, 404])
  // Emitting one by an operator changes nothing either.
  await wire.session.submit({ kind: 'event.emit', orderId, eventType: 'CONFIRMED', force: true })
  await wire.pass(orderProcessingMs)
  expect((await wire.read(orderId)).status).toBe('CREATED')
})

test('[ORD-EVR-05] consecutive informational events leave the status unchanged', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'DELIVERY' })
  await wire.bring(orderId, 'IN_DELIVERY')
  await wire.drain()
  for (const [type] of courier) await emit(wire, orderId, type)
  await emit(wire, orderId, 'PREPARATION_REQUESTED')
  expect(await wire.drain(orderId)).toHaveLength(5)
  expect((await wire.read(orderId)).status).toBe('IN_DELIVERY')
})

test('[ORD-UND-07] a courier event is accepted with 202 and changes no status, however often it is sent', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'DELIVERY' })
  await wire.bring(orderId, 'IN_DELIVERY')
  const body = {
    deliveryTrackingInfo: {
      event: { type: 'ARRIVED', datetime: '2026-01-05T15:00:00Z' },
      deliveryPerson: { name: 'Joana' },
      geoLocalization: { latitude: -23.5, longitude: -46.6 },
      anythingElse: { of: ['ours'] },
    },
  }
  for (const each of [body, body, {}, undefined])
    expect(await wire.ask(orderId, 'tracking', each)).toBe(202)
  await wire.pass(orderProcessingMs)
  expect((await wire.read(orderId)).status).toBe('IN_DELIVERY')
  expect(await wire.ask('nobody', 'tracking', body)).toBe(404)
})

test('[ORD-UND-07] it is off unless declared', async () => {
  await using wire = await openOrdersWire({
    conduct: { withheldOperations: ['sendOrderTracking'] },
  })
  const orderId = await wire.create()
  expect(await wire.ask(orderId, 'tracking', {})).toBe(404)
  const { text } = await wire.send('GET', '/.well-known/protocol')
  expect(text).toContain('"unsupportedOperations":["sendOrderTracking"]')
})

test('[ORD-OPS-02] to acknowledge an event of an earlier session is no finding, to acknowledge an unknown id breaks AK-3', async () => {
  const outcomeOf = async (events: readonly OrderEvent[]) => {
    await using wire = await openOrdersWire()
    expect((await wire.acknowledge(events)).status).toBe(202)
    const { verdicts } = await wire.session.look({ verdicts: true })
    return verdicts?.find(({ id }) => id === 'AK-3')?.outcome
  }
  await using earlier = await openOrdersWire({ seed: 2 })
  await earlier.create()
  const [event] = await earlier.poll()
  if (!event) throw new Error('no event was polled')
  expect(await outcomeOf([event])).toBe('passed')
  expect(await outcomeOf([{ ...event, eventId: event.orderId }])).toBe('failed')
})
