/**
 * Runs schedules that were drawn, side by side, and has investigated what fails. Where the service crashes, the schedule that
 * makes it crash is found by halves, and the others are run again when it is known what to leave out.
 */
import type { Bucket } from '../investigation/bucket.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { CampaignRecord } from './campaign-record.ts'
import type { CampaignState } from './campaign-state.ts'
import { mapConcurrently } from '../batch/concurrent-tasks.ts'
import { couplingFaults } from '../search/coupling-faults.ts'
import { crashIn, crashRule } from '../batch/crash.ts'
import { playInParts } from '../batch/play-in-parts.ts'
import { type Failures, firstFailures } from './failures.ts'
import type { BatchResult, ScheduleResult } from '../schedules/result.ts'
import { faultClass, type Schedule, scheduleHash } from '../schedules/schedule.ts'
import type { ScheduleBatches } from './schedule-batches.ts'
import type { DrawnSchedule } from '../search/schedule-generator.ts'
import { sideBySide } from '../search/side-by-side.ts'
import { triggersOf, withoutTriggers } from '../schedules/trigger.ts'
import type { Workload } from '../workloads/workload.ts'

export interface CampaignSearch {
  readonly workloads: ReadonlyMap<string, Workload>
  readonly state: CampaignState
  readonly batches: ScheduleBatches
  readonly failures: Failures
  readonly record: (record: CampaignRecord) => Promise<void>
  readonly width: () => number
  readonly sessions: () => number
  readonly enough: AbortSignal
}

/** Schedules that are nothing but the trigger of a known crash are run alone until it was met so often. */
const maxCrashHits = 5

/** The kinds of the faults that fired. */
const firedClasses = ({ schedule, exercised }: ScheduleResult): readonly string[] => [
  ...new Set(schedule.faults.filter((_, index) => exercised[index]).map(faultClass)),
]

/** Finds the schedule of a batch in which a rule about no single order was broken: by running them alone. */
async function isolate(
  { state, batches, failures, record, sessions, enough }: CampaignSearch,
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
    await mapConcurrently(results, sessions(), async ({ schedule }, place) => {
      if (found !== undefined || enough.aborted) return
      const [alone] = await batches.run([schedule])
      if (enough.aborted || !alone?.failures.some((each) => each.rule === rule)) return
      found ??= place
      if (found === place) await failures.add(alone, drawn[place]?.index)
    })
    if (enough.aborted) return
    if (found === undefined) await record({ type: 'unattributed', rule })
  }
}

/** The known crashes that a schedule has all triggers of. */
const crashesOf = (
  { buckets }: Pick<CampaignState, 'buckets'>,
  schedule: Schedule,
): readonly Bucket[] => {
  const triggers = new Set(triggersOf(schedule))
  return [...buckets.values()].filter((bucket) => {
    if (bucket.rule !== crashRule.id) return false
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

/** Records what a batch says of its schedules, and has investigated what failed. */
async function evaluate(
  search: CampaignSearch,
  drawn: readonly DrawnSchedule[],
  batch: BatchResult,
): Promise<void> {
  const { batches, failures, record } = search
  const hidden: Schedule[] = []
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
    const others = batch.results.filter((each) => each !== result)
    const known = await failures.add(result, index, couplingFaults(others))
    const rest = known.length > 0 ? withoutTriggers(schedule, known) : undefined
    if (rest) hidden.push(rest)
  }
  for (const result of await batches.run(hidden)) await failures.add(result)
  await isolate(search, drawn, batch)
}

/** Undefined where the service has not crashed; otherwise those that are still to be run. */
async function runGroup(
  search: CampaignSearch,
  drawn: readonly DrawnSchedule[],
): Promise<readonly DrawnSchedule[] | undefined> {
  const play = (part: readonly DrawnSchedule[]): Promise<BatchResult> =>
    search.batches.play(part.map(({ schedule }) => schedule))
  let evaluated = 0
  for await (const { part, batch } of playInParts(drawn, play, search.enough)) {
    // What was cut short says nothing.
    if (search.enough.aborted) return undefined
    await evaluate(search, part, batch)
    evaluated += part.length
    if (crashIn(batch)) return drawn.slice(evaluated)
  }
  return undefined
}

/** Returns the schedules that are still to be run: the service crashed, and what makes it crash is investigated first. */
export async function runDrawn(
  search: CampaignSearch,
  drawn: readonly DrawnSchedule[],
): Promise<readonly DrawnSchedule[]> {
  const groups = [...groupsOf(search, drawn)]
  for (let group = groups.shift(); group; group = groups.shift()) {
    const left = await runGroup(search, group)
    if (left || search.enough.aborted) return [...(left ?? []), ...groups.flat()]
  }
  return []
}
