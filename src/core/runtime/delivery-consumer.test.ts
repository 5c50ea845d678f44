/**
 * The Ordering Application and the Software Service as consumers of a scripted Delivery Platform: their calls, the
 * order of those, and their reaction to the answers.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { createPlatform, openPlatform } from '../../../test/support/scripted-delivery-platform.ts'
import {
  openDeliverySession,
  type DeliverySession,
  type DeliverySessionOptions,
} from '../../../test/support/delivery-session.ts'

let shipper: DeliverySession
const open = async (options: DeliverySessionOptions = {}): Promise<void> => {
  shipper = await openDeliverySession(options)
}
afterEach(() => shipper.session.close())

const unavailable = () => ({ available: false, unavailableReason: 'OUT_OF_COVERAGE' })

describe('requesting a delivery', () => {
  test('no delivery for other orders, nor for orders that are not confirmed', async () => {
    await open()
    for (const type of ['TAKEOUT', 'INDOOR'] as const) await shipper.createConfirmed({ type })
    await shipper.session.createOrder({ type: 'DELIVERY' })
    await shipper.pass(60_000)
    expect(shipper.platform.names()).toEqual([])
  })

  test('[LOG-FLD-04, LOG-OPS-01, LOG-OPS-02] origin and destination are sent, each with address and contact', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    const place = { address: { coordinates: {} }, contact: {} }
    const [asked, created] = shipper.platform.calls.map(({ json }) => json)
    expect(asked).toMatchObject({
      orderId,
      pickup: place,
      dropoff: place,
      origin: {},
      destination: {},
    })
    expect(created).toMatchObject({
      orderId,
      merchant: { id: expect.any(String), name: expect.any(String), ...place },
      pickup: place,
      dropoff: { address: { street: expect.any(String) }, contact: { phone: expect.any(String) } },
      customer: { name: expect.any(String) },
    })
    // The same store has the same location for every order.
    const other = await shipper.createConfirmed({ items: 1 })
    const places = new Map(
      shipper.platform.calls
        .filter(({ path }) => path === '/logistics/delivery')
        .map(({ json }) => [json['merchantId'], json['origin']]),
    )
    expect(other).not.toBe(orderId)
    for (const { json } of shipper.platform.calls)
      if (json['merchantId'] && json['origin'])
        expect(json['origin']).toEqual(places.get(json['merchantId']))
  })

  test('[LOG-UND-02, LOG-UND-05] in the documents’ names, or in the public standard’s, when configured', async () => {
    await open({ conduct: { logistics: { names: 'documents' } } })
    await shipper.createConfirmed()
    for (const { json } of shipper.platform.calls) {
      expect(json).toHaveProperty('pickup')
      expect(json).not.toHaveProperty('origin')
    }
    await shipper.session.close()
    await open({ conduct: { logistics: { names: 'standard' } } })
    await shipper.createConfirmed()
    for (const { json } of shipper.platform.calls) {
      expect(json).toMatchObject({ merchantId: expect.any(String), origin: {}, destination: {} })
      expect(json).not.toHaveProperty('pickup')
    }
  })

  test('switched off by configuration, an Ordering Application requests no delivery', async () => {
    await open({ counterparts: { 'ordering-application': { deliveries: false } } })
    await shipper.createConfirmed()
    expect(shipper.platform.names()).toEqual([])
  })

  test('no business call before the manifest is valid; pending deliveries are requested as soon as it is', async () => {
    let published = false
    await open({ platform: { published: () => published }, conduct: { manifest: 'require' } })
    const orderId = await shipper.createConfirmed()
    await shipper.pass(20_000)
    expect(shipper.platform.names()).toEqual([])
    expect(await shipper.shipment(orderId)).toMatchObject({ phase: 'waiting' })
    published = true
    await shipper.pass(60_000)
    expect(shipper.platform.names().slice(0, 2)).toEqual(['availability', 'create'])
  })

  test('a platform that does not declare Logistics is not called, and the order goes on', async () => {
    await open({ platform: { declaresLogistics: false } })
    const orderId = await shipper.createConfirmed()
    expect(shipper.platform.names()).toEqual([])
    expect(await shipper.shipment(orderId)).toMatchObject({ ended: 'no platform' })
    await shipper.move(orderId, 'preparing')
    expect(await shipper.status(orderId)).toBe('PREPARING')
  })
})

describe('other platforms', () => {
  test('[LOG-CON-02] when no platform is left the shipment ends, and the order goes on', async () => {
    await open({ platform: { availability: unavailable } })
    const orderId = await shipper.createConfirmed()
    expect(shipper.platform.names()).toEqual(['availability'])
    expect(await shipper.shipment(orderId)).toMatchObject({ phase: 'over', ended: 'no platform' })
    for (const trigger of ['preparing', 'ready-for-pickup', 'dispatch', 'delivered'] as const)
      await shipper.move(orderId, trigger)
    expect(await shipper.status(orderId)).toBe('DELIVERED')
    expect(shipper.platform.names()).toEqual(['availability'])
  })

  test('a platform that refuses availability or creation is skipped', async () => {
    await using second = await openPlatform({
      status: (call) => (call === 'create' ? 422 : undefined),
    })
    await using third = await openPlatform()
    await open({
      platform: { status: (call) => (call === 'availability' ? 403 : undefined) },
      counterparts: { 'delivery-platform': { others: [second.url, third.url] } },
    })
    await shipper.createConfirmed()
    expect(shipper.platform.names()).toEqual(['availability'])
    expect(second.names()).toEqual(['availability', 'create'])
    expect(third.names()).toEqual(['availability', 'create'])
  })

  test('a platform whose manifest is required and missing is awaited for a while, and then skipped', async () => {
    await using silent = await openPlatform({ published: () => false })
    await open({
      platform: { availability: unavailable },
      counterparts: { 'delivery-platform': { others: [silent.url] } },
      conduct: { manifest: 'require' },
    })
    const orderId = await shipper.createConfirmed()
    expect(await shipper.shipment(orderId)).toMatchObject({ phase: 'waiting' })
    await shipper.pass(60_000)
    expect(await shipper.shipment(orderId)).toMatchObject({ ended: 'no platform' })
    expect(silent.calls).toEqual([])
  })

  test('a platform without a manifest is taken to serve the standard paths', async () => {
    await using bare = await openPlatform({ published: () => false })
    await open({
      platform: { availability: unavailable },
      counterparts: { 'delivery-platform': { others: [bare.url] } },
    })
    await shipper.createConfirmed()
    await shipper.pass(60_000)
    expect(bare.names().slice(0, 2)).toEqual(['availability', 'create'])
  })

  test('after a creation without an answer, the platform is asked for the delivery before the next one is tried', async () => {
    await using second = await openPlatform()
    const platform = createPlatform()
    // Every creation arrives, and its answer is lost.
    const flaky = {
      ...platform,
      fetch: async (request: Request) => {
        const { pathname } = new URL(request.url)
        const answer = await platform.fetch(request)
        if (pathname === '/logistics/delivery') throw new TypeError('the connection went down')
        return answer
      },
    }
    await open({
      platform: flaky,
      counterparts: { 'delivery-platform': { others: [second.url] } },
    })
    const orderId = await shipper.createConfirmed()
    await shipper.pass(20_000)
    const creations = Array.from({ length: 5 }, () => 'create')
    expect(platform.names()).toEqual(['availability', ...creations, 'get'])
    expect(second.names()).toEqual([])
    expect(await shipper.shipment(orderId)).toMatchObject({ phase: 'open', status: 'PENDING' })
  })
})

describe('a creation that takes long', () => {
  test('another read that comes before it is answered 404, and the delivery is created all the same', async () => {
    await open({ faults: [{ 'slow-response': { operation: 'createDelivery', by: '3s' } }] })
    const { platform } = shipper
    const orderId = await shipper.createConfirmed()
    expect(await shipper.shipment(orderId)).toMatchObject({ phase: 'creating' })
    const call = { from: 'ordering-application', to: 'delivery-platform' } as const
    const asked = await shipper.session.submit({
      kind: 'call.place',
      call: { ...call, attempt: 1, operation: 'getDelivery', params: { orderId } },
    })
    expect(asked).toMatchObject({ ok: true })
    await shipper.pass(1000)
    expect(platform.names()).toEqual(['availability', 'get'])
    await shipper.pass(3000)
    expect(await shipper.shipment(orderId)).toMatchObject({ phase: 'open' })
    await shipper.move(orderId, 'preparing')
    await shipper.move(orderId, 'ready-for-pickup')
    expect(platform.names()).toContain('ready-for-pickup')
  })
})

describe('a call that is wrong on purpose', () => {
  test.each([
    [403, /^wrong on purpose: its token has another scope(?:; (?!accept|your service).*)?$/],
    [500, /^wrong on purpose: its token has another scope/],
  ])(
    'is said to be so, and no advice tells the platform to take it: %d',
    async (status, reason) => {
      await open({ platform: { status: (name) => (name === 'get' ? status : undefined) } })
      const orderId = await shipper.createConfirmed()
      const call = { from: 'ordering-application', to: 'delivery-platform' } as const
      const trial = 'its token has another scope'
      await shipper.session.submit({
        kind: 'call.place',
        call: { ...call, trial, attempt: 1, operation: 'getDelivery', params: { orderId } },
      })
      await shipper.pass(1000)
      const { traffic } = await shipper.session.look({ traffic: { limit: 100 } })
      expect(traffic.find(({ operation }) => operation === 'getDelivery')?.reason).toMatch(reason)
    },
  )
})

describe('tracking', () => {
  test('[LOG-CON-05] in pull mode it polls until the delivery is final, and then stops', async () => {
    await open({ platform: { trackingMode: 'pull' } })
    const orderId = await shipper.createConfirmed()
    const gets = () => shipper.platform.names().filter((name) => name === 'get').length
    for (const status of ['ASSIGNED', 'IN_TRANSIT', 'DELIVERED']) {
      const before = gets()
      await shipper.pass(61_000)
      expect(gets()).toBeGreaterThan(before)
      shipper.platform.statuses.set(orderId, status)
    }
    await shipper.pass(61_000)
    expect(await shipper.shipment(orderId)).toMatchObject({
      ended: 'delivered',
      way: [
        { status: 'PENDING' },
        { status: 'ASSIGNED' },
        { status: 'IN_TRANSIT' },
        { status: 'DELIVERED' },
      ],
    })
    const after = gets()
    await shipper.pass(600_000)
    expect(gets()).toBe(after)
  })

  test('[LOG-CON-05, LOG-CON-03] in push mode it relies on events, and takes no status from a 202', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    expect(await shipper.shipment(orderId)).not.toHaveProperty('status')
    const events = ['PENDING', 'ACCEPTED', 'ORDER_PICKED', 'ORDER_DELIVERED']
    for (const [index, eventType] of events.entries()) {
      await shipper.pass(20_000)
      expect(await shipper.push({ orderId, eventId: String(index), eventType })).toBe(204)
    }
    expect(await shipper.shipment(orderId)).toMatchObject({
      ended: 'delivered',
      status: 'DELIVERED',
    })
    await shipper.pass(600_000)
    expect(shipper.platform.names()).toEqual(['availability', 'create'])
  })

  test('a platform that is silent in push mode is polled after a while, for a limited time', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    await shipper.pass(65_000)
    expect(shipper.platform.names()).toEqual(['availability', 'create', 'get'])
    await shipper.session.settle()
    expect(await shipper.shipment(orderId)).toMatchObject({ stuck: true, support: true })
    const count = shipper.platform.calls.length
    await shipper.pass(3_600_000)
    expect(shipper.platform.calls.length).toBe(count)
  })

  test('a duplicate event counts once; events out of order undo nothing', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    const push = (eventId: string, eventType: string) =>
      shipper.push({ orderId, eventId, eventType })
    expect(await push('1', 'ORDER_PICKED')).toBe(204)
    expect(await push('1', 'ORDER_PICKED')).toBe(204)
    expect(await push('2', 'ACCEPTED')).toBe(204)
    expect(shipper.facts('shipment.heard-again')).toHaveLength(1)
    expect(await shipper.shipment(orderId)).toMatchObject({
      status: 'IN_TRANSIT',
      way: [{ status: 'IN_TRANSIT' }],
    })
    await push('3', 'ORDER_DELIVERED')
    await push('4', 'CANCELLED')
    expect(await shipper.shipment(orderId)).toMatchObject({ ended: 'delivered' })
  })

  test('[LOG-UND-06] any object with an orderId is accepted, on either path; one without is refused', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    expect(await shipper.push({ orderId, anything: [1] }, '/logistics/events')).toBe(204)
    expect(await shipper.push({ orderId: 'a-stranger', status: 'LOST' })).toBe(204)
    expect(
      await shipper.push({ orderId, eventType: 'delivery.status_changed', status: 'ASSIGNED' }),
    ).toBe(204)
    expect(await shipper.shipment(orderId)).toMatchObject({ status: 'ASSIGNED' })
    expect(await shipper.push({ deliveryId: 'd' })).toBe(400)
  })

  test('events of an earlier delivery of the same order are ignored', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    await shipper.push({ orderId, deliveryId: 'another', eventType: 'CANCELLED' })
    expect(await shipper.shipment(orderId)).toMatchObject({ phase: 'open' })
  })

  test('[LOG-OPS-04] food ready before the delivery exists is reported as soon as it does', async () => {
    let published = false
    await open({ platform: { published: () => published } })
    const orderId = await shipper.createConfirmed()
    await shipper.move(orderId, 'ready-for-pickup')
    published = true
    await shipper.pass(60_000)
    expect(shipper.platform.names().slice(0, 3)).toEqual([
      'availability',
      'create',
      'ready-for-pickup',
    ])
  })
})

describe('an order and its delivery', () => {
  test('[LOG-EVT-01] no event of the delivery changes the status of the order', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    for (const eventType of ['ACCEPTED', 'ORDER_PICKED', 'ARRIVED_AT_CUSTOMER', 'ORDER_DELIVERED'])
      await shipper.push({ orderId, eventId: eventType, eventType })
    await shipper.pass(600_000)
    expect(await shipper.status(orderId)).toBe('CONFIRMED')
    const failed = await shipper.createConfirmed()
    await shipper.push({ orderId: failed, status: 'FAILED' })
    expect(await shipper.shipment(failed)).toMatchObject({ ended: 'failed' })
    expect(await shipper.status(failed)).toBe('CONFIRMED')
  })

  test('the Ordering Application may report the courier by informational events', async () => {
    await open({ counterparts: { 'ordering-application': { courierEvents: true } } })
    const orderId = await shipper.createConfirmed()
    const hear = (eventType: string) => shipper.push({ orderId, eventId: eventType, eventType })
    await hear('ACCEPTED')
    await hear('PICKUP_ONGOING')
    await hear('ARRIVED_AT_MERCHANT')
    // No courier is on the way to the customer before the order is ready.
    await hear('DELIVERY_ONGOING')
    await shipper.move(orderId, 'ready-for-pickup')
    await shipper.move(orderId, 'dispatch')
    await hear('ARRIVED_AT_CUSTOMER')
    await shipper.move(orderId, 'delivered')
    const emitted = shipper.facts('event.emitted').map(({ event }) => event.eventType)
    expect(emitted.slice(2)).toEqual([
      'PICKUP_ONGOING',
      'RIDER_ARRIVED_AT_STORE',
      'READY_FOR_PICKUP',
      'DISPATCHED',
      'ARRIVED_AT_CUSTOMER',
      'DELIVERED',
    ])
    expect(await shipper.status(orderId)).toBe('DELIVERED')
  })

  test('it emits no such events by default', async () => {
    await open()
    const orderId = await shipper.createConfirmed()
    await shipper.push({ orderId, eventType: 'ACCEPTED' })
    expect(shipper.facts('event.emitted').map(({ event }) => event.eventType)).toEqual([
      'CREATED',
      'CONFIRMED',
    ])
  })
})
