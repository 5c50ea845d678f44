// @module-tag slow
import { expect, test } from 'vitest'
import { journalText } from '../engine/journal.ts'
import * as library from '../../sparring/library/index.ts'
import { prepareSession } from './session.ts'
import { createAudit } from '../../../test/support/audit.ts'
import { runsFor } from '../../../test/support/soak.ts'
import type { PreparedSession } from './types.ts'
import type { SessionOptions } from './options.ts'
import { openSession } from './open-session.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRecordedReport } from '../../../test/support/recorded-report.ts'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { readRecording } from '../runtime/recording/read-recording.ts'
import { sessionPage } from '../../terminal/page/session/report-page.ts'
import type { RecordingContent } from '../traffic/recording/content.ts'

const many = runsFor(8, 100)

/** Orders of all profiles, both roles played by us, until nothing more happens. */
async function dayOfOrders(options: SessionOptions, wait: (s: library.Session) => Promise<void>) {
  const session = await openSession({
    port: 0,
    counterparts: { 'ordering-application': { orders: { every: '200ms', limit: many } } },
    ...options,
  })
  const audit = createAudit()
  session.onExchange(audit.record)
  await wait(session)
  const { orders, info } = await session.look({ orders: { limit: 200 } })
  const text = journalText(session.facts())
  await session.close()
  return { orders, info, text, problems: audit.problems() }
}

const settled = (session: library.Session): Promise<void> => session.settle()

test(`${many} mixed orders reach a final status over sockets on the virtual clock`, async () => {
  const { orders, problems } = await dayOfOrders({ clock: 'virtual', automatic: false }, settled)
  expect(problems).toEqual([])
  expect(orders).toHaveLength(many)
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['CONCLUDED']))
  expect(new Set(orders.map(({ profile }) => profile))).toEqual(
    new Set(['DELIVERY', 'TAKEOUT', 'INDOOR']),
  )
})

test(`${many} orders reach a final status over sockets on the real clock`, async () => {
  const { orders, problems } = await dayOfOrders({ clock: 'real', speed: 60 }, async (session) => {
    const end = Date.now() + 50_000
    for (;;) {
      const { info, orders: seen } = await session.look({ orders: { limit: 200 } })
      if (seen.length === many && info.counts.open === 0) return
      if (Date.now() > end) throw new Error(`still open: ${info.counts.open} of ${seen.length}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  expect(problems).toEqual([])
  expect(orders.map(({ status }) => status)).toEqual(
    Array.from({ length: many }, () => 'CONCLUDED'),
  )
})

test('the same seed and the same input give the same journal, byte for byte', async () => {
  const options = { clock: 'virtual', listen: false } as const
  const first = await dayOfOrders(options, settled)
  const second = await dayOfOrders(options, settled)
  const other = await dayOfOrders({ ...options, seed: 43 }, settled)
  expect(first.text.length).toBeGreaterThan(10_000)
  expect(second.text === first.text).toBe(true)
  expect(other.text === first.text).toBe(false)
})

/** A few orders, and a foreign token request before or after the counterparts have started. */
const few = {
  clock: 'virtual',
  listen: false,
  counterparts: { 'ordering-application': { orders: { every: '200ms', limit: runsFor(6, 20) } } },
} as const

const ask = (session: PreparedSession, path: string, init?: RequestInit): Promise<Response> =>
  session.fetch(new Request(`${session.urls.get('ordering-application')}${path}`, init))

const askToken = (session: PreparedSession): Promise<Response> => {
  const body = new URLSearchParams({ client_id: 'subject', client_secret: 'secret' })
  return ask(session, '/oauth/token', { method: 'POST', body })
}

async function journalOf(use: (session: PreparedSession) => Promise<unknown>, seed = 42) {
  const session = await prepareSession({ ...few, seed })
  await use(session)
  await session.settle()
  const text = journalText(session.facts())
  await session.close()
  return text
}

test('a request before the population is loaded waits, and the journal is the same, byte for byte', async () => {
  const late = await journalOf(async (session) => {
    await session.begin()
    expect((await askToken(session)).status).toBe(200)
  })
  const early = await journalOf(async (session) => {
    expect((await askToken(session)).status).toBe(200)
  })
  expect(late).toContain('token')
  expect(early === late).toBe(true)
})

test('before the counterparts start, a session reports its info, and no time passes', async () => {
  await using session = await prepareSession({ ...few, automatic: true })
  const { clock } = (await session.look({})).info
  expect((await ask(session, '/.well-known/protocol')).status).toBe(200)
  expect((await ask(session, '/merchants')).status).toBe(401)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(session.facts()).toEqual([])
  expect((await session.look({})).info.clock.now).toBe(clock.now)

  await session.begin()
  expect(session.facts()[0]?.fact.kind).toBe('session.opened')
})

test('a world created by a reset during loading is the only one that starts, once', async () => {
  const reset = await journalOf(async (session) => {
    const first = session.begin()
    await session.reset(7)
    await first
  }, 6)
  expect(reset === (await journalOf((session) => session.begin(), 7))).toBe(true)
})

test('a session closed while its counterparts load never starts', async () => {
  const session = await prepareSession(few)
  const beginning = session.begin()
  await session.close()
  await beginning
  expect(session.facts()).toEqual([])
})

test.each([
  [`${many} orders reach a final status by webhook`, 'webhook'],
  ['with both channels every event is handed over twice and applied once', 'both'],
] as const)('%s', async (_title, channel) => {
  const { orders, problems } = await dayOfOrders(
    {
      clock: 'virtual',
      listen: false,
      counterparts: {
        'ordering-application': { channel, orders: { every: '200ms', limit: many } },
      },
    },
    settled,
  )
  expect(problems).toEqual([])
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['CONCLUDED']))
})

test('an in-process service gets its orders by webhook, without sockets or waiting', async () => {
  const calls: string[] = []
  const base = 'http://ordering-application.test'
  let session: library.Session
  let token = ''
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    calls.push(path.replace(/[0-9a-f-]{36}/, '*'))
    return session.fetch(
      new Request(`${base}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } }),
    )
  }
  const service = async (request: Request): Promise<Response> => {
    const { eventType, orderId } = (await request.json()) as { eventType: string; orderId: string }
    if (token === '') {
      const body = new URLSearchParams({ client_id: 'subject', client_secret: 'secret' })
      const answer = await session.fetch(
        new Request(`${base}/oauth/token`, { method: 'POST', body }),
      )
      token = ((await answer.json()) as { access_token: string }).access_token
    }
    const next: Record<string, string> = {
      CREATED: 'confirm',
      CONFIRMED: 'ready-for-pickup',
      READY_FOR_PICKUP: 'delivered',
    }
    const step = next[eventType]
    if (step) await call(`/orders/${orderId}/${step}`, { method: 'POST' })
    return new Response(null, { status: 204 })
  }
  session = await openSession({
    as: 'software-service',
    subject: service,
    conduct: { manifest: 'trust', webhookAccess: 'signature' },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    clock: 'virtual',
  })
  await session.createOrder({ type: 'TAKEOUT' })
  await session.settle()
  const { orders } = await session.look({ orders: { limit: 1 } })
  expect(orders[0]?.status).toBe('CONCLUDED')
  expect(calls).toEqual(['/orders/*/confirm', '/orders/*/ready-for-pickup', '/orders/*/delivered'])
  await session.close()
})

test('an item can be edited to another valid command of its kind only', async () => {
  await using session = await openSession({ clock: 'virtual', listen: false })
  const made = await session.createOrder({ type: 'DELIVERY' })
  const orderId = made.ok ? made.value.orderId : ''
  const command = { kind: 'event.emit', orderId, eventType: 'PICKUP_ONGOING' } as const
  await session.submit({ kind: 'agenda.plan', command, afterMs: 60_000 })
  const { agenda } = await session.look({ agenda: { limit: 20 } })
  const id = agenda.find(({ kind }) => kind === 'event.emit')?.id ?? 0
  const edit = (change: Record<string, unknown>) =>
    session.submit({ kind: 'agenda.edit', id, change })

  expect(await edit({ eventType: 'PICKED_UP' })).toMatchObject({
    ok: false,
    error: { code: 'UNPROCESSABLE', message: expect.stringContaining('eventType') },
  })
  expect(await edit({ eventType: 'DELIVERY_ONGOING' })).toMatchObject({ ok: true })
  await session.settle()
  const { order } = await session.look({ orderId })
  expect(order?.events.map(({ eventType }) => eventType)).toContain('DELIVERY_ONGOING')
})

test('the automatic virtual clock brings an order to a final status, and then rests', async () => {
  await using session = await openSession({ port: 0, clock: 'virtual' })
  const at = async () => (await session.look({ orders: { limit: 1 } })).orders[0]?.status
  const facts = async () => (await session.look({})).info.counts.facts
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const within = { timeout: 45_000, interval: 25 }
  await session.createOrder({ type: 'DELIVERY' })
  await expect.poll(at, within).toBe('CONCLUDED')
  // A clock that does not rest goes from one item to the next without a pause.
  const isResting = async (): Promise<boolean> => {
    const before = await facts()
    await pause(200)
    return (await facts()) === before
  }
  await expect.poll(isResting, within).toBe(true)
})

test('a reset creates a fresh world behind the same addresses', async () => {
  await using session = await openSession({ port: 0, clock: 'virtual', automatic: false })
  const urls = [...session.urls]
  await session.createOrder({ type: 'TAKEOUT' })
  await session.reset()
  const { orders, info } = await session.look({ orders: { limit: 10 } })
  expect(orders).toEqual([])
  expect(info.counts.facts).toBeGreaterThan(0)
  expect([...session.urls]).toEqual(urls)
  const answer = await fetch(`${session.urls.get('ordering-application')}/.well-known/protocol`)
  expect(answer.status).toBe(200)
})

test('[ORD-EVR-03] a reset takes the next seed, so that no id comes again; the same sessions have the same worlds', async () => {
  async function idsOf(...seeds: readonly (number | undefined)[]) {
    await using session = await openSession({ listen: false, clock: 'virtual', seed: 7 })
    const seen: string[] = []
    for (const seed of seeds) {
      await session.reset(seed)
      const { info } = await session.look({})
      const made = await session.createOrder({ type: 'TAKEOUT' })
      seen.push(`${info.seed} ${made.ok ? made.value.orderId : ''}`)
    }
    return seen
  }
  const first = await idsOf(undefined, undefined, 7, 7)
  expect(new Set(first).size).toBe(3)
  expect(first.map((each) => each.split(' ')[0])).toEqual(['8', '9', '7', '7'])
  expect(first[2]).toBe(first[3])
  expect(await idsOf(undefined, undefined)).toEqual(first.slice(0, 2))
})

test('the library exports exactly its documented names', () => {
  expect(Object.keys(library).sort()).toEqual([
    'Problem',
    'certify',
    'explore',
    'openSession',
    'playScenario',
    'replayRecording',
    'scenarioOptions',
  ])
})

async function record(file: string, defects: readonly 'counts-events'[] = []): Promise<void> {
  await using harness = await openHarness({
    seed: 7,
    defects,
    faults: [{ reorder: { event: 'CONFIRMED' } }],
    session: { recording: { file, fsync: 'off' } },
  })
  await harness.order('TAKEOUT')
  await harness.pass(120_000)
}

async function contentOf(file: string): Promise<RecordingContent> {
  const read = await readRecording(file)
  if (!read.ok) throw new Error(read.error)
  return read.value
}

const failedOf = ({ end }: RecordingContent) =>
  (end?.verdicts ?? []).filter(({ outcome }) => outcome === 'failed')

test('verdicts of a session are read with its recording, and shown by its report', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-verdicts-')), 'a.rec.ndjson')
  await record(file, ['counts-events'])
  const content = await contentOf(file)
  expect(content).toMatchObject({ problems: [], closed: true })
  const failed = failedOf(content)
  expect(failed.length).toBeGreaterThan(0)
  const bySeq = new Map(content.exchanges.map((each) => [each.seq, each]))
  for (const { findings, clauses } of failed) {
    expect(clauses.length).toBeGreaterThan(0)
    for (const { evidence } of findings)
      for (const seq of evidence) expect(bySeq.get(seq)?.from.role).toBeDefined()
  }
  expect(content.end?.verdicts.some(({ outcome }) => outcome === 'not-exercised')).toBe(false)
  const page = sessionPage(await readRecordedReport(file), { title: 'x', limit: 100 })
  const missing = failed.filter(({ id }) => !page.includes(`id="v-${id}" open`))
  expect(missing).toEqual([])
  expect(page).not.toContain('The recording has no verdicts')
})

test('the faults and the slots of the orders are read with it, and the report shows them', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-verdicts-')), 'c.rec.ndjson')
  await record(file)
  const { end, exchanges } = await contentOf(file)
  expect(end?.faults).toEqual([{ name: 'reorder', text: 'reorder:event=CONFIRMED', fired: 1 }])
  const [order] = end?.orders ?? []
  expect(end?.orders).toEqual([{ slot: 'o1', orderId: order?.orderId }])
  expect(exchanges.some(({ orderId }) => orderId === order?.orderId)).toBe(true)
  const page = sessionPage(await readRecordedReport(file), { title: 'x', limit: 100 })
  expect(page).toContain('<code>reorder:event=CONFIRMED</code> <span class="facts">fired once')
  expect(page).toContain(`<code>o1 ${order?.orderId}</code>`)
})

test('in a recording that goes on, the last session’s verdicts count, and name its own exchanges', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-verdicts-')), 'b.rec.ndjson')
  await record(file)
  const first = await contentOf(file)
  expect(failedOf(first)).toEqual([])
  await record(file, ['counts-events'])
  const both = await contentOf(file)
  const evidence = failedOf(both).flatMap(({ findings }) =>
    findings.flatMap(({ evidence: own }) => own),
  )
  expect(evidence.length).toBeGreaterThan(0)
  const last = first.exchanges.at(-1)?.seq ?? 0
  expect(Math.min(...evidence)).toBeGreaterThan(last)
  expect(Math.max(...evidence)).toBeLessThanOrEqual(both.exchanges.at(-1)?.seq ?? 0)
  expect(readFileSync(file, 'utf8').match(/"verdicts":\[/g)).toHaveLength(2)
})

test('calls in flight at the end are in the recording, as failed ones: no exchange is missing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-end-'))
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  try {
    await once(mute, 'listening')
    const called = once(mute, 'request')
    const session = await openSession({
      as: 'software-service',
      subject: `http://127.0.0.1:${(mute.address() as AddressInfo).port}`,
      port: 0,
      counterparts: { 'ordering-application': { channel: 'webhook' } },
      recording: { file: join(folder, 'end.rec.ndjson') },
    })
    await session.createOrder({ type: 'TAKEOUT' })
    await called
    await session.close()
    const { recording, counts } = (await session.look({})).info
    expect(counts.exchanges).toBeGreaterThan(0)
    expect(recording?.written).toBe(counts.exchanges)
  } finally {
    mute.closeAllConnections()
    mute.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
