/**
 * The investigation of one failure: is it there when the schedule is played alone, what is its smallest reproducer, and how often
 * does it fail? It yields schedules to run and receives the results, so many investigations share one service.
 */
import { compact } from '../../core/base/compact.ts'
import { type Bucket, bucketId, type BucketStatus, roleOf } from './bucket.ts'
import type { InvariantKind } from '../../core/rules/invariants/verdict.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { ReplayResult, ScheduleResult } from '../schedules/result.ts'
import {
  createSchedule,
  isSharedFault,
  type Schedule,
  type ScheduledFault,
} from '../schedules/schedule.ts'
import { shrink } from './shrink.ts'
import type { Workload } from '../workloads/workload.ts'

/** Schedules to run at the same time. */
export interface RunRequest {
  readonly schedules: readonly Schedule[]
  /**
   * `shared`: beside others. `alone`: in a session of its own. `again`: as its kept scenario is played, whatever was
   * run before.
   */
  readonly how: 'shared' | 'alone' | 'again'
}

/** A run of an investigation; of one that was played again only the verdict is known. */
export type InvestigatedRun = ReplayResult &
  Partial<Pick<ScheduleResult, 'traces' | 'faultsEndedMs'>>

export type Investigation = Generator<RunRequest, Bucket | undefined, readonly InvestigatedRun[]>

export interface Suspicion {
  readonly result: InvestigatedRun
  readonly failure: BrokenRule
  readonly index: number | undefined
  /** Faults of other schedules of the batch that act beyond their orders. */
  readonly coupling: readonly ScheduledFault[]
  /** Schedules run until it was found. */
  readonly runs: number
}

/** How often a reproducer is played again, and how often where it does not fail each time. */
const confirmations = 3
const rateTries = 10
/** Runs of one investigation; what is not shrunk by then is kept as it is. */
const maxRuns = 400

const hasFailed = (
  { failures, schedule }: InvestigatedRun,
  { rule, slot }: BrokenRule,
  original: Schedule,
): boolean =>
  failures.some(
    (each) =>
      each.rule === rule &&
      (slot === undefined || each.slot === slot || schedule.workload !== original.workload),
  )

const statusOf = (failed: number, played: number, kind: InvariantKind): BucketStatus => {
  if (failed === 0) return kind === 'safety' ? 'seen' : 'suspected'
  return failed === played ? 'confirmed' : 'flaky'
}

/** Faults of the kept scenario end when those of the run did. */
const withFaultPhase = ({ workload, faults, trim }: Schedule, faultPhaseMs: number): Schedule =>
  createSchedule(workload, faults, { ...trim, faultPhaseMs })

const repeated = (schedules: readonly Schedule[], times: number): readonly Schedule[] =>
  schedules.flatMap((each) => Array.from({ length: times }, () => each))

/** The same faults where several orders are placed at once, in case the failure takes other orders. */
function besideOthers(
  { faults }: Schedule,
  coupling: readonly ScheduledFault[],
  workloads: ReadonlyMap<string, Workload>,
): readonly Schedule[] {
  const onOrder = (order: string) => (fault: ScheduledFault) =>
    isSharedFault(fault) ? fault : { ...fault, match: { ...fault.match, order } }
  const own = faults.map(onOrder('o1'))
  const forms = coupling.length > 0 ? [own, [...own, ...coupling.map(onOrder('o2'))]] : [own]
  const slots = new Set(faults.flatMap(({ match }) => match.order ?? []))
  const isAtOnce = ({ orders, steps, isExclusive }: Workload): boolean =>
    !isExclusive &&
    steps.length === 0 &&
    Object.values(orders).filter(({ at }) => at === 0).length > 2
  return slots.size > 1
    ? []
    : [...workloads.values()]
        .filter(isAtOnce)
        .flatMap(({ name }) => forms.map((form) => createSchedule(name, form)))
}

/** A failing schedule to shrink, and how its candidates are run. */
interface Reproduction {
  readonly result: InvestigatedRun
  readonly slot: string | undefined
  readonly how: RunRequest['how']
  /** Runs of each candidate; it fails when one of them does. */
  readonly tries: number
}

/** Finds out how a failure comes again: alone, beside other orders, or some of the times. */
function* reproduce(
  schedule: Schedule,
  failure: BrokenRule,
  coupling: readonly ScheduledFault[],
  workloads: ReadonlyMap<string, Workload>,
): Generator<RunRequest, Reproduction | undefined, readonly InvestigatedRun[]> {
  const how = failure.slot === undefined ? 'alone' : 'shared'
  const [alone] = yield { schedules: [schedule], how: 'alone' }
  if (alone && hasFailed(alone, failure, schedule))
    return { result: alone, slot: failure.slot, how, tries: 1 }
  const wider = besideOthers(schedule, coupling, workloads)
  for (const result of yield { schedules: wider, how: 'alone' }) {
    const again = result.failures.find(({ rule }) => rule === failure.rule)
    if (again) return { result, slot: again.slot, how: 'alone', tries: 1 }
  }
  const tries = yield { schedules: repeated([schedule], confirmations), how: 'again' }
  const failed = tries.filter((each) => hasFailed(each, failure, schedule))
  const [result] = failed
  // What fails each time is shrunk with one run of each candidate.
  const each = failed.length === tries.length ? 1 : confirmations
  return result && { result, slot: failure.slot, how: 'again', tries: each }
}

/** The schedule with only those faults that distorted a message. */
function firedOnly({ schedule, exercised }: InvestigatedRun): Schedule {
  const { workload, faults, trim } = schedule
  return createSchedule(
    workload,
    faults.filter((_, each) => exercised[each]),
    trim,
  )
}

/** What an investigation has come to. */
interface Findings {
  readonly schedule: Schedule
  readonly failure: BrokenRule
  /** A run that failed. */
  readonly run: InvestigatedRun
  readonly played: number
  readonly failed: number
  readonly alsoBroken: readonly string[]
  readonly shrinkRuns: number
}

function bucketOf(
  { result, index, runs }: Suspicion,
  { schedule, failure, run, played, failed, alsoBroken, shrinkRuns }: Findings,
  kindOf: (rule: string) => InvariantKind,
): Bucket {
  const { rule, slot } = failure
  const role = roleOf(schedule, slot)
  return {
    id: bucketId(rule, role, schedule),
    rule,
    status: statusOf(failed, played, kindOf(rule)),
    failed,
    played,
    schedule,
    failure,
    alsoBroken,
    trace: (run.traces ?? result.traces)?.[slot ?? 'o1'] ?? '',
    runsToFind: runs,
    shrinkRuns,
    hits: 1,
    ...compact({ role, foundAt: index }),
  }
}

/** The bucket of a failure for whose investigation there is no time. */
export function unconfirmedBucket(
  suspicion: Suspicion,
  kindOf: (rule: string) => InvariantKind,
): Bucket {
  const { result: run, failure } = suspicion
  const schedule = firedOnly(run)
  const nothing = { played: 0, failed: 0, alsoBroken: [], shrinkRuns: 0 }
  return bucketOf(suspicion, { schedule, failure, run, ...nothing }, kindOf)
}

export function* investigate(
  suspicion: Suspicion,
  workloads: ReadonlyMap<string, Workload>,
  kindOf: (rule: string) => InvariantKind,
): Investigation {
  const { result, failure, coupling } = suspicion
  const { rule } = failure
  const fired = firedOnly(result)
  const found = yield* reproduce(fired, failure, coupling, workloads)
  let shrinkRuns = 1
  let smallest = fired
  let last = found?.result ?? result
  if (found) {
    const { how, tries, slot, result: first } = found
    smallest = first.schedule
    const isSame = (each: InvestigatedRun): boolean =>
      hasFailed(each, { ...failure, ...compact({ slot }) }, first.schedule)
    const { schedule, exercised } = first
    const shrinking = shrink({ schedule, exercised, slot, workloads })
    let step = shrinking.next()
    while (step.done !== true && shrinkRuns < maxRuns) {
      const results: readonly InvestigatedRun[] = yield {
        schedules: repeated(step.value, tries),
        how,
      }
      shrinkRuns += results.length
      const failing = step.value.map((_, each) =>
        results.slice(each * tries, (each + 1) * tries).find(isSame),
      )
      last = failing.find((each) => each !== undefined) ?? last
      step = shrinking.next(failing.map((each) => each !== undefined))
    }
    if (step.done === true) smallest = step.value
    const { faultsEndedMs = 0 } = last
    if (faultsEndedMs > 0) smallest = withFaultPhase(smallest, faultsEndedMs)
  }
  const isRule = ({ failures }: InvestigatedRun): boolean =>
    failures.some((each) => each.rule === rule)
  const played = [...(yield { schedules: repeated([smallest], confirmations), how: 'again' })]
  if (!played.every(isRule))
    played.push(
      ...(yield { schedules: repeated([smallest], rateTries - confirmations), how: 'again' }),
    )
  const failed = played.filter(isRule)
  const observed = failed[0] ?? last
  const shown = observed.failures.find((each) => each.rule === rule) ?? failure
  const others = new Set(observed.failures.map((each) => each.rule))
  others.delete(rule)
  return bucketOf(
    suspicion,
    {
      schedule: smallest,
      failure: shown,
      run: last,
      played: played.length,
      failed: failed.length,
      alsoBroken: [...others],
      shrinkRuns,
    },
    kindOf,
  )
}
