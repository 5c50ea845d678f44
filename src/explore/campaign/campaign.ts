/**
 * A campaign: it learns what a service does without faults, then runs schedules until its budget is used up, investigates what
 * fails, and keeps one bucket for each cause. It has no clock, no socket and no file: batches are run by its options, and
 * everything that happens is recorded, from which a campaign is resumed and parts of it are merged.
 */
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import type { InvariantKind } from '../../core/rules/invariants/verdict.ts'
import type { ScheduleRunner } from '../batch/schedule-runner.ts'
import { createScheduleBatches, type ScheduleBatches, toExpected } from './schedule-batches.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { createTaskPool, mapConcurrently } from '../../core/base/concurrent-tasks.ts'
import { CampaignState } from './campaign-state.ts'
import { CampaignTime } from './campaign-time.ts'
import { Failures, firstFailures } from './failures.ts'
import { learnSearchSpace, runFaultFree } from './fault-free.ts'
import {
  createSchedule,
  faultClass,
  isSharedFault,
  type Schedule,
  type ScheduledFault,
  scheduleHash,
} from '../schedules/schedule.ts'
import { createDrawnSchedules } from './drawn-schedules.ts'
import type { Shard } from '../../terminal/cli/shards/shard.ts'
import { createScheduleGenerator, type DrawnSchedule } from '../search/schedule-generator.ts'
import type { GroupSizes } from '../search/neighbours.ts'
import { classesOf, couplingFaults, restrictedSpace } from '../search/search-space.ts'
import type { SearchSpace, Strategy } from '../search/strategies/strategy.ts'
import { orderCount, type Workload, workloadsByName } from '../workloads/workload.ts'
import { crashIn, crashRule, playInParts } from '../batch/crash.ts'
import type { BatchResult, ScheduleResult } from '../schedules/result.ts'
import { sideBySide } from '../search/side-by-side.ts'
import type { Bucket } from '../investigation/bucket.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import { triggersOf, withoutTriggers } from '../schedules/trigger.ts'

/** What all parts of a campaign work with. */
interface CampaignSearch {
  readonly workloads: ReadonlyMap<string, Workload>
  readonly state: CampaignState
  readonly batches: ScheduleBatches
  readonly failures: Failures
  readonly record: (record: CampaignRecord) => Promise<void>
  readonly width: () => number
  readonly sessions: () => number
  readonly time: CampaignTime
  /** Has what a schedule breaks while it is played investigated beside it; absent where nothing can be played beside it. */
  readonly onBroken?: (result: ScheduleResult, index: number) => void
  /** Says that these batches are next, before what is drawn then. */
  readonly expectNext?: (groups: readonly (readonly DrawnSchedule[])[]) => void
}

/** Schedules that are nothing but the trigger of a known crash are run alone until it was met so often. */
const maxCrashHits = 5

/** The kinds of the faults that fired. */
const firedClasses = ({ schedule, exercised }: ScheduleResult): readonly string[] => [
  ...new Set(schedule.faults.filter((_, index) => exercised[index]).map(faultClass)),
]

/** Faults of a batch that are tried where many orders are placed at once. */
const maxFaultsOfMany = 24

/**
 * What a batch did to its orders, to those of a workload with so many that one schedule is as many as the batch; first by what
 * its schedules share.
 */
function withManyOrders(
  workloads: ReadonlyMap<string, Workload>,
  results: readonly ScheduleResult[],
): readonly Schedule[] {
  const [largest] = [...workloads.values()]
    .filter(({ steps }) => steps.every(({ fault }) => fault === undefined))
    .sort((one, other) => orderCount(other) - orderCount(one))
  const fired = results.flatMap(({ schedule, exercised }) =>
    schedule.faults.filter((_, index) => exercised[index]),
  )
  const ofAnyOrder = fired.slice(0, maxFaultsOfMany).map((fault) => {
    const { order: _order, ...match } = fault.match
    return { ...fault, match }
  })
  if (!largest) return []
  return [fired.filter(isSharedFault), ofAnyOrder].map((faults) =>
    createSchedule(largest.name, faults),
  )
}

/** Finds the schedule of a batch in which a rule about no single order was broken: by running them alone. */
async function isolate(
  { state, workloads, batches, failures, record, sessions, time }: CampaignSearch,
  drawn: readonly DrawnSchedule[],
  { results, unattributed }: BatchResult,
): Promise<void> {
  const first = unattributed.filter(({ follows }) => follows === undefined)
  const isLeftOut = (rule: string): boolean =>
    state.isUnattributable(rule) ||
    results.some(
      (each) =>
        failures.isExplained(each, rule) ||
        state.steadyFailures.has(`${rule} ${each.schedule.workload}`),
    )
  for (const rule of new Set(first.map((each: BrokenRule) => each.rule))) {
    if (isLeftOut(rule)) continue
    let found: number | undefined
    batches.expect?.(
      results.map(({ schedule }) => toExpected([schedule])),
      true,
    )
    await mapConcurrently(results, sessions(), async ({ schedule }, place) => {
      if (found !== undefined || !time.canBegin('search')) return
      const [alone] = await batches.run([schedule], [rule])
      if (!alone?.failures.some((each) => each.rule === rule)) return
      found ??= place
      if (found === place) await failures.add(alone, drawn[place]?.index)
    })
    if (found !== undefined) continue
    const breaks = (each: ScheduleResult): boolean =>
      each.failures.some((failure) => failure.rule === rule)
    const many = time.canBegin('search')
      ? (await batches.run(withManyOrders(workloads, results), [rule])).find(breaks)
      : undefined
    if (many) await failures.add(many, drawn[0]?.index)
    else await record({ type: 'unattributed', rule })
  }
}

/** The known crashes that a schedule has all triggers of. */
const crashesOf = (
  { buckets }: Pick<CampaignState, 'buckets'>,
  schedule: Schedule,
): readonly Bucket[] => {
  const crashes = [...buckets.values()].filter(({ rule }) => rule === crashRule.id)
  const triggers = new Set(crashes.length === 0 ? [] : triggersOf(schedule))
  return crashes.filter((bucket) => {
    const needed = triggersOf(bucket.schedule)
    return needed.length === 0
      ? bucket.schedule.workload === schedule.workload
      : needed.every((each) => triggers.has(each))
  })
}

/** The batches in which drawn schedules are run: without what is known to make the service crash, or alone with it. */
function groupsOf(
  { state, workloads, width }: CampaignSearch,
  drawn: readonly DrawnSchedule[],
): readonly (readonly DrawnSchedule[])[] {
  const together = new Map<Schedule, DrawnSchedule>()
  const alone: DrawnSchedule[] = []
  for (const each of drawn) {
    const crashes = crashesOf(state, each.schedule)
    const schedule = crashes.length === 0 ? each.schedule : withoutTriggers(each.schedule, crashes)
    if (schedule) together.set(schedule, { ...each, schedule })
    else if (crashes.every(({ hits }) => hits < maxCrashHits)) alone.push(each)
  }
  const groups = sideBySide([...together.keys()], workloads, width())
  return [
    ...groups.map((group) => group.flatMap((schedule) => together.get(schedule) ?? [])),
    ...alone.map((each) => [each]),
  ]
}

const canConfirm = ({ failures, time }: CampaignSearch): boolean =>
  failures.canAdvance('confirm') && time.canBegin('confirm')

const confirm = ({ failures, time }: CampaignSearch): Promise<unknown> =>
  time.measured('confirm', () => failures.advance(['confirm']))

/** Records what a batch says of its schedules, and has played again what failed before the search goes on. */
async function evaluate(
  search: CampaignSearch,
  drawn: readonly DrawnSchedule[],
  batch: BatchResult,
): Promise<void> {
  const { batches, failures, record, time } = search
  const hidden: Schedule[] = []
  for (const [place, { index, strategy, schedule }] of drawn.entries()) {
    const result = batch.results[place]
    if (!result) continue
    // Of one that ended early counts what has happened by then.
    if (batch.isCutShort && !result.exercised.some(Boolean) && result.failures.length === 0)
      continue
    await record({
      type: 'schedule',
      index,
      strategy,
      hash: scheduleHash(schedule),
      workload: schedule.workload,
      faults: schedule.faults.length,
      exercised: firedClasses(result),
      signature: result.signature,
      broken: firstFailures(result).map(({ rule }) => rule),
      inconclusive: result.inconclusive,
      ...(batch.isCutShort ? { cutShort: true as const } : {}),
    })
    const others = batch.results.filter((each) => each !== result)
    const known = await failures.add(result, index, couplingFaults(others))
    failures.addDoubts(result, index)
    const rest = known.length > 0 ? withoutTriggers(schedule, known) : undefined
    if (rest) hidden.push(rest)
  }
  // Elsewhere it is done beside the search.
  if (!search.onBroken && canConfirm(search)) await confirm(search)
  if (!time.canBegin('search')) return
  for (const result of await batches.run(hidden)) await failures.add(result)
  await isolate(search, drawn, batch)
}

/** Undefined where the service has not crashed; otherwise those that are still to be run. */
async function runGroup(
  search: CampaignSearch,
  drawn: readonly DrawnSchedule[],
): Promise<readonly DrawnSchedule[] | undefined> {
  const { batches, time, onBroken } = search
  const early = time.searchingWithFaults()
  const play = (part: readonly DrawnSchedule[]): Promise<BatchResult> => {
    const indices = new Map(part.map(({ schedule, index }) => [schedule, index]))
    return time.measured('search', () =>
      batches.play([...indices.keys()], {
        early,
        onBroken: onBroken && ((result) => onBroken(result, indices.get(result.schedule) ?? 0)),
      }),
    )
  }
  let evaluated = 0
  for await (const { part, batch } of playInParts(drawn, play)) {
    await evaluate(search, part, batch)
    evaluated += part.length
    if (crashIn(batch)) return drawn.slice(evaluated)
  }
  return undefined
}

/**
 * Runs schedules that were drawn, side by side, and has investigated what fails. Where the service crashes, the schedule that
 * makes it crash is found by halves; returns those that are to be run again when it is known what to leave out.
 */
async function runDrawn(
  search: CampaignSearch,
  drawn: readonly DrawnSchedule[],
): Promise<readonly DrawnSchedule[]> {
  const groups = [...groupsOf(search, drawn)]
  for (let group = groups.shift(); group; group = groups.shift()) {
    search.expectNext?.([group, ...groups])
    const left = await runGroup(search, group)
    if (left) return [...left, ...groups.flat()]
    if (!search.time.canBegin('search')) return groups.flat()
  }
  return []
}

/** The workloads that are played without faults only. */
const faultFreeNames = (workloads: ReadonlyMap<string, Workload>): string[] =>
  [...workloads.values()].flatMap(({ name, isFaultFree }) => (isFaultFree ? [name] : []))

export interface CampaignBudget {
  /** Schedules of the whole campaign, all parts of it taken together. */
  readonly maxRuns?: number
  /** Milliseconds on the wall clock. */
  readonly maxMs?: number
  /** Stops when every kind of fault was exercised and little new is expected. */
  readonly untilCovered?: true
}

export interface CampaignOptions {
  readonly seed: number
  readonly channels: readonly EventChannel[]
  readonly workloads: readonly Workload[]
  readonly runner: ScheduleRunner
  readonly budget: CampaignBudget
  /** The part of it that is run: `{ part: 1, of: 8 }`. */
  readonly shard?: Shard
  /** The strategies to draw from in turn, when they are not the usual ones. */
  readonly strategies?: readonly Strategy[]
  /** How many schedules share the faults at messages about no single order, and so can run side by side. */
  readonly groupSizes?: GroupSizes
  /** Reproducers of earlier campaigns, which are run first. */
  readonly known?: readonly Schedule[]
  /** Longest time for which a fault may hold something back, in ms; asked when the search begins. */
  readonly maxDelayMs?: () => number
  /** The longest fault phase that a strategy may ask for, in ms of the session. */
  readonly maxPhaseMs?: number
  /** Whether a fault makes sense in this campaign; all do when absent. */
  readonly isPossible?: (fault: ScheduledFault) => boolean
  /** Faults that are searched only where they are named: `ghost`, `evolve`. */
  readonly namedFaults?: readonly string[] | undefined
  /** Batches of the search before the workloads that are played without faults only: none when absent. */
  readonly batchesBeforeFaultFree?: number
  /** The state that records are folded into, for a caller that reads it meanwhile; a new one when absent. */
  readonly state?: CampaignState
  /** Records of a campaign that was interrupted. */
  readonly resume?: readonly CampaignRecord[]
  /** The wall clock, in ms. */
  readonly now: () => number
  readonly kindOf: (rule: string) => InvariantKind
  /** Aborts when so much of the campaign's time has passed, in ms; without it what has begun is played to its end. */
  readonly deadline?: (atMs: number) => AbortSignal
  /** How long it takes after the faults until what must come in the end is judged, in ms of the wall clock. */
  readonly judgingMs?: () => number
  readonly onRecord: (record: CampaignRecord) => void | Promise<void>
  /** Aborts on interruption, and when there is no service any more. */
  readonly enough: AbortSignal
}

/** What is drawn next is drawn so many batches before, where it can be played before. */
const batchesAhead = 16
/** The chance of a new signature below which a campaign that runs until it is covered ends. */
const coveredProbability = 0.02
/** In process they take no time. */
const defaultBatchesBeforeFaultFree = 0

/** Runs the reproducers of earlier campaigns first, and records which of them pass now. */
async function runKnown(
  { workloads, batches, failures, record, sessions, time }: CampaignSearch,
  { known = [] }: CampaignOptions,
): Promise<void> {
  if (known.length === 0) return
  await record({ type: 'phase', phase: 'known' })
  await mapConcurrently(known, sessions(), async (schedule) => {
    if (!time.canBegin('search') || !workloads.has(schedule.workload)) return
    const result = await batches.playAgain(schedule, 0)
    const broken = [...new Set(result.failures.map(({ rule }) => rule))]
    await record({ type: 'known', hash: scheduleHash(schedule), broken })
    await failures.add(result)
  })
}

function isCovered({ budget }: CampaignOptions, state: CampaignState, space: SearchSpace): boolean {
  if (!budget.untilCovered) return false
  const exercised = state.exercisedClasses()
  return (
    [...classesOf(space)].every((each) => exercised.has(each)) &&
    state.estimate().newProbability < coveredProbability
  )
}

export async function runCampaign(options: CampaignOptions): Promise<CampaignState> {
  const { state = new CampaignState(), now, deadline, judgingMs, runner, kindOf } = options
  const time = new CampaignTime({ maxMs: options.budget.maxMs, now, deadline, judgingMs })
  const record = async (entry: CampaignRecord): Promise<void> => {
    state.apply(entry)
    await options.onRecord(entry)
  }
  for (const entry of options.resume ?? []) state.apply(entry)
  const workloads = workloadsByName(options.workloads)
  const enough = AbortSignal.any([options.enough, time.over])
  const batches = createScheduleBatches({ runner, workloads, record, enough })
  const { run, playAgain: runAgain, expect } = batches
  const { sessions, sessionsForOne, width } = runner
  const isBeside = sessionsForOne !== undefined && sessionsForOne() > sessions()
  const plays = { run, runAgain, expect, sessions, sessionsForOne, isBeside }
  const failures = new Failures({ state, workloads, kindOf, record, ...plays })
  const search = { state, workloads, batches, failures, record, width, sessions, time }
  try {
    await searchAll(search, options, enough)
  } catch (error) {
    // What was cut short says nothing.
    if (!enough.aborted || error !== enough.reason) throw error
  }
  const reason = options.enough.aborted ? 'interrupted' : 'done'
  if (reason === 'done') await failures.giveUp()
  await record({ type: 'end', reason, tookMs: time.passedMs() })
  return state
}

async function searchAll(
  search: CampaignSearch,
  options: CampaignOptions,
  enough: AbortSignal,
): Promise<void> {
  const { state, workloads, batches, failures, record, width, sessions, time } = search
  const { budget, channels, namedFaults, shard, groupSizes } = options
  await record({ type: 'phase', phase: 'steady' })
  const onBroken = (result: ScheduleResult): void => {
    failures.addSteady(result)
    failures.addDoubts(result)
  }
  const { play, expect } = batches
  const common = { workloads, channels, namedFaults, play, expect, record, onBroken }
  const learning = { ...common, width: width(), sessions: sessions(), early: time.learning }
  const space = await learnSearchSpace(learning)
  const classes = [...classesOf(space)].sort()
  await record({ type: 'space', classes, workloads: space.workloads })
  await runKnown(search, options)
  await record({ type: 'phase', phase: 'search' })
  const generator = createScheduleGenerator(
    restrictedSpace(space, options.maxDelayMs?.() ?? Number.POSITIVE_INFINITY, options.isPossible),
    options,
  )
  const left = { generator, state, workloads, maxRuns: budget.maxRuns, shard, groupSizes }
  const schedules = createDrawnSchedules(left)
  const faultFree = faultFreeNames(workloads)
  const postponed: DrawnSchedule[] = []
  const pool = createTaskPool()
  let isShrinking = false
  let isConfirming = false
  async function investigateNow(result: ScheduleResult, index: number): Promise<void> {
    await failures.addEarly(result, index)
    if (!isConfirming && canConfirm(search)) await confirmBeside()
  }
  const searching: CampaignSearch = {
    ...search,
    ...(expect && { expectNext }),
    ...(failures.isBeside && {
      onBroken: (...broken) => pool.start(() => investigateNow(...broken)),
    }),
  }
  function expectNext(groups: readonly (readonly DrawnSchedule[])[]): void {
    const later = schedules.peek(batchesAhead, width()).flatMap((drawn) => groupsOf(search, drawn))
    const withoutFaults = faultFree.map((name) => [createSchedule(name, [])])
    const drawn = [...groups, ...later].map((group) => group.map(({ schedule }) => schedule))
    expect?.([...withoutFaults, ...drawn].map(toExpected))
  }
  async function runAll(drawn: readonly DrawnSchedule[]): Promise<void> {
    if (drawn.length > 0) postponed.push(...(await runDrawn(searching, drawn)))
  }
  /** What an interrupted campaign has not explained is run again. */
  await mapConcurrently(state.unexplained(), sessions(), (index) =>
    runAll([generator.drawn(index)]),
  )
  let batchesLeft = options.batchesBeforeFaultFree ?? defaultBatchesBeforeFaultFree
  /** What is played again has sessions of its own. */
  const further = (): number => (isConfirming && options.runner.sessionsForOne ? 1 : 0)

  async function confirmBeside(): Promise<void> {
    isConfirming = true
    await confirm(search)
    isConfirming = false
  }

  async function shrink(): Promise<void> {
    isShrinking = true
    await time.measured('shrink', () => failures.advance(['shrink']))
    isShrinking = false
  }

  async function runNextDrawn(): Promise<void> {
    const again = postponed.splice(0, width())
    await runAll(again.length > 0 ? again : schedules.take(width()))
  }

  const runWithoutFaults = async (name: string): Promise<void> =>
    void (await runFaultFree({ ...learning, early: time.searching() }, [name]))

  /** What can be begun now: what was found is played again before the search goes on. */
  function nextTask(): (() => Promise<unknown>) | undefined {
    if (!isConfirming && canConfirm(search)) return confirmBeside
    if (!isShrinking && failures.canAdvance('shrink') && time.canBegin('shrink')) return shrink
    if (!time.canBegin('search') || isCovered(options, state, space)) return undefined
    if (time.isSearchExtended() && failures.areOpen()) return undefined
    if (space.workloads.length === 0) return undefined
    // What makes the service crash is to be known before it is left out of others.
    if (postponed.length > 0 && failures.areOpen()) return undefined
    const isEmpty = schedules.isEmpty() && postponed.length === 0
    const name = isEmpty || batchesLeft <= 0 ? faultFree.shift() : undefined
    if (name !== undefined) return () => runWithoutFaults(name)
    if (isEmpty) return undefined
    batchesLeft--
    return runNextDrawn
  }

  if (expect) expectNext([])
  while (!enough.aborted && !pool.hasFailed()) {
    const task = pool.size() - further() < sessions() ? nextTask() : undefined
    if (task) pool.start(async () => void (await task()))
    else if (pool.size() > 0) await pool.nextEnd()
    else break
  }
  await pool.allEnded()
}
