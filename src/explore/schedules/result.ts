/** What is known of a schedule after it was run: data for the search, records and reports. */
import type { BrokenRule } from './broken-rule.ts'
import type { CoverageCounts } from './coverage.ts'
import type { ObservedPoint } from './observed-points.ts'
import type { Schedule } from './schedule.ts'

/** What is known of a schedule whose kept scenario was played again. */
export interface ReplayResult {
  readonly schedule: Schedule
  readonly failures: readonly BrokenRule[]
  /** Rules that were broken while Sparring itself was so late that this may be the cause. */
  readonly inconclusive: readonly string[]
  /** What it was that was broken then. */
  readonly doubts?: readonly BrokenRule[]
  /** Of each fault, whether it distorted a message. */
  readonly exercised: readonly boolean[]
  /** Why a step of the workload could not be made. */
  readonly stepFailures: readonly string[]
}

/** In a batch its traffic is observed as well. */
export interface ScheduleResult extends ReplayResult {
  /** Hash of the operations and their outcomes on each order; equal for runs that look the same from outside. */
  readonly signature: string
  /** By slot: the operations and their outcomes, repeats collapsed. */
  readonly traces: Readonly<Record<string, string>>
  /** Session time from the beginning to the end of its faults, in ms; 0 where it was cut short before. */
  readonly faultsEndedMs: number
}

export interface BatchResult {
  readonly results: readonly ScheduleResult[]
  /** Broken rules that cannot be attributed to one of several schedules. */
  readonly unattributed: readonly BrokenRule[]
  readonly coverage: CoverageCounts
  /** How often the premise of each rule occurred. */
  readonly premises: Readonly<Record<string, number>>
  /** How often each rule had advice, which is no failure. */
  readonly advice: Readonly<Record<string, number>>
  /** Session time from begin to end, in ms. */
  readonly tookMs: number
  /** It ended early: what was not broken by then says nothing. */
  readonly isCutShort: boolean
  /** The pace of the subject, as far as it was observed. */
  readonly pace: SubjectPace
  /** The messages of each schedule about its orders, and those about none. */
  readonly points: readonly (readonly ObservedPoint[])[]
  readonly sharedPoints: readonly ObservedPoint[]
}

/** The pace of a subject, learned from its traffic; in ms of session time. */
export interface SubjectPace {
  /** Median gap between two polls. */
  readonly pollMs?: number
  /** Longest gap between two attempts of one call. */
  readonly retryGapMs?: number
  /** Longest time from the first attempt of a call to the last one in a row. */
  readonly attemptsMs?: number
  /** Most attempts of one call in a row. */
  readonly attempts?: number
  /** Median time from a handover to the next call about its order. */
  readonly reactionMs?: number
  /** Longest silence about an order after which it was read without an event. */
  readonly reconcileMs?: number
  /** Longest time to a step of an order, from the step before or its first event: cooking takes its time. */
  readonly stepMs?: number
  /** 95th percentile of the time in which the subject answers our calls, on the wall clock. */
  readonly answerMs?: number
}
