/**
 * Attaches the judges to one world of a session: that of the invariants, which it subscribes to facts and exchanges and
 * for which it probes the subject, that of the user's contracts, and that of the clauses.
 */
import { bodyTranslator } from '../protocol/translation/translator.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { probeOrder } from '../runtime/client/probe-order.ts'
import type { ClockDriver } from '../runtime/clock/clock-driver.ts'
import {
  type ServiceClock,
  sessionAsServiceClock,
} from '../rules/invariants/tracking/service-clock.ts'
import { liveObject } from '../engine/live-object.ts'
import type { Contract } from '../rules/contract/contract.ts'
import type { Judge, RunOutcomes } from '../rules/invariants/judge/judge.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import { LaggedTimings } from '../rules/invariants/tracking/timing.ts'
import type { VerdictTolerances } from '../rules/invariants/tracking/tracker-state.ts'
import type { Role } from '../protocol/role.ts'
import { onlyOfItsParties, type TrafficLog } from '../traffic/log.ts'
import { resolveOrder } from '../views/order-reference.ts'
import type { Session } from '../session-api/session.ts'
import { servicePaths } from './contracts.ts'
import type { Destination } from '../runtime/client/destinations.ts'
import { replicaUrls } from '../session-api/configuration/subject.ts'
import { effectSources } from '../session-api/configuration/effects.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import type { CommandRunner, EffectCounter } from './effects.ts'

/**
 * Limits on the session's clock. What a network and a service need between request and answer is time of the wall: on a
 * clock that goes faster it is as many times longer.
 */
const verdictTolerances = (
  { tolerances }: Configuration,
  { pace }: ServiceClock,
): VerdictTolerances => ({
  convergeMs: tolerances.converge,
  graceMs: tolerances.grace,
  pollGapMs: tolerances.pollGap,
  get webhookMs() {
    return tolerances.webhook * pace()
  },
  tries: tolerances.tries,
  reads: tolerances.reads,
  coolDownMs: tolerances.coolDown,
  get inFlightMs() {
    return tolerances.inFlight * pace()
  },
  get pace() {
    return pace()
  },
})

export interface SessionJudge extends Pick<Session, 'asked' | 'probed'> {
  /** Absent where there is no subject, or where invariants are switched off. */
  readonly judge: Judge | undefined
  /** Verdicts of the invariants, that of the contracts, and the clauses that were not kept. */
  readonly verdicts: () => readonly Verdict[]
  readonly runOutcomes: () => RunOutcomes
  /** Counts the effects of orders (subject.effects); absent where there are none to count. */
  readonly effects?: Pick<EffectCounter, 'ask' | 'of'> | undefined
  readonly detach: () => void
}

export interface SessionJudgeOptions {
  /** As it is at the moment. */
  readonly configuration: () => Configuration
  readonly isLive: boolean
  readonly runtime: WorldRuntime
  readonly log: TrafficLog
  readonly contracts: readonly Contract[]
  /** Whether clauses are judged one by one beside the rules. */
  readonly judgesClauses: boolean
  /** Runs the commands of subject.effects; absent where nothing may run any. */
  readonly runCommand: CommandRunner | undefined
  readonly onWarning: (text: string) => void
  /** Called with errors of the judge: the session continues. */
  readonly onBug: (error: unknown) => void
}

/** Loads the judge of contracts only when there are any. */
async function attachContracts({ contracts, configuration, log, onBug }: SessionJudgeOptions) {
  if (contracts.length === 0) return undefined
  const { ContractJudge } = await import('../rules/contract/contract-judge.ts')
  const judge = new ContractJudge({
    contracts,
    bases: servicePaths(configuration().subject.url),
    hasService: configuration().subject.role !== undefined,
    translator: bodyTranslator(configuration().conduct),
    onBug,
  })
  const observe = onlyOfItsParties((exchange, span) => judge.exchange(exchange, span))
  return { judge, detach: log.onExchange(observe) }
}

/** Of several processes nothing says which one called: what one remembers of its own calls is not judged. */
const hasReplicas = (subject: Configuration['subject']): boolean => replicaUrls(subject).length > 0

/** The role that is judged with these settings; undefined where no rules are loaded. */
export const judgedRole = ({ subject, tolerances }: Configuration): Role | undefined =>
  tolerances.on ? subject.role : undefined

/** Loads the checks of clauses only when there is a subject to judge. */
async function attachClauses({
  configuration,
  judgesClauses,
  runtime: { engine, lag, serviceClock },
  log,
  onBug,
}: SessionJudgeOptions) {
  const settings = configuration()
  const { subject, conduct, dialect } = settings
  const role = judgedRole(settings)
  if (role === undefined || !judgesClauses) return undefined
  const { ClauseJudge } = await import('../rules/checks/clause-judge.ts')
  const { withFirstCauses } = await import('../rules/invariants/judge/judge.ts')
  const { isOfOneProcess, sessionChecks } = await import('../rules/checks/catalogue.ts')
  const timings = new LaggedTimings(lag, serviceClock)
  const checks = sessionChecks[conduct.speaks]
  const judge = new ClauseJudge({
    checks: hasReplicas(subject) ? checks.filter((each) => !isOfOneProcess(each)) : checks,
    role,
    speaks: conduct.speaks,
    dialect,
    hasPassed: (from, to, ms) => timings.hasPassed(from, to, ms),
    onBug,
  })
  const observe = onlyOfItsParties((exchange, span) => judge.exchange(exchange, span))
  const stops = [
    log.onExchange(observe),
    engine.onFact(({ fact }) => {
      if (fact.kind === 'session.subject-renewed') judge.beginAnew()
    }),
  ]
  return {
    verdictsWith: (rules: readonly Verdict[]) => withFirstCauses(rules, judge.verdicts()),
    detach: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Loads the invariants only when there is a subject to judge. */
async function attachInvariants({
  configuration,
  isLive,
  runtime: { engine, lag, serviceClock },
  log,
  onBug,
}: SessionJudgeOptions) {
  const settings = configuration()
  const { subject } = settings
  const role = judgedRole(settings)
  if (role === undefined) return undefined
  const { shownByService } = await import('../rules/invariants/needs.ts')
  const { createJudge } = await import('../rules/invariants/judge/judge.ts')
  const { invariants } = await import('../rules/invariants/catalogue.ts')
  const { createBatchingJudge: inBatches } = await import('../rules/invariants/judge/batching.ts')
  const options = {
    subject: role,
    settings: engine.settings,
    limits: isLive
      ? liveObject(() => verdictTolerances(configuration(), serviceClock))
      : verdictTolerances(configuration(), serviceClock),
    world: engine.world,
    now: engine.now,
    lag,
    serviceClock,
    countsEffects: subject.effects !== undefined,
    invariants: hasReplicas(subject)
      ? invariants.filter(({ ofOneProcess }) => !ofOneProcess)
      : invariants,
    shown: shownByService
      .filter((key) => Reflect.get(subject, key) !== undefined)
      .map((key) => `subject.${key}` as const),
  }
  lag.start()
  const judge = inBatches(createJudge(options), onBug)
  const stops = [engine.onFact(judge.fact), log.onExchange(onlyOfItsParties(judge.exchange))]
  return {
    judge,
    detach: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Loads what counts effects only where there are any to count. */
async function attachEffects(
  options: SessionJudgeOptions,
  judge: Judge | undefined,
): Promise<EffectCounter | undefined> {
  const { role, effects } = options.configuration().subject
  if (!judge || role === undefined || effects === undefined) return undefined
  if (role !== 'software-service') {
    options.onWarning(
      `subject.effects: nothing is counted, since its rules are about a software-service, and yours is the ${role}`,
    )
    return undefined
  }
  const { EffectCounter: Counter } = await import('./effects.ts')
  return new Counter({ ...options, judge, role, sources: effectSources(effects) })
}

/** Nothing where there is nothing to judge. */
export async function createSessionJudge(
  options: SessionJudgeOptions,
): Promise<SessionJudge | undefined> {
  const { engine } = options.runtime
  const invariants = await attachInvariants(options)
  const contracts = await attachContracts(options)
  const clauses = await attachClauses(options)
  const effects = await attachEffects(options, invariants?.judge)
  if (!invariants && !contracts) return undefined
  const judge = invariants?.judge
  const idOf = (text: string): string => {
    const order = resolveOrder(engine.world, text)
    return order.ok ? order.value : text
  }
  return {
    judge,
    effects,
    verdicts() {
      const rules = judge?.verdicts() ?? []
      return [
        ...(clauses ? clauses.verdictsWith(rules) : rules),
        ...(contracts ? [contracts.judge.verdict()] : []),
      ]
    },
    runOutcomes: () => judge?.runOutcomes() ?? new Map(),
    asked: (order) => judge?.operatorRequestedCancellation(idOf(order)),
    probed: (order, status) =>
      judge?.probe({ orderId: idOf(order), status, at: judge.tracker.now }),
    detach: () => {
      invariants?.detach()
      effects?.stop()
      contracts?.detach()
      clauses?.detach()
    },
  }
}

const isOpen = ({ outcome }: Verdict): boolean => outcome === 'open'

/** The end of the tolerances is looked for in so many steps. */
const toleranceSteps = 8

/**
 * Lets the virtual clock go on while a rule is open, at most to the end of all tolerances: a service that has stopped
 * in the middle of an order is then judged. A rule that waits for the end of a fault stays open.
 */
export async function passTolerances(
  driver: Pick<ClockDriver, 'mode' | 'advance' | 'settle'>,
  configuration: Configuration,
  verdicts: () => readonly Verdict[],
): Promise<void> {
  const { convergeMs, graceMs, coolDownMs, webhookMs, inFlightMs } = verdictTolerances(
    configuration,
    sessionAsServiceClock,
  )
  const stepMs = Math.ceil(
    (convergeMs + graceMs + coolDownMs + webhookMs + inFlightMs) / toleranceSteps,
  )
  for (let step = 0; step < toleranceSteps; step++) {
    if (driver.mode() !== 'virtual' || !verdicts().some(isOpen)) return
    await driver.advance(stepMs)
    await driver.settle()
  }
}

/** Maximum number of orders probed, newest first: a service must not be flooded. */
const maxProbed = 1000

async function probeOrders(
  { subject }: Configuration,
  destination: (role: Role) => Destination | undefined,
  judge: Judge,
): Promise<void> {
  const { role, probe } = subject
  const target = role && destination(role)
  if (!target || probe === undefined) return
  const { tracker: watch } = judge
  for (const { orderId } of watch.orders.values().slice(-maxProbed)) {
    const probed = await probeOrder(target, probe, orderId)
    if (probed) judge.probe({ orderId, status: probed.status, at: watch.now })
  }
}

/** All verdicts, after probing the subject. */
export async function judgeSession(
  configuration: Configuration,
  destination: (role: Role) => Destination | undefined,
  sessionJudge: SessionJudge | undefined,
): Promise<readonly Verdict[]> {
  if (!sessionJudge) return []
  const { judge } = sessionJudge
  if (judge) await probeOrders(configuration, destination, judge)
  await sessionJudge.effects?.ask('all')
  return sessionJudge.verdicts()
}
