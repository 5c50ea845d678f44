// @module-tag slow
/** Malformed and hostile input over real sockets: each request gets a clear error, and the server keeps working. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../base/problem.ts'
import { minimalOrder } from '../../../test/support/minimal-order.ts'
import type { Session } from '../session-api/session.ts'
import { openSession } from '../session/open-session.ts'
import { createHostClient } from '../../../test/support/host-client.ts'

let session: Session
let base = ''
let store = ''
let token = ''
let orderId = ''
const bugs: unknown[] = []

const tokenAt = (url: string): Promise<string> => createHostClient({ fetch, base: url }).token()

beforeAll(async () => {
  session = await openSession({
    port: 0,
    clock: 'stepped',
    counterparts: { 'ordering-application': { channel: 'both' } },
    onBug: (error) => bugs.push(error),
  })
  base = session.urls.get('ordering-application') ?? ''
  store = session.urls.get('software-service') ?? ''
  token = await tokenAt(base)
  const made = await session.createOrder({ type: 'TAKEOUT' })
  orderId = made.ok ? made.value.orderId : ''
})

afterAll(() => session.close())

/** After any input: no bug reported, all operations served as before, no polluted prototypes. */
afterEach(async () => {
  const authorization = `Bearer ${token}`
  const read = await fetch(`${base}/orders/${orderId}`, { headers: { authorization } })
  const { status } = (await read.json()) as { status: string }
  if (bugs.length > 0) throw new AggregateError(bugs.splice(0), 'the server has met a bug')
  if (status !== 'CREATED') throw new Error(`the order is ${read.status} ${status}`)
  if (Object.keys(Object.prototype).length > 0) throw new Error('Object.prototype is polluted')
})

const errorObject = {
  error: {
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.stringMatching(/./),
    retryable: false,
  },
}

interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A request with its raw path, which fetch would normalise. */
function send(
  method: string,
  path: string,
  {
    body,
    headers = {},
    at = base,
  }: { body?: string | Buffer; headers?: Record<string, string>; at?: string } = {},
): Promise<Raw> {
  const { hostname, port } = new URL(at)
  const all = { authorization: `Bearer ${token}`, ...headers }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers: all }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Sends bytes on a raw socket and returns all that comes back until the other side closes. */
function bytes(data: string | Buffer, at = base): Promise<string> {
  const { hostname, port } = new URL(at)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(data))
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('utf8')))
    socket.on('close', () => resolve(text))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error),
    )
    socket.setTimeout(5000, () => socket.destroy(new Error('the socket stayed open')))
  })
}

/** The status of an error, after checking that it has a JSON error object. */
function errorStatus({ status, headers, text }: Raw): number {
  expect(headers['content-type']).toMatch(/^application\/json\b/)
  expect(JSON.parse(text)).toEqual(errorObject)
  return status
}

describe('bodies', () => {
  test.each([
    ['', 'nothing where something is needed'],
    ['{', 'half an object'],
    ['{"eventIds": [}', 'a slip'],
    ['\u0000', 'a NUL'],
    ['\uFEFF{"eventIds":[]}', 'a byte order mark'],
    ['undefined', 'no JSON'],
    ['NaN', 'no JSON either'],
    ['[1, 2]', 'numbers for ids'],
    ['"x"', 'a text'],
    ['null', 'null'],
    ['7', 'a number'],
    ['{"eventIds": "x"}', 'a text for a list'],
    ['{"eventIds": [null]}', 'null for an id'],
    ['{"eventIds": [""]}', 'an empty id'],
    ['{"eventIds": {"0": "x", "length": 1}}', 'what looks like a list'],
  ])('%j is 400: %s', async (body) => {
    expect(errorStatus(await send('POST', '/events/acknowledgment', { body }))).toBe(400)
  })

  test('more ids than the limit are 400', async () => {
    const eventIds = Array.from({ length: 20_000 }, (_, index) => `e-${index}`)
    expect(
      errorStatus(
        await send('POST', '/events/acknowledgment', { body: JSON.stringify({ eventIds }) }),
      ),
    ).toBe(400)
  })

  test('wrong types of optional fields are 400 with the path of the field', async () => {
    const path = `/orders/${orderId}/requestCancellation`
    for (const [body, where] of [
      ['{"reason": 7}', 'reason'],
      ['{"code": {}}', 'code'],
      ['{"mode": "SOMETIMES"}', 'mode'],
      ['{"outOfStockItems": "x"}', 'outOfStockItems'],
      ['[]', ''],
      ['"x"', ''],
    ] as const) {
      const answer = await send('POST', path, { body })
      expect(errorStatus(answer)).toBe(400)
      expect(answer.text).toContain(where)
    }
    for (const quantity of ['0', '-1', '1.5', '"2"', '1e999', '9007199254740993', 'null'])
      expect(
        errorStatus(
          await send('POST', `/orders/${orderId}/items/x/cancel`, {
            body: `{"quantity": ${quantity}}`,
          }),
        ),
      ).toBe(400)
  })

  test('JSON nested too deep is 400, in any notation', async () => {
    for (const body of [
      '['.repeat(200_000),
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
    ])
      for (const path of [`/orders/${orderId}/requestCancellation`, '/oauth/token'])
        expect(errorStatus(await send('POST', path, { body }))).toBe(400)
    // Brackets inside a string do not count.
    const reason = '[{"'.repeat(5000)
    const authorization = { authorization: `Bearer ${await tokenAt(base)}` }
    const body = JSON.stringify({ reason, client_id: 'x', client_secret: 'y' })
    expect((await send('POST', '/oauth/token', { body, headers: authorization })).status).toBe(401)
  })

  test('11 MB are 413 with the error body, with and without a Content-Length', async () => {
    const eleven = Buffer.alloc(11 * 1024 * 1024, 'x')
    for (const path of ['/events/acknowledgment', '/oauth/token']) {
      const announced = await send('POST', path, {
        body: eleven,
        headers: { 'content-length': String(eleven.length) },
      })
      expect(errorStatus(announced)).toBe(413)
      expect(announced.text).toContain('10 MB')
    }
    expect(
      errorStatus(
        await send('POST', '/events/acknowledgment', {
          body: eleven,
          headers: { 'transfer-encoding': 'chunked' },
        }),
      ),
    ).toBe(413)
  })

  test('300 kB about one order are 413, and a text of 3 kB is 400: both would be kept with it', async () => {
    const authorization = { authorization: `Bearer ${token}` }
    const path = `/orders/${orderId}/requestCancellation`
    const cancel = (reason: string) =>
      send('POST', path, { body: JSON.stringify({ reason }), headers: authorization })
    const large = await cancel('x'.repeat(300 * 1024))
    expect(errorStatus(large)).toBe(413)
    expect(large.text).toContain('256 kB')
    const long = await cancel('x'.repeat(3000))
    expect(errorStatus(long)).toBe(400)
    expect(long.text).toContain('reason')
  })

  test('the largest acknowledgment is read: 2000 ids of 100 characters', async () => {
    const eventIds = Array.from({ length: 2000 }, (_, nth) => `${nth}`.padEnd(100, '-'))
    const answer = await send('POST', '/events/acknowledgment', {
      body: JSON.stringify({ eventIds }),
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(202)
  })

  test('a body announced as too large is refused before it is received', async () => {
    const head = `POST /oauth/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999\r\n\r\n`
    expect(await bytes(head)).toMatch(/^HTTP\/1\.1 413 /)
  })

  test.each([
    ['announced', `content-length: ${11 * 1024 * 1024}`, ''],
    ['in chunks', 'transfer-encoding: chunked', 'b00000\r\n'],
  ])('a client that sends all of 11 MB, %s, and only then reads, reads the 413', async (...how) => {
    const [, length, before] = how
    const { hostname, port } = new URL(base)
    const socket = connect(Number(port), hostname)
    socket.pause()
    const failure = new Promise<Error>((resolve) => socket.on('error', resolve))
    socket.write(`POST /oauth/token HTTP/1.1\r\nhost: ${hostname}\r\n${length}\r\n\r\n${before}`)
    const eleven = Buffer.alloc(11 * 1024 * 1024, 'x')
    const sent = new Promise<string>((resolve) =>
      socket.write(eleven, (error) => resolve(error ? 'broken off' : 'whole')),
    )
    expect(await Promise.race([sent, failure])).toBe('whole')
    socket.end(before === '' ? '' : '\r\n0\r\n\r\n')
    expect(await socket.setEncoding('utf8').toArray()).toEqual([
      expect.stringMatching(/^HTTP\/1\.1 413 [^]*PAYLOAD_TOO_LARGE/),
    ])
  })

  test('bytes that are not UTF-8 are invalid JSON and cause no crash', async () => {
    const body = Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80])
    expect(errorStatus(await send('POST', '/events/acknowledgment', { body }))).toBe(400)
  })
})

describe('keys with a meaning in JavaScript', () => {
  const polluting = `{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"toString":"x","eventIds":[]}`

  function expectClean(): void {
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(([] as unknown as Record<string, unknown>)['polluted']).toBeUndefined()
  }

  test('have no effect, in a body or in a form', async () => {
    expect((await send('POST', '/events/acknowledgment', { body: polluting })).status).toBe(202)
    const form =
      '__proto__=x&constructor=y&client_id=subject&client_secret=secret&__proto__[polluted]=yes'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await send('POST', '/oauth/token', { body: form, headers })).status).toBe(200)
    expectClean()
  })

  test('in an order are served back unchanged, or not at all', async () => {
    const text = JSON.stringify(
      minimalOrder('o-keys', 'TAKEOUT', { constructor: { a: 1 }, toString: 'x' }),
    )
    const order: unknown = JSON.parse(text.replace('{', '{"__proto__":{"polluted":"yes"},'))
    expect((await session.createOrder({ order })).ok).toBe(true)
    const answer = await send('GET', '/orders/o-keys')
    expect(answer.status).toBe(200)
    const read = JSON.parse(answer.text) as Record<string, unknown>
    expect(read['constructor']).toEqual({ a: 1 })
    expect(read['toString']).toBe('x')
    expect(read['polluted']).toBeUndefined()
    expectClean()
  })

  test('are ids like any other', async () => {
    for (const id of ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf']) {
      expect(errorStatus(await send('GET', `/orders/${id}`))).toBe(404)
      expect(errorStatus(await send('POST', `/orders/${id}/confirm`))).toBe(404)
      const body = JSON.stringify({ client_id: id, client_secret: 'x' })
      expect(errorStatus(await send('POST', '/oauth/token', { body }))).toBe(401)
      expect(
        errorStatus(
          await send('GET', '/merchants', { headers: { authorization: `Bearer ${id}` } }),
        ),
      ).toBe(401)
    }
  })

  test('are unknown event types like any other: accepted without effect, and refused in a filter', async () => {
    const authorization = `Bearer ${await tokenAt(store)}`
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'NO_SUCH_EVENT']) {
      const body = JSON.stringify({
        eventId: name,
        eventType: name,
        orderId: name,
        createdAt: 'whenever',
      })
      const sending = { body, at: store, headers: { authorization } }
      expect((await send('POST', '/webhooks/orders', sending)).status).toBe(204)
    }
    const answer = await send('GET', '/events:polling?eventType=__proto__&eventType=constructor')
    expect(errorStatus(answer)).toBe(400)
  })
})

describe('invalid events', () => {
  test.each([
    ['{}', 'eventId'],
    ['[]', ''],
    ['{"eventId":"","eventType":"CREATED","orderId":"o","createdAt":"x"}', 'eventId'],
    ['{"eventId":"e","eventType":7,"orderId":"o","createdAt":"x"}', 'eventType'],
    ['{"eventId":"e","eventType":"CREATED","orderId":{},"createdAt":"x"}', 'orderId'],
  ])('%s is 400 at the webhook, with the path of the error', async (body, where) => {
    const headers = { authorization: `Bearer ${await tokenAt(store)}` }
    const answer = await send('POST', '/webhooks/orders', { body, at: store, headers })
    expect(errorStatus(answer)).toBe(400)
    expect(answer.text).toContain(where)
  })
})

describe('paths', () => {
  test.each([
    '/orders/%',
    '/orders/%zz',
    '/orders/%E0%A4%A',
    '/orders/%00',
    '/orders/%2F',
    '/orders/..%2f..%2fetc%2fpasswd',
    '/orders/../merchants',
    '/orders//confirm',
    '//orders/x',
    '/orders/x/',
    '/orders/',
    '/Orders/x',
    '/orders/%F0%9F%8D%95',
    '/events:Polling',
    '/events%3polling',
    '/.well-known/protocol%00',
    '/.well-known/%2e%2e/protocol',
    `/orders/${'x'.repeat(400)}`,
    `/orders/${'x'.repeat(501)}`,
    `/orders/${'x'.repeat(10_000)}`,
    `/orders/${'%41'.repeat(3000)}`,
    '/orders/x;y=z',
    '/orders/{orderId}',
    '*',
  ])('GET %s is 404 with a short error body', async (path) => {
    const answer = await send('GET', path)
    expect(errorStatus(answer)).toBe(404)
    expect(answer.text.length).toBeLessThan(1000)
  })

  test('a colon may be written %3A, and an unusual query is accepted', async () => {
    for (const path of [
      '/events%3Apolling',
      '/events%3apolling',
      '/events:polling?',
      '/events:polling?&&=&x',
    ])
      expect([200, 204]).toContain((await send('GET', path)).status)
    const many = Array.from({ length: 21 }, () => 'eventType=CREATED').join('&')
    expect(errorStatus(await send('GET', `/events:polling?${many}`))).toBe(400)
    expect(errorStatus(await send('GET', `/orders/nobody?${'a=b&'.repeat(2000)}`))).toBe(404)
  })

  test('the absolute form of a request target is routed and logged by its path', async () => {
    const urls: string[] = []
    const stop = session.onExchange(({ request }) => urls.push(request.url))
    const plain = await send('GET', '/.well-known/protocol')
    for (const path of [
      `${base}/.well-known/protocol`,
      'HTTP://elsewhere/.well-known/protocol?x=1',
    ])
      expect(await send('GET', path)).toMatchObject({ status: 200, text: plain.text })
    expect(errorStatus(await send('GET', 'http://elsewhere?x=1'))).toBe(404)
    expect(errorStatus(await send('OPTIONS', '*'))).toBe(404)
    stop()
    expect(urls).toEqual([
      `${base}/.well-known/protocol`,
      `${base}/.well-known/protocol`,
      `${base}/.well-known/protocol?x=1`,
      `${base}/?x=1`,
      `${base}/*`,
    ])
  })

  test('an id of all printable characters is kept unchanged', async () => {
    const id = 'a/b?c#d%e f+g&h=i:j;k@l"m\'n<o>p{q}r|s\\t^u`v~wçé✓🍕'
    expect((await session.createOrder({ order: minimalOrder(id, 'TAKEOUT') })).ok).toBe(true)
    const answer = await send('GET', `/orders/${encodeURIComponent(id)}`)
    expect([answer.status, (JSON.parse(answer.text) as { id: string }).id]).toEqual([200, id])
  })
})

describe('tokens', () => {
  test.each([
    ['', 'none'],
    ['Bearer', 'an empty one'],
    ['Bearer ', 'an empty one with a space'],
    [`Bearer ${'x'.repeat(12_000)}`, 'an endless one'],
    ['Bearer \u00e9\u00ff', 'one of other letters'],
    ['Bearer null', 'null'],
    ['Bearer a b', 'two'],
    ['Basic c3ViamVjdDpzZWNyZXQ=', 'credentials of another kind'],
  ])('%j is 401: %s', async (authorization) => {
    for (const at of [base, store])
      expect(errorStatus(await send('GET', '/merchants', { headers: { authorization }, at }))).toBe(
        401,
      )
  })

  test('of two Authorization headers only the first counts', async () => {
    const text = await bytes(
      `GET /merchants HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer no\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
    )
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('invalid HTTP', () => {
  const host = 'host: localhost\r\n'

  test.each([
    ['words', 'HELLO THERE\r\n\r\n'],
    ['an unknown method', `BREW /coffee HTTP/1.1\r\n${host}\r\n`],
    ['a TLS greeting', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0, 0, 13, 10, 13, 10])],
    ['noise', Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 37) % 256))],
    ['a header without a name', `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`],
    ['a header with a NUL', `GET / HTTP/1.1\r\n${host}x: a\u0000b\r\n\r\n`],
    ['a length that is none', `POST /oauth/token HTTP/1.1\r\n${host}content-length: ten\r\n\r\n`],
    [
      'two lengths',
      `POST /oauth/token HTTP/1.1\r\n${host}content-length: 1\r\ncontent-length: 2\r\n\r\nx`,
    ],
    [
      'a length and chunks at once',
      `POST /oauth/token HTTP/1.1\r\n${host}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['no Host', 'GET /.well-known/protocol HTTP/1.1\r\n\r\n'],
    ['another version', `GET / HTTP/9.9\r\n${host}\r\n`, '505 HTTP Version Not Supported'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '505 HTTP Version Not Supported'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\n${host}${'x: y\r\n'.repeat(5000)}\r\n`,
      '431 Request Header Fields Too Large',
    ],
    [
      'one endless header',
      `GET / HTTP/1.1\r\n${host}x: ${'y'.repeat(30_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
    ],
    ['a tunnel', `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`, '405 Method Not Allowed'],
  ])('%s is an error with its body, and the connection is closed', async (...given) => {
    const [, data, line = '400 Bad Request'] = given
    const text = await bytes(data)
    expect(text.split('\r\n')[0]).toBe(`HTTP/1.1 ${line}`)
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head.toLowerCase()).toContain('connection: close')
    expect(head.toLowerCase()).toContain('content-type: application/json')
    expect(JSON.parse(body)).toEqual(errorObject)
  })

  test('headers over the limit are reported as such', async () => {
    const text = await bytes(`GET / HTTP/1.1\r\n${host}x: ${'y'.repeat(30_000)}\r\n\r\n`)
    expect(text).toContain('the headers are over 16 KB')
  })

  test('an invalid chunk ends the request and the connection', async () => {
    const text = await bytes(
      `POST /oauth/token HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n`,
    )
    expect(text === '' || text.startsWith('HTTP/1.1 400 ')).toBe(true)
  })

  test('an unknown Expect header is ignored', async () => {
    const head = `GET /.well-known/protocol HTTP/1.1\r\n${host}expect: miracles\r\nconnection: close\r\n\r\n`
    expect(await bytes(head)).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('two pipelined requests are answered in order', async () => {
    const one = (path: string, last = '') => `GET ${path} HTTP/1.1\r\n${host}${last}\r\n`
    const text = await bytes(
      one('/.well-known/protocol') + one('/nothing') + one('/merchants', 'connection: close\r\n'),
    )
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 401'])
  })
})

describe('headers', () => {
  test('a very long X-Request-Id is echoed truncated, but counts as a whole', async () => {
    const long = 'r'.repeat(8000)
    const cancel = (requestId: string, body: string) =>
      send('POST', `/orders/${orderId}/items/x/cancel`, {
        body,
        headers: { 'x-request-id': requestId },
      })
    const first = await cancel(`${long}1`, '{}')
    expect(first.headers['x-request-id']).toBe('r'.repeat(200))
    expect((await cancel(`${long}2`, '{"reason":"x"}')).status).toBe(first.status)
    const conflict = await cancel(`${long}1`, '{"reason":"x"}')
    expect(errorStatus(conflict)).toBe(409)
    expect(conflict.text.length).toBeLessThan(500)
  })

  test('unusual content types, encodings and Connection headers cause no crash', async () => {
    for (const headers of [
      { 'content-type': 'application/json; charset=klingon' },
      { 'content-type': '' },
      { 'content-encoding': 'gzip' },
      { connection: 'upgrade', upgrade: 'websocket' },
      { 'x-forwarded-host': 'evil.example' },
    ] as Record<string, string>[]) {
      const answer = await send('POST', '/events/acknowledgment', {
        body: '{"eventIds":[]}',
        headers,
      })
      expect([202, 400]).toContain(answer.status)
    }
  })
})

describe('slow and disconnecting clients', () => {
  test('a body that arrives byte by byte is awaited, and blocks no other client', async () => {
    const body = '{"client_id":"subject","client_secret":"secret"}'
    const { hostname, port } = new URL(base)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString('utf8')))
    socket.write(
      `POST /oauth/token HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    for (const letter of body) {
      socket.write(letter)
      expect((await fetch(`${base}/.well-known/protocol`)).status).toBe(200)
    }
    await new Promise((resolve) => socket.on('close', resolve))
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('clients that disconnect in the middle of a request leave no resources behind', async () => {
    const { hostname, port } = new URL(base)
    const before = (await session.look({})).info.counts.exchanges
    const head = `POST /oauth/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{"client`
    await Promise.all(
      Array.from(
        { length: 50 },
        (_, index) =>
          new Promise<void>((resolve) => {
            const socket = connect(Number(port), hostname, () => {
              socket.write(index % 2 === 0 ? head : head.slice(0, 30))
              setTimeout(() => {
                socket.destroy()
                resolve()
              }, 10)
            })
            socket.on('error', () => resolve())
          }),
      ),
    )
    expect((await fetch(`${base}/.well-known/protocol`)).status).toBe(200)
    // At most one row for each, which says that its request was not whole.
    expect((await session.look({})).info.counts.exchanges).toBeLessThanOrEqual(before + 50 + 1)
  })

  test('a session closes while a client is still sending', async () => {
    const other = await openSession({ port: 0, clock: 'stepped' })
    const { hostname, port } = new URL(other.urls.get('software-service') ?? '')
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.write(`POST /oauth/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    // Node waits five minutes for a request, longer than a test may take.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    await other.close()
    await closed
    expect(socket.closed).toBe(true)
  })
})

describe('ports', () => {
  test('a port in use is a problem with the port and a remedy; nothing is left running', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    try {
      const opening = openSession({
        port: 0,
        clock: 'stepped',
        counterparts: { 'software-service': { port } },
      })
      const error: unknown = await opening.then(() => undefined).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Problem)
      expect((error as Problem).message).toContain(`127.0.0.1:${port}`)
      expect((error as Problem).message).toContain('in use')
      expect((error as Problem).message).toContain('--port')
      expect((error as Problem).exit).toBe(2)
    } finally {
      taken.close()
    }
  })

  test('an address that this machine does not have is a problem too', async () => {
    await expect(openSession({ port: 0, host: '192.0.2.1', clock: 'stepped' })).rejects.toThrow(
      /--host/,
    )
  })
})
