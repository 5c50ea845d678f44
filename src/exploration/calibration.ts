/**
 * Calibration: how often a service tries again and how soon it reads an order of which it hears nothing, learned from two
 * schedules with one fault each; and how long it is given to recover, which follows from that.
 */
import type { EventChannel } from '../engine/emitted-event.ts'
import type { Instant } from '../engine/instant.ts'
import { handedOverEvents } from '../invariants/judge/carried-events.ts'
import { createExchangeObserver } from '../invariants/judge/exchange-observer.ts'
import type { Role } from '../protocol/role.ts'
import type { Session } from '../session-api/session.ts'
import type { BatchEntry } from './batch-entry.ts'
import { faultChoices } from './fault-choices.ts'
import type { ObservedPoint } from './observed-points.ts'
import type { SubjectPace } from './result.ts'
import { createSchedule, type ScheduledFault } from './schedule.ts'
import type { Workload } from './workload.ts'

/** A workload with the messages that it has without faults. */
export interface ObservedWorkload {
  readonly workload: Workload
  readonly points: readonly ObservedPoint[]
}

/** Time in which faults of the calibration stay active, in ms: the longest reconcile period that is learned. */
export const calibrationPhaseMs = 40_000
/** A service is given this long to recover at least, in ms. */
const minConvergeMs = 20_000

/** The first fault of that name at each of the messages. */
const faultsNamed = (
  name: string,
  points: readonly ObservedPoint[],
  channels: readonly EventChannel[],
): readonly ScheduledFault[] =>
  points.flatMap((point) =>
    faultChoices(point, channels)
      .filter((each) => each.name === name && (each.burst === 'outlast' || name !== 'fail'))
      .slice(0, 1),
  )

const isPlain = ({ workload }: ObservedWorkload): boolean =>
  !workload.isExclusive && workload.steps.length === 0 && Object.keys(workload.orders).length === 1

/**
 * Two schedules of the first workload with one order and no steps: the order's events never come, but for the first, and a
 * call about it fails until the service gives up. Empty where there is no such workload.
 */
export function calibrationEntries(
  observed: readonly ObservedWorkload[],
  channels: readonly EventChannel[],
): readonly BatchEntry[] {
  const plain = observed.find(isPlain)
  if (!plain) return []
  const { workload, points } = plain
  const about = (kind: ObservedPoint['kind']): readonly ObservedPoint[] =>
    points.filter(({ kind: each, match }) => each === kind && match.order !== undefined)
  const lost = faultsNamed('drop', about('handover'), channels)
  const commands = about('answer').filter(({ match }) => match.operation !== 'getOrder')
  const failing = faultsNamed('fail', commands, channels).slice(0, 1)
  return [lost, failing].flatMap((faults) =>
    faults.length > 0 ? [{ schedule: createSchedule(workload.name, faults), workload }] : [],
  )
}

export interface ReconcileObserver extends Disposable {
  /** The longest silence about an order after which the service read it by itself, in ms; undefined where it never did. */
  readonly longestMs: () => number | undefined
}

/** Orders of one calibration at most; a batch has two. */
const maxOrders = 1000

/** Observes after which silence the service reads an order that no event reports anything about. */
export function observeReconciling(
  session: Pick<Session, 'onExchange'>,
  subject: Role,
): ReconcileObserver {
  const see = createExchangeObserver(subject)
  /** By order: the last call about it; absent after an event, which is a reason to read. */
  const calls = new Map<string, Instant>()
  let longest: number | undefined
  const stop = session.onExchange((exchange, span) => {
    const seen = see(exchange, span)
    if (!seen) return
    const { orderId, operation, caller, began, ended } = seen
    if (caller === 'subject' && orderId !== undefined) {
      const last = calls.get(orderId)
      if (operation === 'getOrder' && last !== undefined)
        longest = Math.max(longest ?? 0, began - last)
      if (calls.size < maxOrders || last !== undefined) calls.set(orderId, ended)
    }
    for (const event of handedOverEvents(seen))
      if (event.orderId !== undefined) calls.delete(event.orderId)
    seen.release()
  })
  return { longestMs: () => longest, [Symbol.dispose]: stop }
}

/**
 * How long a service may take to recover, in ms: twice its reconcile period or its longest pause between two attempts, and
 * three polls. The default where its reconcile period was not seen, and never more than that.
 */
export function convergeMsOf(
  { reconcileMs, retryGapMs = 0, pollMs = 0 }: SubjectPace,
  defaultMs: number,
): number {
  if (reconcileMs === undefined) return defaultMs
  const learnedMs = 2 * Math.max(reconcileMs, retryGapMs) + 3 * pollMs
  return Math.min(defaultMs, Math.max(minConvergeMs, Math.ceil(learnedMs / 1000) * 1000))
}
