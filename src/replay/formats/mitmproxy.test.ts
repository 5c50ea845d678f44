/** Dumps are encoded here as mitmproxy encodes them. */
import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinFlows, flowBytes, versionedFlowBytes } from '../../../test/support/mitmproxy-dump.ts'
import { importInPieces } from '../../../test/support/run-import.ts'
import type { ContentDecoder } from './format.ts'
import { mitmproxyFormat } from './mitmproxy.ts'

const decode: ContentDecoder = (coding, bytes) => {
  try {
    return coding === 'gzip' ? gunzipSync(bytes) : undefined
  } catch {
    return undefined
  }
}
const read = (bytes: Uint8Array) => importInPieces(mitmproxyFormat, bytes, { now: 5, decode })
const one = (change: Readonly<Record<string, unknown>>) => read(joinFlows(flowBytes(change)))

test.each(Array.from({ length: 15 }, (_, index) => index + 7))(
  'a flow of version %i, in the shape of that version, is imported with unchanged headers',
  (version) => {
    const { imported, problems } = read(versionedFlowBytes({}, version))
    expect(problems).toEqual([])
    expect(imported).toEqual([
      {
        exchange: {
          startedAt: 1_795_176_000_250.5,
          tookMs: 120,
          from: expect.objectContaining({ party: 'subject' }),
          to: expect.objectContaining({ party: 'partner' }),
          request: {
            method: 'POST',
            url: 'https://partner.example:8443/v2/orders/o-1/confirm?x=1',
            headers: [
              ['Host', 'partner.example:8443'],
              ['X-Two', 'a'],
              ['x-two', 'b'],
            ],
            body: '{"reason":"ç"}',
          },
          reply: { status: 202, headers: [['content-type', 'application/json']], body: '{}' },
        },
      },
    ])
  },
)

test('authority and Host header take precedence over the address', () => {
  const url = (request: object) => one({ request }).imported[0]?.exchange.request.url
  expect(url({ authority: 'shop.example', headers: [] })).toBe(
    'https://shop.example/v2/orders/o-1/confirm?x=1',
  )
  expect(url({ headers: [], port: 443 })).toBe('https://10.0.0.7/v2/orders/o-1/confirm?x=1')
  expect(url({ headers: [], host: '::1', scheme: 'http', port: 80, path: '/' })).toBe(
    'http://[::1]/',
  )
})

test('failed flow, flow without response, flow without bodies', () => {
  const failed = one({
    response: null,
    error: { msg: 'connection reset', timestamp: 1_795_176_000.5 },
  })
  expect(failed.imported[0]?.exchange).toMatchObject({
    failure: { code: 'MITMPROXY', message: 'connection reset' },
    tookMs: 249.5,
  })
  expect(failed.imported[0]?.exchange.reply).toBeUndefined()
  const waiting = one({ response: null })
  expect(waiting.imported[0]?.warn).toEqual(['no response'])
  const bare = one({ request: { content: null } })
  expect(bare.imported[0]?.exchange.request.body).toBeUndefined()
  expect(bare.imported[0]?.warn).toEqual(['the request body was not kept by who recorded it'])
})

test('a compressed body is decoded; a body that does not match its coding is kept as it is', () => {
  const headers = [['content-encoding', 'gzip']]
  const reply = (content: Uint8Array) => {
    const [imported] = one({ response: { headers, content } }).imported
    return [imported?.exchange.reply?.body, imported?.warn?.[0]]
  }
  expect(reply(gzipSync('{"a":1}'))).toEqual(['{"a":1}', undefined])
  expect(reply(Buffer.from('{"a":1}'))).toEqual([
    '{"a":1}',
    'response: the body is not gzip, as its header says',
  ])
  const broken = gzipSync('{"a":1}').subarray(0, 12)
  expect(reply(broken)).toEqual([
    undefined,
    'response: a body of 12 bytes claims to be gzip and could not be read',
  ])
  const [imported] = one({ response: { headers, content: broken } }).imported
  expect(imported?.exchange.reply?.wire).toEqual({
    base64: Buffer.from(broken).toString('base64'),
    bytes: 12,
  })
})

test('a version that is a release is read from 0.18 on; older ones are refused with a conversion command', () => {
  const { imported, problems } = read(
    joinFlows(
      flowBytes({ version: [0, 17] }),
      versionedFlowBytes({ version: [0, 18, 3] }, 4),
      versionedFlowBytes({ version: [3, 0, 0] }, 4),
      versionedFlowBytes({}, 22),
    ),
  )
  expect(imported.map(({ warn }) => warn)).toEqual([
    undefined,
    undefined,
    ['the flow is of version 22, newer than 21'],
  ])
  expect(problems).toEqual([
    {
      where: 'byte 0, flow 1',
      message:
        'it is a flow of version 0.17, and versions 0.18 to 21 are read here. ' +
        'Open it with mitmproxy and save it again (mitmdump --no-server -r old -w new)',
    },
  ])
})

test('HTTP/2 up to version 8: the authority is a header; it becomes the URL and is no header', () => {
  const headers = [
    [':authority', 'shop.example'],
    ['accept', '*/*'],
  ]
  const { imported } = read(
    versionedFlowBytes({ request: { headers }, response: { headers: [[':status', '202']] } }, 7),
  )
  expect(imported[0]?.exchange).toMatchObject({
    request: {
      url: 'https://shop.example/v2/orders/o-1/confirm?x=1',
      headers: [['accept', '*/*']],
    },
    reply: { headers: [] },
  })
})

test('a replayed request says so, in its flow or up to version 8 in itself', () => {
  for (const flow of [
    versionedFlowBytes({ request: { is_replay: true } }, 8),
    versionedFlowBytes({ is_replay: 'request' }, 9),
  ])
    expect(read(flow).imported[0]?.warn).toEqual(['it was replayed by mitmproxy'])
})

test('flows that are not HTTP are skipped and named; the messages of a WebSocket are left out', () => {
  const { imported, problems } = read(
    joinFlows(
      flowBytes({ type: 'tcp' }),
      // Up to version 11 the messages are a flow of their own behind that of the handshake.
      versionedFlowBytes({}, 11),
      versionedFlowBytes({ type: 'websocket', request: null, response: null }, 11),
      versionedFlowBytes({ websocket: { messages: [] } }, 12),
    ),
  )
  expect(imported.map(({ warn }) => warn)).toEqual([
    undefined,
    ['the messages of a WebSocket were left out'],
  ])
  expect(problems.map(({ message }) => message)).toEqual([
    'it is a flow of type tcp, and only HTTP is imported',
    'it is a flow of type websocket, and only HTTP is imported',
  ])
})

test('a response without its start, as up to version 13, lasts as long as is known', () => {
  const times = { timestamp_start: null, timestamp_end: null }
  const { imported } = read(versionedFlowBytes({ response: times }, 13))
  expect(imported[0]?.exchange).toMatchObject({ tookMs: 0, reply: { status: 202 } })
})

test('a truncated dump yields the flows before the break and reports its byte offset', () => {
  const flow = flowBytes({})
  fc.assert(
    fc.property(fc.integer({ min: 1, max: flow.length - 1 }), (cut) => {
      const { imported, problems } = read(joinFlows(flow, flow.subarray(0, cut)))
      expect(imported).toHaveLength(1)
      expect(problems).toMatchObject([{ where: `byte ${flow.length}, flow 2`, fatal: true }])
    }),
  )
})

test('wrong lengths, unbounded nesting and invalid numbers are reported', () => {
  const deep = (levels: number): string => {
    let text = ''
    for (let level = 0; level < levels; level++) text = `${text.length}:${text}]`
    return text
  }
  for (const [text, message] of [
    ['9999999999:', 'is more than the'],
    ['123456789012345:', 'there is no length here'],
    ['x'.repeat(20), 'there is no length here'],
    ['7:5:abc,}}', 'a length says 5 and less is there'],
    ['4:1:a?}', 'is not known'],
    ['4:1:x#]', 'a number is none'],
    [deep(200), 'nested deeper than 40'],
  ] as const) {
    const { imported, problems } = read(Buffer.from(text))
    expect(imported).toEqual([])
    expect(problems).toMatchObject([{ where: 'byte 0, flow 1', fatal: true }])
    expect(problems[0]?.message).toContain(message)
  }
})

test('arbitrary bytes are handled without throwing', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.stringMatching(/^[\d:,;#~\]}a]{0,40}$/).map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        expect(read(bytes).imported).toEqual([])
      },
    ),
    { numRuns: 300 },
  )
})

test('the format is detected from the file beginning', () => {
  expect(mitmproxyFormat.recognises?.(flowBytes({}), 'x')).toBeGreaterThan(0.9)
  expect(mitmproxyFormat.recognises?.(Buffer.from('{"log":{}}'), 'x')).toBe(0)
})
