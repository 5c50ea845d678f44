/**
 * A campaign: it learns what a service does without faults, then runs schedules until its budget is used up, investigates what
 * fails, and keeps one bucket for each cause. It has no clock, no socket and no file: batches are run by what it is given, and
 * everything that happens is told as records, from which a campaign is resumed and parts of it are merged.
 */
import type { EventChannel } from '../engine/emitted-event.ts'
import type { InvariantKind } from '../invariants/verdict.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { type CampaignState, createCampaignState } from './campaign-state.ts'
import { createFailures, type Failures, firstFailures } from './failures.ts'
import type { BatchEntry } from './batch-entry.ts'
import type { BatchResult, BrokenRule, ScheduleResult } from './result.ts'
import { faultClass, type Schedule, scheduleHash, sessionKey } from './schedule.ts'
import { createScheduleGenerator, type DrawnSchedule, neighbours } from './schedule-generator.ts'
import { sideBySide } from './side-by-side.ts'
import { classesOf, learnSearchSpace } from './steady-state.ts'
import type { SearchSpace, Strategy } from './strategies/strategy.ts'
import { trimWorkload, type Workload } from './workload.ts'

/** Runs schedules; over sockets or in process, as it is told. */
export interface ScheduleRunner {
  /** Plays schedules side by side in one session. */
  readonly play: (entries: readonly BatchEntry[]) => Promise<BatchResult>
  /** Plays the scenario that is kept of a schedule, as `sparring run` does. */
  readonly playAgain: (entry: BatchEntry, attempt: number) => Promise<ScheduleResult>
  /** How many schedules run at the same time at most. */
  readonly width: () => number
}

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
  readonly shard?: { readonly part: number; readonly of: number }
  /** The strategies to draw from in turn, when they are not the usual ones. */
  readonly strategies?: readonly Strategy[]
  /** Reproducers of earlier campaigns, which are run first. */
  readonly known?: readonly Schedule[]
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

/** The kinds of the faults that fired. */
const firedClasses = ({ schedule, exercised }: ScheduleResult): readonly string[] => [
  ...new Set(schedule.faults.filter((_, index) => exercised[index]).map(faultClass)),
]

/** The batches of a campaign: every run is recorded, and equal schedules run once. */
function createBatches(
  { runner, workloads }: Pick<CampaignOptions, 'runner' | 'workloads'>,
  record: (record: CampaignRecord) => Promise<void>,
) {
  const byName = new Map(workloads.map((each) => [each.name, each]))
  const memo = new Map<string, ScheduleResult>()

  const entryOf = (schedule: Schedule): BatchEntry => {
    const workload = byName.get(schedule.workload)
    if (!workload) throw new Error(`there is no workload ${schedule.workload}`)
    return { schedule, workload: trimWorkload(workload, schedule.trim) }
  }

  async function play(schedules: readonly Schedule[]): Promise<BatchResult> {
    const batch = await runner.play(schedules.map(entryOf))
    const { coverage, premises, tookMs, pace } = batch
    await record({ type: 'batch', schedules: schedules.length, coverage, premises, tookMs, pace })
    return batch
  }

  const playAgain = (schedule: Schedule, attempt: number): Promise<ScheduleResult> =>
    runner.playAgain(entryOf(schedule), attempt)

  async function run(schedules: readonly Schedule[]): Promise<readonly ScheduleResult[]> {
    const unknown = new Map(
      schedules
        .map((each) => [scheduleHash(each), each] as const)
        .filter(([hash]) => !memo.has(hash)),
    )
    for (const group of sideBySide([...unknown.values()], byName, runner.width())) {
      const { results, unattributed } = await play(group)
      for (const result of results) {
        const others = results.length === 1 ? unattributed : []
        const failures = [...result.failures, ...others]
        memo.set(scheduleHash(result.schedule), { ...result, failures })
      }
    }
    return schedules.flatMap((each) => memo.get(scheduleHash(each)) ?? [])
  }

  return { byName, play, playAgain, run }
}

type Batches = ReturnType<typeof createBatches>

/** The next schedules that can run side by side; undefined when this part has no more. */
function nextDrawn(
  indices: Iterator<number, undefined>,
  pending: { next: IteratorResult<number, undefined> },
  {
    generator,
    state,
    byName,
    width,
  }: {
    readonly generator: ReturnType<typeof createScheduleGenerator>
    readonly state: CampaignState
    readonly byName: Batches['byName']
    readonly width: number
  },
): readonly DrawnSchedule[] | undefined {
  if (pending.next.done === true) return undefined
  const shared = sessionKey(generator.drawn(pending.next.value).schedule)
  const drawn: DrawnSchedule[] = []
  while (pending.next.done !== true && drawn.length < width) {
    const candidate = generator.drawn(pending.next.value)
    const { schedule } = candidate
    const isAlone = byName.get(schedule.workload)?.isExclusive === true
    if (sessionKey(schedule) !== shared || (isAlone && drawn.length > 0)) break
    if (!state.hasRun(scheduleHash(schedule))) drawn.push(candidate)
    pending.next = indices.next()
    if (isAlone) break
  }
  return drawn
}

interface Search {
  readonly state: CampaignState
  readonly batches: Batches
  readonly failures: Failures
  readonly record: (record: CampaignRecord) => Promise<void>
}

/** Finds the schedule of a batch in which a rule about no single order was broken: by running them alone. */
async function isolate(
  { state, batches, failures, record }: Search,
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
    let isFound = false
    for (const [place, { schedule }] of results.entries()) {
      const [alone] = await batches.run([schedule])
      if (!alone?.failures.some((each) => each.rule === rule)) continue
      await failures.add(alone, drawn[place]?.index)
      isFound = true
      break
    }
    if (!isFound) await record({ type: 'unattributed', rule })
  }
}

async function runDrawn(search: Search, drawn: readonly DrawnSchedule[]): Promise<void> {
  const { batches, failures, record } = search
  const batch = await batches.play(drawn.map(({ schedule }) => schedule))
  for (const [place, { index, strategy, schedule }] of drawn.entries()) {
    const result = batch.results[place]
    if (!result) continue
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
    })
    await failures.add(result, index)
  }
  await isolate(search, drawn, batch)
}

/** Runs the reproducers of earlier campaigns first, and records which of them pass now. */
async function runKnown(
  { batches, failures, record }: Search,
  { known = [], enough }: CampaignOptions,
): Promise<void> {
  if (known.length === 0) return
  await record({ type: 'phase', phase: 'known' })
  for (const schedule of known) {
    if (enough.aborted) return
    if (!batches.byName.has(schedule.workload)) continue
    const result = await batches.playAgain(schedule, 0)
    const broken = [...new Set(result.failures.map(({ rule }) => rule))]
    await record({ type: 'known', hash: scheduleHash(schedule), broken })
    await failures.add(result)
  }
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
  const { runner, budget, enough, now, seed, kindOf, channels } = options
  const state = createCampaignState()
  const began = now()
  const record = async (entry: CampaignRecord): Promise<void> => {
    state.apply(entry)
    await options.onRecord(entry)
  }
  for (const entry of options.resume ?? []) state.apply(entry)
  const batches = createBatches(options, record)
  const { byName: workloads, play, run, playAgain: runAgain } = batches
  const failures = createFailures({ state, workloads, kindOf, record, run, runAgain })
  const search: Search = { state, batches, failures, record }
  await record({ type: 'phase', phase: 'steady' })
  const width = runner.width()
  const space = await learnSearchSpace({
    workloads,
    channels,
    width,
    play,
    record,
    onBroken: failures.addSteady,
    enough,
  })
  const classes = [...classesOf(space)].sort()
  await record({ type: 'space', classes, workloads: space.workloads })
  await runKnown(search, options)
  await record({ type: 'phase', phase: 'search' })
  const generator = createScheduleGenerator(space, seed, options.strategies)
  /** What an interrupted campaign has not explained is run again. */
  for (const index of state.unexplained()) await runDrawn(search, [generator.drawn(index)])
  const indices = indicesOf(options, state)
  const pending = { next: indices.next() }
  const isOver = (): boolean =>
    space.workloads.length === 0 ||
    (budget.maxMs !== undefined && now() - began >= budget.maxMs) ||
    isCovered(options, state, space)
  while (!enough.aborted) {
    if (await failures.advance()) continue
    if (isOver()) break
    const drawn = nextDrawn(indices, pending, {
      generator,
      state,
      byName: workloads,
      width: runner.width(),
    })
    if (!drawn) break
    if (drawn.length > 0) await runDrawn(search, drawn)
  }
  const reason = enough.aborted ? 'interrupted' : 'done'
  await record({ type: 'end', reason, tookMs: now() - began })
  return state
}

/** The numbers of the schedules of this part that were not run yet; groups of neighbours stay together. */
function* indicesOf(
  { shard, budget }: CampaignOptions,
  state: CampaignState,
): Generator<number, undefined> {
  const { maxRuns = Number.MAX_SAFE_INTEGER } = budget
  for (let group = 0; group * neighbours < maxRuns; group++) {
    if (shard && group % shard.of !== shard.part - 1) continue
    const end = Math.min(maxRuns, (group + 1) * neighbours)
    for (let index = group * neighbours; index < end; index++)
      if (!state.hasIndex(index)) yield index
  }
  return undefined
}
