/** Our hosts in the dialect opendelivery-v2: what they say over the wire, and what of a partner's they understand. */
import { describe, expect, test } from 'vitest'
import { openIndoorWire } from '../../../test/support/indoor-wire.ts'
import { openLogisticsWire, platformProcessingMs } from '../../../test/support/logistics-wire.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { openOrdersWire, orderProcessingMs } from '../../../test/support/wire.ts'
import type { Order } from '../protocol/orders/order.ts'

type Json = Readonly<Record<string, unknown>>

const dialect = 'opendelivery-v2'
const capabilities = { logistics: false, customer: false }

const chatOrder = minimalOrder('o-9', 'INDOOR', {
  unavailabilityPreference: 'REMOVE_ITEM',
  context: { salesChannel: 'CHAT' },
  fulfillment: {
    orderType: 'INDOOR',
    indoor: {
      operationMode: 'TABLE',
      identifier: '12',
      originChannel: { type: 'CHAT' },
      consumptionType: 'DINE_IN',
      fulfillment: { type: 'CALL', call: { type: 'CHAT' } },
      notifications: { chatId: '5511999990000' },
    },
  },
}) as unknown as Order

const onTheWire = {
  originChannel: { type: 'WHATSAPP' },
  fulfillment: { type: 'CALL', call: { type: 'WHATSAPP' } },
  notifications: { whatsAppId: '5511999990000' },
}

describe('names (row 1)', () => {
  test('WHATSAPP and whatsAppId stand for CHAT and chatId in an order, and nothing else moves', async () => {
    await using wire = await openOrdersWire({ dialect, capabilities })
    const id = await wire.create({ order: chatOrder })
    const order = await wire.read(id)
    expect(order).toMatchObject({
      id,
      status: 'CREATED',
      context: { salesChannel: 'WHATSAPP' },
      fulfillment: { indoor: { identifier: '12', ...onTheWire } },
    })
    expect(JSON.stringify(order)).not.toMatch(/chat/i)
  })

  test('an account names the channel of its orders so', async () => {
    await using wire = await openIndoorWire({ dialect })
    await wire.order({ channel: 'WHATSAPP' })
    const account = await wire.read()
    expect(account.orders).toMatchObject([{ originChannel: 'WHATSAPP' }])
  })

  test('scopes begin with od., and the manifest is at /.well-known/opendelivery', async () => {
    await using wire = await openOrdersWire({ dialect })
    expect((await wire.send('GET', '/.well-known/opendelivery', { token: null })).status).toBe(200)
    expect((await wire.send('GET', '/.well-known/protocol', { token: null })).status).toBe(404)
    const token = await wire.token('od.logistics')
    const refused = await wire.send('GET', '/events:polling', { token })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('od.orders')])
    const allowed = await wire.send('GET', '/events:polling', {
      token: await wire.token('od.orders'),
    })
    expect(allowed.status).toBe(204)
  })
})

describe('cancelling single items (rows 2 and 3)', () => {
  test('is neither served nor emitted, and no field of an order is about it', async () => {
    await using wire = await openOrdersWire({ dialect, capabilities })
    const id = await wire.create({ order: chatOrder })
    await wire.bring(id, 'CONFIRMED')
    const item = chatOrder.items[0]?.id ?? ''
    expect((await wire.post(`/orders/${id}/items/${item}/cancel`, {})).status).toBe(404)
    const applied = await wire.session.submit({
      kind: 'item.cancel',
      orderId: id,
      itemId: item,
      cancellation: {},
    })
    expect(applied.ok).toBe(true)
    expect((await wire.drain(id)).map(({ eventType }) => eventType)).not.toContain('ITEM_CANCELLED')
    const order = await wire.read(id)
    expect(order).not.toHaveProperty('unavailabilityPreference')
    for (const each of order.items) {
      expect(each).not.toHaveProperty('status')
      expect(each).not.toHaveProperty('quantityCancelled')
    }
  })
})

describe('errors (rows 4, 12 and 14)', () => {
  test('are flat, and an impossible transition is 409 in Orders and Indoor; Logistics has problem+json, and 422', async () => {
    await using orders = await openOrdersWire({ dialect })
    const id = await orders.create({ type: 'DELIVERY' })
    const early = await orders.post(`/orders/${id}/dispatch`)
    expect(early.status).toBe(409)
    expect(early.json).toEqual({
      code: 'INVALID_TRANSITION',
      message: expect.any(String) as string,
    })
    await using indoor = await openIndoorWire({ dialect })
    await indoor.account()
    const close = await indoor.post('/accounts/close?operationMode=TABLE&identifier=7')
    expect([close.status, Object.keys(close.json as Json)]).toEqual([409, ['code', 'message']])
    await using deliveries = await openLogisticsWire({ dialect })
    await deliveries.create('o-1')
    const finish = await deliveries.post('/logistics/finishDelivery/o-1', {})
    expect([finish.status, finish.headers.get('content-type'), finish.json]).toEqual([
      422,
      expect.stringMatching(/^application\/problem\+json\b/),
      {
        type: 'about:blank',
        title: 'INVALID_TRANSITION',
        status: 422,
        detail: expect.any(String) as string,
      },
    ])
    await deliveries.bring('o-1', 'IN_TRANSIT')
    expect((await deliveries.post('/logistics/cancel/o-1', { reason: 'NO_SHOW' })).status).toBe(422)
  })
})

describe('X-Request-Id (row 5)', () => {
  test('says nothing: a call that is repeated with it runs again, and no answer has it', async () => {
    const ask = async (options: { dialect?: 'opendelivery-v2' }) => {
      await using wire = await openOrdersWire(options)
      const id = await wire.create({ type: 'TAKEOUT' })
      const sending = (minutes: number) => ({
        headers: { 'x-request-id': 'r-1' },
        body: { estimatedPreparationTimeMinutes: minutes },
      })
      const answers = [
        await wire.send('POST', `/orders/${id}/confirm`, sending(5)),
        await wire.send('POST', `/orders/${id}/confirm`, sending(6)),
      ]
      return answers.map(({ status, headers }) => [status, headers.get('x-request-id')])
    }
    expect(await ask({ dialect })).toEqual([
      [202, null],
      [202, null],
    ])
    expect(await ask({})).toEqual([
      [202, 'r-1'],
      [409, 'r-1'],
    ])
  })
})

describe('deliveries (rows 9, 10, 13)', () => {
  test('have the paths of V1, and 200 for all but creating and cancelling', async () => {
    await using wire = await openLogisticsWire({ dialect })
    const { json } = await wire.create('o-1')
    expect(json).toEqual({
      deliveryId: expect.any(String) as string,
      event: 'PENDING',
      completion: {},
    })
    expect(await wire.ask('o-1', 'ready-for-pickup')).toBe(404)
    await wire.bring('o-1', 'ASSIGNED')
    await wire.pass(0)
    const call = async (path: string, body: unknown = {}) =>
      (await wire.post(`/logistics/${path}/o-1`, body)).status
    expect(await call('readyForPickup')).toBe(200)
    expect(await call('orderPicked', { pickupDate: '2026-01-05T15:00:00.000Z' })).toBe(200)
    await wire.pass(orderProcessingMs)
    expect(await call('handleProblem', { reason: 'OTHER', action: 'DELIVER_PRODUCT' })).toBe(200)
    expect(await call('finishDelivery', { finishDate: '2026-01-05T15:10:00.000Z' })).toBe(200)
    await wire.pass(orderProcessingMs)
    await wire.create('o-2')
    expect((await wire.post('/logistics/cancel/o-2', { reason: 'NO_SHOW' })).status).toBe(202)
    expect(wire.facts('delivery.moved').map(({ trigger }) => trigger)).toContain('delivered')
  })

  test('a delivery has the names of the standard', async () => {
    await using wire = await openLogisticsWire({ dialect })
    await wire.create('o-1')
    // The platform takes a courier, who rides to the customer.
    await wire.pass(60_000)
    await wire.session.submit({ kind: 'delivery.apply', orderId: 'o-1', trigger: 'collected' })
    await wire.post('/logistics/handleProblem/o-1', {
      reason: 'OTHER',
      message: 'a rua está fechada',
    })
    await wire.pass(platformProcessingMs)
    const delivery: Json = await wire.read('o-1')
    expect(delivery).toMatchObject({
      orderId: 'o-1',
      customerName: 'Ana',
      deliveryPerson: { id: expect.any(String) as string, name: expect.any(String) as string },
      deliveryPrice: { price: { currency: 'BRL' }, pricingList: 'NORMAL' },
      problem: [
        {
          reason: 'OTHER',
          message: 'a rua está fechada',
          datetime: expect.any(String) as string,
          resolved: false,
        },
      ],
      orderDisplayId: 'o-1',
      events: [{ type: 'PENDING' }, { type: 'ACCEPTED' }, { type: 'ORDER_PICKED' }],
      times: { isDeliveryFinished: false, maxDeliveryTime: expect.any(String) as string },
    })
    for (const name of ['id', 'courier', 'price', 'eta', 'problems', 'trackingUrl'])
      expect(delivery).not.toHaveProperty(name)
  })

  const question = {
    pickupAddress: {
      street: 'Rua Augusta',
      city: 'São Paulo',
      latitude: -23.551,
      longitude: -46.656,
    },
    deliveryAddress: {
      street: 'Rua Harmonia',
      city: 'São Paulo',
      latitude: -23.553,
      longitude: -46.688,
    },
  }

  test('availability is a quote without a flag; where nothing is available it is an error', async () => {
    await using wire = await openLogisticsWire({ dialect })
    const quoted = await wire.post('/logistics/availability', question)
    expect(quoted.status).toBe(200)
    expect(quoted.json).toMatchObject({
      deliveryPrice: { price: { value: expect.any(Number) as number, currency: 'BRL' } },
      ETAs: {
        updateMethod: 'OFFLINE',
        pickupEtaInMinutes: expect.any(Number) as number,
        pickupEtaDatetime: expect.any(String) as string,
        deliveryEtaInMinutes: expect.any(Number) as number,
        deliveryEtaDatetime: expect.any(String) as string,
        maxDeliveryTime: expect.any(String) as string,
      },
    })
    expect(quoted.json).not.toHaveProperty('available')
    const far = { ...question, deliveryAddress: { latitude: -22.9, longitude: -43.2 } }
    const refused = await wire.post('/logistics/availability', far)
    expect([refused.status, refused.json]).toMatchObject([
      422,
      { title: 'DELIVERY_AREA_NOT_COVERED' },
    ])
  })

  test('one scope allows all of Logistics', async () => {
    await using wire = await openLogisticsWire({ dialect })
    const token = await wire.token('od.logistics')
    const asked = await wire.send('POST', '/logistics/availability', { token, body: question })
    const made = await wire.send('POST', '/logistics/delivery', {
      token,
      body: { ...question, orderId: 'o-1', merchant: { id: 'loja-1' }, customerName: 'Ana' },
    })
    expect([asked.status, made.status]).toEqual([200, 202])
    expect(wire.facts('delivery.created')).toMatchObject([
      { wish: { dropoff: { contact: { name: 'Ana' }, address: { street: 'Rua Harmonia' } } } },
    ])
  })
})

describe('operations beside the documents (row 28)', () => {
  test('validateDeliveryCode and patchOrderDetails are served, in this dialect only', async () => {
    await using wire = await openOrdersWire({ dialect })
    const id = await wire.create({ order: minimalOrder('o-7', 'TAKEOUT') as unknown as Order })
    const right = await wire.post(`/orders/${id}/validateCode?deliveryCode=7`)
    expect([right.status, right.json]).toEqual([200, { orderId: id, deliveryCode: '7' }])
    expect((await wire.post(`/orders/${id}/validateCode?deliveryCode=8`)).status).toBe(400)
    const details = { observations: 'sem pressa' }
    const patched = await wire.send('PATCH', `/orders/${id}/details`, { body: details })
    expect([patched.status, patched.json]).toMatchObject([200, { id, ...details }])
    await using plain = await openOrdersWire()
    const other = await plain.create({ type: 'TAKEOUT' })
    expect((await plain.post(`/orders/${other}/validateCode?deliveryCode=7`)).status).toBe(404)
    expect((await plain.send('PATCH', `/orders/${other}/details`, { body: details })).status).toBe(
      404,
    )
  })
})

describe('tokens (row 30)', () => {
  test('a token request needs grant_type', async () => {
    await using wire = await openOrdersWire({ dialect })
    const ask = (body: Json) => wire.send('POST', '/oauth/token', { token: null, body })
    const client = { client_id: 'subject', client_secret: 'secret' }
    expect((await ask(client)).status).toBe(400)
    expect((await ask({ ...client, grant_type: 'client_credentials' })).status).toBe(200)
  })
})
