/**
 * A schedule: a workload and an explicit list of faults, each with the message that it distorts named by content. It is what
 * is run, shrunk, kept and compared; how it was drawn is provenance only.
 */
import type { WorkloadTrim } from '../workloads/workload.ts'
import { compact } from '../../core/base/compact.ts'
import { digestOf } from '../../core/engine/digest.ts'
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import { faultText } from '../../core/faults/spec-text.ts'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import type { Role } from '../../core/protocol/role.ts'

/** Which messages a fault distorts; the conditions of a fault specification. */
export interface FaultMatcher {
  readonly event?: string
  readonly operation?: OperationId
  /** What an accepted call asked for: `confirm`. */
  readonly trigger?: string
  /** The slot of an order of the workload. Absent for a message that is about no single order: a poll, a token. */
  readonly order?: string
  readonly channel?: EventChannel
  readonly nth?: number
}

export interface ScheduledFault {
  /** Its name in the catalogue of faults. */
  readonly name: string
  readonly match: FaultMatcher
  /** Its own options. */
  readonly options: Readonly<Record<string, unknown>>
  /** So many attempts of the same call, or all until the caller stopped once; absent: each that matches. */
  readonly burst?: number | 'outlast'
}

export interface Schedule {
  /** The name of the workload. */
  readonly workload: string
  /** Absent when all of it is played. */
  readonly trim?: WorkloadTrim
  /** In canonical order. */
  readonly faults: readonly ScheduledFault[]
}

/** The options as a fault specification has them, its order named by `slotOf`. */
function specOptions(
  { match, options, burst }: ScheduledFault,
  slotOf: (slot: string) => string,
): Readonly<Record<string, unknown>> {
  // In a fixed order: equal faults have the same text.
  const { event, operation, trigger, order, channel, nth } = match
  const slot = order === undefined ? undefined : slotOf(order)
  return {
    ...options,
    ...compact({ operation, trigger, event, channel, nth, order: slot, burst }),
  }
}

/** The channels by which events are delivered to a subject: only those of Orders, to a Software Service, can be polled. */
export const eventChannelsOf = (
  channel: 'polling' | 'webhook' | 'both',
  subject: Role,
): readonly EventChannel[] => {
  if (subject !== 'software-service') return ['webhook']
  return channel === 'both' ? ['polling', 'webhook'] : [channel]
}

const sameSlot = (slot: string): string => slot

/** The fault as a specification: `{ drop: { event: 'CONFIRMED', order: 'o1' } }`. */
export const faultSpecOf = (
  fault: ScheduledFault,
  slotOf: (slot: string) => string = sameSlot,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  [fault.name]: specOptions(fault, slotOf),
})

const faultTexts = new WeakMap<ScheduledFault, string>()

/** The fault as one line: `drop:event=CONFIRMED,order=o1`. */
export function scheduledFaultText(fault: ScheduledFault): string {
  const text = faultTexts.get(fault) ?? faultText(fault.name, specOptions(fault, sameSlot))
  faultTexts.set(fault, text)
  return text
}

/** Whether it distorts messages that are not about one order, and so those of other schedules that run beside it. */
export const isSharedFault = ({ match }: ScheduledFault): boolean => match.order === undefined

/** Of two faults with the same text the second could never act: it is left out. */
export function createSchedule(
  workload: string,
  faults: readonly ScheduledFault[],
  trim?: WorkloadTrim,
): Schedule {
  const byText = new Map(faults.map((fault) => [scheduledFaultText(fault), fault]))
  const texts = [...byText.keys()].sort()
  return compact({ workload, trim, faults: texts.flatMap((text) => byText.get(text) ?? []) })
}

function trimText({ steps, orders, faultPhaseMs }: WorkloadTrim): string {
  const parts = [
    ...(orders === undefined ? [] : [`only ${orders.join(', ')}`]),
    ...(steps === undefined ? [] : [`first ${steps} steps`]),
    ...(faultPhaseMs === undefined ? [] : [`faults for ${faultPhaseMs} ms`]),
  ]
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

/** The schedule in one line; equal for equal schedules. */
export const scheduleText = ({ workload, trim = {}, faults }: Schedule): string =>
  [`${workload}${trimText(trim)}`, ...faults.map(scheduledFaultText)].join(' | ')

/** 16 hexadecimal digits; equal for equal schedules. */
export const scheduleHash = (schedule: Schedule): string => digestOf(scheduleText(schedule))

/**
 * What schedules must have in common to run side by side in one session: the faults that distort messages of all of them, and
 * how long faults stay in force.
 */
export const sessionKey = ({ faults, trim }: Schedule): string =>
  [trim?.faultPhaseMs ?? '', ...faults.filter(isSharedFault).map(scheduledFaultText)].join(' | ')

/** The kind of a fault: its name and the kind of message that it distorts, whatever order and options. */
export const faultClass = ({ name, match }: Pick<ScheduledFault, 'name' | 'match'>): string =>
  [
    name,
    match.operation ?? match.trigger ?? match.channel,
    ...(match.event === undefined ? [] : [match.event]),
  ].join(' ')
