// @module-tag slow
/** The driver `server` over real sockets, called by an ordinary client. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openReceiver, type Receiver } from '../../../../test/support/webhook-receiver.ts'
import { clientAt, type PlainClient } from '../../../../test/support/plain-client.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { openSession } from '../../../core/session/open-session.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-serve-'))
const recording = join(folder, 'evening.rec.ndjson')
const webhooks = join(folder, 'webhooks.rec.ndjson')

const capabilities = { indoor: false, logistics: false, customer: false } as const

interface PolledEvent {
  readonly orderId: string
  readonly eventId: string
  readonly eventType: string
}

async function polled(ask: PlainClient): Promise<readonly PolledEvent[]> {
  let events: readonly PolledEvent[] = []
  await vi.waitFor(async () => {
    const { status, text } = await ask('GET', '/events:polling')
    if (status !== 200) throw new Error(`a poll was answered ${status}`)
    events = JSON.parse(text) as PolledEvent[]
  })
  await ask(
    'POST',
    '/events/acknowledgment',
    events.map(({ eventId: id }) => ({ id })),
  )
  return events
}

/** Polls, reads and confirms the order, receives the event and reads again. */
async function life(ask: PlainClient): Promise<readonly unknown[]> {
  const [created] = await polled(ask)
  const orderId = created?.orderId ?? ''
  const before = await ask('GET', `/orders/${orderId}`)
  const body = { estimatedPreparationTimeMinutes: 20 }
  const confirmed = await ask('POST', `/orders/${orderId}/confirm`, body)
  const [event] = await polled(ask)
  const after = await ask('GET', `/orders/${orderId}`)
  return [
    created?.eventType,
    before.json['status'],
    confirmed.status,
    event?.eventType,
    after.json['status'],
    after.json['createdAt'] === before.json['createdAt'],
  ]
}

const untilAll = ['--speed', 'asap', '--until', 'all', '--json'] as const

const story = ['CREATED', 'CREATED', 202, 'CONFIRMED', 'CONFIRMED', true]

beforeAll(async () => {
  {
    await using session = await openSession({
      port: 0,
      as: 'software-service',
      capabilities,
      tolerances: { on: false },
      recording: { file: recording, redact: false, unsafe: true },
    })
    await session.createOrder({ type: 'TAKEOUT' })
    const ask = await clientAt(session.urls.get('ordering-application') ?? '')
    await life(ask)
  }
  await using service = await openReceiver()
  await using session = await openSession({
    port: 0,
    subject: { role: 'software-service', url: service.url },
    capabilities,
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    tolerances: { on: false },
    recording: { file: webhooks, redact: false, unsafe: true },
  })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  if (!made.ok) throw new Error(made.error.message)
  const ask = await clientAt(session.urls.get('ordering-application') ?? '')
  const { orderId } = made.value
  await received(service, 1)
  await ask('GET', `/orders/${orderId}`)
  await ask('POST', `/orders/${orderId}/confirm`, { estimatedPreparationTimeMinutes: 20 })
  await received(service, 2)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A loaded machine takes long to load the driver. */
const waitingForReady = { timeout: 15_000 }

async function serving(...argv: readonly string[]) {
  const held = createTestIo({ cwd: folder })
  const ending = runVerbs(['replay', ...argv, '--driver', 'server', '-p', '0'], held.io)
  let counterparts: Record<string, string> = {}
  await vi.waitFor(() => {
    const [first = ''] = held.written().stdout.split('\n')
    ;({ counterparts } = JSON.parse(first) as { counterparts: Record<string, string> })
  }, waitingForReady)
  const url = counterparts['ordering-application'] ?? ''
  return { held, ending, url, ask: await clientAt(url) }
}

const received = (service: Receiver, count: number): Promise<void> =>
  vi.waitFor(() => {
    if (service.received.length !== count) throw new Error(`${service.received.length} came`)
  })

const lastLine = (text: string) =>
  JSON.parse(text.trim().split('\n').at(-1) ?? '') as Record<string, unknown>

test('a client replays the recorded order under a fresh id; an interrupt is the normal end', async () => {
  const { held, ending, ask } = await serving(recording, '--speed', 'asap', '--json')
  expect(await life(ask)).toEqual(story)
  const miss = await ask('POST', '/orders/unheard-of/dispatch')
  expect(miss.status).toBe(501)
  expect(miss.json).toMatchObject({ error: { code: 'NOT_RECORDED' } })
  held.interrupt('SIGINT')
  expect(await ending).toBe(1)
  const { stdout, stderr } = held.written()
  expect(lastLine(stdout)).toMatchObject({
    driver: 'server',
    exit: 1,
    unused: [],
    counts: { extra: 1 },
    strategies: { exact: 7, miss: 1 },
  })
  expect(stderr).toMatch(/^exact +#\d+ .*getOrder .* 200$/m)
  expect(stderr).toMatch(/^miss +\+#\d+ .*dispatchOrder .* 501 .*--synth/m)
})

test('--until all ends it with 0 when everything was requested, with fresh names only', async () => {
  const { ending, ask, held } = await serving(
    recording,
    ...untilAll,
    '--quiet',
    '--map',
    'names.json',
  )
  expect(await life(ask)).toEqual(story)
  expect(await ending).toBe(0)
  expect(lastLine(held.written().stdout)).toMatchObject({ accuracy: 1, ok: true })
  expect(held.written().stderr).toBe('')
  const { names } = JSON.parse(readFileSync(join(folder, 'names.json'), 'utf8')) as {
    names: readonly { kind: string; old: string; new: string }[]
  }
  const [order] = names.filter(({ kind }) => kind === 'order')
  expect(readFileSync(recording, 'utf8')).toContain(order?.old)
  expect(readFileSync(recording, 'utf8')).not.toContain(order?.new)
})

test('--idle ends it without calls, of which nothing can be said; with --require-all missing calls are differences', async () => {
  const lenient = await serving(recording, '--idle', '150ms', '--json')
  expect(await lenient.ending).toBe(3)
  const skipped = await serving(recording, '--idle', '150ms', '--json', '--bisect')
  expect(await skipped.ending).toBe(125)
  const strict = await serving(recording, '--idle', '150ms', '--json', '--require-all')
  expect(await strict.ending).toBe(1)
  const { counts, unused } = lastLine(strict.held.written().stdout) as {
    counts: { missing: number }
    unused: readonly string[]
  }
  expect(counts.missing).toBe(unused.length)
})

test('a service that we refuse is no service without a difference, unless it goes on with another token', async () => {
  const refused = await serving(recording, '--speed', 'asap', '--json')
  const [event] = await polled(refused.ask)
  const read = (token: string) =>
    fetch(`${refused.url}/orders/${event?.orderId}`, { headers: { authorization: token } })
  expect((await read('Bearer ended')).status).toBe(401)
  expect((await refused.ask('GET', `/orders/${event?.orderId}`)).status).toBe(200)
  refused.held.interrupt('SIGINT')
  expect(await refused.ending).toBe(0)
  const other = await serving(recording, '--speed', 'asap', '--json')
  const [created] = await polled(other.ask)
  await fetch(`${other.url}/orders/${created?.orderId}`, { headers: { authorization: 'ended' } })
  other.held.interrupt('SIGINT')
  expect(await other.ending).toBe(1)
  expect(other.held.written().stdout).toMatch(
    /"standing":"extra".*"operation":"getOrder".*"because":"we refused it with 401/,
  )
})

test('a service that gets no token of us cannot be judged', async () => {
  const { url, held, ending } = await serving(recording, '--speed', 'asap', '--json')
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'nobody' })
  await fetch(`${url}/oauth/token`, { method: 'POST', body })
  held.interrupt('SIGINT')
  expect(await ending).toBe(3)
})

test('--idle ends it too for a service that goes on polling, once there is nothing left for it', async () => {
  const { ask, ending } = await serving(recording, '--idle', '300ms', '--json')
  let isOver = false
  void ending.finally(() => (isOver = true))
  await life(ask)
  const statuses = new Set<number>()
  while (!isOver) {
    const poll = await ask('GET', '/events:polling').catch(() => undefined)
    if (poll) statuses.add(poll.status)
    await sleep(20)
  }
  expect(await ending).toBe(0)
  expect([...statuses]).toEqual([204])
})

test('webhooks are pushed when their causes are met: the second waits for the call that caused it', async () => {
  await using service = await openReceiver()
  const { ending, ask } = await serving(webhooks, '--subject', service.url, ...untilAll)
  await received(service, 1)
  const orderId = service.received[0]?.event.orderId ?? ''
  expect((await ask('GET', `/orders/${orderId}`)).json).toMatchObject({ status: 'CREATED' })
  expect(service.received).toHaveLength(1)
  const body = { estimatedPreparationTimeMinutes: 20 }
  expect((await ask('POST', `/orders/${orderId}/confirm`, body)).status).toBe(202)
  await received(service, 2)
  expect(service.received[1]?.event).toMatchObject({ orderId, eventType: 'CONFIRMED' })
  expect(await ending).toBe(0)
})

test('--on-miss sets another status; synth answers from our state machine', async () => {
  const other = await serving(recording, '--on-miss', '409', '--json')
  expect((await other.ask('GET', '/orders/unheard-of')).status).toBe(409)
  other.held.interrupt('SIGTERM')
  await other.ending
  const synth = await serving(recording, '--synth', '--json')
  expect((await synth.ask('GET', '/orders/unheard-of')).status).toBe(404)
  synth.held.interrupt('SIGINT')
  await synth.ending
  expect(lastLine(synth.held.written().stdout)).toMatchObject({ strategies: { synth: 1 } })
})

test.each([
  [['--on-miss', 'shrug'], /"shrug" is no way to answer/],
  [['--repeat', '2'], /reading --repeat/],
  [['--subject', 'http://partner.example'], /is not this machine/],
  [['--idle', 'soon'], /"soon" is no duration/],
])('%j is rejected before a port is opened', async (argv, message) => {
  const { io } = createTestIo({ cwd: folder })
  const all = ['replay', recording, '--driver', 'server', '-p', '0', ...argv]
  await expect(runVerbs(all, io)).rejects.toThrow(message)
})

test('driver client: a subject that calls back is answered from the recording, and its omitted calls are missing', async () => {
  async function driven(confirms: boolean): Promise<readonly [unknown, Record<string, unknown>]> {
    const held = createTestIo({ cwd: folder })
    const calling: Promise<unknown>[] = []
    async function callBack(orderId: string): Promise<void> {
      const address = /ordering-application (\S+)/.exec(held.written().stderr)
      const ask = await clientAt(address?.[1] ?? '')
      await ask('GET', `/orders/${orderId}`)
      const body = { estimatedPreparationTimeMinutes: 20 }
      if (confirms) await ask('POST', `/orders/${orderId}/confirm`, body)
    }
    await using service = await openReceiver({
      reply(nth, { orderId }) {
        if (nth === 1) calling.push(callBack(orderId))
        return { status: 204 }
      },
    })
    const pace = ['--speed', 'asap', '--call-timeout', '300ms']
    const argv = ['replay', webhooks, '--to', service.url, '-p', '0', '--json', ...pace]
    const code = await runVerbs(argv, held.io)
    await Promise.all(calling)
    return [code, lastLine(held.written().stdout)]
  }
  const [code, report] = await driven(true)
  expect([code, report]).toMatchObject([0, { accuracy: 1, unused: [] }])
  const [other, lacking] = await driven(false)
  expect(other).toBe(1)
  expect(lacking).toMatchObject({ counts: { missing: 1, blocked: 1 } })
})
