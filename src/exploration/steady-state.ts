/** What a service does without faults: its messages, which faults can distort, and the rules that it breaks anyway. */
import type { EventChannel } from '../engine/emitted-event.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { faultChoices } from './fault-choices.ts'
import { type ObservedPoint, pointText } from './observed-points.ts'
import type { BatchResult, ScheduleResult } from './result.ts'
import { createSchedule, faultClass, type Schedule } from './schedule.ts'
import { sideBySide } from './side-by-side.ts'
import type { FaultSite, SearchSpace } from './strategies/strategy.ts'
import type { Workload } from './workload.ts'

export interface SteadyStateOptions {
  readonly workloads: ReadonlyMap<string, Workload>
  readonly channels: readonly EventChannel[]
  readonly width: number
  readonly play: (schedules: readonly Schedule[]) => Promise<BatchResult>
  readonly record: (record: CampaignRecord) => Promise<void>
  /** Told what breaks a rule without faults. */
  readonly onBroken: (result: ScheduleResult) => void
  readonly enough: AbortSignal
}

/** Runs every workload without faults; what cannot be played is left out of the search space. */
export async function learnSearchSpace(options: SteadyStateOptions): Promise<SearchSpace> {
  const { workloads, channels, width, play, record, onBroken, enough } = options
  const own = new Map<string, readonly FaultSite[]>()
  const shared = new Map<string, FaultSite>()
  const usable: string[] = []
  const sitesAt = (points: readonly ObservedPoint[]): readonly FaultSite[] =>
    points.flatMap((point) => {
      const choices = faultChoices(point, channels)
      return choices.length > 0 ? [{ slot: point.match.order, choices }] : []
    })
  const faultFree = [...workloads.keys()].map((name) => createSchedule(name, []))
  for (const group of sideBySide(faultFree, workloads, width)) {
    if (enough.aborted) break
    const batch = await play(group)
    for (const point of batch.sharedPoints)
      for (const site of sitesAt([point])) shared.set(pointText(point), site)
    for (const [index, result] of batch.results.entries()) {
      const { workload } = result.schedule
      const [leftOut] = result.stepFailures
      const failures = [...result.failures, ...batch.unattributed]
      const reason = leftOut === undefined ? {} : { leftOut }
      await record({ type: 'steady', workload, failures, ...reason })
      onBroken({ ...result, failures })
      if (leftOut !== undefined || workloads.get(workload)?.isFaultFree === true) continue
      usable.push(workload)
      own.set(workload, sitesAt(batch.points[index] ?? []))
    }
  }
  const sorted = [...shared].sort(([one], [other]) => (one < other ? -1 : 1))
  return { workloads: usable, own, shared: sorted.map(([, site]) => site) }
}

/** Every kind of fault of a search space. */
export const classesOf = ({ own, shared }: SearchSpace): ReadonlySet<string> =>
  new Set(
    [...own.values(), shared].flatMap((sites) =>
      sites.flatMap(({ choices }) => choices.map(faultClass)),
    ),
  )
