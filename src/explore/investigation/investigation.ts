/**
 * The investigation of one failure: does it fail when it is played again, and what is its smallest reproducer? What is
 * certain is known before it is shrunk. It yields schedules to run and receives the results, so many investigations
 * share one service.
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
  scheduleHash,
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
  /** What is known so far, which is kept where the investigation ends before; absent before it was played again. */
  readonly soFar?: Bucket
}

/** A run of an investigation; of one that was played again only the verdict is known. */
export type InvestigatedRun = ReplayResult &
  Partial<Pick<ScheduleResult, 'traces' | 'faultsEndedMs'>>

export type Investigation = Generator<RunRequest, Bucket, readonly InvestigatedRun[]>

export interface Suspicion {
  readonly result: InvestigatedRun
  readonly failure: BrokenRule
  readonly index: number | undefined
  /** Faults of other schedules of the batch that act beyond their orders. */
  readonly coupling: readonly ScheduledFault[]
  /** Sparring was late: it is a failure only where it fails when it is played again. */
  readonly isDoubt?: true
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

export const bucketStatusOf = (
  failed: number,
  played: number,
  kind: InvariantKind,
): BucketStatus => {
  if (failed === 0 && kind === 'safety') return 'seen'
  if (played === 0) return 'unplayed'
  // A moment without a processor breaks a time limit once in ten tries, and loses nothing for good.
  if (failed === 0 || (kind === 'timing' && failed * rateTries <= played)) return 'suspected'
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
  /** Runs of each candidate; it fails when one of them does, or each of them. */
  readonly tries: number
  readonly isEach?: true
}

/** What does not fail each time may do so alone in its session, or beside other orders. */
function* reproduce(
  schedule: Schedule,
  { failure, coupling }: Suspicion,
  workloads: ReadonlyMap<string, Workload>,
  soFar: Bucket,
): Generator<RunRequest, Reproduction | undefined, readonly InvestigatedRun[]> {
  const { rule, slot } = failure
  const [alone] = yield { schedules: [schedule], how: 'alone', soFar }
  if (alone && hasFailed(alone, failure, schedule))
    return { result: alone, slot, how: slot === undefined ? 'alone' : 'shared', tries: 1 }
  const wider = besideOthers(schedule, coupling, workloads)
  if (wider.length === 0) return undefined
  for (const result of yield { schedules: wider, how: 'alone', soFar }) {
    const again = result.failures.find((each) => each.rule === rule)
    if (again) return { result, slot: again.slot, how: 'alone', tries: 1 }
  }
  return undefined
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
  readonly unshrunk?: true | undefined
}

function bucketOf(
  { result, index, runs }: Suspicion,
  { schedule, failure, run, played, failed, alsoBroken, shrinkRuns, unshrunk }: Findings,
  kindOf: (rule: string) => InvariantKind,
): Bucket {
  const { rule, slot } = failure
  const role = roleOf(schedule, slot)
  return {
    id: bucketId(rule, role, schedule),
    rule,
    status: bucketStatusOf(failed, played, kindOf(rule)),
    failed,
    played,
    schedule,
    failure,
    alsoBroken,
    trace: (run.traces ?? result.traces)?.[slot ?? 'o1'] ?? '',
    runsToFind: runs,
    shrinkRuns,
    hits: 1,
    ...compact({ role, foundAt: index, unshrunk }),
  }
}

/** The bucket of a failure for whose investigation there is no time. */
export function unconfirmedBucket(
  suspicion: Suspicion,
  kindOf: (rule: string) => InvariantKind,
): Bucket {
  const { result: run, failure } = suspicion
  const schedule = firedOnly(run)
  const nothing = { played: 0, failed: 0, alsoBroken: [], shrinkRuns: 0, unshrunk: true } as const
  return bucketOf(suspicion, { schedule, failure, run, ...nothing }, kindOf)
}

/** What a schedule comes from that is played again. */
type Shrunk = Pick<Findings, 'schedule' | 'run' | 'shrinkRuns' | 'unshrunk'>

/** The smallest schedule that fails, by runs that failed: the last of them, and how many there were. */
function* shrunk(
  { result: first, slot, how, tries, isEach }: Reproduction,
  failure: BrokenRule,
  workloads: ReadonlyMap<string, Workload>,
  soFar: Bucket,
): Generator<RunRequest, Shrunk, readonly InvestigatedRun[]> {
  const { schedule: original, exercised } = first
  const isSame = (each: InvestigatedRun): boolean =>
    hasFailed(each, { ...failure, ...compact({ slot }) }, original)
  const shrinking = shrink({ schedule: original, exercised, slot, workloads })
  let shrinkRuns = 1
  let run = first
  let step = shrinking.next()
  while (step.done !== true && shrinkRuns < maxRuns) {
    const schedules = repeated(step.value, tries)
    const results: readonly InvestigatedRun[] = yield { schedules, how, soFar }
    shrinkRuns += results.length
    const failing = step.value.map((_, each) => {
      const runs = results.slice(each * tries, (each + 1) * tries)
      return isEach && !runs.every(isSame) ? undefined : runs.find(isSame)
    })
    run = failing.find((each) => each !== undefined) ?? run
    step = shrinking.next(failing.map((each) => each !== undefined))
  }
  const smallest = step.done === true ? step.value : original
  const { faultsEndedMs = 0 } = run
  const isOriginal = scheduleHash(smallest) === scheduleHash(original)
  const schedule =
    faultsEndedMs > 0 && !isOriginal ? withFaultPhase(smallest, faultsEndedMs) : smallest
  return { schedule, run, shrinkRuns, unshrunk: step.done === true ? undefined : true }
}

export function* investigate(
  suspicion: Suspicion,
  workloads: ReadonlyMap<string, Workload>,
  kindOf: (rule: string) => InvariantKind,
): Investigation {
  const { result, failure } = suspicion
  const { rule } = failure
  const isRule = ({ failures }: InvestigatedRun): boolean =>
    failures.some((each) => each.rule === rule)

  /** The bucket of a schedule, by how often it failed when it was played again. */
  function bucketBy(
    played: readonly InvestigatedRun[],
    { schedule, run, shrinkRuns, unshrunk }: Shrunk,
  ): Bucket {
    const failed = played.filter(isRule)
    const observed = failed[0] ?? run
    const shown = observed.failures.find((each) => each.rule === rule) ?? failure
    const others = new Set(observed.failures.map((each) => each.rule))
    others.delete(rule)
    const times = { played: played.length, failed: failed.length }
    const findings = {
      schedule,
      failure: shown,
      run,
      ...times,
      alsoBroken: [...others],
      shrinkRuns,
      unshrunk,
    }
    return bucketOf(suspicion, findings, kindOf)
  }

  const { faultsEndedMs = 0 } = result
  const fired = firedOnly(result)
  const first = faultsEndedMs > 0 ? withFaultPhase(fired, faultsEndedMs) : fired
  const tries = [...(yield { schedules: repeated([first], confirmations), how: 'again' })]
  const failed = tries.filter((each) => hasFailed(each, failure, first))
  const [again] = failed
  const whole = { schedule: first, run: again ?? result }
  const known = bucketBy(tries, { ...whole, shrinkRuns: 1, unshrunk: true })
  if (!again && suspicion.isDoubt) return known
  const { slot } = failure
  let found: Reproduction | undefined
  if (again && failed.length === tries.length)
    found = { result: again, slot, how: slot === undefined ? 'alone' : 'shared', tries: 1 }
  else
    found =
      (yield* reproduce(fired, suspicion, workloads, known)) ??
      (again && { result: again, slot, how: 'again', tries: confirmations })
  if (!found) return known

  function* smallestOf(
    reproduction: Reproduction,
  ): Generator<RunRequest, Bucket, readonly InvestigatedRun[]> {
    const smallest = yield* shrunk(reproduction, failure, workloads, known)
    const isFirst = scheduleHash(smallest.schedule) === scheduleHash(first)
    if (isFirst && known.status === 'confirmed') return bucketBy(tries, { ...smallest, ...whole })
    const played: InvestigatedRun[] = isFirst ? tries : []
    const play = (times: number): RunRequest => ({
      schedules: repeated([smallest.schedule], times),
      how: 'again',
      soFar: known,
    })
    if (played.length === 0) played.push(...(yield play(confirmations)))
    if (!played.every(isRule)) played.push(...(yield play(rateTries - confirmations)))
    return bucketBy(played, smallest)
  }
  const last = yield* smallestOf(found)
  if (known.status !== 'confirmed' || last.status === 'confirmed' || !again) return last
  // What was certain before it was shrunk stays so: once more, by what fails each time.
  const tried = { result: again, slot, how: 'again', tries: confirmations, isEach: true } as const
  const surer = yield* smallestOf(tried)
  return surer.status === 'confirmed' && surer.schedule !== first ? surer : known
}
