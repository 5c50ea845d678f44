/** Traces of a session: what a collector gets, what a service gets, and that nothing is different without. */
import { expect, test } from 'vitest'
import { openBareService } from '../../../../test/support/bare-service.ts'
import { createHostClient } from '../../../../test/support/host-client.ts'
import { type CollectedSpan, openOtlpCollector } from '../../../../test/support/otlp-collector.ts'
import { journalText } from '../../engine/journal.ts'
import { openSession } from '../../session/open-session.ts'
import type { SessionOptions } from '../../session/options.ts'
import { type Exchange, headerValue } from '../../traffic/exchange.ts'
import { otlpTarget } from './tracing.ts'
import { readTraceContext, traceHeaders } from './world-tracer.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'
const sampled = `00-${traceId}-${callerSpan}-01`

/** A store on a socket that gets webhooks, and a collector. */
async function withStore(options: SessionOptions = {}) {
  const stack = new AsyncDisposableStack()
  const collector = stack.use(await openOtlpCollector())
  const service = stack.use(await openBareService({ 'POST /webhooks/orders': { status: 204 } }))
  const session = await openSession({
    port: 0,
    clock: 'stepped',
    as: 'software-service',
    subject: service.url,
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    tracing: { otlp: collector.url },
    ...options,
  })
  stack.defer(() => session.close())
  const base = session.urls.get('ordering-application') ?? ''
  const client = createHostClient({ fetch: (request) => fetch(request), base })
  return {
    session,
    service,
    collector,
    client,
    webhooks: () => service.to('POST /webhooks/orders'),
    /** All spans of the session, which is closed: its end waits for the collector. */
    async spans(): Promise<readonly CollectedSpan[]> {
      await session.close()
      return collector.spans
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** A new order that the service confirms within its own trace. */
async function confirmOrder({
  session,
  client,
}: Pick<Awaited<ReturnType<typeof withStore>>, 'session' | 'client'>): Promise<void> {
  const made = await session.createOrder({ type: 'TAKEOUT' })
  const orderId = made.ok ? made.value.orderId : ''
  await client.send('POST', `/orders/${orderId}/confirm`, {
    body: { createdAt: '2026-01-05T15:00:00.000Z', reason: 'ok' },
    headers: { traceparent: sampled },
  })
}

const only = <Value>(values: readonly Value[]): Value => {
  expect(values).toHaveLength(1)
  const [value] = values
  if (value === undefined) throw new Error('there is none')
  return value
}

const ofOperation = (spans: readonly CollectedSpan[], operation: string) =>
  spans.filter(({ attributes }) => attributes['sparring.operation'] === operation)

test('a call with a trace is a span in it, and the webhooks that follow are its children', async () => {
  await using traced = await withStore()
  const { session, client, webhooks } = traced
  const made = await session.createOrder({ type: 'TAKEOUT' })
  const orderId = made.ok ? made.value.orderId : ''
  await session.advance(10_000)
  const before = webhooks().length
  const confirmed = await client.send('POST', `/orders/${orderId}/confirm`, {
    body: { createdAt: '2026-01-05T15:00:00.000Z', reason: 'ok' },
    headers: { traceparent: sampled, tracestate: 'vendor=a,other=b', baggage: 'tenant=7' },
  })
  expect(confirmed.status).toBe(202)
  await session.advance(10_000)
  const after = webhooks().slice(before)
  expect(after.map(({ text }) => /"eventType":"(\w+)"/.exec(text)?.[1])).toEqual(['CONFIRMED'])
  const [, trace, span, flags] = String(after[0]?.headers['traceparent']).split('-')
  expect([trace, flags]).toEqual([traceId, '01'])
  expect(after[0]?.headers).toMatchObject({
    tracestate: 'vendor=a,other=b',
    baggage: 'tenant=7',
  })

  const spans = await traced.spans()
  const served = only(ofOperation(spans, 'confirmOrder'))
  expect(served).toMatchObject({
    traceId,
    parentSpanId: callerSpan,
    traceState: 'vendor=a,other=b',
    service: 'sparring-ordering-application',
    name: 'POST /orders/{orderId}/confirm',
    kind: 2,
    status: {},
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/orders/{orderId}/confirm',
      'url.path': `/orders/${orderId}/confirm`,
      'url.scheme': 'http',
      'server.address': '127.0.0.1',
      'http.response.status_code': 202,
      'sparring.operation': 'confirmOrder',
      'sparring.order_id': orderId,
      'sparring.from': 'software-service',
      'sparring.to': 'ordering-application',
    },
  })
  const pushed = only(
    ofOperation(spans, 'receiveOrderEvent').filter((each) => each.traceId === traceId),
  )
  expect(pushed).toMatchObject({
    spanId: span,
    parentSpanId: served.spanId,
    kind: 3,
    attributes: { 'url.path': '/webhooks/orders', 'http.response.status_code': 204 },
  })
  expect(BigInt(pushed.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(pushed.startTimeUnixNano))
  expect(Math.abs(Number(BigInt(pushed.startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(
    60_000,
  )
  // What the session did of its own accord began traces of its own.
  const own = ofOperation(spans, 'receiveOrderEvent').filter((each) => each.traceId !== traceId)
  expect(own.length).toBeGreaterThan(0)
  expect(own.every(({ parentSpanId }) => parentSpanId === undefined)).toBe(true)
  expect(traced.collector.resources.get('sparring-ordering-application')).toMatchObject({
    'service.version': expect.stringMatching(/^\d/),
    'telemetry.sdk.language': 'nodejs',
  })
  // No token, body or query leaves with them.
  expect(JSON.stringify(spans)).not.toMatch(/secret|Bearer|reason/)
})

test('a trace that is not sampled is passed on and not exported; an invalid one begins anew', async () => {
  await using traced = await withStore()
  const { session, client, webhooks } = traced
  const made = await session.createOrder({ type: 'TAKEOUT' })
  const orderId = made.ok ? made.value.orderId : ''
  const body = { createdAt: '2026-01-05T15:00:00.000Z', reason: 'ok' }
  const headers = { traceparent: sampled.replace(/01$/, '00') }
  await client.send('POST', `/orders/${orderId}/confirm`, { body, headers })
  await client.send('GET', `/orders/${orderId}`, {
    headers: { traceparent: `ff${sampled.slice(2)}` },
  })
  await session.advance(10_000)
  const passedOn = webhooks().map((each) => String(each.headers['traceparent']))
  expect(passedOn.filter((each) => each.includes(traceId))).toEqual([
    expect.stringMatching(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`)),
  ])
  const spans = await traced.spans()
  expect(spans.filter((each) => each.traceId === traceId)).toEqual([])
  expect(only(ofOperation(spans, 'getOrder')).parentSpanId).toBeUndefined()
})

test('a retried webhook has a span for each attempt, under one parent; a fault and an error are named', async () => {
  await using traced = await withStore({ faults: ['reset:event=CONFIRMED,limit=1'] })
  const { session } = traced
  await confirmOrder(traced)
  await session.advance(120_000)
  const { traffic } = await session.look({ traffic: { limit: 1000 } })
  const cut = only(traffic.filter(({ fault }) => fault !== undefined))
  const spans = (await traced.spans()).filter((each) => each.traceId === traceId)
  const server = only(ofOperation(spans, 'confirmOrder'))
  const attempts = ofOperation(spans, 'receiveOrderEvent')
  expect(attempts.map((each) => each.parentSpanId)).toEqual([server.spanId, server.spanId])
  expect(new Set(attempts.map((each) => each.spanId)).size).toBe(2)
  expect(attempts[0]).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': cut.failure, 'sparring.fault': cut.fault },
  })
  expect(attempts[1]).toMatchObject({
    status: {},
    attributes: { 'http.request.resend_count': 1, 'http.response.status_code': 204 },
  })
  expect(attempts[1]?.attributes).not.toHaveProperty('sparring.fault')
})

test('a poll has its own trace, with links to what the events came from', async () => {
  await using traced = await withStore({
    counterparts: { 'ordering-application': { channel: 'polling' } },
  })
  const { session, client } = traced
  await confirmOrder(traced)
  await session.advance(10_000)
  expect((await client.send('GET', '/events:polling')).status).toBe(200)
  const spans = await traced.spans()
  const poll = only(ofOperation(spans, 'pollingEvents'))
  expect(poll.traceId).not.toBe(traceId)
  expect(poll.links).toEqual([{ traceId, spanId: only(ofOperation(spans, 'confirmOrder')).spanId }])
})

test('where we play both sides every call has a span at its caller and one at its receiver, without dangling parents', async () => {
  await using collector = await openOtlpCollector()
  const session = await openSession({
    port: 0,
    clock: 'virtual',
    automatic: false,
    counterparts: { 'ordering-application': { orders: { every: '5s', limit: 1 } } },
    tracing: { otlp: collector.url },
  })
  await session.advance(60_000)
  await session.close()
  const { spans } = collector
  const byId = new Map(spans.map((each) => [each.spanId, each]))
  expect(byId.size).toBe(spans.length)
  const parents = spans.flatMap((each) =>
    each.parentSpanId === undefined ? [] : [{ child: each, parent: byId.get(each.parentSpanId) }],
  )
  expect(parents.filter(({ parent }) => parent === undefined)).toEqual([])
  for (const { child, parent } of parents) expect(parent?.traceId).toBe(child.traceId)
  const servers = spans.filter(({ kind }) => kind === 2)
  const clients = spans.filter(({ kind }) => kind === 3)
  expect(servers.length).toBe(clients.length)
  expect(servers.length).toBeGreaterThan(20)
  for (const server of servers) {
    const caller = byId.get(server.parentSpanId ?? '')
    expect(caller).toMatchObject({ kind: 3, name: server.name })
  }
  // The store confirms what it saw in a poll: a child of that poll, not of the polls before it.
  const confirm = only(ofOperation(clients, 'confirmOrder'))
  expect(byId.get(confirm.parentSpanId ?? '')?.attributes['sparring.operation']).toBe(
    'pollingEvents',
  )
  const polls = ofOperation(clients, 'pollingEvents')
  expect(polls.length).toBeGreaterThan(2)
  expect(new Set(polls.map((each) => each.traceId)).size).toBe(polls.length)
})

/** A day in process, with a service that confirms nothing: its traffic and its journal. */
async function day(options: SessionOptions) {
  const requests: (readonly [string, string | null])[] = []
  const exchanges: Exchange[] = []
  const session = await openSession({
    seed: 7,
    clock: 'virtual',
    as: 'software-service',
    subject: (request) => {
      requests.push([`${request.method} ${request.url}`, request.headers.get('traceparent')])
      return Promise.resolve(new Response(null, { status: 204 }))
    },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    ...options,
  })
  session.onExchange((exchange) => exchanges.push(exchange))
  await session.createOrder({ type: 'DELIVERY' })
  await session.advance(300_000)
  const journal = journalText(session.facts())
  const wires = exchanges.map(({ request }) => request)
  await session.reset()
  const inFirst = requests.length
  await session.createOrder({ type: 'DELIVERY' })
  await session.advance(300_000)
  await session.close()
  return { requests, inFirst, journal, wires }
}

test('ids come from the seed; without tracing nothing is added, and the journal is the same', async () => {
  await using collector = await openOtlpCollector()
  const tracing = { otlp: collector.url }
  const [first, again, other, without] = [
    await day({ tracing }),
    await day({ tracing }),
    await day({ tracing, seed: 8 }),
    await day({}),
  ]
  expect(first.requests.length).toBeGreaterThan(5)
  expect(again.requests).toEqual(first.requests)
  expect(again.wires).toEqual(first.wires)
  const ids = ({ requests }: typeof first) => requests.map(([, id]) => id)
  expect(ids(first).every((id) => /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/.test(id ?? ''))).toBe(true)
  expect(ids(first).filter((id) => ids(other).includes(id))).toEqual([])
  // A fresh world of the same seed is another part of the traces.
  expect(ids(first).length).toBe(new Set(ids(first)).size)
  expect(without.journal).toBe(first.journal)
  expect(ids(without).every((id) => id === null)).toBe(true)
  expect(
    without.wires.every(({ headers }) => headerValue(headers, 'traceparent') === undefined),
  ).toBe(true)
})

test('an exchange says in which trace it is', async () => {
  await using traced = await withStore()
  await traced.client.send('GET', '/v1/merchants', { headers: { traceparent: sampled } })
  const { traffic } = await traced.session.look({ traffic: { limit: 1 } })
  const { exchange } = await traced.session.look({ exchange: traffic[0]?.seq ?? 0 })
  expect(exchange?.trace).toMatchObject({ kind: 'server', traceId, parentSpanId: callerSpan })
})

const unset = { on: true, headers: {} }

test.each([
  [{}, unset, 'http://127.0.0.1:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, unset, 'http://c:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp' }, unset, 'https://c/otlp/v1/traces'],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' },
    unset,
    'http://t/x',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' },
    { ...unset, otlp: 'http://own:1' },
    'http://own:1/v1/traces',
  ],
  [{}, { ...unset, otlp: 'http://own:1/v1/traces' }, 'http://own:1/v1/traces'],
])('%j and %j: %s', (env, tracing, url) => {
  expect(otlpTarget(tracing, env).url).toBe(url)
})

test('headers, the service and its attributes come from the variables of OpenTelemetry', () => {
  const env = {
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x=2',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=named,deployment.environment=ci',
  }
  expect(otlpTarget({ ...unset, headers: { y: '3' } }, env)).toEqual({
    url: 'http://127.0.0.1:4318/v1/traces',
    headers: { 'api-key': 'a b', x: '2', y: '3' },
    serviceName: 'named',
    attributes: { 'deployment.environment': 'ci' },
  })
  expect(otlpTarget(unset, { ...env, OTEL_SERVICE_NAME: 'mine' }).serviceName).toBe('mine')
})

test.each([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
    /^reading OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" is no http or https URL\. /,
  ],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=b,c' },
    /^reading OTEL_EXPORTER_OTLP_HEADERS: "c" is no key=value\. /,
  ],
])('%j is a problem', (env, message) => {
  expect(() => otlpTarget(unset, env)).toThrow(message)
})

const trace = '0af7651916cd43dd8448eb211c80319c'
const span = 'b7ad6b7169203331'

const read = (headers: Readonly<Record<string, string>>) =>
  readTraceContext((name) => headers[name])

test.each([
  [`00-${trace}-${span}-01`, true],
  [`00-${trace}-${span}-03`, true],
  [`00-${trace}-${span}-00`, false],
  [`cc-${trace}-${span}-01-what-comes-later`, true],
])('traceparent %s is valid', (traceparent, isSampled) => {
  expect(read({ traceparent })).toEqual({ traceId: trace, spanId: span, sampled: isSampled })
})

test.each([
  '',
  `ff-${trace}-${span}-01`,
  `00-${trace}-${span}-01-more`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${trace}-${span}`,
  `00-${trace.slice(1)}-${span}-01`,
])('traceparent "%s" is not', (traceparent) => {
  expect(read({ traceparent })).toBeUndefined()
})

test('tracestate and baggage are passed on within their limits', () => {
  const traceparent = `00-${trace}-${span}-01`
  const whole = { traceparent, tracestate: 'a=1', baggage: 'b=2' }
  const context = read(whole)
  expect(context && traceHeaders(context)).toEqual(whole)
  const long = read({ traceparent, tracestate: 'x'.repeat(513), baggage: 'x'.repeat(8193) })
  expect(long && traceHeaders(long)).toEqual({ traceparent })
})
