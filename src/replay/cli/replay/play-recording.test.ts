import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import type { HeaderLine, RecordedClock } from '../../../core/traffic/recording/format.ts'
import { recordedSpeedNotice, showReplayTime } from './play-recording.ts'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { openReceiver, receiverSession } from '../../../../test/support/webhook-receiver.ts'
import { openSession } from '../../../core/session/open-session.ts'
import type { Session } from '../../../core/session-api/session.ts'
import { listenOnSocket } from '../../../../test/support/on-socket.ts'

/** Ten exchanges, ten seconds apart by the session's clock. */
function recorded(clock: RecordedClock, everyMsOnWall: number) {
  const exchanges = Array.from({ length: 10 }, (_, index) => ({
    ...sampleExchange(index + 1, { startedAt: sampleT0 + index * 10_000, tookMs: 0 }),
    wall: { startedAt: sampleT0 + index * everyMsOnWall, tookMs: 0 },
    recordId: `r${index}`,
  }))
  const header = { _rec: { clock } } as HeaderLine
  return { exchanges, header }
}

const original = { mode: 'original' } as const

test('a recording of a faster clock: how long it takes now, and how to be as fast', () => {
  expect(recordedSpeedNotice(recorded({ mode: 'real', speed: 20 }, 500), original)).toBe(
    'it tells of 90s and was recorded in 5s at speed 20; this replay takes the time it tells of. ' +
      '--speed 20x is about as fast as it was recorded, --speed asap waits for causes only',
  )
  expect(recordedSpeedNotice(recorded({ mode: 'virtual', speed: 1 }, 100), original)).toContain(
    'in 1s on the virtual clock',
  )
})

test('nothing where it takes as long as it took, or a pace is asked for', () => {
  const real = recorded({ mode: 'real', speed: 1 }, 10_000)
  expect(recordedSpeedNotice(real, original)).toBeUndefined()
  const fast = recorded({ mode: 'real', speed: 20 }, 500)
  for (const pace of [
    { mode: 'asap' },
    { mode: 'original', speed: 2 },
    { mode: 'original', maxGapMs: 2000 },
  ] as const)
    expect(recordedSpeedNotice(fast, pace)).toBeUndefined()
})

test('while it plays, a line says for how long; once it is over, none does', () => {
  vi.useFakeTimers()
  const waited: string[] = []
  const { io } = createTestIo({ onProgress: (text) => waited.push(text) })
  const shown = showReplayTime('lost.rec.ndjson', io)
  vi.advanceTimersByTime(2500)
  shown[Symbol.dispose]()
  vi.advanceTimersByTime(2500)
  vi.useRealTimers()
  expect(waited).toEqual(['replaying lost.rec.ndjson, for 1s', 'replaying lost.rec.ndjson, for 2s'])
})

const folder = mkdtempSync(join(tmpdir(), 'sparring-twice-'))
const rulesFile = join(folder, 'noisy.rules.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let ticket = 1000

interface NoisyAnswer {
  readonly receiptId: string
  readonly ticket: string
  readonly receivedAt: string
  readonly station: string
  readonly mood?: string
}

const noisyAnswer = (): NoisyAnswer => ({
  receiptId: randomUUID(),
  ticket: `T-${++ticket}`,
  receivedAt: new Date().toISOString(),
  station: 'hot',
})

/** Answers webhooks with JSON; tokens and manifest come from a receiver behind it. */
async function openNoisyService(answer: () => NoisyAnswer) {
  const receiver = await openReceiver()
  const server = await listenOnSocket((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const isEvent = request.method === 'POST' && !request.url?.includes('token')
      const passed = await fetch(`${receiver.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      })
      const text = isEvent ? JSON.stringify(answer()) : await passed.text()
      response.writeHead(isEvent ? 202 : passed.status, { 'content-type': 'application/json' })
      response.end(text.replaceAll(receiver.url, server.url))
    })()
  })
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

async function replay(url: string, ...argv: readonly string[]) {
  const held = createTestIo({ cwd: folder })
  const all = ['replay', 'noisy.rec.ndjson', '--to', url, '--speed', 'asap', ...argv]
  const code = await runVerbs(all, held.io).catch((error: unknown) => String(error))
  return { code, ...held.written() }
}

/** One after the other: simultaneous webhooks may arrive in any order, and a session that ends cuts what is under way. */
const answered = (session: Session, count: number): Promise<void> =>
  vi.waitFor(async () => {
    const { traffic } = await session.look({ traffic: { limit: 100 } })
    const events = traffic.filter(({ operation }) => operation === 'receiveOrderEvent')
    if (events.length !== count) throw new Error(`${events.length} were answered`)
  })

beforeAll(async () => {
  await using service = await openNoisyService(noisyAnswer)
  await using session = await openSession(
    receiverSession(service.url, join(folder, 'noisy.rec.ndjson')),
  )
  for (let nth = 0; nth < 3; nth++) {
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    await answered(session, 2 * nth + 1)
    await session.submit({ kind: 'order.apply', orderId: made.value.orderId, trigger: 'confirm' })
    await answered(session, 2 * nth + 2)
  }
})

test('it is noise without a rule', async () => {
  await using service = await openNoisyService(noisyAnswer)
  const { code, stdout } = await replay(service.url)
  expect(stdout).toContain('no difference beyond noise')
  expect(code).toBe(0)
})

test('--write-rules writes each place with its kind and its reason, and keeps the rules that are there', async () => {
  await using service = await openNoisyService(noisyAnswer)
  const own = { at: '$.body.station', compare: 'ignore', reason: 'our own' }
  writeFileSync(rulesFile, JSON.stringify({ version: 1, rules: [own] }))
  const { code, stderr } = await replay(service.url, '--twice', '--write-rules')
  expect(code).toBe(0)
  expect(stderr).toContain('3 rules written to noisy.rules.json')
  const { rules } = JSON.parse(readFileSync(rulesFile, 'utf8')) as { rules: readonly unknown[] }
  expect(rules).toEqual([
    own,
    ...(
      [
        ['receiptId', 'identifier', 'an id that is made up anew'],
        ['ticket', 'counter', 'a counter that goes on'],
        ['receivedAt', { as: 'time', within: 60_000 }, 'an instant'],
      ] as const
    ).map(([name, compare, kind]) => ({
      at: `$.body.${name}`,
      side: 'reply',
      operation: 'receiveOrderEvent',
      compare,
      reason: expect.stringMatching(
        String.raw`^Two replays of the same build differ here in \d of 6: it looks like ${kind}\.$`,
      ) as unknown,
    })),
  ])
  // With the rules there is nothing left to learn.
  const again = await replay(service.url, '--twice', '--write-rules')
  expect(again.code).toBe(0)
  expect(again.stderr).toContain('no rule is written')
})

test('a change of behaviour among the noise still differs', async () => {
  await using service = await openNoisyService(() => ({ ...noisyAnswer(), mood: 'grim' }))
  const { code, stdout } = await replay(
    service.url,
    '--twice',
    '--write-rules',
    '--rules',
    'other.json',
  )
  expect(stdout).toContain('reply /body/mood')
  expect(code).toBe(1)
  expect(readFileSync(join(folder, 'other.json'), 'utf8')).not.toContain('mood')
})

test('--write-rules needs two replays', async () => {
  const { code } = await replay('http://127.0.0.1:1', '--write-rules')
  expect(code).toContain('Say --twice too.')
  expect(existsSync(join(folder, 'noisy.rules.json'))).toBe(true)
})

test('our state machine goes as fast as it did in the recording, as the service does', async () => {
  await using service = await openReceiver()
  const fast = receiverSession(service.url, join(folder, 'fast.rec.ndjson'))
  {
    await using session = await openSession({ ...fast, speed: 200 })
    await session.createOrder({ type: 'TAKEOUT' })
    await answered(session, 1)
  }
  const { io, written } = createTestIo({ cwd: folder })
  const flags = ['--driver', 'partner', '--record', join(folder, 'again.rec.ndjson'), '--port', '0']
  await runVerbs(['replay', 'fast.rec.ndjson', '--to', service.url, ...flags], io)
  const [header = ''] = readFileSync(join(folder, 'again.rec.ndjson'), 'utf8').split('\n')
  expect(JSON.parse(header)).toMatchObject({ _rec: { clock: { mode: 'real', speed: 200 } } })
  expect(written().stderr).not.toContain('this replay takes the time')
  expect(service.received).toHaveLength(2)
})
