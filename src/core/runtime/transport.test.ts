/**
 * The conventions of the transport, from both ends: the answers of our hosts, and our client's requests, pauses and
 * retries.
 */
import { compact } from '../base/compact.ts'
import { describe, expect, test } from 'vitest'
import { operationsHostedBy } from '../protocol/catalogue.ts'
import { Conduct } from '../protocol/conduct.ts'
import { errorShapes, protocolErrors } from '../protocol/errors.ts'
import { pathsAtHost } from '../protocol/operation.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import type { HostReply } from '../../../test/support/scripted-host.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import {
  openSoftwareServiceSession,
  type SoftwareServiceSession,
} from '../../../test/support/software-service-session.ts'
import { type Answer, openOrdersWire, type OrdersWire } from '../../../test/support/wire.ts'
import { parseRetryAfterMs } from './client/call-outcome.ts'
import { openSession } from '../session/open-session.ts'

/** One request for each kind of error, and its status. */
async function everyError(wire: OrdersWire): Promise<Readonly<Record<string, Answer>>> {
  const id = await wire.create({ type: 'TAKEOUT' })
  const narrow = await wire.token('proto.menu')
  const send = (method: string, path: string, sending = {}) => wire.send(method, path, sending)
  return {
    'malformed JSON 400': await send('POST', `/orders/${id}/requestCancellation`, { text: '{' }),
    'wrong type 400': await send('POST', '/events/acknowledgment', { body: { eventIds: 7 } }),
    'no token 401': await send('GET', `/orders/${id}`, { token: null }),
    'unknown token 401': await send('GET', `/orders/${id}`, { token: 'made-up' }),
    'narrow token 403': await send('GET', `/orders/${id}`, { token: narrow }),
    'unknown order 404': await send('GET', '/orders/nobody'),
    'unknown path 404': await send('GET', '/nothing/here'),
    'unlisted method 404': await send('DELETE', `/orders/${id}`),
    'wrong transition 409': await send('POST', `/orders/${id}/dispatch`),
    'early item cancel 422': await send(
      'POST',
      `/orders/${id}/items/${await anItem(wire, id)}/cancel`,
    ),
  }
}

const anItem = async (wire: OrdersWire, id: string): Promise<string> =>
  (await wire.read(id)).items[0]?.id ?? ''

const statusIn = (name: string): number => Number(name.slice(-3))

describe('errors', () => {
  test('[TRN-ERB-01, TRN-ERB-02, TRN-STA-04, TRN-STA-05, TRN-STA-06, TRN-STA-07, TRN-STA-08, TRN-STA-09] every error has its status and the error object, as JSON', async () => {
    await using wire = await openOrdersWire()
    for (const [name, answer] of Object.entries(await everyError(wire))) {
      expect([name, answer.status]).toEqual([name, statusIn(name)])
      expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
      expect(answer.json).toEqual({
        error: {
          code: expect.stringMatching(/^[A-Z_]+$/),
          message: expect.stringMatching(/./),
          retryable: false,
        },
      })
    }
  })

  test.each(errorShapes)(
    '[TRN-ERB-02] errors have the shape %s too, everywhere alike',
    async (errorBody) => {
      await using wire = await openOrdersWire({ conduct: { errorBody } })
      for (const [name, { json, status }] of Object.entries(await everyError(wire))) {
        expect([name, status]).toEqual([name, statusIn(name)])
        expect(json).toEqual(
          {
            wrapped: {
              error: { code: expect.any(String), message: expect.any(String), retryable: false },
            },
            flat: { code: expect.any(String), message: expect.any(String) },
            'flat-details': {
              code: expect.any(String),
              message: expect.any(String),
              details: [expect.any(String)],
            },
            problem: { title: expect.any(String), status },
            'problem+json': {
              type: 'about:blank',
              title: expect.any(String),
              status,
              detail: expect.any(String),
            },
          }[errorBody],
        )
      }
    },
  )

  test('[TRN-ERB-01, TRN-STA-10, TRN-STA-11, TRN-STA-12, TRN-TEN-01] one table serves every capability: 429, 500 and 503 are retryable, nothing else', () => {
    const retryable = Object.values(protocolErrors).filter((row) => row.retryable)
    expect(new Set(retryable.map(({ status }) => status))).toEqual(new Set([429, 500, 503]))
    const statuses = new Set(Object.values(protocolErrors).map(({ status }) => status as number))
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 503])
      expect(statuses).toContain(status)
  })

  test('[TRN-UND-01] the codes are these', async () => {
    await using wire = await openOrdersWire()
    const codes = Object.entries(await everyError(wire)).map(([name, { json }]) => [
      name,
      (json as { error: { code: string } }).error.code,
    ])
    expect(Object.fromEntries(codes)).toEqual({
      'malformed JSON 400': 'INVALID_PAYLOAD',
      'wrong type 400': 'INVALID_PAYLOAD',
      'no token 401': 'UNAUTHORIZED',
      'unknown token 401': 'UNAUTHORIZED',
      'narrow token 403': 'FORBIDDEN',
      'unknown order 404': 'NOT_FOUND',
      'unknown path 404': 'NOT_FOUND',
      'unlisted method 404': 'NOT_FOUND',
      'wrong transition 409': 'INVALID_TRANSITION',
      'early item cancel 422': 'UNPROCESSABLE',
    })
  })

  test('[TRN-UND-02] an unlisted method of a path is 404 by default and 405 when configured, and has no effect', async () => {
    for (const unlistedMethod of [404, 405] as const) {
      await using wire = await openOrdersWire({ conduct: { unlistedMethod } })
      const id = await wire.create()
      for (const [method, path] of [
        ['PUT', `/orders/${id}`],
        ['PATCH', `/orders/${id}`],
        ['DELETE', `/orders/${id}`],
        ['POST', `/orders/${id}`],
        ['GET', `/orders/${id}/confirm`],
        ['DELETE', `/orders/${id}/confirm`],
        ['POST', '/events:polling'],
        ['GET', '/oauth/token'],
      ] as const) {
        const answer = await wire.send(method, path)
        expect([method, path, answer.status]).toEqual([method, path, unlistedMethod])
        expect(answer.json).toMatchObject({ error: { retryable: false } })
      }
      expect((await wire.read(id)).status).toBe('CREATED')
    }
  })

  test('[TRN-STA-11] an internal error is a 500 with the error object, and the host keeps working', async () => {
    const bugs: unknown[] = []
    await using wire = await openOrdersWire({ onBug: (error) => bugs.push(error) })
    const id = await wire.create()
    // Metadata set past the schema, which cannot be serialised as JSON.
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    await wire.session.submit({
      kind: 'event.emit',
      orderId: id,
      eventType: 'PREPARATION_REQUESTED',
      metadata: circular,
      force: true,
    })
    await wire.pass(0)
    const answer = await wire.send('GET', '/events:polling')
    expect(answer.status).toBe(500)
    expect(answer.json).toEqual({
      error: {
        code: 'INTERNAL_ERROR',
        message: 'something went wrong in Sparring itself',
        retryable: true,
      },
    })
    expect(bugs).toHaveLength(1)
    expect((await wire.send('GET', `/orders/${id}`)).status).toBe(200)
  })
})

describe('bodies', () => {
  test('[TRN-CON-03] malformed JSON is 400 with any content type; only a token can be requested with a form', async () => {
    await using wire = await openOrdersWire()
    const id = await wire.create()
    for (const [text, type] of [
      ['<order/>', 'application/xml'],
      ['a=b', 'application/x-www-form-urlencoded'],
      ['eventIds=x', 'application/json'],
      ['hello', 'text/plain'],
      ["{'eventIds': []}", 'application/json'],
      ['{"eventIds": []', 'application/json'],
    ] as const)
      for (const path of ['/events/acknowledgment', `/orders/${id}/confirm`]) {
        const answer = await wire.send('POST', path, { text, headers: { 'content-type': type } })
        expect([text, path, answer.status]).toEqual([text, path, 400])
      }
    expect((await wire.read(id)).status).toBe('CREATED')
    await wire.pass(5000)
    expect((await wire.read(id)).status).toBe('CREATED')
  })

  test('[TRN-HDR-02] parameters of the content type are accepted, in any letter case', async () => {
    await using wire = await openOrdersWire()
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;v=2',
    ]) {
      const sending = { text: '{"eventIds":[]}', headers: { 'content-type': type } }
      expect((await wire.send('POST', '/events/acknowledgment', sending)).status).toBe(202)
    }
  })
})

describe('X-Request-Id', () => {
  const ask = (
    wire: OrdersWire,
    id: string,
    requestId: string,
    { body = {}, token }: { body?: unknown; token?: string } = {},
  ) =>
    wire.send('POST', `/orders/${id}/requestCancellation`, {
      body,
      headers: { 'x-request-id': requestId },
      ...compact({ token }),
    })
  const requests = ({ session }: OrdersWire): number =>
    session.facts().filter(({ fact }) => fact.kind === 'cancellation.requested').length

  test('[TRN-HDR-04, TRN-UND-03] is echoed and logged, and a mutation under it happens once', async () => {
    await using wire = await openOrdersWire()
    const [id, other] = [await wire.create(), await wire.create()]
    const first = await ask(wire, id, 'request-1')
    expect(first.status).toBe(202)
    expect(first.headers.get('x-request-id')).toBe('request-1')
    // The request was denied meanwhile, so that the same call would be accepted as a new one.
    await wire.session.submit({ kind: 'cancellation.answer', orderId: id, answer: 'deny' })
    const again = await ask(wire, id, 'request-1')
    expect([again.status, again.headers.get('x-request-id')]).toEqual([202, 'request-1'])
    expect(requests(wire)).toBe(1)
    // It is stored per path, and another id is another call.
    await ask(wire, other, 'request-1')
    expect(requests(wire)).toBe(2)
    await ask(wire, id, 'request-2')
    expect(requests(wire)).toBe(3)
    const { traffic } = await wire.session.look({
      traffic: { limit: 50, filter: 'requestCancellation' },
    })
    const [row] = traffic
    const { exchange } = await wire.session.look({ exchange: row?.seq ?? 0 })
    expect(Object.fromEntries(exchange?.request.headers ?? [])).toMatchObject({
      'x-request-id': 'request-1',
    })
  })

  test('[TRN-UND-03] with other content is a conflict, for a day', async () => {
    await using wire = await openOrdersWire()
    const id = await wire.create()
    await ask(wire, id, 'r', { body: { reason: 'a' } })
    const conflict = await ask(wire, id, 'r', { body: { reason: 'b' } })
    expect(conflict.status).toBe(409)
    expect(conflict.json).toMatchObject({ error: { code: 'CONFLICT', retryable: false } })
    expect(conflict.headers.get('x-request-id')).toBe('r')
    await wire.pass(24 * 3_600_000)
    expect((await ask(wire, id, 'r', { body: { reason: 'b' } })).status).not.toBe(409)
  })

  test('[TRN-UND-03] belongs to the client and not to its token: a retry with a renewed token is safe', async () => {
    await using wire = await openOrdersWire({
      clients: [{ clientId: 'other', clientSecret: 'other', role: 'software-service' }],
    })
    const id = await wire.create()
    await ask(wire, id, 'r', { token: await wire.token() })
    await wire.session.submit({ kind: 'cancellation.answer', orderId: id, answer: 'deny' })
    await ask(wire, id, 'r', { token: await wire.token() })
    expect(requests(wire)).toBe(1)
    const answer = await wire.send('POST', '/oauth/token', {
      body: { client_id: 'other', client_secret: 'other' },
      token: null,
    })
    await ask(wire, id, 'r', { token: (answer.json as { access_token: string }).access_token })
    expect(requests(wire)).toBe(2)
  })

  test('[TRN-UND-03, TRN-STA-05] gives no stored answer to clients without access', async () => {
    await using wire = await openOrdersWire()
    const id = await wire.create()
    const token = await wire.token()
    expect((await ask(wire, id, 'r', { token })).status).toBe(202)
    await wire.session.submit({
      kind: 'token.revoke',
      host: 'ordering-application',
      clientId: 'subject',
    })
    expect((await ask(wire, id, 'r', { token })).status).toBe(401)
    expect((await ask(wire, id, 'r', { token: await wire.token('proto.menu') })).status).toBe(403)
  })

  test('[TRN-UND-03] can be ignored by configuration, and never applies to reads', async () => {
    await using wire = await openOrdersWire({ conduct: { requestIdMemory: 0 } })
    const id = await wire.create()
    await ask(wire, id, 'r')
    await wire.session.submit({ kind: 'cancellation.answer', orderId: id, answer: 'deny' })
    await ask(wire, id, 'r')
    expect(requests(wire)).toBe(2)
    await using remembering = await openOrdersWire()
    const order = await remembering.create()
    const read = () =>
      remembering.send('GET', `/orders/${order}`, { headers: { 'x-request-id': 'same' } })
    const before = (await read()).json as { status: string }
    await remembering.bring(order, 'CONFIRMED')
    const after = (await read()).json as { status: string }
    expect([before.status, after.status]).toEqual(['CREATED', 'CONFIRMED'])
  })
})

describe('limits', () => {
  test('[TRN-STA-10, LIM-UND-03] above the configured rate a client gets 429 with Retry-After, other clients do not, and afterwards it is served', async () => {
    await using wire = await openOrdersWire({
      conduct: { requestsPerMinute: 3 },
      clients: [{ clientId: 'other', clientSecret: 'other', role: 'software-service' }],
    })
    const statuses: number[] = []
    for (let time = 0; time < 4; time++)
      statuses.push((await wire.send('GET', '/merchants')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const limited = await wire.send('GET', '/merchants')
    expect(limited.json).toMatchObject({ error: { code: 'RATE_LIMITED', retryable: true } })
    const seconds = Number(limited.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(limited.headers.get('x-ratelimit-limit')).toBe('3')
    expect(limited.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(limited.headers.get('x-ratelimit-reset')).toBe(String(seconds))
    const answer = await wire.send('POST', '/oauth/token', {
      body: { client_id: 'other', client_secret: 'other' },
      token: null,
    })
    const { access_token: token } = answer.json as { access_token: string }
    expect((await wire.send('GET', '/merchants', { token })).status).toBe(200)
    await wire.pass(seconds * 1000)
    expect((await wire.send('GET', '/merchants')).status).toBe(200)
  })

  test('[TRN-STA-10, LIM-UND-02, LIM-UND-03] without a configured rate there is no limit', async () => {
    await using wire = await openOrdersWire()
    for (let time = 0; time < 150; time++)
      expect((await wire.send('GET', '/merchants')).status).toBe(200)
  })
})

describe('one transport for all', () => {
  test('[TRN-GEN-01, AUT-GEN-02] every operation of every host requires a token: 401 with the error object and a challenge, except for open ones', async () => {
    await using session = await openSession({
      port: 0,
      clock: 'stepped',
      counterparts: { 'ordering-application': { channel: 'both' }, crm: { mode: 'hybrid' } },
    })
    const conduct = Conduct.parse({})
    const open: string[] = []
    const closed = new Set<string>()
    for (const [role, url] of session.urls)
      for (const row of operationsHostedBy(role)) {
        if (row.when && !row.when(conduct)) continue
        for (const path of pathsAtHost(row, role)) {
          const there = path.replace('{protocol}', 'protocol').replaceAll(/\{\w+\}/g, 'x')
          const response = await fetch(`${url}${there}`, { method: row.method })
          if (response.status !== 401) {
            open.push(row.id)
            continue
          }
          closed.add(row.capability)
          expect(response.headers.get('www-authenticate')).toBe('Bearer')
          expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
        }
      }
    expect(new Set(open)).toEqual(new Set(['getManifest', 'issueToken']))
    expect(closed).toEqual(new Set(['auth', 'orders', 'indoor', 'logistics', 'customer']))
  })
})

describe('our client', () => {
  test.each([
    ['http://ordering-application.test', 'http://ordering-application.test'],
    ['http://ordering-application.test/', 'http://ordering-application.test'],
    ['http://ordering-application.test/api/v2', 'http://ordering-application.test/api/v2'],
    ['http://ordering-application.test/api/v2/', 'http://ordering-application.test/api/v2'],
    // Only configured hosts are called, whatever a manifest says.
    ['http://somewhere.else', 'http://ordering-application.test'],
    ['no url', 'http://ordering-application.test'],
  ])('[TRN-CON-05] with the endpoint %s it calls %s/…', async (endpoint, expected) => {
    await using store = await openSoftwareServiceSession(
      URL.canParse(endpoint) ? { originator: { endpoint } } : {},
    )
    const { originator } = store
    if (!URL.canParse(endpoint))
      originator.script('manifest', () => ({
        status: 200,
        body: JSON.parse(
          JSON.stringify(originator.manifest()).replace(
            'http://ordering-application.test',
            endpoint,
          ),
        ),
      }))
    originator.place(minimalOrder('o/1 é', 'TAKEOUT'))
    await store.pass(10_000)
    const urls = originator.calls
      .filter(({ name }) => name === 'poll' || name === 'order' || name === 'confirm')
      .map(({ url }) => url)
    expect(new Set(urls)).toEqual(
      new Set([
        `${expected}/events:polling`,
        `${expected}/orders/o%2F1%20%C3%A9`,
        `${expected}/orders/o%2F1%20%C3%A9/confirm`,
      ]),
    )
  })
})

/** The pauses between the attempts of one call, and their request ids. */
function tries(
  store: SoftwareServiceSession,
  operation: 'confirmOrder' | 'getOrder' | 'acknowledgeEvents',
) {
  const placed = store.session
    .facts()
    .flatMap(({ at, fact }) =>
      fact.kind === 'call.placed' && fact.call.operation === operation
        ? [{ at, call: fact.call }]
        : [],
    )
  const [first] = placed
  const same = placed.filter(({ call }) => call.requestId === first?.call.requestId)
  return {
    pauses: same.slice(1).map(({ at }, index) => at - (same[index]?.at ?? 0)),
    attempts: same.map(({ call }) => call.attempt),
  }
}

describe('our client and retries', () => {
  const unavailable: HostReply = { status: 503, body: { error: { retryable: true } } }

  test.each([
    [500, 'TRN-STA-11'],
    [502, 'TRN-STA-11'],
    [503, 'TRN-STA-12'],
    [429, 'TRN-STA-10'],
  ])(
    'after %d [%s, TRN-HDR-04] it retries with growing pauses, under the same id, and goes on when it succeeds',
    async (status) => {
      await using store = await openSoftwareServiceSession()
      const { originator } = store
      const turned = { ...unavailable, status }
      originator.next('confirm', turned, turned, turned)
      originator.place(minimalOrder('o-1', 'TAKEOUT'))
      await store.session.settle()
      const ids = originator.callsOf('confirm').map(({ headers }) => headers['x-request-id'])
      expect(ids).toHaveLength(4)
      expect(new Set(ids).size).toBe(1)
      expect(tries(store, 'confirmOrder')).toEqual({
        pauses: [500, 1000, 2000],
        attempts: [1, 2, 3, 4],
      })
      expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
    },
  )

  test('[TRN-STA-11, TRN-STA-12] an outage of minutes loses no order: pending work is done afterwards', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    const down = (): HostReply => unavailable
    const everything = [
      'poll',
      'acknowledge',
      'order',
      'confirm',
      'preparing',
      'delivered',
    ] as const
    originator.place(minimalOrder('o-1', 'TAKEOUT'))
    originator.place(minimalOrder('o-2'))
    await store.pass(1000)
    for (const name of everything) originator.script(name, down)
    await store.pass(180_000)
    for (const name of everything) originator.script(name)
    await store.session.settle()
    expect([...originator.orders.values()].map(({ status }) => status)).toEqual([
      'DELIVERED',
      'DELIVERED',
    ])
  })

  test.each([
    ['429', { status: 429, headers: { 'retry-after': '30' } }],
    ['503', { status: 503, headers: { 'retry-after': '30' } }],
  ] as const)(
    '[TRN-STA-10, TRN-STA-12] a Retry-After with %s is obeyed: no call of that kind before it',
    async (_name, reply) => {
      await using store = await openSoftwareServiceSession()
      const { originator } = store
      originator.next('confirm', reply)
      originator.place(minimalOrder('o-1', 'TAKEOUT'))
      await store.session.settle()
      expect(tries(store, 'confirmOrder').pauses).toEqual([30_000])
      await using polling = await openSoftwareServiceSession()
      polling.originator.next('poll', reply)
      await polling.pass(60_000)
      const [first = 0, second = 0] = polling.times('pollingEvents')
      expect(second - first).toBe(30_000)
    },
  )

  test('[TRN-STA-10, TRN-STA-12] failing polls get rarer, and return to their interval afterwards', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    originator.script('poll', () => unavailable)
    await store.pass(60_000)
    const times = store.times('pollingEvents')
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(9000)
    originator.script('poll')
    const before = store.times('pollingEvents').length
    await store.pass(20_000)
    expect(store.times('pollingEvents').length - before).toBeGreaterThan(9)
  })

  test('a permanent refusal is not retried', async () => {
    for (const status of [400, 403, 404, 409, 422]) {
      await using store = await openSoftwareServiceSession()
      const { originator } = store
      originator.next('acknowledge', { status })
      originator.announce('o-9', 'UNKNOWN_TYPE')
      await store.pass(900)
      expect(tries(store, 'acknowledgeEvents').attempts).toEqual([1])
    }
  })

  test('a handler that throws is a failed call, reported and survived', async () => {
    await using store = await openSoftwareServiceSession()
    const { originator } = store
    let broken = true
    originator.script('confirm', () => {
      if (!broken) return undefined
      broken = false
      throw new Error('the subject’s handler has a bug')
    })
    originator.place(minimalOrder('o-1', 'TAKEOUT'))
    await store.session.settle()
    expect(originator.orders.get('o-1')?.status).toBe('DELIVERED')
    const { traffic } = await store.session.look({ traffic: { limit: 100, filter: 'confirm' } })
    expect(traffic.map(({ failure }) => failure)).toContain('FAILED')
  })

  test('an unreachable counterpart is a failed call, and is retried', async () => {
    await using session = await openSession({
      port: 0,
      clock: 'virtual',
      automatic: false,
      capabilities: ordersOnly,
      // A port without a listener: privileged, and unassigned.
      subject: { role: 'ordering-application', url: 'http://127.0.0.1:1' },
    })
    await session.advance(4000)
    const { traffic } = await session.look({ traffic: { limit: 10 } })
    expect(traffic.map(({ failure }) => failure)).toEqual([
      'ECONNREFUSED',
      'ECONNREFUSED',
      'ECONNREFUSED',
    ])
  })

  test('Retry-After is seconds or a date, capped at a day', () => {
    const now = Date.parse('2026-01-05T12:00:00Z')
    const cases: readonly (readonly [string | undefined, number | undefined])[] = [
      [undefined, undefined],
      ['30', 30_000],
      [' 5 ', 5000],
      ['0', 0],
      ['Mon, 05 Jan 2026 12:00:10 GMT', 10_000],
      ['Mon, 05 Jan 2026 11:00:00 GMT', 0],
      ['soon', undefined],
      ['9'.repeat(400), 86_400_000],
    ]
    for (const [value, expected] of cases) expect(parseRetryAfterMs(value, now)).toBe(expected)
  })
})

describe('webhooks that are not accepted', () => {
  async function pushed(
    reply: (nth: number) => { status: number; headers?: Record<string, string> },
    conduct: Parameters<typeof openOrdersWire>[0] = {},
  ) {
    await using receiver = await openReceiver({ reply })
    await using wire = await openOrdersWire({
      ...conduct,
      subject: { url: receiver.url },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    })
    await wire.pass(0)
    await wire.create()
    await wire.pass(3_600_000)
    const facts = wire.session.facts()
    const times = facts.flatMap(({ at, fact }) =>
      fact.kind === 'call.placed' && fact.call.operation === 'receiveOrderEvent' ? [at] : [],
    )
    return {
      pauses: times.slice(1).map((time, index) => time - (times[index] ?? 0)),
      ids: new Set(receiver.received.map(({ headers }) => headers['x-request-id'])),
      bodies: new Set(receiver.received.map(({ text }) => text)),
      sends: receiver.received.length,
      givenUp: facts.flatMap(({ fact }) => (fact.kind === 'event.given-up' ? [fact.attempts] : [])),
    }
  }
  const never = () => ({ status: 500 })

  test.each([
    ['exponential', [1, 2, 4, 8, 16, 32]],
    ['quarter-hour', [30, 60, 120, 240, 450]],
    ['half-hour', [1, 4, 16, 64, 256, 600, 858]],
    ['three-more', [1, 5, 15]],
    ['one-more', [60]],
    ['never', []],
  ] as const)(
    '[TRN-STA-12, TRN-HDR-04] by the plan %s they are sent again after these pauses, the same bytes under the same id, and then given up',
    async (webhookRetry, seconds) => {
      const seen = await pushed(never, { conduct: { webhookRetry } })
      expect(seen.pauses).toEqual(seconds.map((second) => second * 1000))
      expect(seen.sends).toBe(seconds.length + 1)
      expect(seen.ids.size).toBe(1)
      expect(seen.bodies.size).toBe(1)
      expect(seen.givenUp).toEqual([seconds.length + 1])
    },
  )

  test('a plan may be given in numbers', async () => {
    const seen = await pushed(never, { conduct: { webhookRetry: ['250ms', '3s'] } })
    expect(seen.pauses).toEqual([250, 3000])
  })

  test('[TRN-STA-10, TRN-STA-12] a Retry-After delays the next attempt', async () => {
    const seen = await pushed((nth) =>
      nth === 1 ? { status: 429, headers: { 'retry-after': '20' } } : { status: 204 },
    )
    expect(seen.pauses).toEqual([20_000])
    expect(seen.givenUp).toEqual([])
  })

  test('a permanent refusal is not retried; any 2xx is success', async () => {
    for (const status of [400, 422]) {
      const seen = await pushed(() => ({ status }))
      expect([seen.sends, seen.givenUp]).toEqual([1, [1]])
    }
    for (const status of [200, 202, 204]) {
      const seen = await pushed(() => ({ status }))
      expect([seen.sends, seen.givenUp]).toEqual([1, []])
    }
  })
})
