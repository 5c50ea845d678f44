/**
 * A bucket: failures that have the same cause as far as it is observed from outside, with their smallest reproducer.
 */
import { digestOf } from '../../core/engine/digest.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { ReplayResult } from '../schedules/result.ts'
import { type Schedule, scheduleText } from '../schedules/schedule.ts'
import { triggersOf } from '../schedules/trigger.ts'
import type { Clause } from '../../core/protocol/clause.ts'

/**
 * How often it failed when it was played again. `confirmed`: each time. `flaky`: some of the times. The third: never, of what
 * must never happen, which one observation proves. Of a rule that depends on time, `unplayed`: it was not played again, and
 * `suspected`: never, or of a time limit once in ten.
 */
export const bucketStatuses = ['confirmed', 'flaky', 'seen', 'unplayed', 'suspected'] as const
export type BucketStatus = (typeof bucketStatuses)[number]

/** Whether something is wrong with the service: what depends on time and never failed again may be chance. */
export const countsAsFailure = ({ status }: Pick<Bucket, 'status'>): boolean =>
  status !== 'suspected' && status !== 'unplayed'

export interface Bucket {
  /** 8 hexadecimal digits, by rule, role of the order and kinds of faults; equal in all parts of a campaign. */
  readonly id: string
  readonly rule: string
  /** The role of the order: its workload and slot. Absent for what is about no single order. */
  readonly role?: string
  readonly status: BucketStatus
  /** How often it failed, of how many times it was played again. */
  readonly failed: number
  readonly played: number
  /** The smallest schedule that fails. */
  readonly schedule: Schedule
  readonly failure: BrokenRule
  /** Other rules that the reproducer breaks as well. */
  readonly alsoBroken: readonly string[]
  /** What happened to the order, from outside. */
  readonly trace: string
  /** Number of the schedule in which it was found; absent for one of the corpus. */
  readonly foundAt?: number
  /** How many schedules were run until it was found. */
  readonly runsToFind: number
  /** How many schedules were run to shrink it. */
  readonly shrinkRuns: number
  /** How many schedules failed with it. */
  readonly hits: number
  /** It is still being shrunk. */
  readonly unfinished?: true
  /** It was not shrunk: it may need less. */
  readonly unshrunk?: true
}

export const unshrunkText = 'not shrunk: which of these faults are needed is not known'

export const isUnshrunk = ({ unshrunk, schedule }: Bucket): boolean =>
  unshrunk === true && schedule.faults.length > 1

export const bucketId = (rule: string, role: string | undefined, schedule: Schedule): string =>
  digestOf([rule, role ?? '', ...triggersOf(schedule)].join('|')).slice(0, 8)

/** Of a bucket among others: one that is still being shrunk may be beside one of the same id. */
export const bucketKey = ({ id, unfinished }: Pick<Bucket, 'id' | 'unfinished'>): string =>
  unfinished ? `${id} unfinished` : id

/** The role of the order in which a rule was broken. */
export const roleOf = ({ workload }: Schedule, slot: string | undefined): string | undefined =>
  slot === undefined ? undefined : `${workload} ${slot}`

/**
 * Whether a bucket explains that a rule was broken in a run: its reproducer breaks the rule as well, and what triggers it was
 * there.
 */
export function explains(
  bucket: Bucket,
  result: Pick<ReplayResult, 'schedule' | 'exercised'>,
  rule: string,
): boolean {
  if (bucket.rule !== rule && !bucket.alsoBroken.includes(rule)) return false
  const triggers = triggersOf(bucket.schedule)
  const { workload, faults } = result.schedule
  if (triggers.length === 0) return bucket.schedule.workload === workload
  const fired = new Set(triggersOf({ faults: faults.filter((_, at) => result.exercised[at]) }))
  return triggers.every((each) => fired.has(each))
}

/** Whether two buckets have the same reproducer, which breaks the rules of both as surely. */
export function isSameCause(known: Bucket, other: Bucket): boolean {
  if (known.status !== 'confirmed' && other.status === 'confirmed') return false
  const textOf = ({ schedule: { workload, faults } }: Bucket): string =>
    scheduleText({ workload, faults })
  return known.alsoBroken.includes(other.rule) && textOf(known) === textOf(other)
}

/** Whether a bucket stands for another one of the same id: it is certain and the other is not, or it is smaller. */
export const isBetter = (one: Bucket, other: Bucket): boolean =>
  one.status === 'confirmed' || other.status === 'confirmed'
    ? one.status === 'confirmed' && (other.status !== 'confirmed' || isSmaller(one, other))
    : isSmaller(one, other)

/** Smaller reproducers first; of equal ones the one that was found first. */
export function isSmaller(one: Bucket, other: Bucket): boolean {
  const size = (each: Bucket): number =>
    each.schedule.faults.length * 1000 + scheduleText(each.schedule).length
  return size(one) < size(other)
}

/** Certain ones first, then by how often they were met. */
export const byCertainty = (one: Bucket, other: Bucket): number =>
  bucketStatuses.indexOf(one.status) - bucketStatuses.indexOf(other.status) ||
  other.hits - one.hits ||
  (one.id < other.id ? -1 : 1)

/** How often the kept file itself was played on the service, and how often its rule failed. */
export interface FileReplays {
  readonly failed: number
  readonly played: number
  /** In so many runs Sparring itself was late, so that it is not known. */
  readonly late: number
}

/** A file that never failed promises nothing: it passes on the service as it is, or was never played there. */
export const isReproducedByFile = ({ failed }: FileReplays): boolean => failed > 0

export const fileReplaysText = (replays: FileReplays): string => {
  const { failed, played, late } = replays
  if (played === 0) return 'not played as this file, so that it promises nothing'
  const doubt = late > 0 ? `, and in ${late} of them Sparring itself was late` : ''
  const often = `played as this file it failed ${failed} of ${played} times${doubt}`
  return isReproducedByFile(replays) ? often : `not reproduced by its file: ${often}`
}

/** The details of a bucket besides its record. */
export interface BucketDetails {
  /** The rule as a sentence, and what to do. */
  readonly sentence: string
  readonly remedy: string
  readonly clauses: readonly Clause[]
  /** What a person reads, one paragraph. */
  readonly paragraph: string
  /** The scenario that was kept; absent when nothing is written. */
  readonly file?: string
  /** Of that scenario; absent when nothing is written. */
  readonly replays?: FileReplays
  /** The recording of the reproducer; absent when there is none. */
  readonly recording?: string
  /** The command that plays it again. */
  readonly again: string
}
