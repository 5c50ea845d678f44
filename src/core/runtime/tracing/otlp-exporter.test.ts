/** The exporter of spans against a collector that is away, busy, picky or slow. */
import { expect, test } from 'vitest'
import { openBareService } from '../../../../test/support/bare-service.ts'
import { openOtlpCollector } from '../../../../test/support/otlp-collector.ts'
import { openSession } from '../../session/open-session.ts'
import { OtlpExporter, type ExportPace } from './otlp-exporter.ts'
import { type OtlpSpan, otlpSpan } from './otlp-span.ts'

const quick = { batchMs: 1, firstPauseMs: 1, maxPauseMs: 5, closeMs: 2000 } as const

function exporterTo(url: string, pace: Partial<ExportPace> = {}) {
  const warnings: string[] = []
  const exporter = new OtlpExporter({
    url: `${url}/v1/traces`,
    headers: { 'x-api-key': 'k' },
    version: '1.2.3',
    resource: (service) => [{ key: 'service.name', value: { stringValue: service } }],
    onWarning: (text) => void warnings.push(text),
    pace: { ...quick, ...pace },
  })
  return { exporter, warnings }
}

let made = 0

function nextSpan(): OtlpSpan {
  made++
  const trace = {
    kind: 'server',
    traceId: made.toString(16).padStart(32, '0'),
    spanId: made.toString(16).padStart(16, '0'),
    sampled: true,
  } as const
  return otlpSpan(
    {
      seq: made,
      startedAt: 1_700_000_000_000.25,
      tookMs: 1.5,
      from: { role: 'software-service', party: 'subject' },
      to: { role: 'ordering-application', party: 'sparring' },
      operation: 'getOrder',
      request: { method: 'GET', url: 'http://127.0.0.1:7101/orders/o_1?secret=1', headers: [] },
      reply: { status: 200, headers: [] },
      trace,
    },
    trace,
  )
}

const addSpans = (count: number, exporter: OtlpExporter): void => {
  for (let each = 0; each < count; each++) exporter.add('a', nextSpan())
}

test('spans go out in batches, with the headers, to the path of traces', async () => {
  await using collector = await openOtlpCollector()
  const { exporter, warnings } = exporterTo(collector.url, { maxBatch: 3 })
  addSpans(7, exporter)
  exporter.add('b', nextSpan())
  await exporter.close()
  expect(collector.posts.map(({ path }) => path)).toEqual([
    '/v1/traces',
    '/v1/traces',
    '/v1/traces',
  ])
  expect(collector.posts[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-api-key': 'k',
  })
  expect(collector.spans.map(({ service }) => service).join('')).toBe('aaaaaaab')
  expect(collector.spans[0]).toMatchObject({
    startTimeUnixNano: '1700000000000250000',
    endTimeUnixNano: '1700000000001750000',
    attributes: { 'url.path': '/orders/o_1', 'server.port': 7101 },
  })
  expect(exporter.counts()).toEqual({ exported: 8, dropped: 0 })
  expect(warnings).toEqual([])
})

test('a collector that cannot be reached costs one warning, and no more spans than the queue has place for', async () => {
  const gone = await openBareService({})
  await gone[Symbol.asyncDispose]()
  const { exporter, warnings } = exporterTo(gone.url, { maxQueued: 10 })
  addSpans(25, exporter)
  await exporter.close()
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 25 })
  expect(warnings).toEqual([
    `tracing: ${gone.url}/v1/traces takes no spans (ECONNREFUSED); they are kept up to 10, and it is tried again`,
  ])
  exporter.add('a', nextSpan())
  expect(exporter.counts().dropped).toBe(26)
})

test('what a busy collector puts off is sent again, once', async () => {
  await using collector = await openOtlpCollector()
  collector.answers.push(
    { status: 503 },
    { status: 429, headers: { 'retry-after': '0' } },
    { status: 200, body: '' },
  )
  const { exporter, warnings } = exporterTo(collector.url)
  addSpans(4, exporter)
  await collector.untilPosts(3)
  await exporter.close()
  expect(collector.spans).toHaveLength(4)
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(4)
  expect(exporter.counts()).toEqual({ exported: 4, dropped: 0 })
  expect(warnings).toEqual([expect.stringContaining('takes no spans (it answered 503)')])
})

test('what a collector refuses, whole or in part, is dropped with its reason', async () => {
  await using collector = await openOtlpCollector()
  const refused = { partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }
  collector.answers.push({ status: 400 }, { status: 200, body: JSON.stringify(refused) })
  const { exporter, warnings } = exporterTo(collector.url, { maxBatch: 5 })
  addSpans(10, exporter)
  await exporter.close()
  expect(exporter.counts()).toEqual({ exported: 3, dropped: 7 })
  expect(warnings).toEqual([`tracing: ${collector.url}/v1/traces refuses spans: it answered 400`])
})

test('the end of a session does not wait for a collector that never answers', async () => {
  await using collector = await openBareService({ 'POST /v1/traces': 'hangs' })
  const { exporter } = exporterTo(collector.url, { closeMs: 20 })
  addSpans(3, exporter)
  await exporter.close()
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 3 })
})

test('a session without its collector goes on as ever, and says so in one line', async () => {
  const gone = await openBareService({})
  await gone[Symbol.asyncDispose]()
  const warnings: string[] = []
  const session = await openSession({
    clock: 'virtual',
    as: 'software-service',
    subject: () => Promise.resolve(new Response(null, { status: 204 })),
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    tracing: { otlp: gone.url },
    onWarning: (text) => void warnings.push(text),
  })
  await session.createOrder({ type: 'TAKEOUT' })
  await session.settle()
  const { metrics, traffic } = await session.look({ metrics: true, traffic: { limit: 1000 } })
  expect(traffic.length).toBeGreaterThan(3)
  expect(metrics?.spans).toEqual({ exported: 0, dropped: 0 })
  await session.close()
  expect(warnings).toEqual([expect.stringContaining('ECONNREFUSED')])
  expect((await session.look({ metrics: true })).metrics?.spans).toEqual({
    exported: 0,
    // A call between two of our roles has a span on either side.
    dropped: traffic.length + traffic.filter(({ subject }) => !subject).length,
  })
})
