/** Takes a snapshot of a session: world, traffic, info, verdicts and operator actions. */
import { compact } from '../base/compact.ts'
import type { Instant } from '../engine/instant.ts'
import { buildSnapshot } from '../views/snapshot.ts'
import type { Snapshot, TrafficRow, View, InitialConditions } from '../session-api/session-api.ts'
import { type SessionInfoParts, sessionInfo } from './info.ts'
import { sessionMetrics } from '../views/session-metrics.ts'
import type { Operator } from './operator.ts'
import type { SessionMetrics } from '../session-api/session-metrics.ts'
import type { SessionCounters } from './session-counters.ts'
import { menuSnapshot } from './menu-rows.ts'
import type { SessionPopulation } from './population.ts'
import type { SessionJudge } from './verdicts.ts'
import type { DerivedLog } from '../traffic/log.ts'
import type { TrafficRate } from '../traffic/rate.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { defaultConfiguration } from '../session-api/configuration/defaults.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'

export interface SnapshotParts extends Omit<SessionInfoParts, 'actions'> {
  readonly operator: Operator
  readonly sessionJudge: SessionJudge | undefined
  readonly trafficRows: DerivedLog<TrafficRow>
  readonly population: SessionPopulation
  readonly rate: () => TrafficRate
  readonly counters: SessionCounters
  /** Spans that were exported, in a session that is traced. */
  readonly spans: SessionMetrics['spans']
  /** The instant at which the world started. */
  readonly origin: Instant
}

export async function takeSnapshot(parts: () => SnapshotParts, view: View): Promise<Snapshot> {
  // Load the explanation module before `parts()` is read, so that the rest of the snapshot is current.
  const explainer = view.explain === undefined ? undefined : await import('../views/explain.ts')
  const offered = view.menu && menuSnapshot(await parts().population.load(), view.menu)
  const {
    operator,
    sessionJudge,
    origin,
    rate,
    counters,
    spans,
    trafficRows,
    population: _population,
    ...rest
  } = parts()
  const { runtime, log } = rest
  const { world, journal, settings } = runtime.engine
  const info = sessionInfo({ ...rest, actions: operator.actionCount() })
  const needsVerdicts =
    view.verdicts === true || view.metrics === true || view.explain !== undefined
  const verdicts = needsVerdicts ? sessionJudge?.verdicts() : undefined
  const actions = view.operatorActions ? operator.actions() : undefined
  const snapshot = buildSnapshot(
    {
      world,
      journal,
      log,
      trafficRows,
      info,
      settings,
      operatorActions: actions,
      verdicts: view.verdicts ? verdicts : undefined,
    },
    view,
  )
  const explanation = explainer?.explanationOf(
    {
      world,
      journal,
      log,
      settings,
      now: info.clock.now,
      verdicts: verdicts ?? [],
      subject: info.subject,
    },
    view.explain ?? '',
  )
  const initialConditions = view.operatorActions
    ? initialConditionsOf(rest.configuration, rest.seed, origin)
    : undefined
  const { traffic, faultsFired, worlds } = counters
  const metrics =
    view.metrics &&
    sessionMetrics({
      world,
      now: info.clock.now,
      verdicts: verdicts ?? [],
      traffic,
      faultsFired,
      worlds: worlds(),
      spans,
    })
  return {
    ...snapshot,
    ...offered,
    ...compact({ explanation, initialConditions, rate: view.rate && rate(), metrics }),
  }
}

const machineKeys: ReadonlySet<string> = new Set(['port', 'credentials', 'others'])

/** Deep difference of a value from its default; undefined when they are equal. */
function nonDefault(value: unknown, fallback: unknown): unknown {
  if (!isUnknownRecord(value))
    return JSON.stringify(value) === JSON.stringify(fallback) ? undefined : value
  const own: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(value)) {
    const rest = machineKeys.has(key)
      ? undefined
      : nonDefault(each, isUnknownRecord(fallback) ? fallback[key] : undefined)
    if (rest !== undefined) own[key] = rest
  }
  return Object.keys(own).length > 0 ? own : undefined
}

function initialConditionsOf(
  configuration: Configuration,
  seed: number,
  origin: Instant,
): InitialConditions {
  const { counterparts, conduct, tolerances, capabilities, protocol, merchants, menu } =
    configuration
  const compared = {
    counterparts,
    conduct,
    tolerances,
    capabilities,
    protocol,
    merchants,
    menu,
  }
  const session = nonDefault(compared, defaultConfiguration())
  const { clock, faults } = configuration
  return { seed, origin, clock, faults, session: isUnknownRecord(session) ? session : {} }
}
