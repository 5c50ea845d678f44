/**
 * What looks at the traffic of a session through all of its worlds: its contact with the service, its counters, its
 * traces.
 */
import { webhookAccessOf } from '../protocol/signature.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { Tracing } from '../runtime/tracing/tracing.ts'
import type { WorldTracer } from '../runtime/tracing/world-tracer.ts'
import type { Engine } from '../engine/engine.ts'
import type { SessionMetrics } from '../session-api/session-metrics.ts'
import type { DerivedLog, TrafficLog } from '../traffic/log.ts'
import { compact } from '../base/compact.ts'
import { wallNow } from '../runtime/clock/clock.ts'
import { processHash } from '../runtime/recording/redaction-key.ts'
import { operation } from '../protocol/catalogue.ts'
import type { TrafficRow } from '../session-api/session-api.ts'
import type { ContactState } from '../session-api/first-contact.ts'
import { setDisplayKey, displayText, displayUrl } from '../traffic/redaction/display.ts'
import { type Exchange, wallTimesOf } from '../traffic/exchange.ts'
import {
  createFailureCounter,
  type FailedRequests,
  failureKindOf,
} from '../traffic/failed-requests.ts'
import { createRateMeter, type TrafficRate } from '../traffic/rate.ts'
import { trafficRow } from '../views/traffic-rows.ts'
import { createTrafficCounters, type TrafficCounters } from '../traffic/traffic-counters.ts'

/** Counts what happens in a session through all of its worlds: a reset or a fork takes nothing back. */
export interface SessionCounters {
  readonly traffic: TrafficCounters
  /** Faults that fired, by name. */
  readonly faultsFired: ReadonlyMap<string, number>
  readonly worlds: () => number
  /** Counts what happens in one more world. */
  readonly addWorld: (engine: Pick<Engine, 'onFact'>) => void
}

function createSessionCounters(log: Pick<TrafficLog, 'onExchange'>): SessionCounters {
  const traffic = createTrafficCounters()
  const faultsFired = new Map<string, number>()
  let worlds = 0
  log.onExchange(traffic.count)
  return {
    traffic,
    faultsFired,
    worlds: () => worlds,
    addWorld(engine) {
      worlds++
      engine.onFact(({ fact }) => {
        if (fact.kind !== 'fault.fired') return
        faultsFired.set(fact.name, (faultsFired.get(fact.name) ?? 0) + 1)
      })
    },
  }
}

/** Watches the traffic of a session: failed exchanges, the first contact with the user's service, and its absence. */
interface TrafficWatch {
  readonly observed: () => {
    readonly failed: FailedRequests
    readonly contact: Pick<ContactState, 'connected' | 'unreachable'>
    /** Of the exchanges with your service; of all in a session without one. */
    readonly rate: () => TrafficRate
    readonly trafficRows: DerivedLog<TrafficRow>
  }
  readonly stop: () => void
}

const pathOf = (url: string): string => new URL(displayUrl(url)).pathname

const isAccepted = ({ reply }: Exchange): boolean => reply !== undefined && reply.status < 300

/**
 * The text of a first contact; undefined for an exchange that proves none: discovery, an error, a call of our own
 * token.
 */
function contactText(exchange: Exchange): string | undefined {
  const { operation: id, request, from, to } = exchange
  if (id === undefined || !isAccepted(exchange)) return undefined
  const { capability } = operation(id)
  const call = `${request.method} ${pathOf(request.url)}`
  if (from.party === 'subject' && capability !== 'discovery') return `it called ${call}`
  const isBusiness = capability !== 'discovery' && capability !== 'auth'
  return to.party === 'subject' && isBusiness ? `it accepted ${call}` : undefined
}

/** Whether your service answers that it has none of what it need not have: a manifest, a token endpoint. */
function isForeseen(
  { operation: id, to, reply }: Exchange,
  conduct: Configuration['conduct'],
): boolean {
  if (to.party !== 'subject' || ![404, 405, 501].includes(reply?.status ?? 0)) return false
  return (
    (id === 'getManifest' && conduct.manifest === 'when-present') ||
    (id === 'issueToken' && webhookAccessOf(conduct) === 'auto')
  )
}

/** Counts failed exchanges and follows the contact with the user's service. */
function watchTraffic(
  log: Pick<TrafficLog, 'onExchange' | 'derive'>,
  { subject: { role }, conduct }: Pick<Configuration, 'subject' | 'conduct'>,
  onChange: () => void,
): TrafficWatch {
  const failures = createFailureCounter(role !== undefined)
  const meter = createRateMeter()
  const trafficRows = log.derive(trafficRow)
  const isMeasured = ({ from, to, unparsed }: Exchange): boolean =>
    !unparsed && (role === undefined || from.party === 'subject' || to.party === 'subject')
  let connected: ContactState['connected']
  let unreachable: string | undefined
  const stop = log.onExchange((exchange, { ended }) => {
    const { reply, failure, fault, reason, to } = exchange
    // A call that an operator sends in place of the service says nothing about it.
    if (exchange.resendOf !== undefined) return onChange()
    const foreseen = isForeseen(exchange, conduct)
    if (!foreseen) failures.count(exchange)
    if (isMeasured(exchange)) {
      const { startedAt, tookMs } = wallTimesOf(exchange)
      const isFailed = !foreseen && fault === undefined && failureKindOf(exchange) !== undefined
      meter.add(startedAt + tookMs, tookMs, isFailed)
    }
    const by = connected ? undefined : contactText(exchange)
    if (by !== undefined) connected = { at: ended, by }
    if (to.party === 'subject' && fault === undefined)
      unreachable =
        !reply && failure
          ? displayText(
              `Your service does not answer: ${reason ?? failure.message}`,
              exchange.request.url,
            )
          : undefined
    onChange()
  })
  return {
    observed: () => ({
      failed: failures.counts(),
      contact: compact({ connected, unreachable }),
      rate: () => meter.at(wallNow()),
      trafficRows,
    }),
    stop,
  }
}

interface ObserverOptions {
  readonly configuration: Configuration
  readonly log: TrafficLog
  readonly onChange: () => void
  readonly onWarning: (text: string) => void
}

export interface SessionObservers {
  readonly observed: () => ReturnType<TrafficWatch['observed']> & {
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
  setDisplayKey(processHash)
  const counters = createSessionCounters(log)
  const tracing = await startTracing(options)
  const watch = watchTraffic(log, configuration, onChange)
  return {
    observed: () => ({ ...watch.observed(), counters, spans: tracing?.counts() }),
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
