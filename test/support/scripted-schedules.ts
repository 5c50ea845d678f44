/** Results of schedules by a script: which rules a schedule breaks is a function of it, and nothing is played. */
import type { BrokenRule } from '../../src/explore/schedules/broken-rule.ts'
import type { ScheduleResult } from '../../src/explore/schedules/result.ts'
import { type Schedule, scheduleText } from '../../src/explore/schedules/schedule.ts'

export const brokenRule = (
  rule: string,
  slot?: string,
  more: Pick<BrokenRule, 'follows'> = {},
): BrokenRule => ({
  rule,
  because: `${rule} was broken.`,
  evidence: [],
  ...(slot === undefined ? {} : { slot }),
  ...more,
})

export const scriptedResult = (
  schedule: Schedule,
  failures: readonly BrokenRule[] = [],
  exercised: readonly boolean[] = schedule.faults.map(() => true),
): ScheduleResult => ({
  schedule,
  failures,
  inconclusive: [],
  exercised,
  signature: scheduleText(schedule),
  traces: { o1: 'CREATED getOrder 2xx' },
  faultsEndedMs: 4000,
  stepFailures: [],
})
