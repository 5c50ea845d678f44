/** Cassettes in the spelling of each recorder and of its versions. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importInPieces } from '../../../test/support/run-import.ts'
import type { ContentDecoder } from './format.ts'
import { vcrFormat, maxInteractionChars, parseGoDuration } from './vcr.ts'

const now = 1_795_176_000_000
const decode: ContentDecoder = (coding, bytes) => {
  try {
    return coding === 'gzip' ? gunzipSync(bytes) : undefined
  } catch {
    return undefined
  }
}
const read = (cassette: string) => importInPieces(vcrFormat, cassette, { now, decode })
const gzipped = gzipSync('{"id":"o-1"}').toString('base64')

const confirm = {
  request: {
    method: 'POST',
    url: 'https://partner.example/v2/orders/o-1/confirm',
    headers: [
      ['Accept', '*/*'],
      ['X-Api-Version', '1.10'],
    ],
    body: '{"reason":"ç"}',
  },
  reply: {
    status: 202,
    headers: [
      ['Content-Type', 'application/json'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ],
    body: '{"ok":true}',
  },
}

test('Ruby: VCR, with the time at which it was recorded', () => {
  const { imported, problems } = read(`---
http_interactions:
- request:
    method: post
    uri: https://partner.example/v2/orders/o-1/confirm
    body:
      encoding: UTF-8
      string: '{"reason":"ç"}'
    headers:
      Accept:
      - "*/*"
      X-Api-Version:
      - 1.10
  response:
    status:
      code: 202
      message: Accepted
    headers:
      Content-Type:
      - application/json
      Set-Cookie:
      - a=1
      - b=2
    body:
      encoding: UTF-8
      string: '{"ok":true}'
    http_version: null
  recorded_at: Sun, 22 Nov 2026 04:58:44 GMT
recorded_with: VCR 6.3.1
`)
  expect(problems).toEqual([])
  expect(imported).toEqual([
    {
      exchange: expect.objectContaining({
        ...confirm,
        startedAt: Date.UTC(2026, 10, 22, 4, 58, 44),
        tookMs: 0,
      }) as object,
    },
  ])
})

test.each([
  [
    'a base64_string',
    `        encoding: ASCII-8BIT\n        base64_string: |\n          ${gzipped}\n`,
  ],
  [
    'binary of Ruby',
    `        encoding: ASCII-8BIT\n        string: !binary |-\n          ${gzipped}\n`,
  ],
  ['binary of Python', `        string: !!binary |\n          ${gzipped}\n`],
])('a compressed body as %s is decoded', (_, body) => {
  const { imported } = read(`interactions:
  - request: {method: GET, uri: 'http://h.example/'}
    response:
      status: {code: 200, message: OK}
      headers: {Content-Encoding: [gzip]}
      body:
${body}`)
  expect(imported[0]?.exchange.reply?.body).toBe('{"id":"o-1"}')
  expect(imported[0]?.warn).toEqual(['clock inferred'])
})

test('Python: vcrpy, whose bodies are null or text and whose list is not indented', () => {
  const { imported, problems } = read(
    `interactions:
- request:
    body: '{"reason":"\\xE7"}'
    headers:
      Accept:
      - '*/*'
      X-Api-Version: ['1.10']
    method: POST
    uri: https://partner.example/v2/orders/o-1/confirm
  response:
    body:
      string: "{\\"ok\\":\\
        true}"
    headers: &id001
      Content-Type:
      - application/json
      Set-Cookie:
      - a=1
      - b=2
    status:
      code: 202
      message: Accepted
- request:
    body: null
    headers: {}
    method: GET
    uri: https://partner.example/v2/orders/o-1
  response:
    body: {string: ''}
    headers: *id001
    status: {code: 200, message: OK}
version: 1
`.replace('\\xE7', 'ç'),
  )
  expect(problems).toEqual([])
  expect(imported[0]).toMatchObject({ exchange: { ...confirm, startedAt: now } })
  expect(imported[1]?.exchange).toMatchObject({
    startedAt: now + 1,
    request: { method: 'GET', headers: [] },
    reply: { status: 200, headers: confirm.reply.headers },
  })
  expect(imported[1]?.exchange.request.body).toBeUndefined()
  expect(imported[1]?.exchange.reply?.body).toBeUndefined()
})

test('Python: the adapter for httpx, and cassettes in JSON', () => {
  const interaction = {
    request: { ...confirm.request, uri: confirm.request.url, url: undefined },
    response: {
      status_code: 202,
      http_version: 'HTTP/1.1',
      headers: confirm.reply.headers,
      content: '{"ok":true}',
    },
  }
  const base64 = { body: { base64_string: Buffer.from('{"ok":true}').toString('base64') } }
  const ruby = { ...interaction, response: { ...interaction.response, ...base64 } }
  for (const cassette of [
    { version: 1, interactions: [interaction] },
    { http_interactions: [ruby], recorded_with: 'VCR 6.3.1' },
  ])
    expect(read(JSON.stringify(cassette)).imported[0]).toMatchObject({ exchange: confirm })
})

test('Go: go-vcr 1, and 3 with its durations, one after the other', () => {
  const old = read(`---
version: 1
interactions:
- request:
    body: '{"reason":"ç"}'
    form: {}
    headers:
      Accept:
      - '*/*'
      X-Api-Version:
      - "1.10"
    url: https://partner.example/v2/orders/o-1/confirm
    method: POST
  response:
    body: '{"ok":true}'
    headers:
      Content-Type:
      - application/json
      Set-Cookie:
      - a=1
      - b=2
    status: 202 Accepted
    code: 202
    duration: ""
`)
  expect(old.problems).toEqual([])
  expect(old.imported[0]).toMatchObject({ exchange: { ...confirm, tookMs: 0 } })
  const item = (id: number): string => `    - id: ${id}
      request:
        proto: HTTP/1.1
        proto_major: 1
        transfer_encoding: []
        trailer: {}
        host: partner.example
        body: ""
        form: {}
        headers: {}
        url: https://partner.example/v2/orders/o-${id}
        method: GET
      response:
        proto: HTTP/2.0
        transfer_encoding: []
        trailer: {}
        content_length: -1
        uncompressed: true
        body: |
            {"id":
              "o-${id}"}
        headers:
            Content-Type:
                - application/json
        status: 200 OK
        code: 200
        duration: 131.25ms
`
  const { imported, problems } = read(`---\nversion: 2\ninteractions:\n${item(0)}${item(1)}`)
  expect(problems).toEqual([])
  expect(imported.map(({ exchange }) => [exchange.startedAt - now, exchange.tookMs])).toEqual([
    [0, 131.25],
    [131.25, 131.25],
  ])
  expect(imported[1]?.exchange.reply?.body).toBe('{"id":\n  "o-1"}\n')
})

test.each([
  ['131.212ms', 131.212],
  ['1.5µs', 0.0015],
  ['1m2.5s', 62_500],
  ['2h0m1s', 7_201_000],
  ['1500000', 1.5],
  ['0s', 0],
  ['', undefined],
  ['soon', undefined],
])('the duration %j of Go', (text, ms) => {
  expect(parseGoDuration(text)).toBe(ms)
})

const get = (path: string): string => `- request:
    method: get
    uri: http://h.example/${path}
  response:
    status: {code: 200}
`

test('what is broken is left out and named by its line; the rest is imported', () => {
  const { imported, problems } = read(
    `http_interactions:\n${get('1')}- request: "open\n${get('2')}- what\n- request: {method: get}\n` +
      `# a remark\n${get('3')}recorded_with: VCR\n- ignored\n`,
  )
  expect(imported.map(({ exchange }) => exchange.request.url.slice(-1))).toEqual(['1', '2', '3'])
  expect(problems).toEqual([
    {
      where: 'line 7',
      message: 'the interaction that begins there is no YAML: Missing closing "quote',
    },
    { where: 'interaction 3, line 13', message: 'it has no request' },
    { where: 'interaction 4, line 14', message: 'its request has no method or no URL' },
  ])
})

test('an interaction without a response, and one with templates, say so', () => {
  const { imported } = read(
    `interactions:\n- request: {method: get, uri: 'http://h.example/<%= id %>'}\n`,
  )
  expect(imported[0]?.warn).toEqual([
    'no response',
    'clock inferred',
    'its templates were left as they are written',
  ])
})

test(
  'an interaction beyond the limit is left out without being held; what follows is read',
  { tags: ['slow'] },
  () => {
    const line = `      ${'x'.repeat(1000)}\n`
    const large = `- request:\n    body: |\n${line.repeat(maxInteractionChars / 1000)}`
    const { imported, problems } = read(`interactions:\n${large}${get('2')}`)
    expect(imported).toHaveLength(1)
    expect(problems).toEqual([
      {
        where: 'line 2',
        message: `an interaction of more than ${maxInteractionChars} characters was left out`,
      },
    ])
  },
)

test('aliases that stand for very much, and deep nesting, are refused', () => {
  const bomb = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? '    a0: &a0 [x, x, x, x, x, x, x, x]\n'
      : `    a${level}: &a${level} [${Array.from({ length: 8 }, () => `*a${level - 1}`).join(', ')}]\n`,
  ).join('')
  for (const item of [`- b:\n${bomb}`, `- ${'['.repeat(50_000)}\n`]) {
    const { imported, problems } = read(`interactions:\n${item}${get('1')}`)
    expect(imported).toHaveLength(1)
    expect(problems).toHaveLength(1)
  }
})

test('a document without a list of interactions is no cassette', () => {
  for (const text of ['name: x\n', '{"interactions": 7}', '', '{"interactions": ['])
    expect(read(text)).toMatchObject({ imported: [], problems: [{ fatal: true }] })
  expect(read('http_interactions: []\n')).toEqual({ imported: [], problems: [] })
})

test('the format is detected from the file beginning', () => {
  const sure = (text: string) => vcrFormat.recognises?.(Buffer.from(text), 'x') ?? 0
  expect(sure('---\r\nhttp_interactions:\r\n- request:\r\n')).toBe(0.9)
  expect(sure('version: 2\ninteractions:\n    - id: 0\n')).toBe(0.9)
  expect(sure('{"version": 1, "interactions": [{')).toBe(0.8)
  expect(sure('name: lunch\nsteps:\n  - interactions: x\n')).toBe(0)
})
