/**
 * The investigation of one failure: is it there when the schedule is played alone, what is its smallest reproducer, and how often
 * does it fail? It yields schedules to run and is told the results, so many investigations share one service.
 */
import { type Bucket, bucketId, type BucketStatus, roleOf } from './bucket.ts'
import type { InvariantKind } from '../invariants/verdict.ts'
import type { BrokenRule, ScheduleResult } from './result.ts'
import { createSchedule, type Schedule } from './schedule.ts'
import { shrink } from './shrink.ts'
import type { Workload } from './workload.ts'

/** Schedules to run at the same time. */
export interface RunRequest {
  readonly schedules: readonly Schedule[]
  /** `shared`: beside others. `alone`: in a session of its own. `again`: as its kept scenario is played, whatever was run before. */
  readonly how: 'shared' | 'alone' | 'again'
}

export type Investigation = Generator<RunRequest, Bucket | undefined, readonly ScheduleResult[]>

export interface Suspicion {
  readonly result: ScheduleResult
  readonly failure: BrokenRule
  readonly index: number | undefined
  /** Schedules run until it was found. */
  readonly runs: number
}

/** How often a reproducer is played again, and how often where it does not fail each time. */
const confirmations = 3
const rateTries = 10
/** Runs of one investigation; what is not shrunk by then is kept as it is. */
const maxRuns = 400

const hasFailed = (
  { failures, schedule }: ScheduleResult,
  { rule, slot }: BrokenRule,
  original: Schedule,
): boolean =>
  failures.some(
    (each) =>
      each.rule === rule &&
      (slot === undefined || each.slot === slot || schedule.workload !== original.workload),
  )

const statusOf = (failed: number, played: number, kind: InvariantKind): BucketStatus =>
  failed === played ? 'confirmed' : failed > 0 ? 'flaky' : kind === 'safety' ? 'seen' : 'suspected'

/** Faults of the kept scenario end when those of the run did. */
const withFaultPhase = ({ workload, faults, trim }: Schedule, faultPhaseMs: number): Schedule =>
  createSchedule(workload, faults, { ...trim, faultPhaseMs })

export function* investigate(
  { result, failure, index, runs }: Suspicion,
  workloads: ReadonlyMap<string, Workload>,
  kindOf: (rule: string) => InvariantKind,
): Investigation {
  const { rule, slot } = failure
  const how = slot === undefined ? 'alone' : 'shared'
  const { faults, workload, trim } = result.schedule
  const fired = createSchedule(
    workload,
    faults.filter((_, each) => result.exercised[each]),
    trim,
  )
  let shrinkRuns = 0
  let smallest = fired
  const [alone] = yield { schedules: [fired], how: 'alone' }
  shrinkRuns++
  const isThere = alone !== undefined && hasFailed(alone, failure, result.schedule)
  if (isThere) {
    const shrinking = shrink({ schedule: fired, exercised: alone.exercised, slot, workloads })
    let step = shrinking.next()
    let last = alone
    while (step.done !== true && shrinkRuns < maxRuns) {
      const results: readonly ScheduleResult[] = yield { schedules: step.value, how }
      shrinkRuns += step.value.length
      const fails = results.map((each) => hasFailed(each, failure, fired))
      last = results.find((_, each) => fails[each]) ?? last
      step = shrinking.next(fails)
    }
    if (step.done === true) smallest = withFaultPhase(step.value, last.faultsEndedMs)
  }
  const again = (times: number): RunRequest => ({
    schedules: Array.from({ length: times }, () => smallest),
    how: 'again',
  })
  const tries = [...(yield again(confirmations))]
  const failedTries = (): readonly ScheduleResult[] =>
    tries.filter((each) => hasFailed(each, failure, fired))
  if (failedTries().length < tries.length && tries.length > 0)
    tries.push(...(yield again(rateTries - confirmations)))
  const [seen = alone ?? result] = [...failedTries(), ...tries]
  const isOf = (each: BrokenRule): boolean => each.rule === rule
  const shown = seen.failures.find(isOf) ?? failure
  const role = roleOf(smallest, shown.slot)
  return {
    id: bucketId(rule, role, smallest),
    rule,
    ...(role === undefined ? {} : { role }),
    status: statusOf(failedTries().length, tries.length, kindOf(rule)),
    failed: failedTries().length,
    played: tries.length,
    schedule: smallest,
    failure: shown,
    alsoBroken: [...new Set(seen.failures.map((each) => each.rule))].filter(
      (each) => each !== rule,
    ),
    trace: seen.traces[shown.slot ?? 'o1'] ?? '',
    ...(index === undefined ? {} : { foundAt: index }),
    runsToFind: runs,
    shrinkRuns,
    hits: 1,
  }
}
