/** Simpler forms of a fault, the simplest first: fewer attempts, shorter times, smaller numbers. */
import { optionSizes } from '../search/fault-choices.ts'
import { definitionOf } from '../schedules/fault-traits.ts'
import { type ScheduledFault, scheduledFaultText } from '../schedules/schedule.ts'

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

export function simplerFaults(fault: ScheduledFault): readonly ScheduledFault[] {
  const definition = definitionOf(fault)
  if (!definition) return []
  const { burst, ...once } = fault
  const single: ScheduledFault = { ...once, match: { ...once.match, nth: 1 } }
  const fewerAttempts: readonly ScheduledFault[] =
    burst === undefined ? [] : [single, ...(burst === 2 ? [] : [{ ...fault, burst: 2 }])]
  const smaller = optionSizes(definition)
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
