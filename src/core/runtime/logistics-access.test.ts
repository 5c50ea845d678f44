/** Access control of Logistics: scopes, credentials per application, and bad input. */
import { afterEach, describe, expect, test } from 'vitest'
import {
  dropoffPlace,
  type LogisticsWire,
  openLogisticsWire,
  pickupPlace,
  deliveryRequest,
} from '../../../test/support/logistics-wire.ts'
import { openDeliverySession } from '../../../test/support/delivery-session.ts'

let wire: LogisticsWire
afterEach(() => wire.session.close())

const reads = [
  ['POST', '/logistics/availability'],
  ['GET', '/logistics/delivery/o'],
] as const
const writes = [
  '/logistics/delivery',
  '/logistics/delivery/o/ready-for-pickup',
  '/logistics/delivery/o/collected',
  '/logistics/delivery/o/delivered',
  '/logistics/delivery/o/problem',
  '/logistics/delivery/o/cancel',
].map((path) => ['POST', path] as const)

/** The status of every operation with a token of this scope. */
async function tried(scope: string, paths: readonly (readonly [string, string])[]) {
  const token = await wire.token(scope)
  const statuses: number[] = []
  for (const [method, path] of paths) {
    const body = { ...deliveryRequest('o'), problemCode: 'OTHER' }
    const answer = await wire.send(method, path, {
      token,
      ...(method === 'GET' ? {} : { body }),
    })
    statuses.push(answer.status)
  }
  return statuses
}
const forbidden = (statuses: readonly number[]) => statuses.map((status) => status === 403)
const all = <Value>(value: Value, { length }: readonly unknown[]) =>
  Array.from({ length }, () => value)

describe('scopes', () => {
  test('[AUT-SCO-02] logistics.read allows availability and GET, and no mutation', async () => {
    wire = await openLogisticsWire()
    await wire.create('o')
    expect(await tried('logistics.read', reads)).toEqual([200, 200])
    const facts = wire.session.facts().length
    expect(await tried('logistics.read', writes)).toEqual(all(403, writes))
    expect(wire.facts('delivery.requested')).toEqual([])
    expect(wire.session.facts().length - facts).toBe(1)
  })

  test('[AUT-SCO-03] logistics.write allows creation and progress, and no reading', async () => {
    wire = await openLogisticsWire()
    expect(forbidden(await tried('logistics.write', writes))).toEqual(all(false, writes))
    expect(await tried('logistics.write', reads)).toEqual([403, 403])
  })

  test('[AUT-TEN-03] the domain scope and proto.all are accepted too, except in strict mode', async () => {
    const every = [...reads, ...writes]
    wire = await openLogisticsWire()
    for (const scope of ['proto.logistics', 'proto.all'])
      expect(forbidden(await tried(scope, every))).toEqual(all(false, every))
    for (const scope of ['proto.orders', 'logistics.events.write'])
      expect(await tried(scope, every)).toEqual(all(403, every))
    await wire.session.close()
    wire = await openLogisticsWire({ conduct: { strict: true } })
    expect(await tried('proto.logistics', every)).toEqual(all(403, every))
    expect(forbidden(await tried('logistics.read', reads))).toEqual([false, false])
  })

  test('without a token: 401', async () => {
    wire = await openLogisticsWire()
    for (const [method, path] of [...reads, ...writes])
      expect((await wire.send(method, path, { token: null })).status).toBe(401)
  })

  test('[AUT-SCO-04] a consumer accepts events with logistics.events.write, and with no other fine scope', async () => {
    wire = await openLogisticsWire()
    await using shipper = await openDeliverySession()
    const ask = async (scope: string): Promise<number> => {
      const token = await shipper.token(scope)
      const body = { orderId: 'o' }
      return (await shipper.send('POST', '/webhooks/delivery', { token, body })).status
    }
    expect(await ask('logistics.events.write')).toBe(204)
    expect(await ask('proto.logistics')).toBe(204)
    expect(await ask('logistics.write')).toBe(403)
    expect(await ask('proto.orders')).toBe(403)
  })
})

describe('credentials', () => {
  test('[AUT-CRE-02] made per merchant get no token from the platform', async () => {
    const merchants = ['loja-7']
    wire = await openLogisticsWire({
      clients: [{ clientId: 'store-7', clientSecret: 's', role: 'software-service', merchants }],
    })
    const answer = await wire.send('POST', '/oauth/token', {
      token: null,
      body: { client_id: 'store-7', client_secret: 's' },
    })
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('per application')
  })

  test('[AUT-CRE-02] are declared by_app in its manifest, and a consumer uses one client for every store', async () => {
    wire = await openLogisticsWire()
    const manifest = await wire.send('GET', '/.well-known/protocol', { token: null })
    expect(manifest.json).toMatchObject({ authentication: { clientIdGeneration: ['by_app'] } })
    await using shipper = await openDeliverySession()
    for (let count = 0; count < 5; count++) await shipper.createConfirmed()
    const { of, calls } = shipper.platform
    const forms = of('token').map(({ text }) => new URLSearchParams(text))
    expect(new Set(forms.map((form) => form.get('client_id'))).size).toBe(1)
    const merchants = calls.map(({ json }) => json['merchantId']).filter(Boolean)
    expect(new Set(merchants).size).toBeGreaterThan(1)
    expect(forms[0]?.get('scope')).toContain('logistics.read logistics.write')
    expect(forms[0]?.get('scope')).not.toContain('all')
  })
})

describe('[LOG-UND-04] calls of any authorized consumer', () => {
  test('are accepted for collected, delivered and problem, whoever created the delivery', async () => {
    wire = await openLogisticsWire({
      clients: [{ clientId: 'other', clientSecret: 's', role: 'software-service' }],
    })
    await wire.create('o')
    await wire.bring('o', 'ASSIGNED')
    const granted = await wire.send('POST', '/oauth/token', {
      token: null,
      body: { client_id: 'other', client_secret: 's' },
    })
    const token = (granted.json as { access_token: string }).access_token
    const calls = ['collected', 'problem', 'delivered']
    for (const call of calls) {
      const answer = await wire.send('POST', `/logistics/delivery/o/${call}`, {
        token,
        body: { problemCode: 'OTHER' },
      })
      expect(`${call} ${answer.status}`).toBe(`${call} 202`)
      await wire.pass(200)
    }
    expect(await wire.read('o')).toMatchObject({ status: 'DELIVERED', problems: [{}] })
  })
})

describe('bad input', () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['/logistics/availability', {}, 'pickup'],
    ['/logistics/availability', { pickup: pickupPlace }, 'dropoff'],
    ['/logistics/availability', { origin: {} }, 'destination'],
    ['/logistics/availability', { pickup: 'Rua A', dropoff: dropoffPlace }, 'pickup'],
    [
      '/logistics/availability',
      { pickup: pickupPlace, dropoff: dropoffPlace, orderId: 7 },
      'orderId',
    ],
    [
      '/logistics/availability',
      { pickup: pickupPlace, dropoff: dropoffPlace, scheduledFor: 'soon' },
      'scheduledFor',
    ],
    ['/logistics/delivery', {}, 'orderId'],
    ['/logistics/delivery', [], 'expected an object'],
    ['/logistics/delivery', deliveryRequest(''), 'orderId'],
    ['/logistics/delivery', deliveryRequest('x'.repeat(201)), 'orderId'],
    ['/logistics/delivery', { ...deliveryRequest('o'), merchant: undefined }, 'merchant'],
    ['/logistics/delivery', { ...deliveryRequest('o'), dropoff: null }, 'dropoff'],
    ['/logistics/delivery', { orderId: 'o', merchantId: 'm', origin: {} }, 'destination'],
    [
      '/logistics/delivery',
      deliveryRequest('o', { scheduledPickupAt: 'today' }),
      'scheduledPickupAt',
    ],
    ['/logistics/delivery/there/problem', { problemCode: 7 }, 'problemCode'],
    ['/logistics/delivery/there/problem', { description: 'x' }, 'problemCode'],
    [
      '/logistics/delivery/there/problem',
      { problemCode: 'OTHER', recoverable: 'no' },
      'recoverable',
    ],
    ['/logistics/delivery/there/cancel', { cancellationCode: {} }, 'cancellationCode'],
    ['/logistics/delivery/there/cancel', { reason: 'x'.repeat(2001) }, 'reason'],
    ['/logistics/delivery/there/collected', { pickupDate: 'yesterday' }, 'pickupDate'],
    ['/logistics/delivery/there/delivered', { finishDate: 5 }, 'finishDate'],
    ['/logistics/delivery/there/ready-for-pickup', { observation: 5 }, 'observation'],
  ]

  test('is answered with 400 that names the field, and has no effect', async () => {
    wire = await openLogisticsWire()
    await wire.create('there')
    await wire.bring('there', 'IN_TRANSIT')
    for (const [path, body, field] of wrong) {
      const facts = wire.session.facts().length
      const answer = await wire.send('POST', path, { body })
      expect(`${path} ${answer.status}`).toBe(`${path} 400`)
      expect(answer.text).toContain(field)
      expect(wire.session.facts().length).toBe(facts)
    }
    expect((await wire.read('there')).status).toBe('IN_TRANSIT')
  })

  test('is never answered with 500', async () => {
    wire = await openLogisticsWire()
    const odd = ['null', '"text"', '7', '[]', '{"orderId":{}}', '{', '{"pickup":{"address":7}}']
    for (const [, path] of writes.concat([['POST', '/logistics/availability']]))
      for (const text of odd)
        expect((await wire.send('POST', path, { text })).status).toBeLessThan(500)
    const deep = {
      pickup: { address: { coordinates: { latitude: {}, longitude: [] } } },
      dropoff: {},
    }
    expect((await wire.send('POST', '/logistics/availability', { body: deep })).status).toBe(200)
  })
})
