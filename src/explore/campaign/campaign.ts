/**
 * A campaign: it learns what a service does without faults, then runs schedules until its budget is used up, investigates what
 * fails, and keeps one bucket for each cause. It has no clock, no socket and no file: batches are run by its options, and
 * everything that happens is recorded, from which a campaign is resumed and parts of it are merged.
 */
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import type { InvariantKind } from '../../core/rules/invariants/verdict.ts'
import type { ScheduleRunner } from '../batch/schedule-runner.ts'
import { createScheduleBatches } from './schedule-batches.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { createTaskPool, mapConcurrently } from '../batch/concurrent-tasks.ts'
import { type CampaignState, createCampaignState } from './campaign-state.ts'
import { createFailures } from './failures.ts'
import { type CampaignSearch, runDrawn } from './run-drawn.ts'
import { type Schedule, type ScheduledFault, scheduleHash } from '../schedules/schedule.ts'
import { createDrawnSchedules } from './drawn-schedules.ts'
import type { Shard } from '../../terminal/cli/shards/shard.ts'
import { createScheduleGenerator, type DrawnSchedule } from '../search/schedule-generator.ts'
import type { GroupSizes } from '../search/neighbours.ts'
import { classesOf, restrictedSpace } from '../search/search-space.ts'
import { learnSearchSpace, runFaultFreeWorkload, faultFreeNames } from './steady-state.ts'
import type { SearchSpace, Strategy } from '../search/strategies/strategy.ts'
import { type Workload, workloadsByName } from '../workloads/workload.ts'

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
  /** Whether a fault makes sense in this campaign; all do when absent. */
  readonly isPossible?: (fault: ScheduledFault) => boolean
  /** Batches of the search before the workloads that are played without faults only: none when absent. */
  readonly batchesBeforeFaultFree?: number
  /** The state that records are folded into, for a caller that reads it meanwhile; a new one when absent. */
  readonly state?: CampaignState
  /** Records of a campaign that was interrupted. */
  readonly resume?: readonly CampaignRecord[]
  /** The wall clock, in ms. */
  readonly now: () => number
  readonly kindOf: (rule: string) => InvariantKind
  readonly onRecord: (record: CampaignRecord) => void | Promise<void>
  readonly enough: AbortSignal
}

/** The chance of a new signature below which a campaign that runs until it is covered ends. */
const coveredProbability = 0.02
/** In process they take no time. */
const defaultBatchesBeforeFaultFree = 0

/** Runs the reproducers of earlier campaigns first, and records which of them pass now. */
async function runKnown(
  { workloads, batches, failures, record, sessions }: CampaignSearch,
  { known = [], enough }: CampaignOptions,
): Promise<void> {
  if (known.length === 0) return
  await record({ type: 'phase', phase: 'known' })
  await mapConcurrently(known, sessions(), async (schedule) => {
    if (enough.aborted || !workloads.has(schedule.workload)) return
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
  const { runner, budget, enough, now, kindOf, channels } = options
  const { state = createCampaignState() } = options
  const began = now()
  const record = async (entry: CampaignRecord): Promise<void> => {
    state.apply(entry)
    await options.onRecord(entry)
  }
  for (const entry of options.resume ?? []) state.apply(entry)
  const workloads = workloadsByName(options.workloads)
  const batches = createScheduleBatches(runner, workloads, record)
  const { play, run, playAgain: runAgain } = batches
  const { sessions, width } = runner
  const failures = createFailures({
    state,
    workloads,
    kindOf,
    record,
    run,
    runAgain,
    sessions,
    enough,
  })
  const search: CampaignSearch = {
    state,
    workloads,
    batches,
    failures,
    record,
    width,
    sessions,
    enough,
  }
  await record({ type: 'phase', phase: 'steady' })
  const { addSteady: onBroken } = failures
  const common = { workloads, channels, play, record, onBroken, enough }
  const steady = { ...common, width: width(), sessions: sessions() }
  const space = await learnSearchSpace(steady)
  const classes = [...classesOf(space)].sort()
  await record({ type: 'space', classes, workloads: space.workloads })
  await runKnown(search, options)
  await record({ type: 'phase', phase: 'search' })
  const generator = createScheduleGenerator(
    restrictedSpace(space, options.maxDelayMs?.() ?? Number.POSITIVE_INFINITY, options.isPossible),
    options,
  )
  const postponed: DrawnSchedule[] = []
  async function runAll(drawn: readonly DrawnSchedule[]): Promise<void> {
    if (drawn.length > 0) postponed.push(...(await runDrawn(search, drawn)))
  }
  /** What an interrupted campaign has not explained is run again. */
  await mapConcurrently(state.unexplained(), sessions(), (index) =>
    runAll([generator.drawn(index)]),
  )
  const { maxRuns } = budget
  const { shard, groupSizes } = options
  const left = { generator, state, workloads, maxRuns, shard, groupSizes }
  const schedules = createDrawnSchedules(left)
  /** Wall-clock time of the last batch, in ms: what cannot end in time is not begun. */
  let batchMs = 0
  const isTimeUp = (aheadMs = 0): boolean =>
    budget.maxMs !== undefined && now() - began + aheadMs >= budget.maxMs
  const isOver = (): boolean => isTimeUp(batchMs / 2) || isCovered(options, state, space)
  const faultFree = faultFreeNames(workloads)
  let batchesLeft = options.batchesBeforeFaultFree ?? defaultBatchesBeforeFaultFree
  let isInvestigating = false

  async function advanceInvestigations(): Promise<void> {
    isInvestigating = true
    await failures.advance()
    isInvestigating = false
  }

  async function runNextDrawn(): Promise<void> {
    const beginning = now()
    const again = postponed.splice(0, width())
    await runAll(again.length > 0 ? again : schedules.take(width()))
    batchMs = now() - beginning
  }

  /** What can be begun now: investigations first. */
  function nextTask(): (() => Promise<void>) | undefined {
    if (isTimeUp()) return undefined
    if (!isInvestigating && failures.areOpen()) return advanceInvestigations
    if (isOver() || space.workloads.length === 0) return undefined
    // What makes the service crash is to be known before it is left out of others.
    if (postponed.length > 0 && failures.areOpen()) return undefined
    const isEmpty = schedules.isEmpty() && postponed.length === 0
    const name = isEmpty || batchesLeft <= 0 ? faultFree.shift() : undefined
    if (name !== undefined) return () => runFaultFreeWorkload(steady, name)
    if (isEmpty) return undefined
    batchesLeft--
    return runNextDrawn
  }

  const pool = createTaskPool()
  while (!enough.aborted && !pool.hasFailed()) {
    const task = pool.size() < sessions() ? nextTask() : undefined
    if (task) pool.start(task)
    else if (pool.size() > 0) await pool.nextEnd()
    else break
  }
  await pool.allEnded()
  if (!enough.aborted) await failures.giveUp()
  const reason = enough.aborted ? 'interrupted' : 'done'
  await record({ type: 'end', reason, tookMs: now() - began })
  return state
}
