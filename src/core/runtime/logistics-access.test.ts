/** Access control of Logistics: credentials per application, calls of other consumers, and bad input. */
import { afterEach, describe, expect, test } from 'vitest'
import {
  dropoffPlace,
  type LogisticsWire,
  openLogisticsWire,
} from '../../../test/support/logistics-wire.ts'
import { openDeliverySession } from '../../../test/support/delivery-session.ts'

let wire: LogisticsWire
afterEach(() => wire.session.close())

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

test('bad input beyond the schema is answered with 400 that names the field, and has no effect', async () => {
  wire = await openLogisticsWire()
  await wire.create('there')
  await wire.bring('there', 'IN_TRANSIT')
  for (const [path, body, field] of [
    ['/logistics/availability', { origin: {} }, 'destination'],
    ['/logistics/availability', { pickup: 'Rua A', dropoff: dropoffPlace }, 'pickup'],
    ['/logistics/delivery', [], 'expected an object'],
    ['/logistics/delivery', { orderId: 'o', merchantId: 'm', origin: {} }, 'destination'],
    ['/logistics/delivery/there/problem', { description: 'x' }, 'problemCode'],
  ] as const) {
    const facts = wire.session.facts().length
    const answer = await wire.send('POST', path, { body })
    expect(`${path} ${answer.status}`).toBe(`${path} 400`)
    expect(answer.text).toContain(field)
    expect(wire.session.facts().length).toBe(facts)
  }
  expect((await wire.read('there')).status).toBe('IN_TRANSIT')
})
