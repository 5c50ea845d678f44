/** What a scraper gets from GET /metrics, held against the traffic that it is about. */
import { readFileSync } from 'node:fs'
import { expect, test, onTestFinished } from 'vitest'
import { openBareService } from '../../../../test/support/bare-service.ts'
import {
  type PrometheusFamily,
  readPrometheusText,
} from '../../../../test/support/prometheus-text.ts'
import { openSession } from '../../session/open-session.ts'
import type { SessionOptions } from '../../session/options.ts'
import type { Session } from '../../session-api/session.ts'
import type { TrafficRow } from '../../session-api/session-api.ts'
import { startControl } from '../control/control.ts'
import { expositionText, histogramSamples } from './exposition.ts'

interface Scraped {
  readonly session: Session
  readonly url: string
  readonly scrape: () => Promise<ReadonlyMap<string, PrometheusFamily>>
  /** The sum of the samples with these labels; undefined when there is none. */
  readonly value: (
    name: string,
    labels?: Readonly<Record<string, string>>,
  ) => Promise<number | undefined>
}

async function scraped(options: SessionOptions): Promise<Scraped> {
  const session = await openSession({ port: 0, clock: 'stepped', ...options })
  onTestFinished(() => session.close())
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  onTestFinished(() => control.close())
  const scrape = async () =>
    readPrometheusText(await (await fetch(`${control.url}/metrics`)).text())
  return {
    session,
    url: control.url,
    scrape,
    async value(name, labels = {}) {
      const found = (await scrape())
        .get(name)
        ?.samples.filter((sample) =>
          Object.entries(labels).every(([label, wanted]) => sample.labels[label] === wanted),
        )
      if (!found || found.length === 0) return undefined
      return found.reduce((sum, { value }) => sum + value, 0)
    },
  }
}

/** A store that takes webhooks, on a socket. */
async function withStore(options: SessionOptions = {}) {
  const service = await openBareService({ 'POST /webhooks/orders': { status: 204 } })
  onTestFinished(async () => service[Symbol.asyncDispose]())
  const counterparts = { 'ordering-application': { channel: 'webhook' } } as const
  const { as = 'software-service' } = options
  return {
    service,
    ...(await scraped({ as, subject: service.url, counterparts, ...options })),
  }
}

const classOf = ({ status }: TrafficRow): string =>
  status === 0 ? 'none' : `${Math.floor(status / 100)}xx`

test('it is Prometheus text 0.0.4 with HELP and TYPE for every metric', async () => {
  const { url, scrape } = await scraped({ as: 'software-service' })
  const response = await fetch(`${url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  await response.text()
  const families = [...(await scrape()).values()]
  expect(families.length).toBeGreaterThan(15)
  const page = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')
  for (const { name, help } of families) {
    expect(name).toMatch(/^(sparring|process|nodejs)_[a-z0-9_]+$/)
    expect(help).toMatch(/\.$/)
    if (name.startsWith('sparring_')) expect(page).toContain(`\`${name}\``)
  }
  const head = await fetch(`${url}/metrics`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  expect((await fetch(`${url}/metrics?name=x`)).status).toBe(400)
})

test('it needs the token where the control API does, and no page may read it', async () => {
  const session = await openSession({ port: 0, clock: 'stepped' })
  onTestFinished(() => session.close())
  const control = await startControl({ session, host: '127.0.0.1', port: 0, token: 'top' })
  onTestFinished(() => control.close())
  const status = async (headers: Record<string, string>): Promise<number> => {
    const response = await fetch(`${control.url}/metrics`, { headers })
    await response.text()
    return response.status
  }
  expect(await status({})).toBe(401)
  expect(await status({ authorization: 'Bearer top' })).toBe(200)
  expect(await status({ authorization: 'Bearer top', origin: 'http://evil.example' })).toBe(403)
})

test('exchanges are those of the traffic, by parties, operation and class, and as the service counts them', async () => {
  const { session, service, scrape, value } = await withStore()
  for (const type of ['DELIVERY', 'TAKEOUT', 'TAKEOUT'] as const)
    await session.createOrder({ type })
  await session.advance(60_000)
  const oa = session.urls.get('ordering-application')
  expect((await fetch(`${oa}/orders/nothing`)).status).toBe(401)
  expect((await fetch(`${oa}/no/such/path`)).status).toBe(404)

  const { traffic } = await session.look({ traffic: { limit: 1000 } })
  const expected = new Map<string, number>()
  for (const row of traffic) {
    const key = [row.from, row.to, row.operation ?? 'none', classOf(row)].join(' ')
    expected.set(key, (expected.get(key) ?? 0) + 1)
  }
  const samples = (await scrape()).get('sparring_exchanges_total')?.samples ?? []
  const found = samples.map(({ labels, value: count }) => {
    const { from, to, operation, status } = labels
    return [[from, to, operation, status].join(' '), count] as const
  })
  expect(found.length).toBe(expected.size)
  expect(new Map(found)).toEqual(expected)
  const webhooks = service.to('POST /webhooks/orders').length
  expect(webhooks).toBeGreaterThan(2)
  const pushed = { from: 'ordering-application', to: 'software-service', status: '2xx' }
  expect(await value('sparring_exchanges_total', pushed)).toBe(webhooks)
  const times = (await scrape()).get('sparring_answer_duration_seconds')?.samples ?? []
  const answered = times.filter(({ name }) => name.endsWith('_count'))
  // The service answers the reading of its manifest and the request for a token with 404: that took time too.
  expect(answered.reduce((sum, sample) => sum + sample.value, 0)).toBe(service.calls.length)
  expect(
    times.every(({ labels }) => Object.keys(labels).every((name) => /^(operation|le)$/.test(name))),
  ).toBe(true)
})

test('failures have their code, and say whether a fault made them', async () => {
  const { session, service, value } = await withStore()
  service.route('POST /webhooks/orders', { status: 503 })
  await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(10)
  await service[Symbol.asyncDispose]()
  await session.advance(600_000)
  const failures = 'sparring_exchange_failures_total'
  const to = { to: 'software-service' }
  expect(await value(failures, { ...to, code: '503', injected: 'false' })).toBe(
    service.to('POST /webhooks/orders').length,
  )
  expect(await value(failures, { ...to, code: 'ECONNREFUSED' })).toBeGreaterThan(0)
  expect(await value(failures, { ...to, injected: 'true' })).toBeUndefined()
  expect(await value('sparring_exchanges_total', { ...to, status: 'none' })).toBe(
    await value(failures, { ...to, code: 'ECONNREFUSED' }),
  )
})

test('a call that a fault cuts is an injected failure, and no answer of the service', async () => {
  const { session, value, scrape } = await withStore({ faults: ['reset:event=CREATED,limit=1'] })
  await session.createOrder({ type: 'TAKEOUT' })
  await session.advance(1000)
  const { traffic } = await session.look({ traffic: { limit: 100 } })
  const cut = traffic.filter(({ fault }) => fault !== undefined)
  expect(cut).toHaveLength(1)
  const labels = { code: cut[0]?.failure ?? String(cut[0]?.status), injected: 'true' }
  expect(await value('sparring_exchange_failures_total', labels)).toBe(1)
  expect(await value('sparring_faults_fired_total', { fault: 'reset' })).toBe(1)
  const times = (await scrape()).get('sparring_answer_duration_seconds')?.samples ?? []
  const answered = times.filter(({ name }) => name.endsWith('_count'))
  const whole = traffic.filter(({ to, fault }) => to === 'software-service' && fault === undefined)
  expect(answered.reduce((sum, sample) => sum + sample.value, 0)).toBe(whole.length)
})

test('faults that fire are counted by their name through a reset, levels are of the new world', async () => {
  const { session, value, scrape } = await withStore({ faults: ['duplicate:event=CREATED'] })
  const fired = () => value('sparring_faults_fired_total', { fault: 'duplicate' })
  expect(await fired()).toBeUndefined()
  await session.createOrder({ type: 'TAKEOUT' })
  expect(await fired()).toBe(1)
  expect(await value('sparring_faults_active')).toBe(1)
  expect(await value('sparring_orders', { status: 'CREATED' })).toBe(1)
  await session.advance(1000)
  const exchanges = await value('sparring_exchanges_total')
  expect(exchanges).toBeGreaterThan(1)
  await session.reset()
  expect(await fired()).toBe(1)
  expect(await value('sparring_resets_total')).toBe(1)
  expect(await value('sparring_exchanges_total')).toBe(exchanges)
  expect((await scrape()).get('sparring_orders')?.samples).toEqual([])
  await session.createOrder({ type: 'TAKEOUT' })
  expect(await fired()).toBe(2)
})

test('the agenda, waiting events and rules are as the session shows them', async () => {
  const { session, value } = await scraped({ as: 'software-service' })
  await session.createOrder({ type: 'DELIVERY' })
  const { agenda } = await session.look({ agenda: { limit: 1000, background: true } })
  const [first] = agenda
  if (first) await session.submit({ kind: 'agenda.hold', id: first.id })
  const { info } = await session.look({})
  const level = (state: string) => value('sparring_agenda_items', { state })
  expect(await level('held')).toBe(info.counts.held)
  expect(info.counts.held).toBe(1)
  expect(((await level('due')) ?? 0) + ((await level('later')) ?? 0)).toBe(info.counts.pending)
  expect(await value('sparring_agenda_loops')).toBe(info.counts.loops)
  if (first) await session.submit({ kind: 'agenda.release', id: first.id })
  await session.advance(60_000)
  // No service polls: what happened to the order waits in the mailbox.
  const { order } = await session.look({ orderId: 'o1' })
  expect(await value('sparring_events_waiting', { channel: 'polling' })).toBe(order?.events.length)
  expect(order?.events.length).toBeGreaterThan(0)
  const { verdicts } = await session.look({ verdicts: true })
  expect(verdicts.length).toBeGreaterThan(40)
  for (const outcome of new Set(verdicts.map((each) => each.outcome)))
    expect(await value('sparring_rules', { outcome })).toBe(
      verdicts.filter((each) => each.outcome === outcome).length,
    )
  expect(await value('sparring_rule_failed')).toBe(session.verdicts().length)
})

test('memory, the delay of the event loop and the version are those of this process', async () => {
  const { value, scrape } = await scraped({})
  await scrape()
  expect(await value('process_resident_memory_bytes')).toBeGreaterThan(1e7)
  const lag = (await scrape()).get('nodejs_eventloop_lag_seconds')?.samples ?? []
  expect(lag.map(({ labels }) => labels['quantile'])).toEqual(['p50', 'p99', 'max'])
  expect(lag.every(({ value: seconds }) => seconds >= 0 && seconds < 60)).toBe(true)
  const uptime = Date.now() / 1000 - ((await value('process_start_time_seconds')) ?? 0)
  expect(Math.abs(uptime - process.uptime())).toBeLessThan(1)
  const [build] = (await scrape()).get('sparring_build_info')?.samples ?? []
  expect(build?.labels['version']).toMatch(/^\d+\.\d+\.\d+/)
  expect(build?.labels['node']).toBe(process.versions.node)
})

test('labels and help with quotes, backslashes and line feeds stay one line each', () => {
  const help = 'a \\ b\nc'
  const text = expositionText([
    { name: 'a', type: 'gauge', help, samples: [{ labels: { x: 'q"\\\n' }, value: -Infinity }] },
    {
      name: 'h',
      type: 'histogram',
      help,
      samples: histogramSamples({ x: 'y' }, [0.1, 1], [1, 0, 2], 7.5),
    },
  ])
  expect(readPrometheusText(text).get('a')?.samples).toEqual([
    { name: 'a', labels: { x: 'q"\\\n' }, value: -Infinity },
  ])
  expect(text.split('\n').slice(3)).toEqual([
    String.raw`# HELP h a \\ b\nc`,
    '# TYPE h histogram',
    'h_bucket{x="y",le="0.1"} 1',
    'h_bucket{x="y",le="1"} 1',
    'h_bucket{x="y",le="+Inf"} 3',
    'h_sum{x="y"} 7.5',
    'h_count{x="y"} 3',
    '',
  ])
})
