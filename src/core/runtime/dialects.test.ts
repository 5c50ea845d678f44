// @module-tag slow
/** Dialects of partners that deviate from the documents, from both ends: each is a few settings. */
import { describe, expect, test } from 'vitest'
import { dialectNames } from '../protocol/dialects/catalogue.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openSoftwareServiceSession } from '../../../test/support/software-service-session.ts'
import { openOrdersWire } from '../../../test/support/wire.ts'
import type { Order } from '../protocol/orders/order.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionOptions } from '../session/options.ts'
import { openSession } from '../session/open-session.ts'

const open = (options: SessionOptions): Promise<Session> =>
  openSession({ listen: false, clock: 'virtual', capabilities: ordersOnly, ...options })

describe.each(dialectNames)('%s', (dialect) => {
  test('is spoken by both ends: ten orders reach their end, and no request is refused', async () => {
    await using session = await open({
      dialect,
      counterparts: { 'ordering-application': { orders: { every: 2000, limit: 10 } } },
    })
    await session.advance(40_000)
    await session.settle()
    const { info } = await session.look({})
    expect(info.counts).toMatchObject({ orders: 10, open: 0, failed: { rejected: 0, errors: 0 } })
  })
})

describe('a dialect', () => {
  test('is a base: explicit configuration overrides it', async () => {
    await using session = await open({
      dialect: 'loocal',
      conduct: { emptyPoll: 204 },
      protocol: { scopePrefix: 'proto' },
    })
    const seen: string[] = []
    session.onExchange(({ operation, reply, request }) => {
      if (operation === 'pollEventsV1') seen.push(String(reply?.status))
      if (operation === 'issueToken')
        seen.push(new URLSearchParams(request.body).get('scope') ?? '')
    })
    await session.advance(60_000)
    expect(new Set(seen)).toEqual(new Set(['proto.all', '204']))
  })

  test('with an unknown name is a problem', async () => {
    await expect(open({ dialect: 'klingon' })).rejects.toThrow(/dialect/)
  })

  test('with a path, a status or a body of an unknown operation is a problem', async () => {
    const wrong: Readonly<Record<string, SessionOptions['conduct']>> = {
      'conduct.paths': { paths: { pollEvents: '/x' } },
      'conduct.statuses': { statuses: { pollEvents: 200 } },
      'conduct.translations.mine': { translations: { mine: { operations: ['pollEvents'] } } },
    }
    for (const [setting, conduct] of Object.entries(wrong))
      await expect(open({ conduct: conduct! })).rejects.toMatchObject({
        message: expect.stringMatching(
          new RegExp(`${setting}.*there is no operation "pollEvents"`, 's'),
        ) as string,
      })
  })

  test('of one’s own is a few words: a body of the documents in a partner’s names', async () => {
    await using wire = await openOrdersWire({
      conduct: {
        translations: {
          mine: {
            operations: ['getOrder'],
            of: 'reply',
            fields: { displayId: 'number', 'total.orderAmount.value': 'sum' },
            words: { status: { CREATED: 'new' } },
          },
        },
        statuses: { confirmOrder: 204 },
      },
    })
    const id = await wire.create({ order: minimalOrder('o-1') as unknown as Order })
    expect(await wire.read(id)).toMatchObject({ id, number: '1', sum: 40, status: 'new' })
    expect(await wire.ask(id, 'confirm')).toBe(204)
  })
})

describe('another base path', () => {
  test('[TRN-CON-05] is declared, served, used by our own client, and part of every URL', async () => {
    await using wire = await openOrdersWire({ conduct: { basePath: '/api/v2' } })
    const manifest = (await wire.send('GET', '/.well-known/protocol')).json as {
      capabilities: { endpoint: string }[]
    }
    expect(manifest.capabilities[0]?.endpoint).toBe(`${wire.base}/api/v2`)
    const id = await wire.create()
    expect((await wire.send('GET', `/api/v2/orders/${id}`)).status).toBe(200)
    expect((await wire.send('GET', `/orders/${id}`)).status).toBe(404)
    const events = (await wire.send('GET', '/api/v2/events:polling')).json as { orderURL: string }[]
    expect(events[0]?.orderURL).toBe(`${wire.base}/api/v2/orders/${id}`)
    await using session = await open({
      conduct: { basePath: '/api/v2' },
      counterparts: { 'ordering-application': { orders: { every: 1000, limit: 3 } } },
    })
    await session.advance(10_000)
    await session.settle()
    expect((await session.look({})).info.counts).toMatchObject({
      orders: 3,
      open: 0,
      failed: { rejected: 0, errors: 0 },
    })
  })

  test('[TRN-CON-05] is called where no other is declared, and by webhook too', async () => {
    await using receiver = await openReceiver()
    await using wire = await openOrdersWire({
      subject: { url: receiver.url },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
      conduct: { basePath: '/api/v2' },
    })
    const id = await wire.create()
    await wire.pass(1000)
    const [received] = receiver.received
    expect(received?.path).toBe('/webhooks/orders')
    expect(received?.event.orderURL).toBe(`${wire.base}/api/v2/orders/${id}`)
  })
})

describe('another polling path', () => {
  test('is served and called in place of the default one', async () => {
    await using wire = await openOrdersWire({ conduct: { paths: { pollingEvents: '/feed' } } })
    await wire.create()
    expect((await wire.send('GET', '/feed')).json).toHaveLength(1)
    expect((await wire.send('GET', '/events:polling')).status).toBe(404)
  })
})

describe('a colon that is matched only in its encoded form', () => {
  test('is served as %3A and no other way', async () => {
    await using wire = await openOrdersWire({ conduct: { colon: 'encoded' } })
    await wire.create()
    expect((await wire.send('GET', '/events%3Apolling')).status).toBe(200)
    expect((await wire.send('GET', '/events:polling')).status).toBe(404)
    await using usual = await openOrdersWire()
    expect((await usual.send('GET', '/events%3Apolling')).status).toBe(204)
  })
})

describe('events with a fresh id in every poll', () => {
  test('are the same events: acknowledging one of the ids acknowledges the event', async () => {
    await using wire = await openOrdersWire({ conduct: { pollEventIds: 'fresh' } })
    const id = await wire.create()
    const first = await wire.poll()
    const second = await wire.poll()
    expect(second.map(({ orderId, eventType }) => [orderId, eventType])).toEqual([[id, 'CREATED']])
    expect(second[0]?.eventId).not.toBe(first[0]?.eventId)
    expect(second[0]?.createdAt).toBe(first[0]?.createdAt)
    // The older id is as good as the newer one.
    expect((await wire.acknowledge(first)).status).toBe(202)
    expect(await wire.poll()).toEqual([])
  })

  test('are unknown under an id that no poll returned', async () => {
    await using wire = await openOrdersWire({
      conduct: { pollEventIds: 'fresh', unknownAcknowledgment: 'refuse' },
    })
    await wire.create()
    const body = { eventIds: ['made-up'] }
    expect((await wire.send('POST', '/events/acknowledgment', { body })).status).toBe(404)
  })

  test('cause neither lost orders nor repeated work in our store', async () => {
    await using session = await open({
      conduct: { pollEventIds: 'fresh' },
      counterparts: {
        'ordering-application': { orders: { every: 1000, limit: 5 } },
        'software-service': { behaviour: 'forgetful' },
      },
    })
    await session.advance(600_000)
    const confirmed = session
      .facts()
      .flatMap(({ fact }) =>
        fact.kind === 'order.moved' && fact.to === 'CONFIRMED' ? [fact.orderId] : [],
      )
    expect(confirmed.length).toBeGreaterThan(2)
    expect(new Set(confirmed).size).toBe(confirmed.length)
  })
})

describe('acknowledgments', () => {
  test('over the partner’s limit are 400 without effect', async () => {
    await using wire = await openOrdersWire({ conduct: { acknowledgmentLimit: 2 } })
    for (let count = 0; count < 3; count++) await wire.create()
    const events = await wire.poll()
    const answer = await wire.acknowledge(events)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('2 are the most')
    expect(await wire.poll()).toHaveLength(3)
    expect((await wire.acknowledge(events.slice(0, 2))).status).toBe(202)
    expect(await wire.poll()).toHaveLength(1)
  })

  test.each([
    ['eventIds', { eventIds: ['CREATED-1'] }],
    ['strings', ['CREATED-1']],
    ['eventId-objects', [{ eventId: 'CREATED-1' }]],
    ['id-objects', [{ id: 'CREATED-1' }]],
  ] as const)('[ORD-UND-09] of ours are sent as %s', async (acknowledgmentBody, expected) => {
    await using store = await openSoftwareServiceSession({ conduct: { acknowledgmentBody } })
    store.originator.script('acknowledge', () => ({ status: 202 }))
    store.originator.place(minimalOrder('o-1'))
    await store.pass(2000)
    expect(JSON.parse(store.originator.callsOf('acknowledge')[0]?.text ?? '')).toEqual(expected)
  })
})

describe('errors', () => {
  test('as problem+json have its content type, from every operation', async () => {
    await using wire = await openOrdersWire({ conduct: { errorBody: 'problem+json' } })
    const answers = [
      await wire.send('GET', '/orders/nobody'),
      await wire.send('GET', '/nowhere'),
      await wire.send('GET', '/merchants', { token: null }),
      await wire.send('POST', '/oauth/token', { text: '{', token: null }),
    ]
    for (const { headers, json, status } of answers) {
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
      expect(json).toMatchObject({ type: 'about:blank', status, detail: expect.any(String) })
    }
  })
})

describe('tokens', () => {
  test('[AUT-UND-03] are requested as JSON, under another grant name, when configured', async () => {
    await using store = await openSoftwareServiceSession({
      conduct: { tokenRequest: 'json', tokenGrant: 'app_level_token' },
    })
    await store.pass(1000)
    const [request] = store.originator.callsOf('token')
    expect(request?.headers['content-type']).toBe('application/json')
    expect(request?.json).toEqual({
      grant_type: 'app_level_token',
      client_id: 'sparring-software-service',
      client_secret: 'secret-of-software-service',
      scope: 'proto.orders',
    })
  })

  test('[AUT-UND-03] are issued under that name and the default one, and no other', async () => {
    await using wire = await openOrdersWire({ conduct: { tokenGrant: 'app_level_token' } })
    const ask = async (grant_type: string): Promise<number> =>
      (
        await wire.send('POST', '/oauth/token', {
          token: null,
          body: { client_id: 'subject', client_secret: 'secret', grant_type },
        })
      ).status
    expect(await ask('app_level_token')).toBe(200)
    expect(await ask('client_credentials')).toBe(200)
    expect(await ask('password')).toBe(400)
    expect(await ask('refresh_token')).toBe(400)
  })

  test('[AUT-CRE-01] are requested with the credentials that the user configured', async () => {
    await using store = await openSoftwareServiceSession({
      counterparts: {
        'software-service': { credentials: { clientId: 'loja-9', clientSecret: 'segredo' } },
      },
    })
    await store.pass(1000)
    expect(store.originator.callsOf('token')[0]?.text).toContain(
      'client_id=loja-9&client_secret=segredo',
    )
  })
})

describe('an answer that does not arrive', () => {
  test('[LIM-UND-02] is awaited for the configured timeout', async () => {
    await using session = await open({
      as: 'ordering-application',
      handler: () => new Promise<Response>(() => undefined),
      conduct: { answerTimeout: 50 },
    })
    await session.advance(10)
    const [rejected] = session
      .facts()
      .flatMap(({ fact }) => (fact.kind === 'partner.rejected' ? [fact] : []))
    expect(rejected?.because).toContain('no answer within 0.05 s')
  })
})
