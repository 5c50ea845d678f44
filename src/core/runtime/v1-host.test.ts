/** Our Ordering Application as a V1 partner, as a service built for V1 sees it. */
import { describe, expect, test } from 'vitest'
import type { ConfigurationInput } from '../session-api/configuration/schema.ts'
import { V1Order } from '../protocol/v1/order.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openSoftwareServiceSession } from '../../../test/support/software-service-session.ts'
import {
  type Answer,
  openOrdersWire,
  orderProcessingMs,
  type OrdersWire,
} from '../../../test/support/wire.ts'
import type { HostSessionOptions } from '../../../test/support/host-session.ts'

const open = (options: HostSessionOptions = {}): Promise<OrdersWire> =>
  openOrdersWire({ dialect: 'v1', capabilities: {}, ...options })

const conducted = (v1: NonNullable<ConfigurationInput['conduct']>['v1']): Promise<OrdersWire> =>
  open({ conduct: { v1 } })

interface V1Event {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
  readonly orderURL: string
  readonly metadata?: Readonly<Record<string, string>>
}

const poll = async (wire: OrdersWire): Promise<readonly V1Event[]> => {
  const answer = await wire.send('GET', '/v1/events:polling')
  return answer.status === 204 ? [] : (answer.json as V1Event[])
}

const acknowledge = (wire: OrdersWire, events: readonly V1Event[]): Promise<Answer> =>
  wire.send('POST', '/v1/events/acknowledgment', {
    body: events.map(({ eventId, orderId, eventType }) => ({ id: eventId, orderId, eventType })),
  })

/** The types of the events of an order, polled and acknowledged. */
async function heard(wire: OrdersWire, orderId: string): Promise<readonly string[]> {
  const events = await poll(wire)
  if (events.length > 0) expect((await acknowledge(wire, events)).status).toBe(202)
  return events.filter((event) => event.orderId === orderId).map(({ eventType }) => eventType)
}

const bodies: Readonly<Record<string, unknown>> = {
  confirm: { createdAt: '2026-01-05T15:00:00Z', orderExternalCode: '77' },
  requestCancellation: { reason: 'sem luz', code: 'SYSTEMIC_ISSUES', mode: 'AUTO' },
  denyCancellation: { reason: 'pronto', code: 'DISH_ALREADY_DONE' },
}

const ask = (wire: OrdersWire, orderId: string, call: string): Promise<Answer> => {
  const body = bodies[call]
  const path = `/v1/orders/${orderId}/${call}`
  return wire.send('POST', path, body === undefined ? {} : { body })
}

/** Makes these calls one by one, each accepted and given time to take effect. */
async function calls(
  wire: OrdersWire,
  orderId: string,
  ...names: readonly string[]
): Promise<void> {
  for (const name of names) {
    expect([name, (await ask(wire, orderId, name)).status]).toEqual([name, 202])
    await wire.pass(orderProcessingMs)
  }
}

describe('paths', () => {
  test('[MIG-VER-01] of V1 are served, under /v1, and none of V2; the token endpoint is at the root', async () => {
    await using wire = await open()
    const id = await wire.create()
    expect((await wire.send('GET', `/v1/orders/${id}`)).status).toBe(200)
    for (const path of [
      `/orders/${id}`,
      '/events:polling',
      '/v1/oauth/token',
      '/merchants',
      '/.well-known/protocol',
      '/customers',
      '/logistics/delivery/x',
    ])
      expect([path, (await wire.send('GET', path)).status]).toEqual([path, 404])
    expect((await ask(wire, id, 'ready-for-pickup')).status).toBe(404)
    expect((await wire.send('POST', `/v1/orders/${id}/items/x/cancel`)).status).toBe(404)
  })

  test('[MIG-VER-01] of V1 are unknown without the dialect, where those of V2 are served', async () => {
    await using wire = await openOrdersWire()
    const id = await wire.create()
    for (const path of [`/v1/orders/${id}`, '/v1/events:polling', '/v1/versions/orderingApp'])
      expect([path, (await wire.send('GET', path)).status]).toEqual([path, 404])
    for (const call of ['readyForPickup', 'pickedUp', 'acceptCancellation', 'denyCancellation'])
      expect((await wire.send('POST', `/orders/${id}/${call}`, { body: {} })).status).toBe(404)
  })

  test('[MIG-CUS-01, MIG-IND-01] of V2 additions are absent: no CRM, no platform, no accounts', async () => {
    await using wire = await open({ subject: {} })
    expect([...wire.session.urls.keys()]).toEqual(['ordering-application'])
  })

  test('to a token need a form without a scope; the one scope covers everything', async () => {
    await using wire = await open()
    const form = await wire.send('POST', '/oauth/token', {
      text: 'client_id=subject&client_secret=secret&grant_type=client_credentials',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    })
    expect(form.json).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    const { access_token: token } = form.json as { access_token: string }
    expect((await wire.send('GET', '/v1/events:polling', { token })).status).toBe(204)
    const all = await wire.token('od.all')
    expect((await wire.send('GET', '/v1/events:polling', { token: all })).status).toBe(204)
  })

  test('of discovery tell versions and event channels', async () => {
    await using wire = await open()
    expect((await wire.send('GET', '/v1/versions/orderingApp')).json).toEqual({
      merchant: { version: '1.7.0' },
      order: { version: '1.7.0', availableEventsMethods: ['POLLING'] },
    })
  })
})

describe('orders', () => {
  test('[MIG-ORD-07, MIG-ORD-08] are V1 documents, and the URL of an event leads to them', async () => {
    await using wire = await open()
    for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const) {
      const id = await wire.create({ type })
      const [event] = await poll(wire)
      expect(event).toMatchObject({ eventType: 'CREATED', orderId: id })
      expect(event?.orderURL).toBe(`${wire.base}/v1/orders/${id}`)
      const { json } = await wire.send('GET', event?.orderURL ?? '')
      expect(V1Order.safeParse(json).error).toBeUndefined()
      expect(json).toMatchObject({ id, type, lastEvent: 'CREATED' })
      await acknowledge(wire, await poll(wire))
    }
  })

  test('can leave out the optional lastEvent', async () => {
    await using wire = await conducted({ lastEvent: false })
    const { json } = await wire.send('GET', `/v1/orders/${await wire.create()}`)
    expect(json).not.toHaveProperty('lastEvent')
  })
})

describe('the lifecycle of an order', () => {
  test('[MIG-ORD-10] DELIVERY: confirmed, prepared, ready, dispatched, delivered, concluded', async () => {
    await using wire = await open()
    const id = await wire.create({ type: 'DELIVERY' })
    await calls(wire, id, 'confirm', 'preparing', 'readyForPickup', 'dispatch', 'delivered')
    await wire.pass(60_000)
    expect(await heard(wire, id)).toEqual([
      'CREATED',
      'CONFIRMED',
      'PREPARING',
      'READY_FOR_PICKUP',
      'DISPATCHED',
      'DELIVERED',
      'CONCLUDED',
    ])
  })

  test('[MIG-ORD-03] TAKEOUT: the customer picks it up', async () => {
    await using wire = await open()
    const id = await wire.create({ type: 'TAKEOUT' })
    await calls(wire, id, 'confirm', 'readyForPickup', 'pickedUp')
    expect(await heard(wire, id)).toEqual(['CREATED', 'CONFIRMED', 'READY_FOR_PICKUP', 'PICKED_UP'])
    expect((await ask(wire, id, 'delivered')).status).toBe(422)
  })

  test('[MIG-ORD-10, MIG-ORD-11] calls that an order does not require are 422, and it reaches its end without them', async () => {
    const silent = { preparing: false, delivered: false, pickedUp: false, tracking: false }
    await using wire = await conducted({ sends: silent })
    for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const) {
      const id = await wire.create({ type })
      await calls(wire, id, 'confirm')
      const refused = await ask(wire, id, 'preparing')
      expect(refused.status).toBe(422)
      expect(refused.json).toEqual({ title: expect.stringContaining('sendPreparing'), status: 422 })
      await calls(wire, id, 'readyForPickup')
      for (const call of ['delivered', 'pickedUp', 'tracking'])
        expect((await ask(wire, id, call)).status).toBe(422)
      if (type === 'DELIVERY') await calls(wire, id, 'dispatch')
      await wire.pass(120_000)
      expect((await heard(wire, id)).at(-1)).toBe('CONCLUDED')
    }
  })

  test('[MIG-ORD-10] where the marketplace delivers, the merchant’s part ends when the food is ready', async () => {
    await using wire = await conducted({ deliveredBy: 'MARKETPLACE' })
    const id = await wire.create({ type: 'DELIVERY' })
    const { json } = await wire.send('GET', `/v1/orders/${id}`)
    expect(json).toMatchObject({ delivery: { deliveredBy: 'MARKETPLACE' }, sendDelivered: false })
    await calls(wire, id, 'confirm', 'preparing', 'readyForPickup')
    await wire.pass(180_000)
    expect((await heard(wire, id)).slice(-4)).toEqual([
      'READY_FOR_PICKUP',
      'DISPATCHED',
      'DELIVERED',
      'CONCLUDED',
    ])
  })

  test('[MIG-ORD-05] a second confirm is 422, or repeats the event', async () => {
    await using sync = await open()
    const id = await sync.create()
    await calls(sync, id, 'confirm')
    expect((await ask(sync, id, 'confirm')).status).toBe(422)
    await using queued = await conducted({ repeated: 'announce' })
    const other = await queued.create()
    await calls(queued, other, 'confirm', 'confirm')
    expect(await heard(queued, other)).toEqual(['CREATED', 'CONFIRMED', 'CONFIRMED'])
    // V2 accepts it without effect.
    await using wire = await openOrdersWire()
    const third = await wire.create()
    expect(await wire.ask(third, 'confirm')).toBe(202)
    await wire.pass(orderProcessingMs)
    expect(await wire.ask(third, 'confirm')).toBe(202)
    expect((await wire.poll()).map(({ eventType }) => eventType)).toEqual(['CREATED', 'CONFIRMED'])
  })

  test('a step without a transition, or a passed one, is 422 in the shape of V1', async () => {
    await using wire = await open()
    const id = await wire.create({ type: 'TAKEOUT' })
    const wrong = await ask(wire, id, 'dispatch')
    expect(wrong.status).toBe(422)
    expect(wrong.json).toEqual({ title: expect.any(String), status: 422 })
    await calls(wire, id, 'confirm', 'readyForPickup')
    expect((await ask(wire, id, 'confirm')).status).toBe(422)
  })

  test('bodies have V1’s required fields, or are 400 with the field', async () => {
    await using wire = await open()
    const id = await wire.create()
    for (const [call, body, field] of [
      ['confirm', {}, 'createdAt'],
      ['confirm', { createdAt: 'now', orderExternalCode: '1' }, 'createdAt'],
      ['confirm', { createdAt: '2026-01-05T15:00:00Z' }, 'orderExternalCode'],
      ['requestCancellation', { reason: 'x', mode: 'AUTO' }, 'code'],
      ['requestCancellation', { reason: 'x', code: 'RISK_AREA', mode: 'NEVER' }, 'mode'],
      ['denyCancellation', { reason: 'x', code: 'NO' }, 'code'],
    ] as const) {
      const { status, json } = await wire.send('POST', `/v1/orders/${id}/${call}`, { body })
      expect([call, field, status]).toEqual([call, field, 400])
      expect(json).toMatchObject({ title: expect.stringContaining(field), status: 400 })
    }
    expect(await heard(wire, id)).toEqual(['CREATED'])
  })
})

describe('cancelling', () => {
  test('[MIG-ORD-01] the originator requests, the merchant accepts, and the order is cancelled', async () => {
    await using wire = await open()
    const id = await wire.create()
    await calls(wire, id, 'confirm')
    await wire.session.submit({ kind: 'handshake.offer', orderId: id })
    await wire.pass(0)
    const events = await poll(wire)
    expect(events.at(-1)).toMatchObject({
      eventType: 'ORDER_CANCELLATION_REQUEST',
      metadata: { code: 'CONSUMER_CANCELLATION_REQUESTED', reason: expect.any(String) },
    })
    await acknowledge(wire, events)
    expect((await ask(wire, id, 'acceptCancellation')).status).toBe(204)
    await wire.pass(10_000)
    expect(await heard(wire, id)).toEqual(['CANCELLED'])
  })

  test('[MIG-ORD-01, ORD-UND-04] between an accepted cancellation and CANCELLED a step is refused as configured', async () => {
    for (const status of [422, 409] as const) {
      await using wire = await open({ conduct: { invalidTransition: { orders: status } } })
      const asked = await wire.create()
      await wire.session.submit({ kind: 'handshake.offer', orderId: asked })
      expect((await ask(wire, asked, 'acceptCancellation')).status).toBe(204)
      const requested = await wire.create()
      expect((await ask(wire, requested, 'requestCancellation')).status).toBe(202)
      const answer = { kind: 'cancellation.answer', answer: 'accept' } as const
      await wire.session.submit({ ...answer, orderId: requested })
      for (const id of [asked, requested])
        expect((await ask(wire, id, 'confirm')).status).toBe(status)
      await wire.pass(10_000)
      for (const id of [asked, requested])
        expect(
          (await wire.session.look({ orderId: id })).order?.statusHistory.map(
            (step) => step.status,
          ),
        ).toEqual(['CREATED', 'CANCELLED'])
    }
  })

  test('[MIG-ORD-02] a merchant requests with a code of V1’s closed list only', async () => {
    await using wire = await open()
    const id = await wire.create()
    const body = { reason: 'sem luz', code: 'FOO', mode: 'AUTO' }
    const path = `/v1/orders/${id}/requestCancellation`
    const answer = await wire.send('POST', path, { body })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('code')])
    const valid = await wire.send('POST', path, { body: { ...body, code: 'RISK_AREA' } })
    expect(valid.status).toBe(202)
  })

  test('[MIG-ORD-01] the originator requests, the merchant denies, and the order goes on from its status', async () => {
    await using wire = await open()
    const id = await wire.create({ type: 'TAKEOUT' })
    await calls(wire, id, 'confirm')
    await wire.session.submit({ kind: 'handshake.offer', orderId: id })
    expect((await ask(wire, id, 'denyCancellation')).status).toBe(204)
    await wire.pass(10_000)
    expect((await heard(wire, id)).slice(-2)).toEqual([
      'ORDER_CANCELLATION_REQUEST',
      'CANCELLED_DENIED',
    ])
    await calls(wire, id, 'readyForPickup', 'pickedUp')
    expect(await heard(wire, id)).toEqual(['READY_FOR_PICKUP', 'PICKED_UP'])
  })

  test('[MIG-ORD-01] an answer without a request is refused', async () => {
    await using wire = await open()
    const id = await wire.create()
    for (const call of ['acceptCancellation', 'denyCancellation'])
      expect((await ask(wire, id, call)).status).toBe(422)
    await wire.session.submit({ kind: 'handshake.offer', orderId: id })
    expect((await ask(wire, id, 'denyCancellation')).status).toBe(204)
    expect((await ask(wire, id, 'acceptCancellation')).status).toBe(422)
    await wire.session.submit({ kind: 'handshake.offer', orderId: id })
    await wire.session.submit({ kind: 'order.apply', orderId: id, trigger: 'cancel' })
    expect((await ask(wire, id, 'acceptCancellation')).status).toBe(422)
    const late = await wire.session.submit({ kind: 'handshake.offer', orderId: id })
    expect(late.ok).toBe(true)
    expect((await wire.session.submit({ kind: 'handshake.offer', orderId: 'nobody' })).ok).toBe(
      false,
    )
  })

  test('[MIG-ORD-02] the merchant requests, and gets CANCELLED without an acceptance before it', async () => {
    await using wire = await open()
    const id = await wire.create()
    await calls(wire, id, 'confirm', 'requestCancellation')
    await wire.pass(20_000)
    expect((await heard(wire, id)).slice(2, 4)).toEqual(['CANCELLATION_REQUESTED', 'CANCELLED'])
    const again = await ask(wire, id, 'requestCancellation')
    expect(again.status).toBe(422)
    expect(again.json).toMatchObject({ status: 422, cancellationStatus: 'CANCELLED' })
  })

  test('[MIG-ORD-02] the merchant requests, and gets a denial, also when it requests again', async () => {
    await using wire = await open()
    const id = await wire.create()
    await calls(wire, id, 'confirm')
    expect((await ask(wire, id, 'requestCancellation')).status).toBe(202)
    expect((await ask(wire, id, 'requestCancellation')).json).not.toHaveProperty(
      'cancellationStatus',
    )
    await wire.session.submit({ kind: 'cancellation.answer', orderId: id, answer: 'deny' })
    await wire.pass(20_000)
    expect((await heard(wire, id)).at(-1)).toBe('CANCELLATION_REQUEST_DENIED')
    expect((await ask(wire, id, 'requestCancellation')).json).toMatchObject({
      cancellationStatus: 'CANCELLATION_REQUEST_DENIED',
    })
  })

  test('[MIG-ORD-01] an automatic cancellation by the originator requests first, or does not, as configured', async () => {
    for (const originatorCancel of ['handshake', 'direct'] as const) {
      await using wire = await open({
        conduct: { v1: { originatorCancel } },
        counterparts: { 'ordering-application': { temperament: 'hostile' } },
      })
      for (let count = 0; count < 40; count++) await wire.create()
      await wire.pass(30_000)
      const kinds = wire.session.facts().map(({ fact }) => fact.kind)
      expect(kinds.includes('handshake.offered')).toBe(originatorCancel === 'handshake')
    }
  })
})

describe('events', () => {
  test('are named by an acknowledgment in V1’s form; an unknown one is 404', async () => {
    await using wire = await open()
    await wire.create()
    const events = await poll(wire)
    const unknown = { id: 'x', orderId: 'y', eventType: 'CREATED' }
    const answer = await wire.send('POST', '/v1/events/acknowledgment', { body: [unknown] })
    expect(answer.status).toBe(404)
    expect((await acknowledge(wire, events)).status).toBe(202)
    expect(await poll(wire)).toEqual([])
  })

  test('at Pedizap an acknowledgment of an unknown one is 202, and details and codes have paths of their own', async () => {
    await using wire = await open({ dialect: 'pedizap' })
    const id = await wire.create({ type: 'TAKEOUT' })
    const unknown = { id: 'x', orderId: 'y', eventType: 'CREATED' }
    const answer = await wire.send('POST', '/v1/events/acknowledgment', { body: [unknown] })
    expect(answer.status).toBe(202)
    const remark = { observations: 'sem cebola' }
    expect((await wire.send('PATCH', `/v1/orders/${id}`, { body: remark })).status).toBe(200)
    const { order } = await wire.session.look({ orderId: id })
    const { fulfillment } = order!.document as { fulfillment: { takeout: { pickupCode: string } } }
    const code = fulfillment.takeout.pickupCode
    const validated = await wire.send('POST', `/v1/orders/${id}/validateCode/${code}`)
    expect([validated.status, validated.json]).toEqual([200, { orderId: id, deliveryCode: code }])
    expect((await wire.send('POST', `/v1/orders/${id}/validateCode/0`)).status).toBe(400)
  })

  test('must have all three fields in strict V1', async () => {
    await using wire = await open({ conduct: { acknowledgment: 'v1' } })
    await wire.create()
    const events = await poll(wire)
    for (const body of [
      events.map(({ eventId }) => ({ id: eventId })),
      events.map(({ eventId }) => eventId),
      { eventIds: events.map(({ eventId }) => eventId) },
    ])
      expect((await wire.send('POST', '/v1/events/acknowledgment', { body })).status).toBe(400)
    expect((await acknowledge(wire, events)).status).toBe(202)
  })

  test('of up to fifteen types are filtered by a poll', async () => {
    await using wire = await open()
    const query = (count: number): string =>
      Array.from({ length: count }, () => 'eventType=PICKED_UP').join('&')
    expect((await wire.send('GET', `/v1/events:polling?${query(15)}`)).status).toBe(204)
    expect((await wire.send('GET', `/v1/events:polling?${query(16)}`)).status).toBe(400)
  })

  test('are filtered by types of V1 only; its other name of CANCELLED_DENIED means the same', async () => {
    await using wire = await open()
    const orderId = await wire.create()
    const ofV2 = await wire.send('GET', '/v1/events:polling?eventType=ITEM_CANCELLED')
    expect(ofV2.status).toBe(400)
    await wire.session.submit({ kind: 'handshake.offer', orderId })
    await wire.pass(0)
    expect((await ask(wire, orderId, 'denyCancellation')).status).toBe(204)
    await wire.pass(0)
    const denied = await wire.send('GET', '/v1/events:polling?eventType=CANCELLATION_DENIED')
    expect(denied.json).toMatchObject([{ eventType: 'CANCELLED_DENIED' }])
  })

  test('[MIG-ORD-06] are sent by webhook to /v1/newEvent, with the signature and without a token, and 200 is as good as 204', async () => {
    for (const status of [200, 204]) {
      await using receiver = await openReceiver({ reply: () => ({ status }) })
      await using wire = await open({
        subject: { url: receiver.url, webhooks: { orders: '/webhooks/v1/newEvent' } },
        counterparts: { 'ordering-application': { channel: 'webhook' } },
      })
      const id = await wire.create()
      await wire.pass(1000)
      const [received] = receiver.received
      expect(received?.event).toMatchObject({ orderId: id, eventType: 'CREATED' })
      expect(received?.headers['x-app-signature']).toMatch(/^[0-9a-f]{64}$/)
      expect(received?.headers).not.toHaveProperty('authorization')
      // No manifest was requested: V1 has none.
      expect(receiver.others).toEqual([])
      expect(wire.session.facts().some(({ fact }) => fact.kind === 'event.pushed')).toBe(true)
    }
    await using wire = await open()
    expect(wire.session.urls.size).toBe(1)
  })
})

describe('other paths of an order', () => {
  test('details are accepted later, in part, and the order has them from then on', async () => {
    await using wire = await open()
    const id = await wire.create({ type: 'DELIVERY' })
    const path = `/v1/orders/${id}/details`
    const begin = '2026-01-05T16:30:00.000Z'
    const patched = await wire.send('PATCH', path, { body: { preparationStartDateTime: begin } })
    expect([patched.status, patched.json]).toMatchObject([
      200,
      { id, preparationStartDateTime: begin },
    ])
    const remark = { observations: 'entregar na portaria' }
    expect((await wire.send('PATCH', path, { body: remark })).status).toBe(200)
    const order = V1Order.parse((await wire.send('GET', `/v1/orders/${id}`)).json)
    expect(order).toMatchObject({ preparationStartDateTime: begin })
    expect(JSON.stringify(order)).toContain(remark.observations)
    expect((await wire.send('PATCH', path, { body: {} })).status).toBe(400)
    const wrong = await wire.send('PATCH', path, { body: { preparationStartDateTime: 'soon' } })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('preparationStart')])
    const nowhere = await wire.send('PATCH', '/v1/orders/nobody/details', { body: remark })
    expect(nowhere.status).toBe(404)
    expect((await wire.send('PATCH', `/v1/orders/${id}`, { body: remark })).status).toBe(404)
  })

  test('only the customer’s delivery code is accepted', async () => {
    await using wire = await open()
    const id = await wire.create({ type: 'DELIVERY' })
    const { order } = await wire.session.look({ orderId: id })
    const { customer } = order!.document as { customer: { phone: { number: string } } }
    const code = customer.phone.number.slice(-4)
    const validate = (query: string) => wire.send('POST', `/v1/orders/${id}/validateCode${query}`)
    const right = await validate(`?deliveryCode=${code}`)
    expect([right.status, right.json]).toEqual([200, { orderId: id, deliveryCode: code }])
    expect((await validate(`?deliveryCode=${code}0`)).status).toBe(400)
    expect((await validate('')).status).toBe(400)
  })

  test('a merchant’s software registers its address', async () => {
    await using store = await openSoftwareServiceSession({ dialect: 'v1', capabilities: {} })
    const answer = await store.send('GET', '/v1/versions/merchant')
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        merchantEndpoint: expect.stringContaining(store.base),
        ordersWebhook: expect.stringContaining('newEvent'),
      },
    ])
  })
})
