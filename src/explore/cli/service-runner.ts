/**
 * Runs the schedules of a campaign against a service over sockets: side by side by the width that is found or asked for,
 * with the time to recover that a calibration has learned.
 */
import { eventChannelsOf } from '../schedules/schedule.ts'
import type { BatchEntry, ScheduleRunner } from '../batch/schedule-runner.ts'
import {
  calibrationEntries,
  calibrationPhaseMs,
  convergeMsOf,
  faultPhaseMsOf,
  type ObservedWorkload,
  withoutReadings,
} from '../campaign/calibration.ts'
import { joinedPace } from '../campaign/campaign-state.ts'
import { learningEndMs, longestFaultPhaseMs } from '../campaign/campaign-time.ts'
import { crashIn } from '../batch/crash.ts'
import type { BatchResult, ReplayResult, SubjectPace } from '../schedules/result.ts'
import {
  createSessionRunner,
  defaultFaultPhaseMs,
  type OpenedSession,
  type SessionRunnerOptions,
} from '../batch/session-runner.ts'
import { compact } from '../../core/base/compact.ts'
import { merchantIdentities } from '../../core/partners/seed-data/merchants.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import { ruleDescription } from './build-report.ts'
import type { CampaignPlan } from './campaign-plan.ts'
import type { ConcurrencyControl, SessionMeasure } from './concurrency-control.ts'
import type { ExploredService, ServiceSession } from './explored-service.ts'
import type { SessionSettings } from './session-configurator.ts'

export interface ServiceRunner extends ScheduleRunner {
  /**
   * Ends the part without faults: learns how patient to be; returns what it has learned. Where sessions run at the same time it
   * has begun beside that part.
   */
  readonly calibrate: () => Promise<Calibration | undefined>
  /** Plays the kept scenario once more and records it. */
  readonly record: (entry: BatchEntry, file: string) => Promise<ReplayResult>
  /** The time to recover, in ms, where it was learned. */
  readonly convergeMs: () => number | undefined
  /** Until what must come in the end is judged after the faults, in ms of the wall clock. */
  readonly judgingMs: () => number
  /** Longest session time after the steps in which faults stay active, in ms. */
  readonly faultPhaseMs: () => number
}

export interface Calibration extends SubjectPace {
  readonly convergeMs: number
}

export interface ServiceRunnerOptions {
  readonly plan: CampaignPlan
  readonly service: ExploredService
  readonly concurrency: ConcurrencyControl
  /** Aborts when so much of the campaign's time has passed, in ms. */
  readonly deadline: (atMs: number) => AbortSignal
  /** Aborts when the campaign is to end: nothing that is open then counts. */
  readonly enough: AbortSignal
}

/** What is different in some sessions. */
interface RunnerSettings extends Partial<
  Pick<SessionRunnerOptions, 'faultPhaseMs' | 'calibration'>
> {
  readonly settings?: SessionSettings
  /** The session as it is measured. */
  readonly measured?: (session: ServiceSession) => OpenedSession
}

/** A service that waited for a processor for so much of its time is late through no fault of its own. */
const maxStarvedShare = 0.5

/** What depends on time is inconclusive for a service that was starved. */
export function doubtIfStarved<
  Result extends Pick<ReplayResult, 'failures' | 'inconclusive' | 'doubts'>,
>(result: Result, starved: number): Result {
  if (starved < maxStarvedShare) return result
  const isCertain = ({ rule }: BrokenRule): boolean => ruleDescription(rule)?.kind === 'safety'
  const late = result.failures.filter((each) => !isCertain(each))
  return {
    ...result,
    failures: result.failures.filter(isCertain),
    inconclusive: [...new Set([...result.inconclusive, ...late.map(({ rule }) => rule)])],
    doubts: [...(result.doubts ?? []), ...late],
  }
}

/** Codes of the open merchants of the user; made-up ones otherwise. */
function merchantsOf({ merchants }: CampaignPlan['configuration']): readonly string[] {
  if (typeof merchants === 'string' || merchants === undefined)
    return merchantIdentities().map(({ externalCode }) => externalCode)
  return merchants
    .filter(({ status }) => status === 'OPEN')
    .map(({ id, externalCode = id }) => externalCode)
}

export function createServiceRunner(options: ServiceRunnerOptions): ServiceRunner {
  const { plan, service, concurrency, enough } = options
  const { configuration, subject, channel, header, budget } = plan
  const { tolerances, clock, speed } = configuration
  const { maxMs } = budget
  const learning = maxMs === undefined ? undefined : options.deadline(learningEndMs(maxMs))
  const longestPhaseMs = Math.min(defaultFaultPhaseMs, longestFaultPhaseMs(maxMs) * speed)
  const isConvergeSet = plan.base.tolerances?.converge !== undefined
  const merchants = merchantsOf(configuration)
  const observed = new Map<string, ObservedWorkload>()
  let isSteady = true
  let pace: SubjectPace = {}
  let calibration: Promise<SubjectPace | undefined> | undefined
  let convergeMs: number | undefined

  let learned: SubjectPace = {}
  const faultPhaseMs = (): number =>
    faultPhaseMsOf(convergeMs ?? tolerances.converge, learned, longestPhaseMs)

  /** With what is known now. */
  const sessions = ({ settings = {}, measured, ...own }: RunnerSettings = {}): ScheduleRunner =>
    createSessionRunner({
      async open(request) {
        const session = await service.open(request, { convergeMs, isSteady, enough, ...settings })
        return measured ? measured(session) : session
      },
      subject,
      channel,
      seed: header.seed,
      sleep: abortableSleep,
      enough,
      tolerances: { ...tolerances, converge: convergeMs ?? tolerances.converge },
      asks: configuration.subject.asks,
      faultPhaseMs: faultPhaseMs(),
      endsWhenBroken: clock === 'real',
      merchants,
      width: concurrency.width,
      sessions: concurrency.sessions,
      ...own,
    })

  /** Measures the session that is opened. */
  function measuring() {
    let measure: SessionMeasure | undefined
    function measured(session: ServiceSession): OpenedSession {
      const own = concurrency.measure(session)
      measure = own
      return {
        ...session,
        async [Symbol.asyncDispose]() {
          await own.end()
          await session[Symbol.asyncDispose]()
        },
      }
    }
    return { measured, measure: () => measure }
  }

  function learn(entries: readonly BatchEntry[], batch: BatchResult): void {
    pace = joinedPace(pace, batch.pace)
    for (const [index, { workload }] of entries.entries())
      observed.set(workload.name, { workload, points: batch.points[index] ?? [] })
    if (concurrency.sessions() > 1) beginCalibration()
  }

  async function playCalibration(entries: readonly BatchEntry[]): Promise<SubjectPace | undefined> {
    const settings = { isSteady: false }
    const calibrating = service.isKept ? 'kept' : 'fresh'
    const own = { settings, faultPhaseMs: calibrationPhaseMs, calibration: calibrating } as const
    const batch = await sessions(own).play(entries, { early: learning })
    // The search finds a crash too, and says what it takes.
    if (crashIn(batch)) return undefined
    return batch.isCutShort ? withoutReadings(batch.pace) : batch.pace
  }

  /** Begins it once, as soon as there is a workload for it. */
  function beginCalibration(): void {
    const entries = calibrationEntries([...observed.values()], eventChannelsOf(channel, subject))
    if (calibration || clock !== 'real' || isConvergeSet || entries.length === 0) return
    if (enough.aborted || learning?.aborted) return
    calibration = playCalibration(entries)
    // Its error is thrown to who waits for it.
    calibration.catch(() => undefined)
  }

  return {
    width: concurrency.width,
    sessions: concurrency.sessions,
    sessionsForOne: () => concurrency.sessions() + concurrency.further,
    faultPhaseMs,
    convergeMs: () => convergeMs,
    judgingMs: () => ((convergeMs ?? tolerances.converge) + tolerances.grace) / speed,
    async play(entries, how) {
      const { measured, measure } = measuring()
      const played = await sessions({ measured }).play(entries, how)
      measure()?.learn(played)
      if (crashIn(played)) return played
      const starved = measure()?.starved() ?? 0
      const unattributed = doubtIfStarved(
        { failures: played.unattributed, inconclusive: [] },
        starved,
      )
      const batch = {
        ...played,
        results: played.results.map((each) => doubtIfStarved(each, starved)),
        unattributed: unattributed.failures,
      }
      if (isSteady) learn(entries, batch)
      return batch
    },
    async playAgain(entry, attempt, rule) {
      const { measured, measure } = measuring()
      const runner = sessions({ measured, settings: { isFirst: true } })
      const result = await runner.playAgain(entry, attempt, rule)
      return doubtIfStarved(result, measure()?.starved() ?? 0)
    },
    record: (entry, file) =>
      sessions({ settings: { isFirst: true, recording: file } }).playAgain(entry, 0),
    async calibrate() {
      isSteady = false
      beginCalibration()
      const calibrated = await calibration
      if (!calibrated) return undefined
      // Without faults readings follow each other more quickly, and no step waits for a call that is tried again.
      const { reconcileMs: _quick, ...steady } = pace
      learned = { ...steady, ...calibrated, ...compact({ stepMs: steady.stepMs }) }
      convergeMs = convergeMsOf(learned, tolerances.converge)
      return { ...learned, convergeMs }
    },
  }
}
