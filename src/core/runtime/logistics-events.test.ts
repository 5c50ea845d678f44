/** How a consumer learns of its deliveries: by webhook in push mode, by GET only in pull mode. */
import { afterEach, describe, expect, test } from 'vitest'
import { deliveryEventTypes } from '../protocol/logistics/events.ts'
import {
  type LogisticsWire,
  type LogisticsWireOptions,
  openLogisticsWire,
} from '../../../test/support/logistics-wire.ts'
import type { HostCall } from '../../../test/support/scripted-host.ts'

let wire: LogisticsWire
const open = async (options: LogisticsWireOptions = {}): Promise<void> => {
  wire = await openLogisticsWire(options)
  await wire.pass(0)
}
afterEach(() => wire.session.close())

/** A whole delivery: created, ready at once, and run until it is final. */
async function life(orderId: string): Promise<readonly HostCall[]> {
  await wire.create(orderId)
  await wire.ask(orderId, 'ready-for-pickup')
  await wire.pass(60_000)
  return wire.hooks.filter(({ json }) => json['orderId'] === orderId)
}
const types = (hooks: readonly HostCall[]) => hooks.map(({ json }) => json['eventType'])

describe('push', () => {
  test('[LOG-EVT-02, LOG-UND-06] every step is sent to the delivery’s creator, in order', async () => {
    await open()
    const hooks = await life('o')
    expect(types(hooks)).toEqual([
      'PENDING',
      'ACCEPTED',
      'ARRIVED_AT_MERCHANT',
      'ORDER_PICKED',
      'DELIVERY_ONGOING',
      'ARRIVED_AT_CUSTOMER',
      'ORDER_DELIVERED',
    ])
    expect(hooks.map(({ json }) => json['status'])).toEqual([
      'PENDING',
      'ASSIGNED',
      'ASSIGNED',
      'IN_TRANSIT',
      'IN_TRANSIT',
      'IN_TRANSIT',
      'DELIVERED',
    ])
    for (const { path } of hooks) expect(path).toBe('/webhooks/delivery')
  })

  test('[LOG-UND-06] the payload has the known data: courier, place, price and estimate', async () => {
    await open()
    const hooks = await life('o')
    const picked = hooks.find(({ json }) => json['eventType'] === 'ORDER_PICKED')
    expect(picked?.json).toMatchObject({
      eventId: expect.any(String),
      orderDisplayId: 'o',
      merchant: { id: 'loja-1', name: 'Loja Um' },
      event: { type: 'ORDER_PICKED', datetime: expect.any(String) },
      customerName: 'Ana',
      deliveryPrice: { price: { value: expect.any(Number), currency: 'BRL' } },
      deliveryPerson: { id: expect.any(String), name: expect.any(String) },
      geoLocalization: { latitude: -23.551, longitude: -46.656 },
      eta: { updateMethod: 'ONLINE', deliveryEtaDatetime: expect.any(String) },
    })
    expect(new Set(hooks.map(({ json }) => json['eventId'])).size).toBe(hooks.length)
  })

  test('[LOG-UND-06] names and payload are configurable: one event for every change, six fields', async () => {
    await open({ conduct: { logistics: { eventNames: 'status', eventPayload: 'plain' } } })
    const hooks = await life('o')
    expect(new Set(types(hooks))).toEqual(new Set(['delivery.status_changed']))
    expect(hooks.map(({ json }) => json['status'])).toEqual([
      'PENDING',
      'ASSIGNED',
      'IN_TRANSIT',
      'DELIVERED',
    ])
    for (const { json } of hooks)
      expect(Object.keys(json)).toEqual([
        'eventId',
        'eventType',
        'orderId',
        'deliveryId',
        'status',
        'occurredAt',
      ])
  })

  test('the discovery enum’s names are used when configured', async () => {
    await open({ conduct: { logistics: { eventNames: 'manifest' } } })
    expect(types(await life('o'))).toEqual([
      'LOGISTICS_CREATED',
      'LOGISTICS_ASSIGNED',
      'LOGISTICS_PICKED_UP',
      'LOGISTICS_DELIVERED',
    ])
  })

  test('a problem, a failure, a cancel and a rejection are sent as well', async () => {
    await open()
    await wire.create('o')
    await wire.bring('o', 'IN_TRANSIT')
    await wire.ask('o', 'problem', { problemCode: 'FRAUD_OR_THEFT', recoverable: false })
    await wire.pass(60_000)
    const last = wire.hooks.slice(-2).map(({ json }) => json)
    expect(last).toMatchObject([
      {
        eventType: 'DELIVERY_ONGOING',
        problem: [{ reason: 'FRAUD_OR_THEFT', canFinishDeliver: false }],
      },
      { eventType: 'RETURNED_TO_MERCHANT', status: 'FAILED', problem: [{}] },
    ])
    await wire.create('cancelled')
    await wire.ask('cancelled', 'cancel')
    await wire.pass(500)
    expect(wire.hooks.at(-1)?.json).toMatchObject({ eventType: 'CANCELLED', status: 'CANCELLED' })
    await wire.create('rejected')
    await wire.session.submit({
      kind: 'delivery.apply',
      orderId: 'rejected',
      trigger: 'cancel',
      because: 'VEHICLE_NOT_AVAILABLE',
      rejects: true,
    })
    await wire.pass(500)
    expect(wire.hooks.at(-1)?.json).toMatchObject({
      eventType: 'REJECTED',
      status: 'CANCELLED',
      event: { rejectionInfo: { reason: 'VEHICLE_NOT_AVAILABLE' } },
    })
  })

  test('an event that is not accepted is sent again with the same bytes; any 2xx accepts it', async () => {
    await open({ reply: (nth) => (nth === 1 ? 503 : 202) })
    await wire.create('o')
    await wire.pass(900)
    expect(wire.hooks).toHaveLength(1)
    await wire.pass(600)
    const pending = wire.hooks.filter(({ json }) => json['status'] === 'PENDING')
    expect(pending).toHaveLength(2)
    expect(pending[1]?.json).toEqual(pending[0]?.json)
    expect(wire.facts('event.pushed').length).toBeGreaterThan(0)
  })

  test('a Software Service that created the delivery gets its events too', async () => {
    await open({ consumer: 'software-service' })
    expect(types(await life('o'))).toContain('ORDER_DELIVERED')
  })

  test('a consumer that does not declare Logistics gets no events, and its deliveries run all the same', async () => {
    await open({ declaresLogistics: false })
    expect(await life('o')).toEqual([])
    expect((await wire.read('o')).status).toBe('DELIVERED')
  })
})

describe('pull', () => {
  test('[LOG-EVT-02, DIS-LOG-03] no event is sent: GET shows every status', async () => {
    await open({ counterparts: { 'delivery-platform': { trackingMode: 'pull' } } })
    await wire.create('o')
    await wire.ask('o', 'ready-for-pickup')
    const seen = new Set<string>()
    for (let second = 0; second < 40; second++) {
      seen.add((await wire.read('o')).status)
      await wire.pass(1000)
    }
    expect([...seen]).toEqual(['PENDING', 'ASSIGNED', 'IN_TRANSIT', 'DELIVERED'])
    expect(wire.hooks).toEqual([])
  })
})

describe('the manifest', () => {
  const block = async (notation: 'array' | 'keyed', trackingMode: 'push' | 'pull') => {
    await open({
      conduct: { manifestNotation: notation },
      counterparts: { 'delivery-platform': { trackingMode } },
    })
    const answer = await wire.send('GET', '/.well-known/protocol', { token: null })
    const { capabilities } = answer.json as {
      capabilities: Record<string, unknown> | { name: string }[]
    }
    const found = Array.isArray(capabilities)
      ? capabilities.find(({ name }) => name === 'logistics')
      : capabilities['logistics']
    return found as Record<string, unknown>
  }

  test.each(['array', 'keyed'] as const)(
    '[DIS-LOG-01, DIS-LOG-02, DIS-LOG-03] has baseUrl, the three operations and the tracking mode (%s)',
    async (notation) => {
      expect(await block(notation, 'push')).toMatchObject({
        baseUrl: 'http://delivery-platform.test',
        endpoint: 'http://delivery-platform.test',
        operations: ['availability', 'delivery', 'tracking'],
        trackingMode: 'push',
        originator: { supportsWebhook: true, supportedEvents: [...deliveryEventTypes] },
      })
      await wire.session.close()
      expect(await block(notation, 'pull')).toMatchObject({
        trackingMode: 'pull',
        originator: { supportsWebhook: false, supportsPolling: true },
      })
    },
  )
})
