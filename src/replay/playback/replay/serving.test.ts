// @module-tag slow
import { compact } from '../../../core/base/compact.ts'
import { expect, test } from 'vitest'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { type ReplayReport, replayAccuracy } from '../../../core/traffic/recording/replay-report.ts'
import { sampleCustomer } from '../../../../test/support/customer-wire.ts'
import { createHostClient } from '../../../../test/support/host-client.ts'
import { sampleT0 } from '../../../../test/support/sample-exchange.ts'
import { recordHarness } from '../../../../test/support/recorded-session.ts'
import {
  openReplayServer,
  type ReplayServerOptions,
} from '../../../../test/support/replay-server-harness.ts'
import { contentOfExchanges, differencesOf } from '../../../../test/support/self-replay.ts'
import { openPlayback } from './replay.ts'

type Channel = 'polling' | 'webhook' | 'both'

interface Evening {
  readonly content: RecordingContent
  /** Final status of each order at the service. */
  readonly ends: ReadonlyMap<string, string | null | undefined>
}

async function evening(channel: Channel, faults: readonly string[] = []): Promise<Evening> {
  const ends = new Map<string, string | null | undefined>()
  const { content } = await recordHarness({ channel, faults: [...faults] }, async (harness) => {
    for (const type of ['DELIVERY', 'TAKEOUT', 'DELIVERY'] as const) {
      ends.set(await harness.order(type), null)
      await harness.pass(700)
    }
    await harness.pass(90_000)
    for (const orderId of ends.keys()) ends.set(orderId, harness.service.view(orderId)?.status)
  })
  return { content, ends }
}

const statusIn = ({ reply }: Exchange): string | undefined =>
  /"status":"(\w+)"/.exec(reply?.body ?? '')?.[1]

const isChange = ({ operation, request, reply }: Exchange): boolean =>
  request.method === 'POST' && operation !== 'acknowledgeEvents' && reply?.status === 202

/** Statuses in which an order was read, by the number of its calls accepted before. */
function readingsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, ReadonlySet<string>> {
  const changes = new Map<string, number>()
  const readings = new Map<string, Set<string>>()
  for (const exchange of exchanges) {
    const { orderId, operation, to } = exchange
    if (orderId === undefined || to.role !== 'ordering-application') continue
    const count = changes.get(orderId) ?? 0
    if (isChange(exchange)) changes.set(orderId, count + 1)
    const status = operation === 'getOrder' ? statusIn(exchange) : undefined
    if (status === undefined) continue
    const key = `${orderId} after ${count}`
    readings.set(key, (readings.get(key) ?? new Set()).add(status))
  }
  return readings
}

async function servedAgain(
  { content }: Evening,
  options: ReplayServerOptions,
): Promise<{
  readonly report: ReplayReport
  readonly live: readonly Exchange[]
  readonly statusOf: (recorded: string) => string | null | undefined
}> {
  await using served = await openReplayServer(content, options)
  const { playback, service } = served
  const live: Exchange[] = []
  playback.session.onExchange((exchange) => {
    const { orderId } = exchange
    const old = orderId === undefined ? undefined : playback.binding.oldName('order', orderId)
    live.push({ ...exchange, ...compact({ orderId: old }) })
  })
  await served.pass(130_000)
  const report = await served.end()
  const now = new Map(playback.binding.map().map((each) => [each.old, each.new]))
  const statusOf = (old: string) => service.view(now.get(old) ?? '')?.status
  return { report, live, statusOf }
}

/** Faults that were part of the recording. */
const recordedFaults = [
  'duplicate:event=CONFIRMED',
  'drop:event=PREPARING,limit=1',
  'batch:as=reverse',
  'fail:operation=confirmOrder,burst=2',
  'fail:operation=getOrder,limit=2',
  'fail:operation=pollingEvents,limit=3',
]

test.each([
  ['polling', []],
  ['webhook', []],
  ['both', []],
  ['polling', recordedFaults],
  ['webhook', recordedFaults],
  ['both', recordedFaults],
] as const)(
  'by %s, with faults %j: a fresh service reaches the same end at any pace',
  async (channel, faults) => {
    const recorded = await evening(channel, faults)
    const then = readingsOf(recorded.content.exchanges)
    for (const servicePace of [
      {},
      { pollMs: 2500, thinkMs: 1500 },
      { pollMs: 300, thinkMs: 100 },
    ]) {
      const { report, live, statusOf } = await servedAgain(recorded, { channel, servicePace })
      expect(differencesOf(report)).toEqual([])
      expect(replayAccuracy(report)).toBeGreaterThanOrEqual(0.99)
      const wrong = [...readingsOf(live)].flatMap(([key, statuses]) =>
        [...statuses].filter((status) => !then.get(key)?.has(status)).map((each) => [key, each]),
      )
      expect(wrong).toEqual([])
      for (const [orderId, status] of recorded.ends) {
        expect(statusOf(orderId)).toBe(status)
        expect(live.some(({ request }) => request.url.includes(orderId))).toBe(false)
      }
    }
  },
)

/** A recording of one order, and a service driven by the test. */
async function byHand(options: ReplayServerOptions = {}) {
  const { content, ends } = await evening('polling')
  const served = await openReplayServer(content, {
    ...options,
    servicePace: { pollMs: 10_000_000 },
  })
  const { session, binding } = served.playback
  const base = session.urls.get('ordering-application') ?? ''
  const { send } = createHostClient({ fetch: session.fetch, base })
  async function ask(method: string, path: string, body?: unknown) {
    const { status, json } = await send(method, path, { body })
    return { status, json: json as Record<string, unknown> | undefined }
  }
  const orders = [...ends.keys()].map((old) => binding.newName('order', old) ?? '')
  return { served, ask, orders, content }
}

test('what our counterparts said to each other answers no call of the service', async () => {
  const recorded = await evening('polling')
  const { content } = recorded
  const exchanges = content.exchanges.flatMap((each): readonly RecordedExchange[] => {
    if (each.operation !== 'confirmOrder') return [each]
    const ours = { role: 'crm', party: 'sparring' } as const
    const request = { ...each.request, body: '{"estimatedPreparationTimeMinutes":99}' }
    return [{ ...each, recordId: `${each.recordId}-ours`, from: ours, request }, each]
  })
  const { report } = await servedAgain(
    { ...recorded, content: { ...content, exchanges } },
    { channel: 'polling' },
  )
  expect(differencesOf(report)).toEqual([])
  expect(report.unused).toEqual([])
})

test('read, modify, read: the second read shows the change, and the order’s times stay', async () => {
  const { served, ask, orders } = await byHand()
  await using _served = served
  const [orderId] = orders
  await served.pass(60_000)
  const poll = () => ask('GET', '/events:polling')
  await poll()
  const first = await ask('GET', `/orders/${orderId}`)
  expect(first.json).toMatchObject({ id: orderId, status: 'CREATED' })
  expect((await ask('GET', `/orders/${orderId}`)).json).toEqual(first.json)
  const body = { estimatedPreparationTimeMinutes: 15 }
  expect((await ask('POST', `/orders/${orderId}/confirm`, body)).status).toBe(202)
  await served.pass(2000)
  expect((await poll()).status).toBe(200)
  await poll()
  const second = await ask('GET', `/orders/${orderId}`)
  expect(second.json).toMatchObject({ status: 'CONFIRMED', createdAt: first.json?.['createdAt'] })
})

test('an unknown call gives 501 with the reason, or a custom reply', async () => {
  const { served, ask, orders, content } = await byHand()
  await using _served = served
  const miss = await ask('POST', `/orders/${orders[0]}/requestCancellation`, { reason: 'no stock' })
  expect(miss.status).toBe(501)
  expect(miss.json).toMatchObject({
    error: {
      code: 'NOT_RECORDED',
      message: expect.stringContaining(`${content.file} has no answer to requestCancellation`),
      help: expect.stringContaining('--synth'),
    },
  })
  const report = await served.end()
  expect(report.strategies).toEqual({ miss: 1, ...report.strategies })
  expect(report.exchanges.find(({ strategy }) => strategy === 'miss')).toMatchObject({
    standing: 'extra',
    live: { reply: { status: 501 } },
  })

  const other = await byHand({ answers: { onMiss: 'synth' } })
  await using _other = other.served
  const synth = await other.ask('GET', '/orders/unheard-of')
  expect(synth.status).toBe(404)
  const { exchanges } = await other.served.end()
  expect(exchanges.find(({ strategy }) => strategy === 'synth')).toMatchObject({
    live: { reply: { status: 404 } },
  })
})

test('a call with another body is answered, and reported with the rule that would accept it', async () => {
  const { served, ask, orders } = await byHand()
  await using _served = served
  const body = { estimatedPreparationTimeMinutes: 15, note: 'quick' }
  const [orderId] = orders
  const { status } = await ask('POST', `/orders/${orderId}/confirm`, body)
  expect(status).toBe(202)
  const report = await served.end()
  const [told] = report.exchanges.filter(({ recorded }) => recorded?.operation === 'confirmOrder')
  expect(told).toMatchObject({ strategy: 'body', standing: 'changed' })
  expect(told?.because).toContain('"compare": { "as": "ignore" }')
})

test('recorded failures are replayed on request, and a retry with the same id succeeds', async () => {
  const recorded = await evening('polling', ['fail:operation=confirmOrder,burst=2'])
  const failures = recorded.content.exchanges.filter(
    ({ operation, reply }) => operation === 'confirmOrder' && (reply?.status ?? 0) >= 500,
  )
  expect(failures.length).toBeGreaterThan(0)
  const answers = { faithfulFailures: true }
  const { live, statusOf } = await servedAgain(recorded, { answers })
  expect(
    live.filter(({ operation, reply }) => operation === 'confirmOrder' && reply?.status === 503),
  ).toHaveLength(failures.length)
  for (const [orderId, status] of recorded.ends) expect(statusOf(orderId)).toBe(status)
})

test('calls that the service does not make are listed as unused, and differ with requireAll', async () => {
  const { content } = await evening('polling')
  const nobody = { servicePace: { pollMs: 10_000_000 } }
  await using lazy = await openReplayServer(content, nobody)
  await lazy.pass(5000)
  const calm = await lazy.end()
  expect(calm.unused.length).toBeGreaterThan(20)
  expect(calm.counts['missing']).toBeUndefined()
  await using strict = await openReplayServer(content, { ...nobody, answers: { requireAll: true } })
  await strict.pass(5000)
  const { counts, unused } = await strict.end()
  expect(counts['missing']).toBe(unused.length)
})

test.each(['webhook', 'both'] as const)(
  'by %s, sent to the service: it reads its orders from the recording without differences',
  async (channel) => {
    const { content } = await evening(channel)
    for (const pace of [{ mode: 'original' }, { mode: 'asap' }] as const) {
      await using driven = await openReplayServer(content, { channel, driven: true, pace })
      const report = await driven.all()
      expect(differencesOf(report)).toEqual([])
      expect(report.unused).toEqual([])
      expect(replayAccuracy(report)).toBe(1)
    }
  },
)

test('a defect of the service is reported at the exchange where it shows', async () => {
  const { content } = await evening('webhook')
  await using driven = await openReplayServer(content, {
    channel: 'webhook',
    driven: true,
    defects: ['drops-unread-orders'],
  })
  expect(differencesOf(await driven.all())).toEqual([])
  await using wrong = await openReplayServer(content, {
    channel: 'webhook',
    driven: true,
    defects: ['acts-on-202'],
  })
  const report = await wrong.all()
  const missing = report.exchanges.filter(({ standing }) => standing === 'missing')
  expect(missing.length).toBeGreaterThan(0)
  // It takes 202 as the new status, and so never reads the result.
  for (const { recorded } of missing) expect(recorded?.operation).toBe('getOrder')
})

test('an awaited call that never comes is given up, and its effects are blocked', async () => {
  const { content } = await evening('webhook')
  await using driven = await openReplayServer(content, {
    channel: 'webhook',
    driven: true,
    servicePace: { thinkMs: 100_000_000 },
    answers: { callTimeoutMs: 30_000 },
  })
  const report = await driven.all()
  const confirms = report.exchanges.filter(({ recorded }) => recorded?.operation === 'confirmOrder')
  expect(confirms.map(({ standing }) => standing)).toEqual(['missing', 'missing', 'missing'])
  const blocked = report.exchanges.filter(({ standing }) => standing === 'blocked')
  expect(blocked.some(({ because }) => because?.includes('confirmOrder'))).toBe(true)
  expect(report.interrupted).toBeUndefined()
})

test('a name that the service makes up in a call is learned from that call, though the answer does not repeat it', async () => {
  const calls = { from: { role: 'ordering-application', party: 'subject' } } as const
  const to = { role: 'crm', party: 'sparring' } as const
  const headers = [['content-type', 'application/json']] as const
  const url = 'http://crm.test'
  const named = (id: string) => sampleCustomer('a', { id, externalIds: [`app:${id}`] })
  const exchanges: readonly Exchange[] = [
    {
      ...calls,
      to,
      seq: 1,
      startedAt: sampleT0,
      tookMs: 1,
      operation: 'ingestCustomer',
      request: {
        method: 'POST',
        url: `${url}/v1/customer/customers:ingest`,
        headers,
        body: JSON.stringify({ customer: named('recorded-1') }),
      },
      reply: { status: 202, headers, body: '{"status":"ACCEPTED"}' },
    },
    {
      ...calls,
      to,
      seq: 2,
      startedAt: sampleT0 + 1000,
      tookMs: 1,
      operation: 'getCustomerById',
      params: { id: 'recorded-1' },
      request: { method: 'GET', url: `${url}/customers/recorded-1`, headers: [] },
      reply: { status: 200, headers, body: JSON.stringify(named('recorded-1')) },
    },
  ]
  await using playback = await openPlayback({
    recording: contentOfExchanges(exchanges, [
      { party: 'subject', role: 'ordering-application' },
      { party: 'sparring', role: 'crm' },
    ]),
    serves: {},
    clock: 'virtual',
    automatic: false,
    listen: false,
  })
  const { session, binding } = playback
  const { send } = createHostClient({
    fetch: session.fetch,
    base: session.urls.get('crm') ?? '',
  })
  const body = { customer: named('live-1') }
  const sent = await send('POST', '/v1/customer/customers:ingest', { body })
  expect([sent.status, sent.json]).toEqual([202, { status: 'ACCEPTED' }])
  expect(binding.newName('customer', 'recorded-1')).toBe('live-1')
  const read = await send('GET', '/customers/live-1')
  expect(read.status).toBe(200)
  expect(read.json).toMatchObject({ id: 'live-1', externalIds: ['app:live-1'] })
})
