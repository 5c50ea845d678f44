/**
 * Calibration: how often a service tries again and how soon it reads an order of which it hears nothing, learned from two
 * schedules with one fault each; and how long it may recover, which follows from that.
 */
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import type { BatchEntry } from '../batch/schedule-runner.ts'
import { faultChoices } from '../search/fault-choices.ts'
import type { ObservedPoint } from '../schedules/observed-points.ts'
import type { SubjectPace } from '../schedules/result.ts'
import { createSchedule, type ScheduledFault } from '../schedules/schedule.ts'
import { isPlain, type Workload } from '../workloads/workload.ts'

/** A workload with the messages that it has without faults. */
export interface ObservedWorkload {
  readonly workload: Workload
  readonly points: readonly ObservedPoint[]
}

/** Time in which faults of the calibration stay active, in ms: the longest reconcile period that is learned. */
export const calibrationPhaseMs = 40_000
/** The shortest time that a service has to recover, in ms. */
const minConvergeMs = 20_000

/** The first fault of that name at each of the messages that is of use. */
const faultsNamed = (
  name: string,
  points: readonly ObservedPoint[],
  channels: readonly EventChannel[],
  isUseful: (fault: ScheduledFault) => boolean = () => true,
): readonly ScheduledFault[] =>
  points.flatMap((point) =>
    faultChoices(point, channels)
      .filter((each) => each.name === name && isUseful(each))
      .slice(0, 1),
  )

/** A call that had its effect need not be tried again: it fails before, until the service gives up. */
const isRetried = ({ burst, options }: ScheduledFault): boolean =>
  burst === 'outlast' && options['effect'] === 'before'

/**
 * Two schedules of the first workload with one order and no steps: the order's events never come, but for the first, and a
 * call about it fails until the service gives up. Empty where there is no such workload.
 */
export function calibrationEntries(
  observed: readonly ObservedWorkload[],
  channels: readonly EventChannel[],
): readonly BatchEntry[] {
  const plain = observed.find(({ workload }) => isPlain(workload))
  if (!plain) return []
  const { workload, points } = plain
  const about = (kind: ObservedPoint['kind']): readonly ObservedPoint[] =>
    points.filter(({ kind: each, match }) => each === kind && match.order !== undefined)
  const lost = faultsNamed('drop', about('handover'), channels)
  const commands = about('answer').filter(({ match }) => match.operation !== 'getOrder')
  const failing = faultsNamed('fail', commands, channels, isRetried).slice(0, 1)
  return [lost, failing].flatMap((faults) =>
    faults.length > 0 ? [{ schedule: createSchedule(workload.name, faults), workload }] : [],
  )
}

/** Of the time to recover. */
const faultPhaseShare = 0.75

/**
 * How long faults stay in force after the steps, in ms of the session: for the attempts of a call, the pause after them and the
 * first attempt that follows, as they were learned. `longestMs`: what the campaign has for it, by the wall clock.
 */
export const faultPhaseMsOf = (
  convergeMs: number,
  { attemptsMs = 0 }: SubjectPace,
  longestMs: number,
): number => Math.round(Math.min(longestMs, Math.max(convergeMs * faultPhaseShare, attemptsMs)))

/** What a calibration that was cut short has learned: readings that are seldom may not have come. */
export const withoutReadings = ({ reconcileMs: _early, ...pace }: SubjectPace): SubjectPace => pace

/**
 * How long a service may take to recover, in ms: twice its reconcile period or its longest pause between two attempts, three
 * polls, and the longest step of an order without faults. The default where its reconcile period was not observed, and never
 * more than that.
 */
export function convergeMsOf(
  { reconcileMs, retryGapMs = 0, pollMs = 0, stepMs = 0 }: SubjectPace,
  defaultMs: number,
): number {
  if (reconcileMs === undefined) return defaultMs
  const learnedMs = 2 * Math.max(reconcileMs, retryGapMs) + 3 * pollMs + stepMs
  return Math.min(defaultMs, Math.max(minConvergeMs, Math.ceil(learnedMs / 1000) * 1000))
}
