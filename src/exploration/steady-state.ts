/** What a service does without faults: its messages, which faults can distort, and the rules that it breaks anyway. */
import type { EventChannel } from '../engine/emitted-event.ts'
import { operation as rowOf } from '../protocol/catalogue.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { crashIn } from './crash.ts'
import { faultChoices } from './fault-choices.ts'
import { type ObservedPoint, pointText } from './observed-points.ts'
import type { BatchResult, ScheduleResult } from './result.ts'
import { createSchedule, type Schedule } from './schedule.ts'
import { halvesOf } from './schedule-batches.ts'
import { sideBySide } from './side-by-side.ts'
import type { FaultSite, SearchSpace } from './strategies/strategy.ts'
import type { Workload } from './workload.ts'

export interface SteadyStateOptions {
  readonly workloads: ReadonlyMap<string, Workload>
  readonly channels: readonly EventChannel[]
  readonly width: number
  readonly play: (schedules: readonly Schedule[]) => Promise<BatchResult>
  readonly record: (record: CampaignRecord) => Promise<void>
  /** Called with what breaks a rule without faults. */
  readonly onBroken: (result: ScheduleResult) => void
  readonly enough: AbortSignal
}

/** Whether a message is about the subject's work, and not only about who may call whom. */
const isBusiness = ({ match: { operation } }: ObservedPoint): boolean =>
  operation === undefined || !['auth', 'discovery'].includes(rowOf(operation).capability)

/** Why there is nothing to search in a workload: it exchanges no message with the subject. */
const silenceOf = (
  { failures }: ScheduleResult,
  points: readonly ObservedPoint[],
): string | undefined =>
  failures.length > 0 || points.some(isBusiness)
    ? undefined
    : 'nothing of it went to your service or came from it'

/** Runs workloads without faults, side by side; returns each batch with the workloads that could be played in it. */
async function* runFaultFree(
  { workloads, width, play, record, onBroken, enough }: SteadyStateOptions,
  names: readonly string[],
): AsyncGenerator<readonly [BatchResult, ReadonlyMap<string, number>]> {
  const schedules = names.map((name) => createSchedule(name, []))
  const groups = [...sideBySide(schedules, workloads, width)]
  for (let group = groups.shift(); group; group = groups.shift()) {
    if (enough.aborted) return
    const batch = await play(group)
    const crash = crashIn(batch)
    if (crash && group.length > 1) {
      groups.unshift(...halvesOf(group))
      continue
    }
    const played = new Map<string, number>()
    for (const [index, result] of batch.results.entries()) {
      const { workload } = result.schedule
      const messages = [...(batch.points[index] ?? []), ...batch.sharedPoints]
      const leftOut = crash?.because ?? result.stepFailures[0] ?? silenceOf(result, messages)
      const failures = [...result.failures, ...batch.unattributed]
      const reason = leftOut === undefined ? {} : { leftOut }
      await record({ type: 'steady', workload, failures, ...reason })
      onBroken({ ...result, failures })
      if (leftOut === undefined) played.set(workload, index)
    }
    yield [batch, played]
  }
}

/** Runs every workload that is searched without faults; what cannot be played is left out of the search space. */
export async function learnSearchSpace(options: SteadyStateOptions): Promise<SearchSpace> {
  const { workloads, channels } = options
  const own = new Map<string, readonly FaultSite[]>()
  const shared = new Map<string, FaultSite>()
  const sitesAt = (points: readonly ObservedPoint[]): readonly FaultSite[] =>
    points.flatMap((point) => {
      const choices = faultChoices(point, channels)
      return choices.length > 0 ? [{ slot: point.match.order, choices }] : []
    })
  const searched = [...workloads.values()].filter(({ isFaultFree }) => !isFaultFree)
  for await (const [batch, played] of runFaultFree(
    options,
    searched.map(({ name }) => name),
  )) {
    for (const point of batch.sharedPoints)
      for (const site of sitesAt([point])) shared.set(pointText(point), site)
    for (const [workload, index] of played) own.set(workload, sitesAt(batch.points[index] ?? []))
  }
  const sorted = [...shared].sort(([one], [other]) => (one < other ? -1 : 1))
  return { workloads: [...own.keys()], own, shared: sorted.map(([, site]) => site) }
}

/** Runs the next workload that is played without faults only; undefined when there is none left. */
export async function runNextFaultFree(
  options: SteadyStateOptions,
  done: ReadonlySet<string>,
): Promise<string | undefined> {
  const next = [...options.workloads.values()].find(
    ({ name, isFaultFree }) => isFaultFree && !done.has(name),
  )
  if (!next) return undefined
  for await (const _batch of runFaultFree(options, [next.name]));
  return next.name
}
