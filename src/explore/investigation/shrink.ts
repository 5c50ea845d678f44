/**
 * Shrinks a failing schedule: to the faults without which it does not fail, then to fewer orders and steps, then to smaller
 * parameters. Every candidate must break the same rule.
 */
import {
  createSchedule,
  isSharedFault,
  type Schedule,
  type ScheduledFault,
  scheduledFaultText,
  scheduleHash,
} from '../schedules/schedule.ts'
import { ddmin, firstFailing, oneMinimal, type Shrinking } from './delta-debugging.ts'
import { placementOrder, type Workload } from '../workloads/workload.ts'
import { optionSizes } from '../search/fault-choices.ts'
import { definitionOf } from '../schedules/fault-traits.ts'

const maxForms = 6

/** The numbers of the options added up: times, counts, sizes. */
const weightOf = (options: Readonly<Record<string, unknown>>): number =>
  Object.values(options).reduce<number>(
    (sum, value) => sum + (typeof value === 'number' ? value : value === 'all' ? 100 : 0),
    0,
  )

/** A request that had no effect is simpler than one whose effect the caller does not hear of. */
const effectWeight = ({ effect }: Readonly<Record<string, unknown>>): number =>
  effect === 'after' ? 1 : 0

const isSimpler = (
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean =>
  weightOf(one) < weightOf(other) ||
  (weightOf(one) === weightOf(other) && effectWeight(one) < effectWeight(other))

/** Simpler forms of a fault, the simplest first: fewer attempts, shorter times, smaller numbers. */
export function simplerFaults(fault: ScheduledFault): readonly ScheduledFault[] {
  const definition = definitionOf(fault)
  if (!definition) return []
  const { burst, ...once } = fault
  const single: ScheduledFault = { ...once, match: { ...once.match, nth: 1 } }
  const fewerAttempts: readonly ScheduledFault[] =
    burst === undefined ? [] : [single, ...(burst === 2 ? [] : [{ ...fault, burst: 2 }])]
  const { limit } = fault.options
  const smaller = optionSizes(definition)
    .map((options) => (limit === undefined ? options : { ...options, limit }))
    .filter((options) => isSimpler(options, fault.options))
    .sort((one, other) => weightOf(one) - weightOf(other))
    .map((options): ScheduledFault => ({ ...fault, options }))
  const { nth = 1 } = fault.match
  const earlier: readonly ScheduledFault[] =
    nth > 1 ? [{ ...fault, match: { ...fault.match, nth: 1 } }] : []
  const own = scheduledFaultText(fault)
  return [...earlier, ...fewerAttempts, ...smaller]
    .filter((each) => scheduledFaultText(each) !== own)
    .slice(0, maxForms)
}

export interface ShrinkStart {
  readonly schedule: Schedule
  /** Of each fault, whether it distorted a message. */
  readonly exercised: readonly boolean[]
  /** The slot of the order with the failure. */
  readonly slot: string | undefined
  readonly workloads: ReadonlyMap<string, Workload>
}

/** So many faults are first tried one by one. */
const maxSingles = 8

function withFaults(schedule: Schedule, faults: readonly ScheduledFault[]): Schedule {
  return createSchedule(schedule.workload, faults, schedule.trim)
}

/** Shrinks the faults of a schedule as a list. */
function* onFaults(
  schedule: Schedule,
  shrinking: Shrinking<readonly ScheduledFault[]>,
): Shrinking<Schedule> {
  let step = shrinking.next()
  while (step.done !== true) {
    const fails = yield step.value.map((faults) => withFaults(schedule, faults))
    step = shrinking.next(fails)
  }
  return withFaults(schedule, step.value)
}

/** Fewer faults: those that fired, those of the failing order, one alone, then delta debugging. */
function* shrinkFaults({ schedule, exercised, slot }: ShrinkStart): Shrinking<Schedule> {
  const { faults } = schedule
  const fired = withFaults(
    schedule,
    faults.filter((_, index) => exercised[index]),
  )
  const ofSlot = fired.faults.filter(({ match }) => match.order === slot && slot !== undefined)
  const shared = fired.faults.filter(isSharedFault)
  const projections = [[], ofSlot, shared, [...ofSlot, ...shared], fired.faults]
    .filter((each) => each.length < faults.length)
    .map((each) => withFaults(schedule, each))
  const current = (yield* firstFailing(projections)) ?? schedule
  if (current.faults.length <= 1) return current
  if (current.faults.length <= maxSingles) {
    const alone = yield* firstFailing(current.faults.map((fault) => withFaults(current, [fault])))
    if (alone) return alone
  }
  return yield* onFaults(current, ddmin(current.faults))
}

/** How much a workload does: the number of its orders and steps. */
const sizeOf = ({ orders, steps }: Workload): number =>
  2 * Object.keys(orders).length + steps.length

/** The same faults under a smaller workload with a single order, where all of them are about one order. */
function smallerWorkloads(schedule: Schedule, { workloads }: ShrinkStart): readonly Schedule[] {
  const current = workloads.get(schedule.workload)
  const { faultPhaseMs } = schedule.trim ?? {}
  const trim = faultPhaseMs === undefined ? undefined : { faultPhaseMs }
  const slots = new Set(schedule.faults.flatMap(({ match }) => match.order ?? []))
  if (!current || slots.size > 1 || current.isExclusive) return []
  return [...workloads.values()]
    .filter((each) => !each.isExclusive && sizeOf(each) < sizeOf(current))
    .sort((one, other) => sizeOf(one) - sizeOf(other))
    .flatMap((each) => {
      const [first] = placementOrder(each)
      if (first === undefined || Object.keys(each.orders).length > 1) return []
      const faults = schedule.faults.map((fault) =>
        isSharedFault(fault) ? fault : { ...fault, match: { ...fault.match, order: first } },
      )
      return [createSchedule(each.name, faults, trim)]
    })
}

/** Only the orders that faults name or that failed; only the first steps. */
function trims(schedule: Schedule, { workloads, slot }: ShrinkStart): readonly Schedule[] {
  const workload = workloads.get(schedule.workload)
  if (!workload || workload.isExclusive) return []
  const slots = placementOrder(workload)
  const needed = new Set(schedule.faults.flatMap(({ match }) => match.order ?? []))
  // A slot is a place among the orders: only later ones can be left out.
  const last = Math.max(
    0,
    ...slots.flatMap((each, index) => (needed.has(each) || each === slot ? [index] : [])),
  )
  const named = new Set(workload.steps.flatMap((step) => ordersIn(step)))
  const fewerOrders = slots.flatMap((_, count) => {
    const kept = slots.slice(0, count + 1)
    const isEnough = count >= last && [...named].every((each) => kept.includes(each))
    return isEnough && kept.length < slots.length
      ? [createSchedule(schedule.workload, schedule.faults, { ...schedule.trim, orders: kept })]
      : []
  })
  const fewerSteps = workload.steps.map((_, steps) =>
    createSchedule(schedule.workload, schedule.faults, { ...schedule.trim, steps }),
  )
  return [...fewerOrders, ...fewerSteps]
}

/** The slots that a step names. */
function ordersIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'order' && typeof each === 'string' ? [each] : ordersIn(each),
  )
}

/** Smaller parameters, one fault after the other, the smallest first. */
function* shrinkParameters(schedule: Schedule): Shrinking<Schedule> {
  let current = schedule
  for (const fault of schedule.faults) {
    const others = current.faults.filter((each) => each !== fault)
    const simpler = simplerFaults(fault).map((each) => withFaults(current, [...others, each]))
    current = (yield* firstFailing(simpler)) ?? current
  }
  return current
}

export function* shrink(start: ShrinkStart): Shrinking<Schedule> {
  let current = yield* shrinkFaults(start)
  current = (yield* firstFailing(smallerWorkloads(current, start))) ?? current
  current = (yield* firstFailing(trims(current, start))) ?? current
  current = yield* shrinkParameters(current)
  const smallest = yield* onFaults(current, oneMinimal(current.faults))
  return scheduleHash(smallest) === scheduleHash(current) ? current : smallest
}
