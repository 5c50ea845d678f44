/**
 * Runs schedules in sessions: one for each batch, or for each scenario that is played again. How to open one is a
 * parameter.
 */
import type { ConfigurationInput } from '../../core/session-api/configuration/schema.ts'
import { createChance } from '../../core/engine/chance.ts'
import { digestOf } from '../../core/engine/digest.ts'
import {
  isFailedVerdict,
  isInconclusiveVerdict,
  isViolation,
  type Verdict,
} from '../../core/rules/invariants/verdict.ts'
import { configurationOf } from '../../core/scenario/options.ts'
import { playRun, type PlayEnvironment } from '../../core/scenario/play.ts'
import { Scenario, type ScenarioSession } from '../../core/scenario/schema.ts'
import type { ScenarioRun } from '../../core/scenario/runs.ts'
import type { ScenarioOutcome } from '../../core/scenario/outcome.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { BatchEntry, ScheduleRunner } from './schedule-runner.ts'
import { type BatchEnvironment, playBatch } from './play-batch.ts'
import { type BrokenRule, brokenRuleOf, isForGood } from '../schedules/broken-rule.ts'
import {
  crashedBatch,
  crashFailure,
  crashRule,
  type CrashWatch,
  observeLastExchanges,
} from './crash.ts'
import type { ReplayResult } from '../schedules/result.ts'
import { scenarioOfSchedule } from '../schedules/scenario-of-schedule.ts'
import { scheduleText } from '../schedules/schedule.ts'

/** A session that is open, with the subject in it. */
export interface OpenedSession extends AsyncDisposable {
  readonly session: Session
  /** Sends a request to the subject's own API; returns the HTTP status. */
  readonly requestSubject?: PlayEnvironment['requestSubject']
  /** Where the process of the subject is ours. */
  readonly crashWatch?: CrashWatch
}

export interface SessionRequest {
  readonly seed: number
  /** Settings of the workload. */
  readonly settings: ScenarioSession
  /** Faults from the beginning on. */
  readonly faults: readonly unknown[]
}

/** The longest time after the steps in which faults stay in force, in ms, where it is not learned. */
export const defaultFaultPhaseMs = 60_000

/** The configuration of a session for schedules, over that of the user. */
export function sessionConfiguration(
  { seed, settings, faults }: SessionRequest,
  { subject, channel }: Pick<SessionRunnerOptions, 'subject' | 'channel'>,
  base: ConfigurationInput,
): ConfigurationInput {
  const name = 'exploration'
  const scenario = Scenario.parse({ name, about: 'Schedules side by side.', subject })
  const run = { scenario: { ...scenario, session: settings }, title: name, group: undefined }
  return configurationOf({ ...run, channel, faults, seed }, base)
}

export interface SessionRunnerOptions extends Pick<
  BatchEnvironment,
  'subject' | 'sleep' | 'tolerances' | 'asks' | 'faultPhaseMs' | 'calibration' | 'merchants'
> {
  readonly open: (request: SessionRequest) => Promise<OpenedSession>
  /** Aborts when the campaign is to end: what is cut short by it says nothing. */
  readonly enough: AbortSignal
  /** The end of what is played again is not waited for once its rule is broken. */
  readonly endsWhenBroken?: boolean
  readonly channel: ScenarioRun['channel']
  /** Seeds of sessions grow from it and from what is played. */
  readonly seed: number
  readonly width: () => number
  /** How many sessions run at the same time at most: one, when absent. */
  readonly sessions?: () => number
}

/** A seed below a billion, the same for the same text. */
const seedFor = (seed: number, text: string): number =>
  1 + createChance(seed, digestOf(text)).below(1_000_000_000)

interface WatchedSession extends Disposable {
  /** Aborts when the session is to end: the campaign is over, or the subject has gone away. */
  readonly enough: AbortSignal
  /** The crash of the subject in the session, as a finding. */
  readonly crash: () => Promise<BrokenRule | undefined>
  /** That a crash would have been noticed. */
  readonly premises: Readonly<Record<string, number>>
}

function watchForCrash(
  { session, crashWatch }: OpenedSession,
  subject: Role,
  enough: AbortSignal,
): WatchedSession {
  if (!crashWatch)
    return {
      enough,
      crash: () => Promise.resolve(undefined),
      premises: {},
      [Symbol.dispose]: () => undefined,
    }
  const last = observeLastExchanges(session, subject)
  return {
    enough: AbortSignal.any([enough, crashWatch.ended]),
    async crash() {
      const crash = await crashWatch.crash()
      return crash && crashFailure(crash, last.evidence())
    },
    premises: { [crashRule.id]: 1 },
    [Symbol.dispose]: () => last[Symbol.dispose](),
  }
}

/** So often it is looked whether a rule is broken, in ms of the session. */
const lookEveryMs = 500

/**
 * Notices that a rule is broken, which is all that a run is played for: it need not be waited for what others say. Of what must
 * come in the end its end is waited for.
 */
export function watchRule(session: Session, rule: string | undefined) {
  const broken = new AbortController()
  let lookedAt = Number.NEGATIVE_INFINITY
  const isBroken = (verdict: Verdict): boolean =>
    verdict.id === rule && isFailedVerdict(verdict) && isForGood(verdict)
  const stop = session.subscribe(() => {
    const now = session.clock.now()
    if (rule === undefined || broken.signal.aborted || now < lookedAt + lookEveryMs) return
    lookedAt = now
    if (session.verdicts().some(isBroken)) broken.abort()
  })
  return {
    broken: broken.signal,
    awaits: rule === undefined ? undefined : (id: string) => id === rule,
    [Symbol.dispose]: stop,
  }
}

export function createSessionRunner(options: SessionRunnerOptions): ScheduleRunner {
  const { subject, sleep, enough, tolerances, asks, faultPhaseMs, channel } = options

  return {
    width: options.width,
    sessions: options.sessions ?? (() => 1),
    async play(entries, { early, onBroken, rules } = {}) {
      const text = entries.map(({ schedule }) => scheduleText(schedule)).join('\n')
      await using opened = await options.open({
        seed: seedFor(options.seed, text),
        settings: entries[0]?.workload.session ?? {},
        faults: [],
      })
      const { session, requestSubject } = opened
      using watched = watchForCrash(opened, subject, enough)
      const played = await playBatch(session, entries, {
        ...options,
        enough: early ? AbortSignal.any([watched.enough, early]) : watched.enough,
        early,
        abandoned: watched.enough,
        requestSubject,
        onBroken,
        rules: options.endsWhenBroken === true ? rules : undefined,
      })
      const crash = await watched.crash()
      const premises = { ...played.premises, ...watched.premises }
      return { ...(crash ? crashedBatch(played, crash) : played), premises }
    },
    async playAgain(entry, attempt, rule) {
      const run = runOf(entry, channel, faultPhaseMs)
      const { scenario } = run
      await using opened = await options.open({
        seed: seedFor(options.seed, `${attempt} ${scheduleText(entry.schedule)}`),
        settings: entry.workload.session,
        faults: scenario.faults,
      })
      const { session, requestSubject } = opened
      using watched = watchForCrash(opened, subject, enough)
      using decided = watchRule(session, options.endsWhenBroken ? rule : undefined)
      const outcome = await playRun(run, session, {
        sleep,
        enough: AbortSignal.any([watched.enough, decided.broken]),
        tolerances,
        asks,
        requestSubject,
        awaits: decided.awaits,
      })
      const verdicts = decided.broken.aborted ? session.verdicts() : outcome.verdicts
      const result = await replayResultOf(entry, { ...outcome, verdicts }, session)
      const crash = await watched.crash()
      return crash ? { ...result, failures: [crash], inconclusive: [] } : result
    },
  }
}

function runOf(
  { schedule, workload }: BatchEntry,
  channel: ScenarioRun['channel'],
  faultPhaseMs: number,
): ScenarioRun {
  const phaseMs = schedule.trim?.faultPhaseMs ?? faultPhaseMs
  const written = scenarioOfSchedule({ schedule, workload, channel, faultPhaseMs: phaseMs })
  const scenario = { ...Scenario.parse(written), session: workload.session }
  return {
    scenario,
    title: scenario.name,
    channel,
    faults: scenario.faults,
    seed: undefined,
    group: undefined,
  }
}

async function replayResultOf(
  { schedule }: BatchEntry,
  { verdicts, steps }: ScenarioOutcome,
  session: Session,
): Promise<ReplayResult> {
  const failures = verdicts.flatMap((verdict) =>
    verdict.findings
      .filter(isViolation)
      .map((finding) => brokenRuleOf(verdict, finding, finding.slot)),
  )
  // Each scheduled fault is one fault of the session, in the same order.
  const { faults } = await session.look({ faults: true })
  const byNumber = faults.toSorted((one, other) => one.id - other.id)
  return {
    schedule,
    failures,
    inconclusive: verdicts.filter(isInconclusiveVerdict).map(({ id }) => id),
    exercised: schedule.faults.map((_, index) => (byNumber[index]?.fired ?? 0) > 0),
    stepFailures: steps.flatMap(({ result, because = '' }) => (result === 'failed' ? because : [])),
  }
}
