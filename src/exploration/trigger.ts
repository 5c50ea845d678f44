/**
 * What triggers a failure, as far as it is told apart: which message was distorted, and in which way. Faults that look alike
 * to the service are one way: an event that comes late is late whatever delayed it.
 */
import { createSchedule, type Schedule, type ScheduledFault } from './schedule.ts'

/** The way in which each fault distorts a message; one that is not listed is a way of its own. */
const ways: Readonly<Record<string, string>> = {
  drop: 'late',
  delay: 'late',
  reorder: 'late',
  batch: 'late',
  'drop-then-deliver': 'late',
  'both-channels': 'late',
  duplicate: 'again',
  'duplicate-late': 'again',
  redeliver: 'again',
  'ack-lag': 'again',
  fail: 'failing',
  reset: 'failing',
  truncate: 'failing',
  'drop-response': 'failing',
  hang: 'failing',
  'token-outage': 'failing',
  'slow-body': 'slow',
  'slow-response': 'slow',
  'unknown-event': 'unknown',
  'unknown-field': 'unknown',
  'unusual-response': 'unknown',
}

/** `late CREATED`, `failing confirmOrder`. A webhook that fails brings its event late. */
export function faultTriggerOf({ name, match }: ScheduledFault): string {
  const { event, operation, trigger } = match
  const way = ways[name] ?? name
  const isLate =
    event !== undefined && (way === 'failing' || way === 'slow' || way === 'rate-limit')
  return `${isLate ? 'late' : way} ${event ?? operation ?? trigger ?? ''}`
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
