import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { importInPieces } from '../../../test/support/run-import.ts'
import { goreplayFormat } from './goreplay.ts'

const read = (given: string | Uint8Array) =>
  importInPieces(goreplayFormat, given, {
    now: 0,
    decode: (coding, bytes) => (coding === 'gzip' ? gunzipSync(bytes) : undefined),
  })

const t0 = 1_795_176_000_000
const monkeys = '\n🐵🙈🙉\n'
const payload = (type: number, id: string, ms: number, http: string): string =>
  `${type} ${id} ${t0 + ms}000000 0\n${http}${monkeys}`
const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: partner.example\r\nX-A: 1\r\n\r\n`
const answer = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test('requests and responses are paired by id and sorted by start time', () => {
  const { imported, problems } = read(
    payload(1, 'bb', 20, get('/two')) +
      payload(1, 'aa', 10, get('/one?x=1')) +
      payload(2, 'aa', 35, answer('first')) +
      payload(2, 'bb', 30, answer('second')),
  )
  expect(problems).toEqual([])
  expect(imported.map(({ exchange }) => [exchange.startedAt - t0, exchange.tookMs])).toEqual([
    [10, 25],
    [20, 10],
  ])
  expect(imported[0]?.exchange).toMatchObject({
    request: {
      method: 'GET',
      url: 'http://partner.example/one?x=1',
      headers: [
        ['Host', 'partner.example'],
        ['X-A', '1'],
      ],
    },
    reply: { status: 200, body: 'first' },
  })
  expect(imported[0]?.exchange.request.body).toBeUndefined()
})

test('chunked bodies are joined, compressed bodies are decoded', () => {
  const chunked =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n3;x=y\r\n12}\r\n0\r\n\r\n'
  const zipped = gzipSync('{"b":2}')
  const head = `POST /z HTTP/1.1\r\nHost: h\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`
  const { imported } = read(
    Buffer.concat([
      Buffer.from(`1 a ${t0}000000\n${head}`),
      zipped,
      Buffer.from(monkeys + payload(2, 'a', 1, chunked)),
    ]),
  )
  expect(imported[0]?.exchange).toMatchObject({
    request: { body: '{"b":2}' },
    reply: { body: '{"a":12}' },
  })
})

test('a replayed response is used only when the original response is missing', () => {
  const { imported } = read(
    payload(1, 'a', 0, get('/a')) +
      payload(3, 'a', 5, answer('again')) +
      payload(2, 'a', 9, answer('first')) +
      payload(1, 'b', 10, get('/b')) +
      payload(3, 'b', 12, answer('only again')) +
      payload(1, 'c', 20, get('/c')),
  )
  expect(imported.map(({ exchange, warn }) => [exchange.reply?.body, warn])).toEqual([
    ['first', undefined],
    ['only again', ['the response is that of a replay']],
    [undefined, ['no response']],
  ])
})

test('an invalid payload is reported with its location, and the rest is imported', () => {
  const { imported, problems } = read(
    `hello${monkeys}` +
      payload(2, 'zz', 1, answer('to nothing')) +
      payload(1, 'x', 2, 'no request line\r\n\r\n') +
      payload(1, 'ok', 3, get('/ok')) +
      payload(2, 'ok', 4, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\nabc'),
  )
  expect(imported).toHaveLength(1)
  expect(imported[0]?.exchange.reply?.body).toBe('abc')
  expect(imported[0]?.warn).toEqual(['the chunks of the body break off'])
  expect(problems.map(({ where, message }) => `${where}: ${message}`)).toEqual([
    'byte 0, payload 1: its first line is no "type id time"',
    expect.stringMatching(/^byte \d+, payload 3: it is no HTTP request$/),
    expect.stringMatching(/^byte 19, payload 2: no request with its id comes/),
  ])
})

test('a truncated file yields the payloads before the break', () => {
  const whole = payload(1, 'a', 0, get('/a')) + payload(2, 'a', 5, answer('x'))
  const bytes = new TextEncoder().encode(whole + payload(1, 'b', 9, get('/b')))
  const begun = new TextEncoder().encode(whole).length
  // The final line feed may be missing: many editors strip it.
  fc.assert(
    fc.property(fc.integer({ min: begun + 1, max: bytes.length - 2 }), (cut) => {
      const { imported, problems } = read(bytes.subarray(0, cut))
      expect(imported[0]?.exchange.reply?.body).toBe('x')
      expect(problems.at(-1)?.where).toContain(`byte ${begun}`)
      expect(problems.some(({ fatal }) => fatal)).toBe(true)
    }),
  )
})

test('many responses that precede their requests are paired', () => {
  const ids = Array.from({ length: 5000 }, (_, index) => `id${index}`)
  const text =
    ids.map((id, index) => payload(2, id, index + 1, answer(id))).join('') +
    ids.map((id, index) => payload(1, id, index, get(`/${id}`))).join('')
  const { imported, problems } = read(text)
  expect(problems).toEqual([])
  expect(imported.map(({ exchange }) => exchange.reply?.body)).toEqual(ids)
})
