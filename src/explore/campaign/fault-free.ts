/**
 * The part of a campaign without faults: what a service does, which messages faults can distort, and the rules that it breaks
 * anyway.
 */
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import { operation as rowOf, operations } from '../../core/protocol/catalogue.ts'
import { successesIn } from '../schedules/coverage.ts'
import { mapConcurrently } from '../../core/base/concurrent-tasks.ts'
import { crashIn, playInParts } from '../batch/crash.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { type ScheduleBatches, toExpected } from './schedule-batches.ts'
import { type ObservedPoint, pointText } from '../schedules/observed-points.ts'
import type { BatchResult, ScheduleResult } from '../schedules/result.ts'
import { createSchedule, type Schedule } from '../schedules/schedule.ts'
import { processFaults } from '../search/fault-choices.ts'
import { faultSitesAt } from '../search/search-space.ts'
import { sideBySide } from '../search/side-by-side.ts'
import type { FaultSite, SearchSpace } from '../search/strategies/strategy.ts'
import { isPlain, laterSlots, type Workload } from '../workloads/workload.ts'

/** What a service does without faults: its messages, which faults can distort, and the rules that it breaks anyway. */
export interface SteadyStateOptions {
  readonly workloads: ReadonlyMap<string, Workload>
  readonly channels: readonly EventChannel[]
  /** Faults that are searched only where they are named: `ghost`, `evolve`. */
  readonly namedFaults?: readonly string[] | undefined
  /** Schedules side by side in one session. */
  readonly width: number
  /** Sessions at the same time. */
  readonly sessions: number
  readonly play: ScheduleBatches['play']
  readonly expect: ScheduleBatches['expect']
  readonly record: (record: CampaignRecord) => Promise<void>
  /** Called with what breaks a rule without faults. */
  readonly onBroken: (result: ScheduleResult) => void
  /** Aborts when there is no more time for it. */
  readonly early: AbortSignal
}

/** A batch, with the workloads that could be played in it and their indices there. */
interface FaultFreeBatch {
  readonly batch: BatchResult
  readonly played: ReadonlyMap<string, number>
}

/** Whether a message is about the subject's work, and not only about who may call whom. */
const isBusiness = ({ match: { operation } }: ObservedPoint): boolean =>
  operation === undefined || !['auth', 'discovery'].includes(rowOf(operation).capability)

/** Why there is nothing to search in a workload: it exchanges no message with the subject, or none of a capability that it needs. */
function silenceOf(
  { failures }: ScheduleResult,
  points: readonly ObservedPoint[],
  { needs, coverage }: Pick<Workload, 'needs'> & Pick<BatchResult, 'coverage'>,
): string | undefined {
  if (failures.length > 0) return undefined
  if (!points.some(isBusiness)) return 'nothing of it went to your service or came from it'
  const isServed = (id: string) =>
    operations.some((row) => row.id === id && row.capability === needs)
  return needs === undefined || successesIn(coverage).some(isServed)
    ? undefined
    : `no call of ${needs} was answered with 2xx`
}

/** The workload that is over first: one order, which waits for no courier. */
const shortestOf = (workloads: ReadonlyMap<string, Workload>, names: readonly string[]) =>
  names.find((name) => {
    const workload = workloads.get(name)
    return workload && isPlain(workload) && workload.orders['o1']?.type !== 'DELIVERY'
  })

/**
 * Runs workloads without faults, side by side, and in as many sessions as may be open: the first results come early.
 */
export async function runFaultFree(
  { workloads, width, sessions, play, expect, record, onBroken, early }: SteadyStateOptions,
  names: readonly string[],
): Promise<readonly FaultFreeBatch[]> {
  async function learnFrom(batch: BatchResult): Promise<FaultFreeBatch> {
    const crash = crashIn(batch)
    const played = new Map<string, number>()
    for (const [index, result] of batch.results.entries()) {
      const { workload } = result.schedule
      const messages = [...(batch.points[index] ?? []), ...batch.sharedPoints]
      const { coverage } = batch
      const needs = workloads.get(workload)?.needs
      const silence = batch.isCutShort
        ? undefined
        : silenceOf(result, messages, { needs, coverage })
      const leftOut = crash?.because ?? result.stepFailures[0] ?? silence
      const failures = [...result.failures, ...batch.unattributed]
      const reason = leftOut === undefined ? {} : { leftOut }
      await record({ type: 'steady', workload, failures, ...reason })
      onBroken({ ...result, failures })
      if (leftOut === undefined) played.set(workload, index)
    }
    return { batch, played }
  }

  async function playGroup(group: readonly Schedule[]): Promise<readonly FaultFreeBatch[]> {
    const learned: FaultFreeBatch[] = []
    if (early.aborted) return learned
    for await (const { batch } of playInParts(group, (part) => play(part, { early })))
      learned.push(await learnFrom(batch))
    return learned
  }

  const schedules = names.map((name) => createSchedule(name, []))
  const isFirst = ({ workload }: Schedule): boolean => workload === shortestOf(workloads, names)
  const others = schedules.filter((each) => sessions === 1 || !isFirst(each))
  const ofEach = Math.min(width, Math.ceil(others.length / Math.max(1, sessions - 1)))
  const first = sessions === 1 ? [] : schedules.filter(isFirst).map((each) => [each])
  const groups = [...first, ...sideBySide(others, workloads, ofEach)]
  if (groups.length > 1) expect?.(groups.map(toExpected))
  return (await mapConcurrently(groups, sessions, playGroup)).flat()
}

/** Runs every workload that is searched without faults; what cannot be played is left out of the search space. */
export async function learnSearchSpace(options: SteadyStateOptions): Promise<SearchSpace> {
  const { workloads, channels, namedFaults } = options
  const own = new Map<string, readonly FaultSite[]>()
  const shared = new Map<string, FaultSite>()
  const points: ObservedPoint[] = []
  const searched = [...workloads.values()].filter(({ isFaultFree }) => !isFaultFree)
  const names = searched.map(({ name }) => name)
  for (const { batch, played } of await runFaultFree(options, names)) {
    for (const point of batch.sharedPoints)
      for (const site of faultSitesAt([point], channels)) shared.set(pointText(point), site)
    points.push(...batch.sharedPoints)
    for (const [workload, index] of played) {
      const ofOrders = batch.points[index] ?? []
      points.push(...ofOrders)
      own.set(workload, faultSitesAt(ofOrders, channels, namedFaults))
    }
  }
  const sorted = [...shared].sort(([one], [other]) => (one < other ? -1 : 1))
  const later = new Map(searched.map((each) => [each.name, laterSlots(each)]))
  return {
    workloads: [...own.keys()],
    own,
    shared: sorted.map(([, site]) => site),
    crashes: processFaults(points, channels),
    later,
  }
}
