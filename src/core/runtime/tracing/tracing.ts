/**
 * Traces a session: exports a span for each exchange, and passes trace contexts on. Loaded only where it is configured.
 */
import { randomUUID } from 'node:crypto'
import type { Configuration } from '../../session-api/configuration/schema.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { packageVersion } from '../version.ts'
import { type ExportPace, OtlpExporter, type SpanCounts } from './otlp-exporter.ts'
import { otlpAttributes, otlpSpan } from './otlp-span.ts'
import { createWorldTracer, type WorldTracer } from './world-tracer.ts'
import { joinUrl } from '../../base/join-url.ts'
import { problem } from '../../base/problem.ts'

interface OtlpTarget {
  /** Where traces are posted. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The name of all our roles, where it is configured. */
  readonly serviceName?: string
  readonly attributes: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

const defaultEndpoint = 'http://127.0.0.1:4318'
const tracesPath = '/v1/traces'

/** `key=value` pairs, separated by commas, with percent encoding. */
function pairsOf(name: string, text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((part) => {
    if (part.trim() === '') return []
    const [, key, value] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(part) ?? []
    if (key === undefined || value === undefined)
      throw problem(`reading ${name}`, `"${part}" is no key=value`, 'Separate pairs by commas.')
    try {
      return [[key, decodeURIComponent(value)] as const]
    } catch {
      return [[key, value] as const]
    }
  })
  return Object.fromEntries(pairs)
}

/** The base URL of a collector with the path of traces, unless it has that already. */
function tracesUrl(base: string): string {
  const isTraces = new URL(base).pathname.replace(/\/+$/, '').endsWith(tracesPath)
  return joinUrl(base, isTraces ? '' : tracesPath)
}

function checkedUrl(name: string, text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw problem(
    `reading ${name}`,
    `"${text}" is no http or https URL`,
    `Name the OTLP/HTTP endpoint of a collector, such as ${defaultEndpoint}.`,
  )
}

function endpointOf(otlp: string | undefined, env: Environment): string {
  if (otlp !== undefined) return tracesUrl(otlp)
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  if (own) return checkedUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own)
  const shared = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  return tracesUrl(shared ? checkedUrl('OTEL_EXPORTER_OTLP_ENDPOINT', shared) : defaultEndpoint)
}

/**
 * Where spans are exported to and as whom: by the configuration, else by the environment variables
 * of OpenTelemetry. @throws Problem for a variable that cannot be read
 */
export function otlpTarget(
  { otlp, headers }: Configuration['tracing'],
  env: Environment,
): OtlpTarget {
  const variable = (name: string): Readonly<Record<string, string>> =>
    pairsOf(name, env[name] ?? '')
  const serviceName = env['OTEL_SERVICE_NAME']
  const { 'service.name': named, ...attributes } = variable('OTEL_RESOURCE_ATTRIBUTES')
  const service = serviceName || named
  return {
    url: endpointOf(otlp, env),
    headers: {
      ...variable('OTEL_EXPORTER_OTLP_HEADERS'),
      ...variable('OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
      ...headers,
    },
    ...(service ? { serviceName: service } : {}),
    attributes,
  }
}

export interface Tracing {
  /** The tracer of one more world. */
  readonly addWorld: (seed: number) => WorldTracer
  readonly counts: () => SpanCounts
  readonly close: () => Promise<void>
}

export interface TracingOptions {
  readonly configuration: Pick<Configuration, 'tracing'>
  readonly log: Pick<TrafficLog, 'onExchange'>
  readonly onWarning: (text: string) => void
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly pace?: Partial<ExportPace>
}

export function createTracing({
  configuration,
  log,
  onWarning,
  env = process.env,
  pace,
}: TracingOptions): Tracing {
  const { url, headers, serviceName, attributes } = otlpTarget(configuration.tracing, env)
  const version = packageVersion()
  const instance = randomUUID()
  const exporter = new OtlpExporter({
    url,
    headers,
    version,
    onWarning,
    resource: (service) =>
      otlpAttributes({
        'service.name': service,
        'service.version': version,
        'service.instance.id': instance,
        'telemetry.sdk.name': 'sparring',
        'telemetry.sdk.language': 'nodejs',
        'telemetry.sdk.version': version,
        ...attributes,
      }),
    ...(pace ? { pace } : {}),
  })
  let worlds = 0

  function take(exchange: Exchange): void {
    const { trace, from, to } = exchange
    if (!trace?.sampled) return
    const { role } = trace.kind === 'server' ? to : from
    exporter.add(serviceName ?? `sparring-${role}`, otlpSpan(exchange, trace))
  }

  const stop = log.onExchange(take)
  return {
    addWorld: (seed) => createWorldTracer({ seed, world: ++worlds, callerSaw: take }),
    counts: exporter.counts,
    close() {
      stop()
      return exporter.close()
    },
  }
}
