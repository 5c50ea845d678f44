// @module-tag slow
/** Where replays listen: on the ports of `sparring up`, where a service that is set up for it looks for its partner. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { canNamePortHolders } from '../../../../test/support/port-holders.ts'
import { openReceiver } from '../../../../test/support/webhook-receiver.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { openSession } from '../../../core/session/open-session.ts'
import { prepareSession } from '../../../core/session/session.ts'
import { freeServicePort } from '../../../terminal/cli/ports.ts'
import { runMinimise } from '../minimise/run-minimise.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-ports-'))
const recording = 'lunch.rec.ndjson'
const credentials = { clientId: 'pos', clientSecret: 'of the pos' }

/**
 * A service with one keep-alive connection to its partner, and one token for good: it reads the order of each event, and
 * rejects CONFIRMED.
 */
async function openReadingService(partner: () => string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const statuses: (number | string)[] = []

  const call = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const sent = request(`${partner()}${path}`, { method, headers, agent }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })

  let kept: Promise<string> | undefined
  let tokens = 0

  async function token(): Promise<string> {
    const { clientId, clientSecret } = credentials
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    tokens++
    const given = await call('POST', '/oauth/token', type, form.toString())
    return (JSON.parse(given.text) as { access_token: string }).access_token
  }

  async function read(orderId: string): Promise<void> {
    kept ??= token()
    const authorization = `Bearer ${await kept}`
    statuses.push((await call('GET', `/orders/${orderId}`, { authorization })).status)
  }

  const receiver = await openReceiver({
    async reply(_nth, { eventType, orderId }) {
      await read(orderId).catch((error: unknown) => void statuses.push(String(error)))
      return { status: eventType === 'CONFIRMED' ? 422 : 204 }
    },
  })
  return {
    url: receiver.url,
    received: receiver.received,
    statuses,
    tokens: () => tokens,
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

let partner = ''

beforeAll(async () => {
  await using service = await openReadingService(() => partner)
  await using session = await openSession({
    port: 0,
    subject: { role: 'software-service', url: service.url, credentials },
    capabilities: { indoor: false, logistics: false, customer: false },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    tolerances: { on: false },
    recording: { file: join(folder, recording), redact: false, unsafe: true },
  })
  partner = session.urls.get('ordering-application') ?? ''
  let answered = 0
  session.onExchange(({ operation }) => void (operation === 'receiveOrderEvent' && answered++))
  const answers = (count: number): Promise<void> =>
    vi.waitFor(() => {
      if (answered !== count) throw new Error(`${answered} were answered`)
    })
  for (let nth = 1; nth <= 2; nth++) {
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    const { orderId } = made.value
    await answers(2 * nth - 1)
    await session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
    await answers(2 * nth)
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function sparring(...argv: readonly string[]) {
  const { io, written } = createTestIo({ cwd: folder, env: {} })
  const code = await runVerbs(argv, io).catch((error: unknown) => String(error))
  return { code, ...written() }
}

/** Takes a port as soon as it is free; one that stays in use is taken already. */
async function takenPort(port: number): Promise<AsyncDisposable> {
  const server = createServer()
  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await vi.waitFor(listen, { timeout: 3000 }).catch(() => undefined)
  return { [Symbol.asyncDispose]: async () => void server.close() }
}

test.each([
  ['replay', '--to', 'http://127.0.0.1:1'],
  ['replay', '--to', 'http://127.0.0.1:1', '--no-answers'],
  ['replay', '--to', 'http://127.0.0.1:1', '--driver', 'partner'],
  ['replay', '--driver', 'server'],
  ['minimise', '--to', 'http://127.0.0.1:1'],
  ['minimise', '--to', 'http://127.0.0.1:1', '--driver', 'partner'],
])(
  '%s %j listens on 7101 without --port; a port in use is an error as of sparring up',
  async (verb, ...flags) => {
    await using _port = await takenPort(7101)
    const { code } = await sparring(verb, recording, ...flags)
    const holder = canNamePortHolders() ? ' by ' : '. '
    expect(code).toContain(
      `listening on 127.0.0.1:7101 for the ordering-application: the port is in use${holder}`,
    )
  },
)

test('a service that is set up for sparring up, and keeps its token, is answered by each replay and by each trial of a search', async () => {
  const port = await freeServicePort('127.0.0.1')
  writeFileSync(
    join(folder, 'sparring.config.yaml'),
    JSON.stringify({
      port: 0,
      subject: { role: 'software-service', credentials },
      counterparts: { 'ordering-application': { port } },
      capabilities: { indoor: false, logistics: false, customer: false },
    }),
  )
  await using service = await openReadingService(() => `http://127.0.0.1:${port}`)
  const pace = ['--speed', 'asap', '--to', service.url] as const
  for (let nth = 1; nth <= 2; nth++) {
    const { stdout, code } = await sparring('replay', recording, ...pace, '--json')
    const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { counts: object }
    expect([code, report.counts]).toEqual([0, { same: expect.any(Number) }])
    expect(service.statuses).toEqual(Array.from({ length: 4 * nth }, () => 200))
  }
  // Until the small recording was replayed as often as it proves itself.
  const { io, written, interrupt } = createTestIo({ cwd: folder, env: {} })
  const search = { recording, to: service.url, speed: 'asap', output: 'small' }
  let isStopped = false
  const code = await runMinimise(search, io, (text) => {
    if (isStopped || !text.includes('the scenario')) return
    isStopped = true
    interrupt('SIGINT')
  })
  expect([code, written().stdout]).toEqual([130, expect.stringContaining('small.rec.ndjson')])
  expect(service.statuses.length).toBeGreaterThan(20)
  // Neither a dead connection nor a token that is unknown. Between two trials nobody listens.
  expect(
    service.statuses.filter((status) =>
      typeof status === 'string' ? !status.includes('ECONNREFUSED') : status === 401,
    ),
  ).toEqual([])
  expect(service.tokens()).toBe(1)
})

test('a session that leaves its ports to another listens on them again afterwards', async () => {
  await using session = await prepareSession({ port: 0, clock: 'stepped' })
  const url = session.urls.get('ordering-application') ?? ''
  const manifestStatus = async (): Promise<number> =>
    (await fetch(`${url}/.well-known/protocol`)).status
  expect(await manifestStatus()).toBe(200)
  const counterparts = { 'ordering-application': { port: Number(new URL(url).port) } }
  const during = await session.withoutPorts(async () => {
    await using other = await openSession({ port: 0, clock: 'stepped', counterparts })
    return [other.urls.get('ordering-application'), await manifestStatus()]
  })
  expect(during).toEqual([url, 200])
  expect(await manifestStatus()).toBe(200)
})
