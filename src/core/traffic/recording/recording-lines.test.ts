import { expect, test } from 'vitest'
import { redactorWith } from '../../../../test/support/redactor.ts'
import type { Exchange } from '../exchange.ts'
import { exchangeFromLine } from './recorded-exchange.ts'
import {
  createExchangeFormatter,
  formatEndLine,
  createHeaderLine,
  formatLine,
  type RecordingInfo,
} from './recording-lines.ts'
import { EndLine, HeaderLine, RecordedHttpLine } from './format.ts'
import { createLineIds, saltFromId, createSalt } from './line-ids.ts'
import { sampleExchange, sampleT0 } from '../../../../test/support/sample-exchange.ts'

const redactor = redactorWith('key')
const info: RecordingInfo = {
  name: 'lunch',
  tool: 'sparring/0.1.0',
  protocol: { name: 'protocol', version: 'v2' },
  parties: [{ party: 'subject', role: 'software-service' }],
  redaction: { policy: 'default-1', keyId: 'k', mode: 'pseudonym' },
}
const header = createHeaderLine({
  info,
  t0: sampleT0,
  salt: createSalt([1, 2, 3, 4, 5, 6, 7, 8, 9]),
})
const raw = createExchangeFormatter({ header, t0: sampleT0 })
const redacting = createExchangeFormatter({ header, t0: sampleT0, redactor })

const lineFor = (exchange: Exchange, format = raw) => {
  const text = format(exchange)
  expect(text.endsWith('}\n')).toBe(true)
  expect(text.slice(0, -1)).not.toContain('\n')
  return RecordedHttpLine.parse(JSON.parse(text))
}

test('the first members of every line identify its type', () => {
  expect(formatLine(header)).toMatch(
    /^\{"_rec":\{"v":1,"type":"header","id":"[\dA-Z]{26}","seq":0,/,
  )
  expect(raw(sampleExchange(3))).toMatch(
    /^\{"_rec":\{"v":1,"type":"http","id":"[\dA-Z]{26}","seq":3,/,
  )
  HeaderLine.parse(JSON.parse(formatLine(header)))
})

test('a line has times, parties, operation and identifiers', () => {
  const { _rec } = lineFor(sampleExchange(4, { attempt: 2, eventIds: ['e-1'] }))
  expect(_rec).toMatchObject({
    t: { q0: 41_000, q1: 41_000, p0: 42_500, p1: 42_500 },
    lt: 4,
    dir: 'sut>mock',
    from: { role: 'software-service', party: 'subject' },
    to: { role: 'ordering-application', party: 'sparring' },
    via: 'mock',
    op: 'getOrder',
    route: '/orders/{orderId}',
    params: { orderId: 'order-4' },
    corr: { order: 'order-4', events: ['e-1'] },
    attempt: 2,
    idem: 'request-4',
  })
})

test('a line is an entry of the HTTP Archive format', () => {
  const line = lineFor(sampleExchange(1))
  expect(line).toMatchObject({
    startedDateTime: '2026-11-20T12:00:00.010Z',
    time: 1.5,
    request: { method: 'GET', httpVersion: 'HTTP/1.1', headersSize: -1, bodySize: 0 },
    response: {
      status: 200,
      statusText: '',
      redirectURL: '',
      content: { mimeType: 'application/json' },
    },
    cache: {},
    timings: { send: 0, wait: 1.5, receive: 0 },
  })
  expect(line.response.headers.map(({ value }) => value)).toEqual([
    'application/json',
    'a=1',
    'b=2',
  ])
  expect(Object.keys(line).filter((key) => key.startsWith('_'))).toEqual(['_rec'])
})

test('an exchange survives a round trip', () => {
  const acknowledged = sampleExchange(7, {
    operation: 'acknowledgeEvents',
    eventIds: ['e-1', 'e-2'],
    attempt: 3,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:7101/v2/events/acknowledgment?x=%20y',
      headers: [
        ['Content-Type', 'application/json'],
        ['content-type', 'twice'],
      ],
      body: '{"eventIds":["e-1"], "odd": "\\u0000\\n\u2028 \ud83d\ude00 \ud800"}',
    },
    reply: { status: 202, headers: [] },
  })
  const wall = { startedAt: sampleT0 - 86_400_000.125, tookMs: 12.5 }
  const onOtherClocks = [
    sampleExchange(2, { tookMs: 250, wall: { ...wall, speed: 20 } }),
    sampleExchange(3, { tookMs: 0, wall }),
  ]
  for (const exchange of [
    sampleExchange(1),
    acknowledged,
    sampleExchange(9, { tookMs: 0 }),
    ...onOtherClocks,
  ])
    expect(exchangeFromLine(lineFor(exchange), sampleT0)).toEqual(exchange)
  const { _rec } = lineFor(acknowledged)
  expect(_rec.corr).toEqual({ order: 'order-7', acks: ['e-1', 'e-2'] })
})

test('an exchange without a reply has the phase of the failure and its duration', () => {
  const { reply: _, ...rest } = sampleExchange(5)
  const failed = { ...rest, tookMs: 30, failure: { code: 'ECONNREFUSED', message: 'refused' } }
  const line = lineFor(failed)
  expect(line._rec.err).toEqual({ phase: 'connect', code: 'ECONNREFUSED', message: 'refused' })
  expect(line._rec.t).toMatchObject({ p0: null, p1: null })
  expect(line.response.status).toBe(0)
  expect(exchangeFromLine(line, sampleT0)).toEqual(failed)
})

test('a path outside the protocol is recorded too', () => {
  const { operation: _, params: __, orderId: ___, ...rest } = sampleExchange(2)
  const line = lineFor(rest)
  expect(line._rec).toMatchObject({ op: null, route: null, corr: {} })
  expect(exchangeFromLine(line, sampleT0)).toEqual(rest)
})

test('lines are redacted and list the redactions', () => {
  const line = lineFor(sampleExchange(1), redacting)
  expect(JSON.stringify(line)).not.toMatch(/Ana|a-token-of/)
  expect(line._rec.red).toEqual([
    { p: 'q.headers.authorization', c: 'token' },
    { p: 'p.headers.set-cookie', c: 'token' },
    { p: 'p.headers.set-cookie', c: 'token' },
    { p: 'p.body/customer/name', c: 'name' },
  ])
  expect(line._rec.corr.order).toBe('order-1')
  // The size is that of the body on the wire.
  expect(line.response['bodySize']).toBe(sampleExchange(1).reply?.body?.length)
})

test('a cached part equals a newly written one', () => {
  const exchanges = Array.from({ length: 300 }, (_, index) => sampleExchange(1 + (index % 7)))
  for (const exchange of exchanges)
    expect(redacting(exchange)).toBe(
      createExchangeFormatter({ header, t0: sampleT0, redactor })(exchange),
    )
})

test('the cache keeps equal bodies under different paths apart', () => {
  const at = (seq: number, path: string) =>
    sampleExchange(seq, {
      request: { method: 'POST', url: `http://x${path}`, headers: [], body: '{"name":"Ana"}' },
    })
  expect(redacting(at(1, '/menu/items'))).toContain('\\"name\\":\\"Ana\\"')
  expect(redacting(at(2, '/customers'))).toContain('\\"name\\":\\"Pessoa ')
  expect(redacting(at(3, '/menu/items'))).toContain('\\"name\\":\\"Ana\\"')
})

const wireFacts = { coding: 'gzip', bytes: 41, sha256: 'ab'.repeat(32) }

test('facts about the bytes are kept: coding, length, hash, times, and a binary body', () => {
  const { reply, request } = sampleExchange(3)
  const exchange = sampleExchange(3, {
    sentMs: 0.25,
    repliedMs: 1.125,
    request: { ...request, wire: { ...wireFacts, base64: 'AP8B/oA=' } },
    reply: { ...reply!, wire: wireFacts },
  })
  const line = lineFor(exchange)
  expect(exchangeFromLine(line, sampleT0)).toEqual(exchange)
  expect(line._rec.wire).toEqual({
    q: { enc: 'gzip', bytes: 41, sha256: wireFacts.sha256 },
    p: { enc: 'gzip', bytes: 41, sha256: wireFacts.sha256 },
  })
  expect(line.request.postData).toMatchObject({ text: 'AP8B/oA=', encoding: 'base64' })
  expect(line._rec.t).toEqual({ q0: 30_750, q1: 31_000, p0: 31_875, p1: 32_250 })
  expect(line['timings']).toEqual({ send: 0.25, wait: 0.875, receive: 0.375 })
})

test('a body of an imported entry that says base64 is text where it was read as text, and bytes where it is none', () => {
  const line = lineFor(sampleExchange(1))
  const said = { mimeType: 'application/json', encoding: 'base64' }
  const read = (via: string, text: string, bodySize: number) => {
    const { request } = exchangeFromLine(
      {
        ...line,
        _rec: { ...line._rec, via },
        request: { ...line.request, bodySize, postData: { ...said, text } },
      },
      sampleT0,
    )
    return { body: request.body, base64: request.wire?.base64 }
  }
  const coded = btoa('{"id":"o-1"}')
  expect(read('import:har', coded, 12)).toEqual({ body: '{"id":"o-1"}', base64: undefined })
  expect(read('import:har', 'no base64', 9)).toEqual({ body: 'no base64', base64: undefined })
  expect(read('import:har', 'AP8B/oA=', 5)).toEqual({ body: undefined, base64: 'AP8B/oA=' })
  // Our own recorder writes base64 only for bytes that are no text.
  expect(read('server', coded, 12)).toEqual({ body: undefined, base64: coded })
})

test('trailers and the version of HTTP are kept, with a body of any kind and without one', () => {
  const trailers = [
    ['X-Sum', 'a'],
    ['x-sum', 'caf\u00e9'],
  ] as const
  for (const content of [
    { body: '{}', wire: { trailers } },
    { body: '{}', wire: { bytes: 2, trailers, version: '1.0' } },
    { wire: { base64: '/wAB', bytes: 3, trailers } },
    { wire: { version: '1.0' } },
    { wire: { trailers } },
  ] as const) {
    const { request, reply } = sampleExchange(1)
    const headers = reply?.headers ?? []
    const exchange = sampleExchange(1, {
      request: { ...request, ...content },
      reply: { status: 200, headers, ...content },
    })
    const line = lineFor(exchange)
    expect(exchangeFromLine(line, sampleT0)).toMatchObject({ request: content, reply: content })
    const version = 'version' in content.wire ? content.wire.version : '1.1'
    expect([line.request.httpVersion, line.response.httpVersion]).toEqual([
      `HTTP/${version}`,
      `HTTP/${version}`,
    ])
  }
})

test('trailers are redacted as headers are, and listed as trailers', () => {
  const wire = { trailers: [['X-Api-Key', 'geheim-4711']] } as const
  const { request } = sampleExchange(1)
  const { _rec } = lineFor(sampleExchange(1, { request: { ...request, wire } }), redacting)
  expect(_rec.wire?.q?.trailers).toEqual([
    { name: 'X-Api-Key', value: expect.stringMatching(/^~/) as string },
  ])
  expect(_rec.red).toContainEqual({ p: 'q.trailers.x-api-key', c: expect.any(String) as string })
})

test('a failure with an incomplete reply was in receiving it', () => {
  const failure = { code: 'ECONNRESET', message: 'read ECONNRESET' }
  expect(lineFor(sampleExchange(1, { failure }))._rec.err?.phase).toBe('receive')
})

test('a redacted body has no hash, and a binary body is left out unless keepBinary is set', () => {
  const { reply, request } = sampleExchange(3)
  const exchange = sampleExchange(3, {
    request: { ...request, wire: { ...wireFacts, base64: 'AP8B/oA=' } },
    reply: { ...reply!, wire: wireFacts },
  })
  const line = lineFor(exchange, redacting)
  // A hash would confirm a guess at the original.
  expect(line._rec.wire).toEqual({
    q: { enc: 'gzip', bytes: 41, trunc: 5 },
    p: { enc: 'gzip', bytes: 41 },
  })
  expect(line._rec.red).toContainEqual({ p: 'q.body', c: 'binary' })
  expect(line.request.postData).toBeUndefined()
  const keeping = createExchangeFormatter({ header, t0: sampleT0, redactor, keepBinary: true })
  expect(lineFor(exchange, keeping).request.postData?.text).toBe('AP8B/oA=')
})

test('the cache keeps a body with wire facts and one without apart, though their texts are equal', () => {
  const { reply } = sampleExchange(1)
  const plain = sampleExchange(1)
  const exact = sampleExchange(1, { reply: { ...reply!, wire: wireFacts } })
  const format = createExchangeFormatter({ header, t0: sampleT0 })
  for (const exchange of [plain, exact, plain, exact, exact, plain])
    expect(exchangeFromLine(lineFor(exchange, format), sampleT0)).toEqual(exchange)
})

test('a continued recording continues the sequence numbers', () => {
  const line = createExchangeFormatter({ header, t0: sampleT0, after: 100 })(sampleExchange(1))
  expect(JSON.parse(line)).toMatchObject({ _rec: { seq: 101 } })
})

test('ids sort by time, differ by sequence number, and contain the salt of their recording', () => {
  const salt = createSalt(Buffer.from('any bytes will do'))
  expect(salt).toMatch(/^[\dA-HJKMNP-TV-Z]{9}$/)
  const idOf = createLineIds(salt)
  const ids = [idOf(sampleT0, 1), idOf(sampleT0, 2), idOf(sampleT0 + 1, 3)]
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(3)
  expect(ids[0]).toMatch(/^[\dA-HJKMNP-TV-Z]{26}$/)
  expect(saltFromId(ids[0]!)).toBe(salt)
})

test('the end line has the numbers of written and dropped exchanges', () => {
  const text = formatEndLine({
    salt: saltFromId(header._rec.id),
    instant: sampleT0,
    seq: 9,
    http: 8,
    dropped: 1,
    sha256: 'ab',
  })
  const { _rec } = EndLine.parse(JSON.parse(text))
  expect(_rec).toMatchObject({
    type: 'end',
    seq: 10,
    counts: { http: 8 },
    dropped: 1,
    sha256: 'ab',
  })
})
