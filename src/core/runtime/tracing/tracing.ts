/**
 * Traces a session: exports a span for each exchange, and passes trace contexts on. Loaded only where it is configured.
 */
import { randomUUID } from 'node:crypto'
import type { Configuration } from '../../session-api/configuration/schema.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { packageVersion } from '../version.ts'
import { OtlpExporter, type ExportPace, type SpanCounts } from './otlp-exporter.ts'
import { otlpAttributes, otlpSpan } from './otlp-span.ts'
import { otlpTarget } from './otlp-target.ts'
import { createWorldTracer, type WorldTracer } from './world-tracer.ts'

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
