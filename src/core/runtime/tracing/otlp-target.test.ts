/** Where spans go, by configuration and environment, and which trace contexts are valid. */
import { expect, test } from 'vitest'
import { otlpTarget } from './otlp-target.ts'
import { readTraceContext, traceHeaders } from './world-tracer.ts'

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
])('traceparent %s is valid', (traceparent, sampled) => {
  expect(read({ traceparent })).toEqual({ traceId: trace, spanId: span, sampled })
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
