/**
 * Runs the schedules of a campaign against a service over sockets: side by side by the width that is found or asked for,
 * with the time to recover that a calibration has learned.
 */
import { eventChannelsOf } from '../../exploration/schedule.ts'
import type { BatchEntry } from '../../exploration/batch-entry.ts'
import {
  calibrationEntries,
  calibrationPhaseMs,
  convergeMsOf,
  type ObservedWorkload,
} from '../../exploration/calibration.ts'
import { crashIn } from '../../exploration/crash.ts'
import type { ScheduleRunner } from '../../exploration/schedule-batches.ts'
import {
  type Concurrency,
  initialConcurrency,
  nextConcurrency,
} from '../../exploration/concurrency.ts'
import type { BatchResult, ScheduleResult, SubjectPace } from '../../exploration/result.ts'
import { createSessionRunner, defaultFaultPhaseMs } from '../../exploration/session-runner.ts'
import { merchantIdentities } from '../../seed-data/merchants.ts'
import { abortableSleep } from '../../session/abortable-sleep.ts'
import { measureEventLoopLag } from '../event-loop-lag.ts'
import type { CampaignPlan } from './campaign-plan.ts'
import type { ExploredService } from './explored-service.ts'
import type { SessionSettings } from './session-configurator.ts'

export interface ServiceRunner extends ScheduleRunner, Disposable {
  /** Ends the part without faults: learns how patient to be; returns what it has learned. */
  readonly calibrate: () => Promise<Calibration | undefined>
  /** Plays the kept scenario once more and records it. */
  readonly record: (entry: BatchEntry, file: string) => Promise<ScheduleResult>
  /** The time to recover, in ms, where it was learned. */
  readonly convergeMs: () => number | undefined
  /** Longest session time after the steps in which faults stay active, in ms. */
  readonly faultPhaseMs: () => number
}

export interface Calibration extends SubjectPace {
  readonly convergeMs: number
}

export interface ServiceRunnerOptions {
  readonly plan: CampaignPlan
  readonly service: ExploredService
  /** Aborts when the campaign is to end. */
  readonly enough: AbortSignal
  /** `--concurrency`. */
  readonly width?: number | undefined
}

/** Of the time in which the service recovers. */
const faultPhaseShare = 0.75

/** Codes of the open merchants of the user; made-up ones otherwise. */
function merchantsOf({ merchants }: CampaignPlan['configuration']): readonly string[] {
  if (typeof merchants === 'string' || merchants === undefined)
    return merchantIdentities().map(({ externalCode }) => externalCode)
  return merchants
    .filter(({ status }) => status === 'OPEN')
    .map(({ id, externalCode = id }) => externalCode)
}

export function createServiceRunner(options: ServiceRunnerOptions): ServiceRunner {
  const { plan, service, enough, width } = options
  const { configuration, subject, channel, header } = plan
  const { tolerances, clock } = configuration
  const isConvergeSet = plan.base.tolerances?.converge !== undefined
  const lag = measureEventLoopLag()
  const merchants = merchantsOf(configuration)
  const observed = new Map<string, ObservedWorkload>()
  let concurrency: Concurrency = width === undefined ? initialConcurrency : { width }
  let isSteady = true
  let pace: SubjectPace = {}
  let convergeMs: number | undefined

  /** Long enough for the attempts of a call, the pause after them, and the first attempt that follows. */
  const faultPhaseMs = (): number =>
    Math.min(defaultFaultPhaseMs, Math.round((convergeMs ?? tolerances.converge) * faultPhaseShare))

  /** With what is known now. */
  const sessions = (settings: SessionSettings = {}, phaseMs = faultPhaseMs()): ScheduleRunner =>
    createSessionRunner({
      open: (request) => service.open(request, { convergeMs, isSteady, ...settings }),
      subject,
      channel,
      seed: header.seed,
      sleep: abortableSleep,
      enough,
      tolerances: { ...tolerances, converge: convergeMs ?? tolerances.converge },
      asks: configuration.subject.asks,
      faultPhaseMs: phaseMs,
      merchants,
      width: () => concurrency.width,
    })

  function learn(entries: readonly BatchEntry[], batch: BatchResult): void {
    pace = { ...pace, ...batch.pace }
    for (const [index, { workload }] of entries.entries())
      observed.set(workload.name, { workload, points: batch.points[index] ?? [] })
  }

  return {
    width: () => concurrency.width,
    faultPhaseMs,
    convergeMs: () => convergeMs,
    async play(entries) {
      lag.latestMs()
      const batch = await sessions().play(entries)
      if (crashIn(batch)) return batch
      if (isSteady) learn(entries, batch)
      const answerMs = service.answerMs()
      if (width === undefined)
        concurrency = nextConcurrency(concurrency, {
          schedules: entries.length,
          lagMs: lag.latestMs(),
          ...(answerMs === undefined ? {} : { answerMs }),
        })
      return batch
    },
    playAgain: (entry, attempt) => sessions().playAgain(entry, attempt),
    record: (entry, file) => sessions({ recording: file }).playAgain(entry, 0),
    async calibrate() {
      isSteady = false
      const entries = calibrationEntries([...observed.values()], eventChannelsOf(channel, subject))
      if (clock !== 'real' || isConvergeSet || entries.length === 0 || enough.aborted)
        return undefined
      const batch = await sessions({}, calibrationPhaseMs).play(entries)
      // The search finds it too, and says what it takes.
      if (crashIn(batch)) return undefined
      // Between the steps of an order that goes its way readings follow each other more quickly.
      const { reconcileMs: _quick, ...steady } = pace
      const learned = { ...steady, ...batch.pace }
      convergeMs = convergeMsOf(learned, tolerances.converge)
      return { ...learned, convergeMs }
    },
    [Symbol.dispose]: () => lag[Symbol.dispose](),
  }
}
