/**
 * What triggers a failure, as far as it is distinguished: which message was distorted, and in which way. Faults that look alike
 * to the service are one way: an event that comes late is late whatever delayed it.
 */
import { hasTrait } from '../../core/faults/catalogue.ts'
import { definitionOf } from './fault-traits.ts'
import { createSchedule, type Schedule, type ScheduledFault } from './schedule.ts'

/** `late CREATED`, `failing confirmOrder`. A webhook that fails brings its event late. */
export function faultTriggerOf(fault: ScheduledFault): string {
  const { event, operation, trigger } = fault.match
  const symptom = definitionOf(fault)?.symptom ?? fault.name
  const holdsBack = symptom === 'failing' || symptom === 'slow' || hasTrait(fault, 'failure')
  const isLate = event !== undefined && holdsBack
  return `${isLate ? 'late' : symptom} ${event ?? operation ?? trigger ?? ''}`
}

/** Sorted, each once. */
export const triggersOf = ({ faults }: Pick<Schedule, 'faults'>): readonly string[] =>
  [...new Set(faults.map(faultTriggerOf))].sort()

/**
 * A schedule without the faults that trigger known buckets: something else may be wrong in it that they hide. Undefined where
 * nothing would be left, or nothing is left out.
 */
export function withoutTriggers(
  { workload, faults, trim }: Schedule,
  known: readonly { readonly schedule: Schedule }[],
): Schedule | undefined {
  const triggers = new Set(known.flatMap(({ schedule }) => triggersOf(schedule)))
  const others = faults.filter((fault) => !triggers.has(faultTriggerOf(fault)))
  return others.length === 0 || others.length === faults.length
    ? undefined
    : createSchedule(workload, others, trim)
}
