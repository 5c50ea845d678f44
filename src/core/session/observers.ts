/** What looks at the traffic of a session through all of its worlds: its contact with the service, its counters, its traces. */
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { Tracing } from '../runtime/tracing/tracing.ts'
import type { WorldTracer } from '../runtime/tracing/world-tracer.ts'
import type { Engine } from '../engine/engine.ts'
import type { SessionMetrics } from '../session-api/session-metrics.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { createSessionCounters, type SessionCounters } from './session-counters.ts'
import { type TrafficWatch, watchTraffic } from './traffic-watch.ts'

interface ObserverOptions {
  readonly configuration: Configuration
  readonly log: TrafficLog
  readonly onChange: () => void
  readonly onWarning: (text: string) => void
}

export interface SessionObservers {
  readonly seen: () => ReturnType<TrafficWatch['seen']> & {
    readonly counters: SessionCounters
    readonly spans: SessionMetrics['spans']
  }
  /** The tracer of one more world, in a session that is traced. */
  readonly tracer: (seed: number) => WorldTracer | undefined
  /** Looks at one more world. */
  readonly addWorld: (engine: Engine) => void
  readonly close: () => Promise<void>
}

/** Loaded only where it is configured. */
async function startTracing({
  configuration,
  log,
  onWarning,
}: ObserverOptions): Promise<Tracing | undefined> {
  const { on, otlp } = configuration.tracing
  if (!on && otlp === undefined) return undefined
  const { createTracing } = await import('../runtime/tracing/tracing.ts')
  return createTracing({ configuration, log, onWarning })
}

export async function startObservers(options: ObserverOptions): Promise<SessionObservers> {
  const { configuration, log, onChange } = options
  const counters = createSessionCounters(log)
  const tracing = await startTracing(options)
  const watch = watchTraffic(log, configuration, onChange)
  return {
    seen: () => ({ ...watch.seen(), counters, spans: tracing?.counts() }),
    tracer: (seed) => tracing?.addWorld(seed),
    addWorld(engine) {
      counters.addWorld(engine)
      engine.onFact(onChange)
    },
    async close() {
      watch.stop()
      await tracing?.close()
    },
  }
}
