/** Logs of common loggers by preset, and others by user mapping. */
import { compact } from '../../core/base/compact.ts'
import { expect, test } from 'vitest'
import { importInPieces } from '../../../test/support/run-import.ts'
import { logsFormat } from './logs.ts'

const t0 = 1_795_176_000_000
const now = 7
const ndjson = (...lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const read = (text: string, mapping?: unknown) =>
  importInPieces(logsFormat, text, { now, ...compact({ mapping }) })

const pino = {
  level: 30,
  time: t0 + 12,
  pid: 1,
  req: {
    id: 1,
    method: 'POST',
    url: '/v2/orders/o-1/confirm?x=1',
    headers: { host: 'partner.example', 'x-many': ['a', 'b'] },
    body: { reason: 'busy' },
  },
  res: { statusCode: 202, headers: { 'content-type': 'application/json' } },
  responseTime: 12,
  msg: 'request completed',
}

test('pino-http: the logged time is the end of the exchange', () => {
  const { imported, problems } = read(ndjson({ level: 30, msg: 'listening' }, pino))
  expect(problems).toEqual([])
  expect(imported.map(({ exchange }) => exchange)).toMatchObject([
    {
      startedAt: t0,
      tookMs: 12,
      request: {
        method: 'POST',
        url: 'http://partner.example/v2/orders/o-1/confirm?x=1',
        headers: [
          ['host', 'partner.example'],
          ['x-many', 'a'],
          ['x-many', 'b'],
        ],
        body: '{"reason":"busy"}',
      },
      reply: { status: 202, headers: [['content-type', 'application/json']] },
    },
  ])
})

test('nginx: times in seconds, request line, headers in separate fields', () => {
  const { imported } = read(
    ndjson({
      time_iso8601: '2026-11-20T12:00:01+00:00',
      request: 'GET /v2/orders/o-1 HTTP/1.1',
      status: '200',
      request_time: '0.250',
      scheme: 'https',
      http_host: 'partner.example',
      http_user_agent: 'pos/1',
      http_referer: '-',
      request_body: '-',
    }),
  )
  expect(imported[0]?.exchange).toMatchObject({
    startedAt: Date.parse('2026-11-20T12:00:00.750Z'),
    tookMs: 250,
    request: {
      method: 'GET',
      url: 'https://partner.example/v2/orders/o-1',
      headers: [['User-Agent', 'pos/1']],
    },
    reply: { status: 200 },
  })
  expect(imported[0]?.exchange.request.body).toBeUndefined()
})

test('api-gateway preset', () => {
  const { imported } = read(
    ndjson({
      requestId: 'r-1',
      requestTime: '20/Nov/2026:12:00:00 +0000',
      httpMethod: 'GET',
      path: '/prod/v2/orders/o-1',
      status: '404',
      domainName: 'api.partner.example',
      responseLatency: '17',
      userAgent: 'pos/1',
    }),
  )
  expect(imported[0]?.exchange).toMatchObject({
    startedAt: Date.parse('2026-11-20T12:00:00Z'),
    tookMs: 17,
    request: { url: 'http://api.partner.example/prod/v2/orders/o-1' },
    reply: { status: 404 },
  })
})

test('OpenTelemetry: several spans per line, old and new attribute names', () => {
  const value = (each: string | number) =>
    typeof each === 'number' ? { intValue: String(each) } : { stringValue: each }
  const span = (attributes: Record<string, string | number>, start: string) => ({
    startTimeUnixNano: start,
    endTimeUnixNano: `${start.slice(0, -6)}999999`,
    attributes: Object.entries(attributes).map(([key, each]) => ({ key, value: value(each) })),
  })
  const spans = [
    span(
      {
        'http.request.method': 'GET',
        'url.full': 'https://h.example/a',
        'http.response.status_code': 200,
      },
      `${t0}000000`,
    ),
    span({ 'db.system': 'postgresql' }, `${t0}000000`),
    span(
      { 'http.method': 'POST', 'http.url': 'https://h.example/b', 'http.status_code': 503 },
      `${t0 + 1}500000`,
    ),
  ]
  const { imported } = read(ndjson({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
  expect(
    imported.map(({ exchange: { request, reply, startedAt } }) => [
      request.url,
      reply?.status,
      startedAt - t0,
    ]),
  ).toEqual([
    ['https://h.example/a', 200, 0],
    ['https://h.example/b', 503, 1.5],
  ])
})

test('a user mapping reads any structure by JSONPath', () => {
  const mapping = {
    method: '$.http.verb',
    url: ['$.http.full', '$.http.path'],
    status: '$.http.code',
    time: '$.at',
    took: '$.ms',
    requestBody: '$.in.text',
    responseBody: '$.out',
    requestHeaders: '$.h',
    base: 'https://shop.example/base/',
  }
  const { imported, problems } = read(
    ndjson({
      at: '2026-11-20T12:00:00.5Z',
      ms: '3.5',
      http: { verb: 'put', path: '/x', code: 204 },
      in: { text: 'hi' },
      out: { ok: true },
      h: ['A', '1', 'B', '2'],
    }),
    mapping,
  )
  expect(problems).toEqual([])
  expect(imported[0]?.exchange).toMatchObject({
    startedAt: Date.parse('2026-11-20T12:00:00.500Z'),
    tookMs: 3.5,
    request: {
      method: 'PUT',
      url: 'https://shop.example/base/x',
      headers: [
        ['A', '1'],
        ['B', '2'],
      ],
      body: 'hi',
    },
    reply: { status: 204, body: '{"ok":true}' },
  })
})

test('a single field of a preset can be overridden', () => {
  const { imported } = read(ndjson(pino), {
    preset: 'pino-http',
    timeIs: 'start',
    base: 'https://x.example',
  })
  expect(imported[0]?.exchange).toMatchObject({
    startedAt: t0 + 12,
    request: { url: 'https://x.example/v2/orders/o-1/confirm?x=1' },
  })
})

test('separate request and response lines are paired by key', () => {
  const mapping = {
    method: '$.method',
    url: '$.url',
    status: '$.status',
    time: '$.t',
    responseBody: '$.body',
    pair: { key: '$.id', kind: '$.type', request: 'req', response: ['res', 'err'] },
  }
  const { imported, problems } = read(
    ndjson(
      { type: 'req', id: 'a', t: t0, method: 'GET', url: 'http://h/a' },
      { type: 'req', id: 'b', t: t0 + 5, method: 'GET', url: 'http://h/b' },
      { type: 'res', id: 'b', t: t0 + 6, status: 200, body: 'B' },
      { type: 'res', id: 'a', t: t0 + 9, status: 500, body: 'A' },
      { type: 'res', id: 'c', t: t0 + 9, status: 500 },
      { type: 'req', id: 'd', t: t0 + 10, method: 'GET', url: 'http://h/d' },
    ),
    mapping,
  )
  expect(
    imported.map(({ exchange: { reply, tookMs }, warn }) => [reply?.body, tookMs, warn]),
  ).toEqual([
    ['A', 9, undefined],
    ['B', 1, undefined],
    [undefined, 0, ['no response']],
  ])
  expect(problems).toEqual([
    { where: 'line 5', message: 'it is a response, and no request has its key' },
  ])
})

test('an invalid line is reported by number, many of them as a count', () => {
  const { imported, problems } = read(`{"a":\n${ndjson(pino)}\n\nplain text\n`)
  expect(imported).toHaveLength(1)
  expect(problems.map(({ where }) => where)).toEqual(['line 1', 'line 5'])
  const wall = read('no\n'.repeat(5000))
  expect(wall.problems).toHaveLength(101)
  expect(wall.problems.at(-1)?.message).toBe('4900 more like these')
})

test('an unknown log format is refused with a hint to write a mapping', () => {
  const { problems } = read(ndjson({ some: 'thing' }))
  expect(problems).toMatchObject([{ where: 'the file', fatal: true }])
  expect(problems[0]?.message).toContain('pino-http, opentelemetry, api-gateway, nginx')
})

test.each([
  ['pino', 'there is no preset "pino"; there are pino-http, opentelemetry, api-gateway, nginx'],
  [{ method: '$.[' }, 'reading the mapping: '],
  [{ methode: '$.x' }, 'methode'],
])('an invalid mapping is refused: %j', (mapping, message) => {
  const { imported, problems } = read(ndjson(pino), mapping)
  expect(imported).toEqual([])
  expect(problems).toMatchObject([{ where: 'the mapping', fatal: true }])
  expect(problems[0]?.message).toContain(message)
})

test.each([
  ['an object with lists', { 'set-cookie': ['a=1', 'b=2'], 'x-id': 7 }],
  ['the lines of the message', 'Set-Cookie: a=1\r\nset-cookie: b=2\r\nX-Id: 7\r\n'],
  ['JSON in a text', '{"set-cookie":["a=1","b=2"],"x-id":"7"}'],
  ['a list of names and values', ['set-cookie', 'a=1', 'Set-Cookie', 'b=2', 'x-id', '7']],
  ['lines joined in one value', { 'Set-Cookie': 'a=1\nb=2', 'x-id': '7' }],
])('headers are logged as %s', (_how, h) => {
  const line = { t: '2026-11-20T12:00:00Z', m: 'GET', u: 'http://p.test/orders/o1', s: 200, h }
  const { imported } = read(ndjson(line), {
    time: '$.t',
    method: '$.m',
    url: '$.u',
    status: '$.s',
    responseHeaders: '$.h',
  })
  const headers = imported[0]?.exchange.reply?.headers ?? []
  expect(headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`)).toEqual([
    'set-cookie: a=1',
    'set-cookie: b=2',
    'x-id: 7',
  ])
})

test('a body that is logged as an object keeps its numbers as they are spelled', () => {
  const line =
    '{"at":1795176000000000001,"verb":"POST","url":"http://h.test/x","code":202,' +
    '"in":{"partnerId":9007199254740993,"total":10.10,"rate":1e400},"out":[1.0]}'
  const mapping = {
    time: '$.at',
    method: '$.verb',
    url: '$.url',
    status: '$.code',
    requestBody: '$.in',
    responseBody: '$.out',
  }
  const { imported, problems } = read(`${line}\n`, mapping)
  expect(problems).toEqual([])
  expect(imported[0]?.exchange).toMatchObject({
    startedAt: 1_795_176_000_000,
    request: { body: '{"partnerId":9007199254740993,"total":10.10,"rate":1e400}' },
    reply: { status: 202, body: '[1.0]' },
  })
})

test('a base URL with a query of its own keeps it behind the logged path', () => {
  const line = ndjson({ verb: 'GET', path: '/orders?page=2', code: 200 })
  const mapping = {
    method: '$.verb',
    url: '$.path',
    status: '$.code',
    base: 'https://shop.example/api/?key=1',
  }
  expect(read(line, mapping).imported[0]?.exchange.request.url).toBe(
    'https://shop.example/api/orders?key=1&page=2',
  )
})

test('unbounded nesting is reported and does not crash', () => {
  const { problems } = read(`${'['.repeat(200_000)}\n${ndjson(pino)}`)
  expect(problems).toEqual([{ where: 'line 1', message: 'it is no JSON document' }])
})
