/**
 * The batches of a campaign: schedules are run with their workloads, every batch is recorded, and equal schedules run
 * once.
 */
import { compact } from '../../core/base/compact.ts'
import type { BatchEntry, BatchOptions, ScheduleRunner } from '../batch/schedule-runner.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { mapConcurrently } from '../../core/base/concurrent-tasks.ts'
import { crashIn, playInParts } from '../batch/crash.ts'
import type { BatchResult, ReplayResult, ScheduleResult } from '../schedules/result.ts'
import { type Schedule, scheduleHash } from '../schedules/schedule.ts'
import { sideBySide } from '../search/side-by-side.ts'
import { trimWorkload, type Workload } from '../workloads/workload.ts'

/** Schedules of one session, or with its attempt the one whose kept scenario is played. */
export interface ExpectedRun {
  readonly schedules: readonly Schedule[]
  readonly attempt?: number | undefined
}

export interface ScheduleBatches {
  /** Plays schedules side by side, whatever was run before. */
  readonly play: (schedules: readonly Schedule[], how?: BatchOptions) => Promise<BatchResult>
  /** Plays the kept scenario of a schedule. */
  readonly playAgain: (schedule: Schedule, attempt: number, rule?: string) => Promise<ReplayResult>
  /**
   * Runs schedules in as few sessions as possible, to learn whether they break certain rules, or any; one that was run before has
   * the same result again.
   */
  readonly run: (
    schedules: readonly Schedule[],
    rules?: readonly string[],
  ) => Promise<readonly ScheduleResult[]>
  /** Says what is likely to be run next; absent where nothing is played beforehand. */
  readonly expect: ((runs: readonly ExpectedRun[], isSoon?: boolean) => void) | undefined
}

export const toExpected = (schedules: readonly Schedule[]): ExpectedRun => ({ schedules })

export interface ScheduleBatchesOptions {
  readonly runner: ScheduleRunner
  readonly workloads: ReadonlyMap<string, Workload>
  readonly record: (record: CampaignRecord) => Promise<void>
  /** Aborts when the campaign is to end: what it cuts short, or is begun later, throws its reason. */
  readonly enough: AbortSignal
}

export function createScheduleBatches({
  runner,
  workloads,
  record,
  enough,
}: ScheduleBatchesOptions): ScheduleBatches {
  const memo = new Map<string, ScheduleResult>()

  const entryOf = (schedule: Schedule): BatchEntry => {
    const workload = workloads.get(schedule.workload)
    if (!workload) throw new Error(`there is no workload ${schedule.workload}`)
    return { schedule, workload: trimWorkload(workload, schedule.trim) }
  }

  async function unlessCutShort<Result>(playing: () => Promise<Result>): Promise<Result> {
    enough.throwIfAborted()
    const result = await playing()
    enough.throwIfAborted()
    return result
  }

  async function playAndRecord(
    schedules: readonly Schedule[],
    coverageOf: (batch: BatchResult) => BatchResult['coverage'],
    how?: BatchOptions,
  ): Promise<BatchResult> {
    const batch = await unlessCutShort(() => runner.play(schedules.map(entryOf), how))
    const { premises, advice, tookMs, pace } = batch
    const measured = { premises, advice, tookMs, pace, ...compact({ crash: crashIn(batch) }) }
    const coverage = coverageOf(batch)
    await record({ type: 'batch', schedules: schedules.length, coverage, ...measured })
    return batch
  }

  const play: ScheduleBatches['play'] = (schedules, how) =>
    playAndRecord(schedules, ({ coverage }) => coverage, how)

  // What an investigation runs depends on what was found before: it is no part of what the campaign covers.
  const playUncounted = (
    schedules: readonly Schedule[],
    rules: BatchOptions['rules'],
  ): Promise<BatchResult> => playAndRecord(schedules, () => ({}), { rules })

  const playAgain: ScheduleBatches['playAgain'] = (schedule, attempt, rule) =>
    unlessCutShort(() => runner.playAgain(entryOf(schedule), attempt, rule))

  const expect: ScheduleBatches['expect'] =
    runner.expect &&
    ((runs, isSoon) =>
      runner.expect?.(
        runs.map(({ schedules, attempt }) => ({ entries: schedules.map(entryOf), attempt })),
        isSoon,
      ))

  const run: ScheduleBatches['run'] = async (schedules, rules) => {
    const keyOf = (schedule: Schedule): string =>
      [scheduleHash(schedule), ...(rules ?? [])].join(' ')
    const unknown = new Map(
      schedules.map((each) => [keyOf(each), each] as const).filter(([key]) => !memo.has(key)),
    )
    async function runGroup(group: readonly Schedule[]): Promise<void> {
      for await (const { batch } of playInParts(group, (part) => playUncounted(part, rules))) {
        const { results, unattributed } = batch
        for (const result of results) {
          const others = results.length === 1 ? unattributed : []
          const failures = [...result.failures, ...others]
          memo.set(keyOf(result.schedule), { ...result, failures })
        }
      }
    }
    const groups = sideBySide([...unknown.values()], workloads, runner.width())
    if (groups.length > 1) expect?.(groups.map(toExpected), true)
    await mapConcurrently(groups, runner.sessions(), runGroup)
    return schedules.flatMap((each) => memo.get(keyOf(each)) ?? [])
  }

  return { play, playAgain, run, expect }
}
