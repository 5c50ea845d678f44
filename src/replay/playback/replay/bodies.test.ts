/** A recording is answered and sent with the bytes and header lines that it holds, and says where it holds none. */
import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test, onTestFinished } from 'vitest'
import { contentOfExchanges } from '../../../../test/support/self-replay.ts'
import { createHostClient } from '../../../../test/support/host-client.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import type { Exchange, ExchangeReply, HeaderPairs } from '../../../core/traffic/exchange.ts'
import { openPlayback } from './replay.ts'

function read(seq: number, reply: ExchangeReply, path = ''): Exchange {
  const { request } = sampleExchange(seq)
  const url = `http://127.0.0.1:7101${path}/orders/order-${seq}`
  return sampleExchange(seq, { request: { ...request, url, headers: [] }, reply })
}

/** Answers a service from these exchanges, and reads its orders by hand. */
async function answered(exchanges: readonly Exchange[]) {
  const playback = await openPlayback({
    recording: contentOfExchanges(exchanges, [
      { party: 'subject', role: 'software-service' },
      { party: 'sparring', role: 'ordering-application' },
    ]),
    serves: {},
    clock: 'virtual',
    automatic: false,
    listen: false,
    sameIds: true,
  })
  onTestFinished(() => playback.close())
  const base = playback.session.urls.get('ordering-application') ?? ''
  const client = createHostClient({ fetch: playback.session.fetch, base })
  const token = await client.token()
  return {
    playback,
    client,
    order: (id: string, path = ''): Promise<Response> =>
      playback.session.fetch(
        new Request(`${base}${path}/orders/${id}`, {
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
  }
}

const png = Buffer.from('89504e470d0a1a0a00', 'hex')
const latin1 = Buffer.from('{"name":"Jos\xe9"}', 'latin1')
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const headers = (...more: readonly (readonly [string, string])[]): HeaderPairs => more

test.each([
  ['a picture', png, headers(['content-type', 'image/png']), {}],
  [
    'a text in Latin-1',
    latin1,
    headers(['content-type', 'application/json; charset=iso-8859-1']),
    {},
  ],
  [
    'what a coding hid',
    png,
    headers(['content-type', 'image/png'], ['Content-Encoding', 'gzip']),
    { coding: 'gzip', bytes: 99 },
  ],
])('%s is answered as it was recorded, without its coding', async (_, bytes, lines, facts) => {
  const { playback, order } = await answered([
    read(1, { status: 200, headers: lines, wire: { base64: base64(bytes), ...facts } }),
  ])
  const reply = await order('order-1')
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)
  expect(reply.headers.get('content-type')).toBe(lines[0]?.[1])
  expect(reply.headers.get('content-encoding')).toBeNull()
  expect(playback.report().exchanges).toMatchObject([
    { standing: 'same', live: { reply: { wire: { base64: base64(bytes) } } } },
  ])
})

test('a body in a coding that nothing could undo keeps it', async () => {
  const bytes = gzipSync('{}').subarray(0, 9)
  const { order } = await answered([
    read(1, {
      status: 200,
      headers: [['content-encoding', 'x-own']],
      wire: { base64: base64(bytes), bytes: bytes.length },
    }),
  ])
  const reply = await order('order-1')
  expect(reply.headers.get('content-encoding')).toBe('x-own')
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(bytes)
})

test('repeated headers stay as many lines', async () => {
  const cookies = ['a=1; Path=/', 'b=2; Expires=Sat, 21 Nov 2026 12:00:00 GMT']
  const { order } = await answered([
    read(1, {
      status: 200,
      headers: [
        ['Set-Cookie', cookies[0] ?? ''],
        ['content-type', 'application/json'],
        ['set-cookie', cookies[1] ?? ''],
      ],
      body: '{}',
    }),
  ])
  const { headers: got } = await order('order-1')
  expect(got.getSetCookie()).toEqual(cookies)
})

test('a body that the recording does not hold is said to be missing', async () => {
  const { playback, order } = await answered([
    read(1, { status: 200, headers: [['content-type', 'image/png']], wire: { bytes: 7 } }),
    read(2, { status: 200, headers: [['content-type', 'application/json']], body: '{}' }),
  ])
  for (const id of ['order-1', 'order-2']) await (await order(id)).arrayBuffer()
  expect(playback.report().exchanges).toMatchObject([
    { standing: 'noise', because: expect.stringMatching(/^its body of 7 bytes is not in the rec/) },
    { standing: 'same' },
  ])
})

test('a recording that was made under a path is answered under it and without, and nowhere else', async () => {
  const json = [['content-type', 'application/json']] as const
  const { playback, order } = await answered([
    read(1, { status: 200, headers: json, body: '{"id":"order-1"}' }, '/api/v2'),
    read(2, { status: 200, headers: json, body: '{"id":"order-2"}' }, '/api/v2'),
  ])
  expect(await (await order('order-1', '/api/v2')).json()).toEqual({ id: 'order-1' })
  expect(await (await order('order-2')).json()).toEqual({ id: 'order-2' })
  expect((await order('order-1', '/v3')).status).toBe(404)
  expect(playback.report().exchanges).toMatchObject([
    { standing: 'same' },
    { standing: 'same' },
    { standing: 'extra', strategy: 'miss', because: expect.stringContaining('/v3') },
  ])
})

test('a recorded URL that is none keeps no other call from its answer', async () => {
  const { request } = sampleExchange(2)
  const { playback, order } = await answered([
    read(1, { status: 200, headers: [], body: '{"id":"order-1"}' }),
    sampleExchange(2, { request: { ...request, url: 'http://<host>/orders/order-2' } }),
  ])
  expect(await (await order('order-1')).json()).toEqual({ id: 'order-1' })
  expect(playback.report().exchanges).toMatchObject([{ standing: 'same' }])
})

test('a body that is no text is sent as it was recorded, and its answer is compared byte by byte', async () => {
  const got: Buffer[] = []
  const sent = (seq: number): Exchange => ({
    ...sampleExchange(seq),
    from: { role: 'ordering-application', party: 'sparring' },
    to: { role: 'software-service', party: 'subject' },
    operation: 'receiveOrderEvent',
    params: {},
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3000/webhooks/orders',
      headers: [['Content-Type', 'image/png']],
      wire: { base64: base64(png) },
    },
    reply: {
      status: 200,
      headers: [['content-type', 'image/png']],
      wire: { base64: base64(png.subarray(0, 8)) },
    },
  })
  const playback = await openPlayback({
    recording: contentOfExchanges(
      [sent(1), sent(2)],
      [
        { party: 'subject', role: 'software-service' },
        { party: 'sparring', role: 'ordering-application' },
      ],
    ),
    clock: 'virtual',
    listen: false,
    to: async (request) => {
      got.push(Buffer.from(await request.arrayBuffer()))
      const answer = got.length === 1 ? png.subarray(0, 8) : Buffer.from([0xff, 0xd8])
      return new Response(new Uint8Array(answer), { headers: { 'content-type': 'image/png' } })
    },
  })
  onTestFinished(() => playback.close())
  const { exchanges } = await playback.run()
  expect(got).toEqual([png, png])
  expect(exchanges[0]?.differences).toEqual([])
  expect(exchanges.map(({ standing }) => standing)).toEqual(['same', 'changed'])
  expect(exchanges[1]?.differences[0]).toMatchObject({ side: 'reply', where: '/body/base64' })
})

test('recorded signatures of other headers are left out with a word, each once', async () => {
  const warned: string[] = []
  const content = contentOfExchanges(
    [1, 2].map((seq) => ({
      ...sampleExchange(seq),
      from: { role: 'ordering-application', party: 'sparring' } as const,
      to: { role: 'software-service', party: 'subject' } as const,
      operation: 'receiveOrderEvent' as const,
      params: {},
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:3000/webhooks/orders',
        headers: [
          ['Webhook-Signature', 'v1,abc'],
          ['X-App-Signature', png.toString('hex').padEnd(64, 'A').toUpperCase()],
        ] as const,
        body: '{"eventId":"e-1"}',
      },
      reply: { status: 204, headers: [] },
    })),
    [
      { party: 'subject', role: 'software-service' },
      { party: 'sparring', role: 'ordering-application' },
    ],
  )
  const signatures: (string | null)[] = []
  const playback = await openPlayback(
    {
      recording: content,
      clock: 'virtual',
      listen: false,
      to: async ({ headers: lines }) => {
        signatures.push(lines.get('x-app-signature'), lines.get('webhook-signature'))
        return new Response(null, { status: 204 })
      },
    },
    { onWarning: (text) => warned.push(text) },
  )
  onTestFinished(() => playback.close())
  await playback.run()
  expect(warned).toEqual([
    'the header webhook-signature of 2 requests is left out: how it is signed is not known',
  ])
  const form = expect.stringMatching(/^[\dA-F]{64}$/)
  expect(signatures).toEqual([form, null, form, null])
})

test.each([
  [
    'the MD5 of body and secret, by its header',
    {},
    'didi-header-sign',
    'f'.repeat(32),
    () => createHash('md5').update('{"b":1,"a":2}secret').digest('hex'),
  ],
  [
    'URL and canonical body, by conduct.signature',
    { signature: 'hmac-sha256-request-base64' },
    'X-App-Signature',
    '~sig_abcdefghij',
    (url: string) => createHmac('sha256', 'secret').update(`${url}&{"a":2,"b":1}`).digest('base64'),
  ],
] as const)(
  'a recorded signature over %s is made anew',
  async (...[, conduct, header, recorded, expected]) => {
    const content = contentOfExchanges(
      [
        {
          ...sampleExchange(1),
          from: { role: 'ordering-application', party: 'sparring' } as const,
          to: { role: 'software-service', party: 'subject' } as const,
          operation: 'receiveOrderEvent' as const,
          params: {},
          request: {
            method: 'POST',
            url: 'http://127.0.0.1:3000/webhooks/orders',
            headers: [[header, recorded]] as const,
            body: '{"b":1,"a":2}',
          },
          reply: { status: 204, headers: [] },
        },
      ],
      [
        { party: 'subject', role: 'software-service' },
        { party: 'sparring', role: 'ordering-application' },
      ],
    )
    const signatures: (string | null)[] = []
    const playback = await openPlayback({
      recording: content,
      clock: 'virtual',
      listen: false,
      conduct,
      to: async (request) => {
        const signature = request.headers.get(header)
        expect(signature).toBe(expected(request.url))
        signatures.push(signature)
        return new Response(null, { status: 204 })
      },
    })
    onTestFinished(() => playback.close())
    await playback.run()
    expect(signatures).toHaveLength(1)
  },
)

test('a body that the recorded partner took is taken again, though the documents ask for more; another one is refused', async () => {
  const json = [['content-type', 'application/json']] as const
  const cancellation = (body: string): Exchange =>
    sampleExchange(1, {
      operation: 'requestCancellation',
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:7101/orders/order-1/requestCancellation',
        headers: json,
        body,
      },
      reply: { status: 202, headers: json, body: '{"taken":true}' },
    })
  const { playback, client } = await answered([cancellation('{"code":7}')])
  const request = (orderId: string) =>
    client.post(`/orders/${orderId}/requestCancellation`, { code: 7 })
  expect(await request('order-1')).toMatchObject({ status: 202, json: { taken: true } })
  expect(await request('order-2')).toMatchObject({ status: 400 })
  const { exchanges } = playback.report()
  expect(exchanges.map(({ standing }) => standing)).toEqual(['same', 'extra'])
})
