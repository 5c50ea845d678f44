// @module-tag slow
import { request } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, expect, test, onTestFinished } from 'vitest'
import { inUseText } from '../../../../test/support/port-holders.ts'
import { Problem } from '../../base/problem.ts'
import type {
  AgendaRow,
  JournalRow,
  OrderDetail,
  SessionApi,
  SessionInfo,
  Snapshot,
} from '../../session-api/session-api.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { type ControlServer, type ControlOptions, startControl } from './control.ts'
import type { Session } from '../../session-api/session.ts'
import { openSession } from '../../session/open-session.ts'

async function session(): Promise<Session> {
  const opened = await openSession({ clock: 'stepped', listen: false })
  onTestFinished(() => opened.close())
  return opened
}

async function control(
  face: SessionApi,
  more: Partial<ControlOptions> = {},
): Promise<ControlServer> {
  const started = await startControl({ session: face, host: '127.0.0.1', port: 0, ...more })
  onTestFinished(() => started.close())
  return started
}

interface Reply {
  readonly error: { readonly code: string; readonly message: string }
}

interface Heard<Body> {
  readonly status: number
  readonly headers: Headers
  readonly json: Body
}

interface Described {
  readonly openapi: string
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters: readonly { readonly name: string }[]
            readonly requestBody?: {
              readonly content: { 'application/json': { schema: object } }
            }
          }
        >
      >
    >
  >
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>
  }
}

interface Made {
  readonly orderId: string
}

const caller =
  (url: string) =>
  async <Body = Reply>(method: string, path: string, body?: unknown): Promise<Heard<Body>> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: text }),
    })
    const heard = await response.text()
    const json = (heard === '' ? undefined : JSON.parse(heard)) as Body
    return { status: response.status, headers: response.headers, json }
  }

async function called(more?: Partial<ControlOptions>) {
  const face = await session()
  const { url } = await control(face, more)
  return { face, call: caller(url), url }
}

/** One for all calls that change nothing. */
let shared: ControlServer
let ask: ReturnType<typeof caller>
beforeAll(async () => {
  const opened = await openSession({ clock: 'stepped', listen: false })
  shared = await startControl({ session: opened, host: '127.0.0.1', port: 0 })
  ask = caller(shared.url)
  return () => shared.close().then(opened.close)
})

test('POST /orders creates an order that can be read', async () => {
  const { call } = await called()
  const made = await call<Made>('POST', '/orders', { type: 'TAKEOUT', items: 2 })
  expect(made.status).toBe(201)
  const { orderId } = made.json
  expect(made.headers.get('location')).toBe(`/orders/${orderId}`)

  const seen = await call<OrderDetail>('GET', `/orders/${orderId}`)
  expect(seen.status).toBe(200)
  expect(seen.json.row).toMatchObject({ orderId, profile: 'TAKEOUT', status: 'CREATED' })
  expect((seen.json.document as Order).items).toHaveLength(2)

  expect((await call('GET', '/orders')).json).toMatchObject([{ orderId }])
  expect((await call('GET', '/orders?status=DELIVERED')).json).toEqual([])
  expect((await call('GET', '/state/ordering-application')).json).toMatchObject({
    role: 'ordering-application',
    behaviour: 'prompt',
    orders: [{ orderId, status: 'CREATED' }],
  })
  const { json: facts } = await call<JournalRow[]>('GET', `/journal?order=${orderId}`)
  expect(facts.map(({ kind }) => kind)).toContain('order.created')
})

test('an order may be named by its slot, in a path, in a query and in a command', async () => {
  const { call } = await called()
  const { orderId } = (await call<Made>('POST', '/orders', {})).json
  expect((await call<OrderDetail>('GET', '/orders/o1')).json.row.orderId).toBe(orderId)
  expect((await call('GET', '/orders/o2')).status).toBe(404)
  for (const list of ['journal', 'agenda', 'traffic']) {
    const whole = await call('GET', `/${list}?order=${orderId}`)
    expect((await call('GET', `/${list}?order=o1`)).json).toEqual(whole.json)
  }
  const apply = { kind: 'order.apply', orderId: 'o1', trigger: 'confirm' }
  expect((await call('POST', '/commands', apply)).json).toMatchObject({
    facts: expect.arrayContaining([expect.objectContaining({ orderId })]),
  })
  expect((await call('GET', '/state/oa')).json).toMatchObject({ orders: [{ orderId }] })
})

test('a complete order document is kept as given', async () => {
  const { call, face } = await called()
  const first = await face.createOrder({ type: 'DELIVERY' })
  const { order } = await face.look({ orderId: first.ok ? first.value.orderId : '' })
  const document = { ...(order!.document as object), id: 'mine-1', observations: 'no onions' }
  expect((await call('POST', '/orders', { order: document })).json).toEqual({ orderId: 'mine-1' })
  const seen = await call<OrderDetail>('GET', '/orders/mine-1')
  expect(seen.json.document).toMatchObject({ observations: 'no onions' })
})

test('an order of a sample is created by its name', async () => {
  const { call } = await called()
  const { json, status } = await call<Made>('POST', '/orders', { sample: 'ids-beyond-2-53' })
  expect([status, json.orderId]).toEqual([201, expect.stringMatching(/^90\d{16}$/)])
  const seen = await call<OrderDetail>('GET', `/orders/${json.orderId}`)
  expect(seen.json.document).toMatchObject({ id: json.orderId })
})

test('the body is parsed as JSON whatever its content type, as curl -d sends it', async () => {
  const { url } = await called()
  const response = await fetch(`${url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '{"type":"DELIVERY"}',
  })
  expect(response.status).toBe(201)
})

test('agenda items are held, released, dropped, duplicated and delayed', async () => {
  const { call } = await called()
  await call('POST', '/orders', {})
  const { json: before } = await call<AgendaRow[]>('GET', '/agenda')
  const [first, second] = [before[0]!, before[1]!]
  const heldOf = async (id: number) => {
    const { json } = await call<AgendaRow[]>('GET', '/agenda')
    return json.find((item) => item.id === id)?.held
  }

  expect((await call('POST', `/agenda/${second.id}/hold`)).json).toMatchObject({
    facts: [{ kind: 'agenda.held', id: second.id }],
  })
  expect(await heldOf(second.id)).toBe(true)
  await call('POST', `/agenda/${second.id}/release`)
  expect(await heldOf(second.id)).toBe(false)

  await call('POST', `/agenda/${second.id}/duplicate`)
  const { json: copied } = await call<AgendaRow[]>('GET', '/agenda')
  expect(copied).toHaveLength(before.length + 1)
  expect(copied.some((item) => item.copyOf === second.id)).toBe(true)

  await call('POST', `/agenda/${first.id}/delay`, { by: '5s' })
  const { json: delayed } = await call<AgendaRow[]>('GET', '/agenda')
  const put = delayed.find((item) => item.id === first.id)!
  expect(put.due - first.due).toBe(5000)

  await call('POST', `/agenda/${second.id}/drop`)
  expect(await heldOf(second.id)).toBeUndefined()
  expect((await call('POST', `/agenda/${second.id}/drop`)).status).toBe(404)
})

test('an item moves to the place of another item', async () => {
  const { call } = await called()
  for (let count = 0; count < 3; count++) await call('POST', '/orders', {})
  const ids = async (): Promise<number[]> =>
    (await call<AgendaRow[]>('GET', '/agenda')).json.map(({ id }) => id)
  const before = await ids()
  const moved = await call('POST', `/agenda/${before[2]}/move`, { to: { place: before[0] } })
  expect(moved.status).toBe(200)
  expect((await ids()).slice(0, 3)).toEqual([before[2], before[0], before[1]])
})

test('a step executes the first item, and gives 204 when there is none', async () => {
  const { call } = await called()
  const { json: agenda } = await call<AgendaRow[]>('GET', '/agenda')
  const taken = await call<AgendaRow>('POST', '/agenda/step')
  expect(taken.status).toBe(200)
  expect(taken.json.id).toBe(agenda[0]!.id)

  const bored = await control({ ...(await session()), step: () => Promise.resolve(undefined) })
  expect((await caller(bored.url)('POST', '/agenda/step')).status).toBe(204)
})

test('any command can be submitted, and a refusal has the status of its code', async () => {
  const { call } = await called()
  const { orderId } = (await call<Made>('POST', '/orders', {})).json
  const apply = { kind: 'order.apply', orderId, trigger: 'confirm' }
  const done = await call<{ facts: unknown[] }>('POST', '/commands', apply)
  expect(done.status).toBe(200)
  expect(done.json.facts).toContainEqual(
    expect.objectContaining({ kind: 'order.moved', from: 'CREATED', to: 'CONFIRMED' }),
  )
  const unknown = await call('POST', '/commands', { ...apply, orderId: 'nobody' })
  expect(unknown.status).toBe(404)
  expect(unknown.json.error.code).toBe('NOT_FOUND')
  const early = await call('POST', '/commands', {
    kind: 'order.request',
    orderId,
    trigger: 'delivered',
  })
  expect(early.status).toBe(409)
  expect(early.json.error).toMatchObject({ code: 'INVALID_TRANSITION' })
  const late = await call('POST', '/commands', { ...apply, trigger: 'conclude' })
  expect(late.status).toBe(409)
  expect(late.json.error.message).toBe('conclude had no effect: the order is CONFIRMED')
  for (const command of [
    { kind: 'token.revoke', host: 'ordering-application', clientId: 'noone' },
    { kind: 'webhook.disable', webhook: 'noone' },
    { kind: 'webhook.enable', webhook: 'crm getOrder' },
  ])
    expect(await call('POST', '/commands', command)).toMatchObject({ status: 404 })
})

test.each([
  ['an unknown kind', { kind: 'agenda.hod', id: 1 }, /Did you mean "agenda.hold"\?/],
  ['an unknown field', { kind: 'agenda.hold', id: 1, until: 'noon' }, /Known there: kind, id\./],
  ['a mistyped field', { kind: 'agenda.delay', id: 1, byMS: 5 }, /Did you mean "byMs"\?/],
  [
    'a mistyped inner field',
    { kind: 'agenda.plan', afterMs: 1, command: { kind: 'agenda.hold', id: 1, ide: 2 } },
    /"ide" is not known in command. Did you mean "id"\?/,
  ],
  [
    'an unknown field of a kind with further rows',
    { kind: 'order.apply', orderId: 'a', trigger: 'cancel', quite: true },
    /"quite" is not known. Did you mean "quiet"\?/,
  ],
  ['a missing field', { kind: 'agenda.hold' }, /id is missing, and it must be a number/],
  ['a wrong type', { kind: 'agenda.hold', id: 'x' }, /id is "x", and it must be a number/],
  ['a wrong name', { kind: 'order.request', orderId: 'a', trigger: 'confrim' }, /"confirm"/],
  ['an inner command', { kind: 'agenda.plan', afterMs: 1, command: { kind: 'x' } }, /command.kind/],
  ['no object', '[1]', /the body is a list, and it must be an object/],
  ['no body', undefined, /kind is missing/],
])('a command with %s is refused with the reason', async (_, body, sentence) => {
  const { status, json } = await ask('POST', '/commands', body)
  expect(status).toBe(400)
  expect(json.error.code).toBe('INVALID_PAYLOAD')
  expect(json.error.message).toMatch(sentence)
})

test.each([
  ['POST', '/orders', { tpye: 'DELIVERY' }, 400, /Did you mean "type"\?/],
  ['POST', '/orders', { type: 'DELIVER' }, 400, /Did you mean "DELIVERY"\?/],
  ['POST', '/orders', { sample: 'emojis' }, 400, /no such sample.* Did you mean "emoji"\?/],
  ['POST', '/orders', { items: 0 }, 400, /items is 0, and it must be at least 1/],
  ['POST', '/orders', { type: 'TAKEOUT', order: {} }, 400, /takes no other field beside it/],
  ['POST', '/orders', { order: { items: [] } }, 400, /items is a list, .* at least 1 entry long/],
  ['POST', '/orders', { items: [{ item: 'Nothing' }] }, 400, /"Nothing" is not on the menu of/],
  ['POST', '/orders', { payment: { method: 'shells' } }, 400, /Known: credit, debit, .*cash/],
  ['POST', '/orders', '{"type":', 400, /the body is no JSON/],
  ['POST', '/clock', {}, 400, /say mode, speed or advance/],
  ['POST', '/clock', { advance: 'soon' }, 400, /no duration/],
  ['POST', '/clock', { mode: 'fast' }, 400, /real, stepped or virtual/],
  ['POST', '/reset', { seed: -1 }, 400, /at least 0/],
  ['POST', '/agenda/1/delay', {}, 400, /by is missing/],
  ['POST', '/agenda/1/move', { to: 'up' }, 400, /earlier, later or an object/],
  ['POST', '/agenda/x/hold', {}, 404, /id/],
  ['GET', '/orders/nobody', undefined, 404, /there is no order nobody/],
  ['GET', '/orders?status=LOST', undefined, 400, /status is "LOST"/],
  ['GET', '/traffic/99', undefined, 404, /exchange 99/],
  ['GET', '/state/nobody', undefined, 404, /role is "nobody"/],
  ['GET', '/journal?limit=0', undefined, 400, /limit/],
  ['GET', '/journal?limit=100000', undefined, 400, /at most 1000/],
  ['GET', '/journal?odrer=1', undefined, 400, /Did you mean "order"\?/],
  ['GET', '/traffic?filter=status%3E%3Dx', undefined, 400, /needs a number/],
  ['GET', '/session?role=crm', undefined, 400, /"role" is not known/],
  ['POST', '/faults', [], 400, /the body is a list, and it must be a text or an object/],
  ['GET', '/verdict?exercised=SE-1,SE-l', undefined, 400, /no rule "SE-l": is SE-\d meant\?/],
  ['GET', '/verdicts?id=EF11', undefined, 400, /there is no rule "EF11"/],
  ['GET', '/nowhere', undefined, 404, /openapi.json/],
  ['GET', '//elsewhere/session', undefined, 404, /control API has no/],
  ['GET', '/orders/%E0%A4%A', undefined, 404, /control API has no/],
])('%s %s %j is answered with %i', async (...row) => {
  const [method, path, body, status, sentence] = row
  const heard = await ask(method, path, body)
  expect(heard.status).toBe(status)
  expect(heard.json.error.message).toMatch(sentence)
})

test.each([
  ['/faults', (deep: string) => `{"drop": ${deep}}`],
  [
    '/commands',
    (deep: string) =>
      `{"kind": "event.emit", "orderId": "x", "eventType": "CONFIRMED", "metadata": {"x": ${deep}}}`,
  ],
])('%s: an extremely nested body is refused without an internal error', async (path, body) => {
  const bugs: unknown[] = []
  const { call } = await called({ onBug: (error) => bugs.push(error) })
  const heard = await call('POST', path, body(`${'['.repeat(20_000)}${']'.repeat(20_000)}`))
  expect(heard.status).toBe(400)
  expect(heard.json.error.message).toContain('nested deeper than 100 levels')
  expect(bugs).toEqual([])
})

test('an unsupported method is refused with the allowed ones', async () => {
  const wrong = await ask('DELETE', '/orders')
  expect(wrong.status).toBe(405)
  expect(wrong.headers.get('allow')).toBe('GET, POST')
})

test('HEAD answers as GET does, without the body', async () => {
  const response = await fetch(`${shared.url}/session`, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100)
  expect(await response.text()).toBe('')
})

test('an invalid path is refused, and HEAD of the stream ends at once', async () => {
  const statusOf = (method: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(shared.url)
      const sent = request({ hostname, port, path, method }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.end()
    })
  expect(await statusOf('GET', ':99999/session')).toBe(400)
  expect(await statusOf('GET', 'http://evil.example/session')).toBe(404)
  expect(await statusOf('HEAD', '/stream')).toBe(204)
})

test('the clock is set, and time advances at once', async () => {
  const { call } = await called()
  const { json: before } = await call<SessionInfo>('GET', '/session')
  const set = await call<SessionInfo['clock']>('POST', '/clock', {
    mode: 'stepped',
    speed: 2,
    advance: '90s',
  })
  expect(set.json).toMatchObject({ mode: 'stepped', speed: 2 })
  expect(set.json.now - before.clock.now).toBe(90_000)
})

test('a reset creates a fresh world, with the seed that it is given or the next', async () => {
  const { call } = await called()
  await call('POST', '/orders', {})
  const { json } = await call('POST', '/reset', { seed: 7 })
  expect(json).toMatchObject({ seed: 7, counts: { orders: 0 } })
  expect((await call('POST', '/reset')).json).toMatchObject({ seed: 8 })
})

test('POST /clock advances as far as one call may, and says how much is left', async () => {
  const face = await session()
  const asked: unknown[] = []
  const { url } = await control({
    ...face,
    advance: (ms, limits) => {
      asked.push(limits)
      return face.advance(ms, limits && { ...limits, items: 3 })
    },
  })
  const call = caller(url)
  interface Clock {
    readonly now: number
    readonly remaining?: number
  }
  await call('POST', '/orders', {})
  const before = (await face.look({})).info.clock.now
  const first = (await call<Clock>('POST', '/clock', { advance: '10m' })).json
  expect(asked).toEqual([{ items: expect.any(Number), wallMs: expect.any(Number) }])
  expect(first.remaining).toBeGreaterThan(0)
  expect(first.now + (first.remaining ?? 0)).toBe(before + 600_000)
  let { remaining = 0 } = first
  for (let calls = 0; remaining > 0 && calls < 5000; calls++)
    remaining = (await call<Clock>('POST', '/clock', { advance: remaining })).json.remaining ?? 0
  expect((await face.look({})).info.clock.now).toBe(before + 600_000)
  expect((await call<Clock>('POST', '/clock', { speed: 2 })).json.remaining).toBeUndefined()
})

test('POST /look gives several windows of one moment', async () => {
  const { call } = await called()
  const { orderId } = (await call<Made>('POST', '/orders', {})).json
  const { status, json } = await call<Snapshot>('POST', '/look', {
    journal: { limit: 5 },
    orders: { limit: 5 },
    orderId,
  })
  expect(status).toBe(200)
  expect(json.orders).toMatchObject([{ orderId }])
  expect(json.order?.row.orderId).toBe(orderId)
  expect((await call('POST', '/look', { journal: { limit: -1 } })).status).toBe(400)
})

test('an internal error gives 500, is reported, and does not end the server', async () => {
  const bugs: unknown[] = []
  const face = await session()
  const broken: SessionApi = { ...face, step: () => Promise.reject(new Error('lost a chunk')) }
  const { url } = await control(broken, { onBug: (error) => bugs.push(error) })
  const call = caller(url)
  const { status, json } = await call('POST', '/agenda/step')
  expect(status).toBe(500)
  expect(json.error).toEqual({ code: 'INTERNAL_ERROR', message: 'lost a chunk' })
  expect(bugs).toHaveLength(1)
  expect((await call('GET', '/health')).json).toEqual({ status: 'ok' })
})

test('a body over ten megabytes that was not announced is refused with 413', async () => {
  const headers = { 'transfer-encoding': 'chunked' }
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${shared.url}/orders`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject)
    const megabyte = 'x'.repeat(1024 * 1024)
    for (let count = 0; count < 11; count++) sent.write(megabyte)
    sent.end()
  })
  expect(status).toBe(413)
  expect((await ask('GET', '/health')).status).toBe(200)
})

test.each([
  [
    '417',
    'GET /health HTTP/1.1\r\nhost: localhost\r\nexpect: miracles\r\nconnection: close\r\n\r\n',
  ],
  ['431', `GET /health HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(30_000)}\r\n\r\n`],
  ['431', `GET /${'y'.repeat(30_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
  ['400', 'HELLO THERE\r\n\r\n'],
  ['400', 'GET /health HTTP/1.1\r\n\r\n'],
  ['505', 'GET /health HTTP/9.9\r\nhost: localhost\r\n\r\n'],
  ['405', 'CONNECT a.example:443 HTTP/1.1\r\nhost: localhost\r\n\r\n'],
  [
    '413',
    `POST /orders HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999\r\n\r\n${'x'.repeat(1e6)}`,
  ],
])('a %s before a request is read has the error body as well', async (status, sent) => {
  const { hostname, port } = new URL(shared.url)
  const socket = connect(Number(port), hostname)
  socket.write(sent)
  let text = ''
  // The connection may stay open for seconds after it.
  for await (const piece of socket.setEncoding('utf8') as AsyncIterable<string>) {
    text += piece
    if (/\r\n\r\n.*\}\s*$/s.test(text)) break
  }
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\n`))
  expect(head).toMatch(/content-type: application\/json/i)
  expect(JSON.parse(body)).toEqual({
    error: { code: expect.any(String), message: expect.any(String) },
  })
})

test('a body of nine megabytes is read', async () => {
  const { status, json } = await ask('POST', '/orders', {
    order: { id: 5, x: 'y'.repeat(9_000_000) },
  })
  expect(status).toBe(400)
  expect(json.error.message).toContain('id is 5')
})

test('GET /openapi.json describes every route with its body schema', async () => {
  const { json } = await ask<Described>('GET', '/openapi.json')
  expect(json.openapi).toBe('3.1.0')
  const routes = Object.entries(json.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  expect(routes.sort()).toEqual([
    'delete /faults',
    'delete /faults/{id}',
    'get /agenda',
    'get /entities/{kind}',
    'get /entities/{kind}/{id}',
    'get /explain/{order}',
    'get /faults',
    'get /health',
    'get /journal',
    'get /menu',
    'get /metrics',
    'get /openapi.json',
    'get /operator-actions',
    'get /orders',
    'get /orders/{id}',
    'get /position',
    'get /session',
    'get /state/{role}',
    'get /stream',
    'get /traffic',
    'get /traffic/{seq}',
    'get /verdict',
    'get /verdicts',
    'post /agenda/step',
    'post /agenda/{id}/delay',
    'post /agenda/{id}/drop',
    'post /agenda/{id}/duplicate',
    'post /agenda/{id}/hold',
    'post /agenda/{id}/move',
    'post /agenda/{id}/release',
    'post /clock',
    'post /commands',
    'post /faults',
    'post /fork',
    'post /judge',
    'post /look',
    'post /orders',
    'post /reset',
    'post /stop',
    'post /traffic/{seq}/note',
    'post /traffic/{seq}/resend',
    'post /wait',
  ])
  const body = json.paths['/orders']?.['post']?.requestBody?.content['application/json'].schema
  expect(body).toEqual({ $ref: '#/components/schemas/CreateOrderRequest' })
  expect(Object.keys(json.components.schemas['CreateOrderRequest']?.properties ?? {})).toEqual([
    'type',
    'table',
    'merchant',
    'items',
    'customer',
    'payment',
    'sample',
    'order',
  ])
  const parameters = json.paths['/journal']?.['get']?.parameters
  expect(parameters?.map(({ name }) => name)).toContain('after')
})

test('POST /stop ends a session that can be ended from outside, and no other', async () => {
  const face = await session()
  const stopped = Promise.withResolvers<void>()
  const { url } = await control({
    ...face,
    stop: () => {
      stopped.resolve()
      return Promise.resolve()
    },
  })
  expect((await caller(url)('POST', '/stop', {})).status).toBe(204)
  await stopped.promise

  const { call } = await called()
  const { status, json } = await call('POST', '/stop', {})
  expect([status, json.error.code]).toEqual([409, 'CONFLICT'])
})

test('a port in use is a problem with a remedy', async () => {
  const { url } = await called()
  const again = startControl({
    session: await session(),
    host: '127.0.0.1',
    port: Number(new URL(url).port),
  })
  await expect(again).rejects.toThrow(Problem)
  await expect(again).rejects.toThrow(
    new RegExp(`${inUseText(String.raw`this process itself \(pid \d+\)`)} choose others`),
  )
})

test('close ends every connection at once', async () => {
  const face = await session()
  const started = await startControl({ session: face, host: '127.0.0.1', port: 0 })
  const stream = await fetch(`${started.url}/stream`)
  await started.close()
  await expect(stream.text()).resolves.toContain('retry')
  await expect(fetch(`${started.url}/health`)).rejects.toThrow('fetch failed')
})
