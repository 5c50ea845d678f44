/** Takes a snapshot of a session: world, traffic, info, verdicts and operator actions. */
import { displayUrl } from '../traffic/redaction/display.ts'
import { compact } from '../base/compact.ts'
import type { Instant } from '../engine/instant.ts'
import { buildSnapshot } from '../views/snapshot.ts'
import type {
  InitialConditions,
  SessionInfo,
  Snapshot,
  TrafficRow,
  View,
} from '../session-api/session-api.ts'
import { sessionMetrics } from '../views/session-metrics.ts'
import type { Operator } from './operator.ts'
import type { SessionMetrics } from '../session-api/session-metrics.ts'
import type { SessionCounters } from './observers.ts'
import type { SessionPopulation } from './population.ts'
import type { SessionJudge } from './verdicts.ts'
import type { DerivedLog, TrafficLog } from '../traffic/log.ts'
import type { TrafficRate } from '../traffic/rate.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { defaultConfiguration } from '../session-api/configuration/defaults.ts'
import { mergeGroups, scenarioDefaults } from '../scenario/options.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import { fromUnits } from '../protocol/orders/price.ts'
import { findMerchant, merchantRemedy } from '../partners/seed-data/lookup.ts'
import { unitsPerCent } from '../partners/seed-data/money.ts'
import type {
  MenuCategory,
  OptionGroup,
  Population,
  SeedMerchant,
} from '../partners/seed-data/types.ts'
import type { MenuRow, MenuSnapshot, MenuView, MerchantRow } from '../session-api/menu.ts'
import { callUrl } from '../runtime/client/call-url.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import { manifestNotices, manifestNoticeText } from './contact-notices.ts'
import { buildVersion } from '../runtime/version.ts'
import type { Role } from '../protocol/role.ts'
import type { ContactState } from '../session-api/first-contact.ts'
import type { FailedRequests } from '../traffic/failed-requests.ts'

/** Session info: version, counterparts with URLs, clock and counts. */
interface SessionInfoParts {
  readonly configuration: Configuration
  readonly runtime: WorldRuntime
  readonly seed: number
  readonly roles: readonly Role[]
  readonly urls: ReadonlyMap<Role, string>
  readonly log: TrafficLog
  readonly failed: FailedRequests
  readonly actions: number
  readonly recording: SessionInfo['recording']
  readonly connect: SessionInfo['connect']
  readonly contact: Pick<ContactState, 'connected' | 'unreachable'>
  /** Sequence number of the fact that the session was forked at. */
  readonly forked?: number | undefined
}

function sessionInfo(parts: SessionInfoParts): SessionInfo {
  const { configuration, runtime, seed, roles, urls, log, failed, actions, recording } = parts
  const { engine, driver } = runtime
  const { agenda, ordering } = engine.world
  const { subject, counterparts, protocol } = configuration
  return {
    version: buildVersion(),
    protocol,
    seed,
    clock: { mode: driver.mode(), speed: driver.speed(), now: engine.now() },
    channel: counterparts['ordering-application'].channel ?? 'polling',
    counterparts: roles.map((role) => ({
      role,
      url: urls.get(role) ?? '',
      behaviour: counterparts[role].behaviour,
    })),
    ...(subject.role
      ? {
          subject: { role: subject.role, ...(subject.url ? { url: displayUrl(subject.url) } : {}) },
        }
      : {}),
    ...compact({ recording, forked: parts.forked, connect: parts.connect }),
    contact: { ...parts.contact, ...subjectState(runtime, subject.role) },
    counts: {
      facts: engine.journal.last(),
      exchanges: log.count(),
      pending: agenda.byId.size - agenda.held.size,
      loops: agenda.byId.size - agenda.held.size - agenda.foreground,
      held: agenda.held.size,
      orders: ordering.orders.size,
      open: ordering.orders.size - ordering.over.size,
      failed,
      actions,
    },
  }
}

/** What the world knows of the user's service: warnings about its manifest, and the events that wait for it. */
function subjectState(
  { engine, destination }: WorldRuntime,
  subject: Role | undefined,
): Pick<ContactState, 'notices' | 'waiting'> {
  const there = subject && destination(subject)
  if (subject === undefined || there === undefined) return { notices: [], waiting: 0 }
  const { ordering, announcements } = engine.world
  const call = { from: subject, to: subject, operation: 'getManifest', attempt: 1 } as const
  const waiting = [...announcements.waiting.keys()].filter(
    (eventId) => announcements.events.get(eventId)?.to === subject,
  )
  return {
    notices: manifestNotices(engine, subject, () => displayUrl(callUrl(call, there, engine))).map(
      manifestNoticeText,
    ),
    waiting: waiting.length + (subject === 'software-service' ? ordering.waiting.size : 0),
  }
}

/** Rows of the merchants of a session and of the items that they sell. */
const priceOf = (cents: number): number => fromUnits(cents * unitsPerCent)

const optionsOf = ({ name, min, max, included, offered }: OptionGroup) => ({
  group: name,
  min,
  max,
  choices: [...included, ...offered].map((option) => ({
    name: option.name,
    price: priceOf(option.cents),
  })),
})

const itemRows = ({ id: merchantId, menu }: SeedMerchant): readonly MenuRow[] =>
  menu.flatMap(({ name: category, offers }: MenuCategory) =>
    offers.map(({ externalCode, name, cents, unit, groups }) => ({
      merchantId,
      externalCode,
      name,
      category,
      price: priceOf(cents),
      unit,
      options: groups.map(optionsOf),
    })),
  )

const merchantRow = (merchant: SeedMerchant): MerchantRow => {
  const { id, externalCode, name, status, currency, offers } = merchant
  return { id, externalCode, name, status, currency, items: offers.length }
}

/** A problem where the view names a merchant that is not there. */
function menuSnapshot(
  population: Population,
  { limit, offset = 0, merchant: reference }: MenuView,
): { readonly menu: MenuSnapshot; readonly problem?: string } {
  const named = reference === undefined ? undefined : findMerchant(population, reference)
  const merchants = named ? [named] : population.merchants
  const isUnknown = reference !== undefined && !named
  const items = isUnknown ? [] : merchants.flatMap(itemRows).slice(offset, offset + limit)
  return {
    menu: { merchants: merchants.map(merchantRow), items },
    ...(isUnknown
      ? {
          problem: `this session has no merchant "${reference}". ${merchantRemedy(population, reference)}`,
        }
      : {}),
  }
}

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
  const counter = sessionJudge?.effects
  const effects = snapshot.order && counter?.of(snapshot.order.row.orderId)
  const explanation = explainer?.explanationOf(
    {
      world,
      journal,
      log,
      settings,
      now: info.clock.now,
      verdicts: verdicts ?? [],
      subject: info.subject,
      ...(counter ? { effectsOf: (orderId: string) => counter.of(orderId) } : {}),
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
    ...(snapshot.order && effects ? { order: { ...snapshot.order, effects } } : {}),
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
  const { role = 'none' } = configuration.subject
  const session = nonDefault(compared, mergeGroups(defaultConfiguration(), scenarioDefaults(role)))
  const { clock, faults } = configuration
  return { seed, origin, clock, faults, session: isUnknownRecord(session) ? session : {} }
}
