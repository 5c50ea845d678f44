/** Our clients in the dialect opendelivery-v2, at partners that are written by hand as the standard has them. */
import { describe, expect, test } from 'vitest'
import { openDeliverySession } from '../../../test/support/delivery-session.ts'
import { openIndoorSession } from '../../../test/support/indoor-session.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { createOriginator } from '../../../test/support/scripted-ordering-application.ts'
import { createPlatform } from '../../../test/support/scripted-delivery-platform.ts'
import { openSoftwareServiceSession } from '../../../test/support/software-service-session.ts'
import { standardBlocks, standardManifest } from '../../../test/support/standard-manifest.ts'
import { openLogisticsWire } from '../../../test/support/logistics-wire.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'
import { openCustomerWire } from '../../../test/support/customer-wire.ts'

const dialect = 'opendelivery-v2'
const { originatedOrders, receivedOrders, indoor, deliveries } = standardBlocks

describe('our Software Service at an Ordering Application (rows 1, 5, 6, 27, 30)', () => {
  test('takes its manifest, asks for a token with grant_type and no scope, and sends no X-Request-Id', async () => {
    const originator = createOriginator()
    const manifest = standardManifest({ orders: originatedOrders })
    originator.script('manifest', () => ({ status: 200, body: manifest }))
    await using store = await openSoftwareServiceSession({ dialect, originator })
    const order = minimalOrder('o-1', 'INDOOR', {
      fulfillment: {
        orderType: 'INDOOR',
        indoor: {
          operationMode: 'TABLE',
          identifier: '12',
          originChannel: { type: 'WHATSAPP' },
          consumptionType: 'DINE_IN',
          notifications: { whatsAppId: '55' },
        },
      },
    })
    originator.place(order)
    await store.pass(30_000)
    expect(store.facts('partner.accepted')).toMatchObject([
      { manifest: { participantId: manifest['appId'], versions: ['2.0.0-rc.2'] } },
    ])
    expect(store.facts('ticket.read')[0]).toMatchObject({
      order: {
        fulfillment: {
          indoor: { originChannel: { type: 'CHAT' }, notifications: { chatId: '55' } },
        },
      },
    })
    const [asked] = originator.callsOf('token')
    expect(asked?.json).toEqual({
      grant_type: 'client_credentials',
      client_id: expect.any(String) as string,
      client_secret: expect.any(String) as string,
    })
    const { calls } = originator
    expect(calls.map(({ name }) => name)).toContain('confirm')
    expect(calls.filter(({ headers }) => 'x-request-id' in headers)).toEqual([])
    originator.place(minimalOrder('o-2', 'TAKEOUT'))
    await store.pass(1100)
    await store.session.submit({ kind: 'ticket.cancel', orderId: 'o-2', request: {} })
    await store.pass(1000)
    expect(originator.callsOf('cancellation')[0]?.json).toEqual({
      reason: expect.any(String) as string,
      code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
      mode: 'MANUAL',
    })
  })
})

describe('our Ordering Application at an account host (rows 8, 24, 25, 26)', () => {
  test('takes a manifest without endpoint, reads BLOCKED and AVAILABLE, and transfers to an operational key', async () => {
    await using guests = await openIndoorSession({ dialect, automatic: false })
    const { host } = guests
    const manifest = standardManifest({ orders: receivedOrders, indoor })
    host.script('manifest', () => ({ status: 200, body: manifest }))
    const states: string[] = []
    const statusOf = async () => {
      const { entities } = await guests.session.look({ entities: { kind: 'account', limit: 10 } })
      return entities.map(({ id, status }) => `${id} ${status}`)
    }
    for (const [identifier, accountId] of [
      ['7', 'a-1'],
      ['8', 'a-2'],
    ] as const) {
      const orderId = await guests.order(identifier)
      const orders = [{ orderId, createdAt: '2026-01-05T15:00:00.000Z' }]
      host.open(accountId, { identifier, orders })
    }
    await guests.pass(3000)
    states.push(...(await statusOf()))
    await guests.session.submit({
      kind: 'table.transfer',
      tableId: 'a-1',
      targetTableId: 'a-2',
      force: true,
    })
    await guests.pass(1000)
    const [transfer] = host.of('transfer')
    expect(transfer?.query).toMatchObject({ operationMode: 'TABLE', identifier: '7' })
    expect(transfer?.json).toEqual({
      transferType: 'FULL_ACCOUNT',
      itemIds: expect.any(Array) as unknown[],
      target: { accountId: 'a-2', operationMode: 'TABLE', identifier: '8' },
    })
    for (const status of ['BLOCKED', 'AVAILABLE']) {
      host.accounts.get('a-1')!.status = status
      await guests.session.submit({ kind: 'table.look', tableId: 'a-1' })
      await guests.pass(1000)
      states.push(...(await statusOf()).filter((each) => each.startsWith('a-1')))
    }
    expect(states.toSorted()).toEqual(['a-1 CLOSED', 'a-1 IN_PAYMENT', 'a-1 IN_USE', 'a-2 IN_USE'])
  })
})

describe('our Ordering Application at a Delivery Platform (rows 9, 10, 11)', () => {
  const price = { price: { value: 9.5, currency: 'BRL' }, pricingList: 'NORMAL' }
  const platformOf = () => {
    const platform = createPlatform({ availability: () => ({ deliveryPrice: price }) })
    const manifest = standardManifest({ logistics: deliveries })
    platform.script('manifest', () => ({ status: 200, body: manifest }))
    return platform
  }

  test('asks in the names of the standard, and takes a quote without a flag for a yes', async () => {
    await using shipper = await openDeliverySession({ dialect, platform: platformOf() })
    const orderId = await shipper.createConfirmed()
    expect(shipper.platform.names()).toEqual(['availability', 'create'])
    const [asked, created] = shipper.platform.calls.map(({ json }) => json)
    for (const body of [asked, created]) {
      expect(body).toMatchObject({
        orderId,
        pickupAddress: { street: expect.any(String) as string },
        deliveryAddress: { city: expect.any(String) as string },
        returnToMerchant: false,
        vehicle: { container: 'NORMAL' },
      })
      for (const name of ['pickup', 'dropoff', 'origin', 'destination', 'price'])
        expect(body).not.toHaveProperty(name)
    }
    expect(created).toMatchObject({ customerName: expect.any(String) as string })
    expect(await shipper.shipment(orderId)).toMatchObject({
      phase: 'open',
      quote: { amount: 9.5, currency: 'BRL' },
    })
  })

  test('calls the paths of the standard, with its fields, and reads a delivery by its last event', async () => {
    await using shipper = await openDeliverySession({ dialect, platform: platformOf() })
    const orderId = await shipper.createConfirmed()
    const { platform } = shipper
    const calls = ['ready-for-pickup', 'collected', 'problem', 'delivered', 'cancel'] as const
    for (const call of calls) {
      const told = await shipper.session.submit({
        kind: 'shipment.call',
        role: 'ordering-application',
        orderId,
        call,
      })
      expect(told.ok).toBe(true)
      await shipper.pass(0)
    }
    const sent = platform.calls.slice(2).map(({ path, json }) => [path.split('/')[2], json])
    const instant = expect.stringMatching(/^2026-/) as string
    expect(sent).toEqual([
      ['readyForPickup', {}],
      ['orderPicked', { pickupDate: instant }],
      ['handleProblem', { reason: 'OTHER', action: 'DELIVER_PRODUCT' }],
      ['finishDelivery', { finishDate: instant }],
      ['cancel', { reason: 'PROBLEM_AT_MERCHANT' }],
    ])
    const events = ['PENDING', 'ACCEPTED', 'ORDER_PICKED'].map((type) => ({ type, datetime: 'x' }))
    platform.script('get', () => ({
      status: 200,
      body: { deliveryId: 'd-1', orderId, events, deliveryPerson: { name: 'Zé' } },
    }))
    const { round = 0 } = (await shipper.shipment(orderId)) ?? {}
    const role = 'ordering-application'
    await shipper.session.submit({ kind: 'shipment.read', role, orderId, round })
    await shipper.pass(0)
    expect(shipper.facts('shipment.read')).toMatchObject([
      { news: { status: 'IN_TRANSIT', deliveryId: 'd-1', courier: 'Zé' } },
    ])
  })
})

describe('our manifests (rows 6, 7, 8, 11, 28, 29)', () => {
  const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string
  const head = {
    appId: uuid,
    openDelivery: { currentVersion: '2.0.0', supportedVersions: ['2.0.0'] },
    discovery: { version: '1.0.0' },
    authentication: {
      supportedGrantTypes: ['client_credentials'],
      clientIdGeneration: expect.any(Array) as unknown[],
    },
  }

  test('of the Ordering Application: orders by the names of the standard', async () => {
    await using wire = await openOrdersWire({ dialect })
    const answer = await wire.send('GET', '/.well-known/opendelivery', { token: null })
    expect(answer.headers.get('cache-control')).toContain('max-age=300')
    expect(answer.json).toEqual({
      ...head,
      capabilities: {
        orders: {
          version: '2.0.0',
          supported: true,
          originator: {
            supported: true,
            supportedEvents: [
              'ORDER_CREATED',
              'ORDER_CONFIRMED',
              'ORDER_DISPATCHED',
              'ORDER_CANCELLED',
              'ORDER_COMPLETED',
            ],
            unsupportedEvents: [],
            supportsWebhook: false,
            supportsPolling: true,
          },
        },
      },
    })
  })

  test('of the CRM: customer with its limits, and the endpoint and operations that the guide has', async () => {
    await using wire = await openCustomerWire({ dialect })
    const manifest = await wire.read('/.well-known/opendelivery')
    const { customer } = manifest['capabilities'] as { customer: Readonly<Record<string, unknown>> }
    expect(manifest).toMatchObject(head)
    expect(customer).toMatchObject({
      version: '2.0.0',
      supported: true,
      endpoint: wire.base,
      supportedOperations: expect.arrayContaining(['upsertCustomers']) as unknown[],
      maxBatchSize: 100,
    })
    for (const field of ['role', 'operations', 'name']) expect(customer).not.toHaveProperty(field)
  })

  test('of the Delivery Platform: five events, and no tracking mode', async () => {
    await using wire = await openLogisticsWire({ dialect })
    const { capabilities } = await wire.session
      .fetch(new Request(`${wire.base}/.well-known/opendelivery`))
      .then((response) => response.json() as Promise<{ capabilities: unknown }>)
    expect(capabilities).toEqual({
      logistics: {
        version: '2.0.0',
        supported: true,
        originator: {
          supported: true,
          supportedEvents: [
            'LOGISTICS_CREATED',
            'LOGISTICS_ASSIGNED',
            'LOGISTICS_PICKED_UP',
            'LOGISTICS_DELIVERED',
            'LOGISTICS_CANCELLED',
          ],
          unsupportedEvents: [],
          supportsWebhook: true,
        },
      },
    })
  })
})
