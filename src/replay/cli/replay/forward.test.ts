/** `--on-miss forward=<url>`: what is known is answered from the recording, the rest by the partner, and recorded. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  clientAt,
  type PlainAnswer,
  type PlainClient,
} from '../../../../test/support/plain-client.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { openSession } from '../../../core/session/open-session.ts'
import type { Session } from '../../../core/session-api/session.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-forward-'))
const recording = join(folder, 'short.rec.ndjson')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A partner that a Software Service calls. */
const openPartner = (seed: number, file?: string): Promise<Session> =>
  openSession({
    port: 0,
    seed,
    as: 'software-service',
    capabilities: { indoor: false, logistics: false, customer: false },
    tolerances: { on: false },
    ...(file === undefined ? {} : { recording: { file, redact: false, unsafe: true } }),
  })

const urlOf = (partner: Session): string => partner.urls.get('ordering-application') ?? ''

async function newOrder(partner: Session): Promise<string> {
  const made = await partner.createOrder({ type: 'TAKEOUT' })
  if (!made.ok) throw new Error(made.error.message)
  return made.value.orderId
}

/** Polls, and reads the order of the event. */
async function readNewOrder(ask: PlainClient): Promise<PlainAnswer> {
  const events = await vi.waitFor(
    async () => {
      const { status, text } = await ask('GET', '/events:polling')
      expect(status).toBe(200)
      return JSON.parse(text) as readonly { readonly orderId: string }[]
    },
    { timeout: 5000 },
  )
  return ask('GET', `/orders/${events[0]?.orderId}`)
}

/** A service that reads one order. */
beforeAll(async () => {
  await using partner = await openPartner(1, recording)
  await newOrder(partner)
  await readNewOrder(await clientAt(urlOf(partner)))
})

async function serving(file: string, ...argv: readonly string[]) {
  const held = createTestIo({ cwd: folder })
  const flags = ['--driver', 'server', '-p', '0', '--speed', 'asap', '--json']
  const ending = runVerbs(['replay', file, ...flags, ...argv], held.io)
  const url = await vi.waitFor(
    () => {
      const [first = ''] = held.written().stdout.split('\n')
      const ready = JSON.parse(first) as { counterparts: Record<string, string> }
      return ready.counterparts['ordering-application'] ?? ''
    },
    { timeout: 15_000 },
  )
  return {
    url,
    ask: await clientAt(url),
    end: async () => {
      held.interrupt('SIGINT')
      const code = await ending
      const { stdout, stderr } = held.written()
      const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { strategies: object }
      return { code, summary, stderr }
    },
  }
}

test('what the recording has is answered from it, the rest by the partner with its own token; the new recording has both', async () => {
  await using partner = await openPartner(2)
  const orderId = await newOrder(partner)
  const before = await partner.look({ traffic: { limit: 100 } })
  const flags = ['--on-miss', `forward=${urlOf(partner)}/`, '--record', 'both.rec.ndjson']
  const first = await serving(recording, ...flags)
  expect((await readNewOrder(first.ask)).status).toBe(200)
  const calls = async (ask: typeof first.ask) => {
    const read = await ask('GET', `/orders/${orderId}`)
    const body = { estimatedPreparationTimeMinutes: 20 }
    const confirmed = await ask('POST', `/orders/${orderId}/confirm`, body)
    const foreign = await ask('GET', '/no/operation?of=ours')
    return [read.status, read.json['id'], confirmed.status, foreign.status]
  }
  expect(await calls(first.ask)).toEqual([200, orderId, 202, 404])
  const seen = await partner.look({ traffic: { limit: 100 } })
  const paths = seen.traffic.slice(before.traffic.length).map(({ path }) => path)
  // Our token is none there: the partner gave its own, once, and what is known did not reach it.
  expect(paths).toEqual([
    '/oauth/token',
    `/orders/${orderId}`,
    `/orders/${orderId}/confirm`,
    '/no/operation?of=ours',
  ])
  const { summary, stderr } = await first.end()
  expect(summary).toMatchObject({ strategies: { exact: 2, forward: 3 }, counts: { extra: 3 } })
  expect(stderr).toContain(`passed on to ${urlOf(partner)}, and all is recorded: both.rec.ndjson`)
  expect(stderr).toMatch(/^forward +\+#\d+ .*getOrder .* 200 .*it was passed on to/m)

  // The second replay has no partner, and knows it all.
  await partner.close()
  const second = await serving(join(folder, 'both.rec.ndjson'), '--on-miss', 'fail', '--same-ids')
  expect((await readNewOrder(second.ask)).status).toBe(200)
  expect((await calls(second.ask)).slice(0, 3)).toEqual([200, orderId, 202])
  const ended = await second.end()
  expect(ended.summary.strategies).not.toHaveProperty('miss')
})

test('a partner that cannot be reached is a 502 with the reason', async () => {
  const gone = await openPartner(2)
  const target = urlOf(gone)
  await gone.close()
  const flags = ['--on-miss', `forward=${target}`, '--record', 'gone.rec.ndjson', '--quiet']
  const { ask, end } = await serving(recording, ...flags)
  const { status, json } = await ask('POST', '/orders/unheard-of/dispatch')
  expect([status, json]).toMatchObject([
    502,
    {
      error: { code: 'NOT_PASSED_ON', message: expect.stringContaining('ECONNREFUSED') as string },
    },
  ])
  const { stderr } = await end()
  expect(stderr).toBe('')
})

test('without --record the recording is named by time and role', async () => {
  await using partner = await openPartner(2)
  const { ask, end } = await serving(recording, '--on-miss', `forward=${urlOf(partner)}`)
  expect((await ask('GET', '/merchants')).status).toBe(200)
  await end()
  const [file = ''] = readdirSync(join(folder, 'recordings'))
  expect(file).toMatch(/^\d{8}T\d{6}Z-software-service\.rec\.ndjson$/)
  const read = await readRecording(join(folder, 'recordings', file))
  expect(read.ok && read.value.exchanges.map(({ operation }) => operation)).toContain(
    'listMerchants',
  )
})

test('many calls at once are passed on with one token', async () => {
  await using partner = await openPartner(2)
  const orderId = await newOrder(partner)
  const flags = ['--on-miss', `forward=${urlOf(partner)}`, '--record', 'many.rec.ndjson']
  const { ask, end } = await serving(recording, ...flags)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask('GET', `/orders/${orderId}`)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { traffic } = await partner.look({ traffic: { limit: 100 } })
  expect(traffic.filter(({ path }) => path.endsWith('/oauth/token'))).toHaveLength(1)
  const { summary } = await end()
  expect(summary.strategies).toEqual({ forward: 20 })
})

test.each([
  ['forward=http://partner.example', /partner\.example is not this machine.*--allow-target/],
  ['forward=partner', /reading --on-miss: "partner" is no http or https URL/],
])('--on-miss %s is rejected before a port is opened', async (onMiss, message) => {
  const { io } = createTestIo({ cwd: folder })
  const argv = ['replay', recording, '--driver', 'server', '-p', '0', '--on-miss', onMiss]
  await expect(runVerbs(argv, io)).rejects.toThrow(message)
})
