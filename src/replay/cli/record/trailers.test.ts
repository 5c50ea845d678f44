/** Trailers from the wire into a recording, out to HAR and back, and on the wire again in a replay. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { clientAt } from '../../../../test/support/plain-client.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { openReceiver } from '../../../../test/support/webhook-receiver.ts'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { openSession } from '../../../core/session/open-session.ts'
import type { HeaderPairs } from '../../../core/traffic/exchange.ts'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'
import { words } from '../../../../test/support/shell-words.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-trailers-'))
const recording = join(folder, 'trailers.rec.ndjson')

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a verb that serves until it is interrupted; returns where it listens. */
async function starting(...argv: readonly string[]) {
  const held = createTestIo({ cwd: folder })
  const ending = runVerbs([...argv, '--json'], held.io)
  const ready = await vi.waitFor(
    () => JSON.parse(held.written().stdout.split('\n')[0] ?? '') as { counterparts: object },
    { timeout: 15_000 },
  )
  return {
    counterparts: ready.counterparts as Readonly<Record<string, string>>,
    async stop() {
      held.interrupt('SIGINT')
      await ending
      return held.written()
    },
  }
}

async function run(...argv: readonly string[]): Promise<unknown> {
  const held = createTestIo({ cwd: folder })
  return runVerbs(argv, held.io).catch((error: unknown) => String(error))
}

interface Sent {
  readonly url: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly trailers?: HeaderPairs
}

/** Sends a request and returns the body and the trailers of the answer. */
async function send({ url, body, headers = {}, trailers = [] }: Sent) {
  const method = body === undefined ? 'GET' : 'POST'
  const chunked = trailers.length > 0 ? { 'transfer-encoding': 'chunked' } : {}
  const request = httpRequest(url, { method, headers: { ...headers, ...chunked } })
  request.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]))
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const text = (await response.toArray()).join('')
  return { text, trailers: pairsOf(response.rawTrailers) }
}

const pairsOf = (flat: readonly string[]): HeaderPairs =>
  flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ''] as const] : []))

/** A partner that puts trailers behind every answer of a real one. */
async function withTrailers(partner: string): Promise<string> {
  const server = await listenOnSocket((request, response) => {
    void (async () => {
      const { method = 'GET', url = '', headers } = request
      const body = (await request.toArray()).join('')
      const { host: _host, connection: _connection, 'transfer-encoding': _, ...kept } = headers
      const answer = await fetch(partner + url, {
        method,
        headers: kept as Record<string, string>,
        ...(body === '' ? {} : { body }),
      })
      const text = await answer.text()
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
        ...(text === '' ? {} : { trailer: 'X-Checksum, X-Api-Key' }),
      })
      response.addTrailers([
        ['X-Checksum', String(text.length)],
        ['x-checksum', 'again'],
        ['X-Api-Key', 'sk-live-0123456789abcdef'],
      ])
      response.end(text)
    })()
  })
  closing.push(() => server[Symbol.asyncDispose]())
  return server.url
}

let orderId = ''

beforeAll(async () => {
  await using session = await openSession({
    port: 0,
    as: 'software-service',
    capabilities: { indoor: false, logistics: false, customer: false },
    tolerances: { on: false },
  })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  orderId = made.ok ? made.value.orderId : ''
  await using service = await openReceiver()
  const partner = await withTrailers(session.urls.get('ordering-application') ?? '')
  const sides = ['--as', 'software-service', '--to', partner, '--subject', service.url] as const
  const recorder = await starting('record', ...sides, '-p', '0', '-o', recording)
  const ours = recorder.counterparts['ordering-application'] ?? ''
  const ask = await clientAt(ours)
  await ask('GET', `/orders/${orderId}`)
  await send({
    url: `${recorder.counterparts['software-service']}/webhooks/orders`,
    body: JSON.stringify({ eventId: 'e-1', eventType: 'CREATED', orderId, createdAt: new Date(0) }),
    headers: { 'content-type': 'application/json' },
    trailers: [
      ['X-Sum', 'a'],
      ['X-Token', 'eyJhbGciOi.secret.secret'],
    ],
  })
  await recorder.stop()
})

test('trailers of both messages are in the recording, redacted as headers are', async () => {
  const read = await readRecording(recording)
  if (!read.ok) throw new Error(read.error)
  const { exchanges, problems } = read.value
  expect(problems).toEqual([])
  const order = exchanges.find(({ operation }) => operation === 'getOrder')
  expect(order?.reply?.wire?.trailers).toEqual([
    ['X-Checksum', expect.stringMatching(/^\d+$/)],
    ['x-checksum', 'again'],
    ['X-Api-Key', expect.stringMatching(/^~/)],
  ])
  const webhook = exchanges.find(({ operation }) => operation === 'receiveOrderEvent')
  expect(webhook?.request.wire?.trailers).toEqual([
    ['X-Sum', 'a'],
    ['X-Token', expect.stringMatching(/^~/)],
  ])
  const text = readFileSync(recording, 'utf8')
  expect(text).not.toMatch(/sk-live|eyJhbGci/)
  expect(text).toContain('{"p":"p.trailers.x-api-key","c":"')
  expect(text).toContain('{"p":"q.trailers.x-token","c":"')
})

test('to HAR and back they stay, and a raw recording is cleaned of what they hold', async () => {
  const lines = (file: string): readonly string[] =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"type":"http"'))
  expect(await run('export', recording, '--format', 'har', '-o', 'trailers.har')).toBe(0)
  expect(await run('import', 'trailers.har', '-o', 'back.rec.ndjson')).toBe(0)
  expect(lines('back.rec.ndjson')).toEqual(lines('trailers.rec.ndjson'))
  const raw = readFileSync(recording, 'utf8').replaceAll(
    /"X-Token","value":"[^"]*"/g,
    '"X-Token","value":"geheim-4711"',
  )
  writeFileSync(join(folder, 'raw.rec.ndjson'), raw)
  expect(await run('import', 'raw.rec.ndjson', '-o', 'clean.rec.ndjson')).toBe(0)
  expect(lines('clean.rec.ndjson').join('')).not.toContain('geheim')
  expect(lines('clean.rec.ndjson').join('')).toContain('"X-Sum","value":"a"')
})

test('a replay answers with the recorded trailers', async () => {
  const replay = await starting(...words`replay ${recording} --driver server -p 0 --speed asap`)
  const url = replay.counterparts['ordering-application'] ?? ''
  const issued = await send({
    url: `${url}/oauth/token`,
    body: 'grant_type=client_credentials&client_id=subject&client_secret=secret',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const { access_token: token } = JSON.parse(issued.text) as { access_token: string }
  const { text, trailers } = await send({
    url: `${url}/orders/${orderId}`,
    headers: { authorization: `Bearer ${token}` },
  })
  await replay.stop()
  expect(JSON.parse(text)).toMatchObject({ status: 'CREATED' })
  expect(trailers).toEqual([
    ['X-Checksum', expect.stringMatching(/^\d+$/)],
    ['x-checksum', 'again'],
    ['X-Api-Key', expect.stringMatching(/^~/)],
  ])
})

test('a replay sends the recorded trailers, but for secrets', { tags: ['slow'] }, async () => {
  const got: HeaderPairs[] = []
  await using service = await listenOnSocket((request, response) => {
    request.resume().on('end', () => {
      if (request.url === '/webhooks/orders') got.push(pairsOf(request.rawTrailers))
      response.writeHead(204).end()
    })
  })
  expect(
    await run(
      ...words`replay ${recording} --to ${service.url} --speed asap -p 0 --call-timeout 1s`,
    ),
  ).toBe(0)
  expect(got).toEqual([[['X-Sum', 'a']]])
})
