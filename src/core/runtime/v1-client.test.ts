// @module-tag slow
/** Our Software Service against an Ordering Application that has not migrated from V1. */
import { describe, expect, test } from 'vitest'
import { signWebhook } from '../../../test/support/host-session.ts'
import {
  aV1Order,
  createV1Originator,
  openBesideV1Originator,
  type V1Originator,
  type V1OriginatorOptions,
} from '../../../test/support/scripted-v1-ordering-application.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'
import { runsFor } from '../../../test/support/soak.ts'

interface Store extends AsyncDisposable {
  readonly session: Session
  readonly originator: V1Originator
  readonly pass: (ms: number) => Promise<void>
}

async function open(options: SessionOptions & V1OriginatorOptions = {}): Promise<Store> {
  const { lastEvent = false, silent = false, ...others } = options
  const originator = createV1Originator({ lastEvent, silent })
  const session = await openBesideV1Originator(originator, others)
  return {
    session,
    originator,
    pass: (ms) => session.advance(ms),
    [Symbol.asyncDispose]: () => session.close(),
  }
}

const minutes = (count: number): number => count * 60_000

describe('a merchant’s service', () => {
  test('[MIG-VER-01] uses V1 only: a token, polls, orders, and none of the paths of V2', async () => {
    await using store = await open()
    store.originator.place(aV1Order('o-1'))
    await store.pass(minutes(5))
    const paths = new Set(store.originator.all.map(({ method, path }) => `${method} ${path}`))
    expect(paths).toEqual(
      new Set([
        'POST /oauth/token',
        'GET /v1/events:polling',
        'POST /v1/events/acknowledgment',
        'GET /v1/orders/o-1',
        'POST /v1/orders/o-1/confirm',
        'POST /v1/orders/o-1/preparing',
        'POST /v1/orders/o-1/readyForPickup',
        'POST /v1/orders/o-1/dispatch',
        'POST /v1/orders/o-1/delivered',
      ]),
    )
    const token = store.originator.all.find(({ path }) => path === '/oauth/token')
    expect(Object.fromEntries(new URLSearchParams(token?.text))).toMatchObject({
      grant_type: 'client_credentials',
      scope: 'od.all',
    })
  })

  test('[MIG-ORD-04] takes the steps of each profile in order, by events only: V1 orders have no status', async () => {
    await using store = await open()
    const { originator } = store
    originator.place(aV1Order('d', 'DELIVERY'))
    originator.place(aV1Order('t', 'TAKEOUT'))
    originator.place(aV1Order('i', 'INDOOR'))
    await store.pass(minutes(5))
    const distinctTypes = (id: string) => [...new Set(originator.callNames(id))]
    expect(distinctTypes('d')).toEqual([
      'confirm',
      'preparing',
      'readyForPickup',
      'dispatch',
      'delivered',
    ])
    expect(distinctTypes('t')).toEqual(['confirm', 'preparing', 'readyForPickup', 'pickedUp'])
    expect(distinctTypes('i')).toEqual(['confirm', 'preparing', 'readyForPickup'])
    expect(originator.pending()).toBe(0)
  })

  test('[MIG-ORD-10, MIG-ORD-11] makes only the calls that an order requires', async () => {
    await using store = await open()
    const none = { sendPreparing: false, sendDelivered: false, sendPickedUp: false }
    const { sendPreparing: _1, sendDelivered: _2, sendPickedUp: _3, ...unsaid } = aV1Order('u')
    store.originator.place(aV1Order('d', 'DELIVERY', none))
    store.originator.place(aV1Order('t', 'TAKEOUT', none))
    store.originator.place(unsaid)
    await store.pass(minutes(5))
    const distinctTypes = (id: string) => [...new Set(store.originator.callNames(id))]
    expect(distinctTypes('d')).toEqual(['confirm', 'readyForPickup', 'dispatch'])
    expect(distinctTypes('t')).toEqual(['confirm', 'readyForPickup'])
    expect(distinctTypes('u')).toEqual(['confirm', 'readyForPickup', 'dispatch'])
  })

  test('leaves dispatch and delivery to the marketplace where that delivers', async () => {
    await using store = await open()
    const delivery = {
      deliveredBy: 'MARKETPLACE',
      estimatedDeliveryDateTime: '2026-01-05T16:00:00Z',
      deliveryAddress: {
        country: 'BR',
        state: 'BR-SP',
        city: 'São Paulo',
        district: 'Centro',
        street: 'Rua Augusta',
        number: '1',
        formattedAddress: 'Rua Augusta, 1',
        postalCode: '01000-000',
        coordinates: { latitude: -23.5, longitude: -46.6 },
      },
    }
    store.originator.place(aV1Order('m', 'DELIVERY', { delivery, sendDelivered: false }))
    await store.pass(minutes(5))
    expect([...new Set(store.originator.callNames('m'))]).toEqual([
      'confirm',
      'preparing',
      'readyForPickup',
    ])
  })

  test('sends the fields in its bodies that V1 requires', async () => {
    await using store = await open()
    store.originator.place(aV1Order('o-1'))
    await store.pass(minutes(2))
    expect(store.originator.bodyOf('o-1', 'confirm')).toEqual({
      createdAt: expect.stringMatching(/^2026-01-05T\d\d:\d\d:\d\d/),
      orderExternalCode: '#o-1',
      preparationTime: 20,
    })
    const acknowledged = store.originator.calls.filter(({ path }) =>
      path.endsWith('acknowledgment'),
    )
    expect(acknowledged[0]?.json).toEqual([
      { id: 'CREATED-1', orderId: 'o-1', eventType: 'CREATED' },
    ])
  })

  test.each([
    ['has no display id', aV1Order('o-1', 'DELIVERY', { displayId: undefined })],
    ['cannot be read', undefined],
  ])('confirms an order that %s by its id', async (_what, order) => {
    await using store = await open()
    if (order) store.originator.place(order)
    else store.originator.announce('o-1', 'CREATED')
    await store.pass(minutes(2))
    const confirm = { kind: 'ticket.advance', orderId: 'o-1', trigger: 'confirm' } as const
    if (!order) expect((await store.session.submit({ ...confirm, force: true })).ok).toBe(true)
    await store.pass(1000)
    expect(store.originator.bodyOf('o-1', 'confirm')).toMatchObject({ orderExternalCode: 'o-1' })
  })

  test('[MIG-ORD-05] goes on after a 422 to a confirm that had taken effect', async () => {
    await using store = await open()
    const { originator } = store
    originator.answer = (_orderId, call) => {
      if (call !== 'confirm') return undefined
      originator.announce('o-1', 'CONFIRMED')
      return 422
    }
    originator.place(aV1Order('o-1', 'TAKEOUT'))
    await store.pass(minutes(5))
    expect(originator.callNames('o-1')).toContain('pickedUp')
  })

  test('recovers lost events by lastEvent on the order', async () => {
    await using store = await open({ lastEvent: true })
    store.originator.place(aV1Order('o-1', 'TAKEOUT'))
    await store.pass(minutes(5))
    expect([...new Set(store.originator.callNames('o-1'))]).toContain('pickedUp')
  })

  test('requests cancellation with a reason, a code and a mode', async () => {
    await using store = await open()
    store.originator.place(aV1Order('o-1'))
    await store.pass(3000)
    await store.session.submit({ kind: 'ticket.cancel', orderId: 'o-1', request: {} })
    await store.pass(1000)
    expect(store.originator.bodyOf('o-1', 'requestCancellation')).toEqual({
      reason: expect.any(String),
      code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
      mode: 'MANUAL',
    })
    const line = {
      kind: 'ticket.cancel-item',
      orderId: 'o-1',
      itemId: 'x-burger',
      cancellation: {},
    }
    const answer = await store.session.submit(line as never)
    expect(answer).toMatchObject({ ok: false, error: { message: 'V1 cancels whole orders only' } })
  })
})

describe('the handshake', () => {
  test('[MIG-ORD-01] accepts the cancellation of an order not yet in preparation, which ends with CANCELLED', async () => {
    await using store = await open()
    const { originator } = store
    originator.answer = (_orderId, call) => (call === 'confirm' ? 503 : undefined)
    originator.place(aV1Order('o-1'))
    await store.pass(3000)
    originator.announce('o-1', 'ORDER_CANCELLATION_REQUEST', {
      reason: 'desistiu',
      code: 'CONSUMER_CANCELLATION_REQUESTED',
    })
    await store.pass(minutes(2))
    expect(originator.callNames('o-1')).toContain('acceptCancellation')
    const { length } = originator.callNames('o-1')
    await store.pass(minutes(5))
    expect(originator.callNames('o-1').slice(length)).not.toContain('preparing')
  })

  test.each(['CANCELLED_DENIED', 'CANCELLATION_DENIED'])(
    '[MIG-ORD-01] refuses it for an order in preparation, which goes on after %s',
    async (denied) => {
      await using store = await open({ silent: true })
      const { originator } = store
      originator.place(aV1Order('o-1', 'TAKEOUT'))
      for (const eventType of ['CONFIRMED', 'PREPARING']) {
        await store.pass(minutes(1))
        originator.announce('o-1', eventType)
      }
      await store.pass(10_000)
      originator.announce('o-1', 'ORDER_CANCELLATION_REQUEST')
      await store.pass(10_000)
      expect(originator.bodyOf('o-1', 'denyCancellation')).toEqual({
        reason: expect.any(String),
        code: 'DISH_ALREADY_DONE',
      })
      originator.announce('o-1', denied)
      await store.pass(minutes(1))
      originator.announce('o-1', 'READY_FOR_PICKUP')
      await store.pass(minutes(1))
      expect(originator.callNames('o-1').at(-1)).toBe('pickedUp')
    },
  )

  test('[MIG-ORD-01] refuses it for an order in delivery too', async () => {
    await using store = await open({ silent: true })
    const { originator } = store
    originator.place(aV1Order('o-1', 'DELIVERY'))
    for (const eventType of ['CONFIRMED', 'PREPARING', 'READY_FOR_PICKUP', 'DISPATCHED']) {
      await store.pass(30_000)
      originator.announce('o-1', eventType)
    }
    await store.pass(5000)
    originator.announce('o-1', 'ORDER_CANCELLATION_REQUEST')
    await store.pass(10_000)
    expect(originator.bodyOf('o-1', 'denyCancellation')).toMatchObject({ code: 'OUT_FOR_DELIVERY' })
  })
})

describe('its webhook', () => {
  const push = (store: Store, event: unknown, secret = 'secret'): Promise<Response> => {
    const text = JSON.stringify(event)
    return store.session.fetch(
      new Request('http://software-service.test/v1/newEvent', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-app-signature': signWebhook(text, secret),
        },
        body: text,
      }),
    )
  }

  const webhook = (more: SessionOptions = {}): Promise<Store> =>
    open({ counterparts: { 'ordering-application': { channel: 'webhook' } }, ...more })

  test('[MIG-ORD-06] is /v1/newEvent, answers 200, and identifies its sender by the signature', async () => {
    await using store = await webhook()
    store.originator.place(aV1Order('o-1', 'TAKEOUT'))
    const event = { eventId: 'e-1', eventType: 'CREATED', orderId: 'o-1', createdAt: 'now' }
    const answer = await push(store, event)
    expect(answer.status).toBe(200)
    expect((await push(store, event, 'wrong')).status).toBe(401)
    await store.pass(minutes(1))
    expect(store.originator.callNames('o-1')).toContain('confirm')
    expect(store.originator.calls.some(({ path }) => path.includes('polling'))).toBe(false)
  })

  test('[MIG-ORD-03] accepts V1 events that V2 removed; an unknown one is stored, or 400 when configured', async () => {
    const event = (eventType: string) => ({ eventId: eventType, eventType, orderId: 'o-1' })
    await using store = await webhook()
    expect((await push(store, event('BIRTHDAY'))).status).toBe(200)
    await using strict = await webhook({ conduct: { unknownEvents: 'refuse' } })
    expect((await push(strict, event('PICKED_UP'))).status).toBe(200)
    const refused = await push(strict, event('BIRTHDAY'))
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({
      title: expect.stringContaining('BIRTHDAY'),
      status: 400,
    })
  })
})

describe('both ends', () => {
  const orders = runsFor(20, 60)
  test.each(['prompt', 'slow', 'forgetful', 'hostile'] as const)(
    '[MIG-VER-01] use V1 with each other, and a %s store brings every order to its end',
    async (behaviour) => {
      await using session = await openSession({
        dialect: 'v1',
        clock: 'virtual',
        listen: false,
        counterparts: {
          'ordering-application': { orders: { every: 5000, limit: orders }, behaviour: 'prompt' },
          'software-service': { behaviour },
        },
      })
      const refused: string[] = []
      session.onExchange(({ reply, operation }) => {
        if (reply && reply.status >= 500) refused.push(`${operation} ${reply.status}`)
      })
      await session.advance(minutes(20))
      await session.settle()
      const { info } = await session.look({})
      expect(refused).toEqual([])
      expect(info.counts.orders).toBe(orders)
      if (behaviour === 'prompt' || behaviour === 'slow') expect(info.counts.open).toBe(0)
    },
  )
})
