/**
 * The state of a campaign, folded from its records: the same for one that runs, is resumed, or is merged from parts.
 */
import { compact } from '../../core/base/compact.ts'
import { type Bucket, isBetter, isSmaller } from '../investigation/bucket.ts'
import type { CampaignPhase, CampaignRecord } from './campaign-record.ts'
import { addCounts } from '../schedules/coverage.ts'
import { type DiscoveryEstimate, estimateDiscovery } from './estimate.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { SubjectPace } from '../schedules/result.ts'

type ScheduleRecord = Extract<CampaignRecord, { readonly type: 'schedule' }>

/** Batches with a broken rule that no schedule alone explains, after which it is not looked for any more. */
const maxUnattributed = 3

export interface CampaignState {
  readonly apply: (record: CampaignRecord) => void
  readonly phase: () => CampaignPhase
  readonly buckets: ReadonlyMap<string, Bucket>
  /** `<rule> <workload>` of what is broken without faults. */
  readonly steadyFailures: ReadonlyMap<string, BrokenRule>
  /** Workloads that cannot be played, and why. */
  readonly leftOut: ReadonlyMap<string, string>
  readonly coverage: ReadonlyMap<string, number>
  readonly premises: ReadonlyMap<string, number>
  /** All kinds of faults that can be tried. */
  readonly classes: () => readonly string[]
  readonly exercisedClasses: () => ReadonlySet<string>
  readonly pace: () => SubjectPace
  /** The first crash that was observed. */
  readonly crash: () => BrokenRule | undefined
  /** Schedules that were drawn and run. */
  readonly schedules: ReadonlyMap<number, ScheduleRecord>
  /** All runs, those of investigations included. */
  readonly runs: () => number
  /** Session time of all batches, in ms. */
  readonly sessionMs: () => number
  readonly hasIndex: (index: number) => boolean
  readonly hasRun: (hash: string) => boolean
  /** Numbers of schedules that failed and are in no bucket. */
  readonly unexplained: () => readonly number[]
  readonly estimate: () => DiscoveryEstimate
  readonly isUnattributable: (rule: string) => boolean
  /** By rule: how often it was broken in a batch whose schedules do not break it alone. */
  readonly unattributed: ReadonlyMap<string, number>
  /** By hash: the rules that a reproducer of an earlier campaign breaks now. */
  readonly known: ReadonlyMap<string, readonly string[]>
  /** By rule: how often a verdict was inconclusive. */
  readonly inconclusive: ReadonlyMap<string, number>
  readonly ended: () => Extract<CampaignRecord, { readonly type: 'end' }> | undefined
}

const increase = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)

/** Whether a bucket says no more than another of its rule: what is certain stands before what is not. */
function isSupersededBy(bucket: Bucket, other: Bucket): boolean {
  if (bucket.rule !== other.rule || bucket.id === other.id || bucket.status === 'confirmed')
    return false
  if (other.status === 'confirmed' || isSmaller(other, bucket)) return true
  return !isSmaller(bucket, other) && other.id < bucket.id
}

/** Of what grows with observations the greatest value, of the other values the latest. */
const joinedPace = (known: SubjectPace, latest: SubjectPace): SubjectPace => ({
  ...known,
  ...latest,
  ...compact({
    attempts: greater(known.attempts, latest.attempts),
    retryGapMs: greater(known.retryGapMs, latest.retryGapMs),
    reconcileMs: greater(known.reconcileMs, latest.reconcileMs),
  }),
})

const greater = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

export function createCampaignState(): CampaignState {
  const buckets = new Map<string, Bucket>()
  const steadyFailures = new Map<string, BrokenRule>()
  const leftOut = new Map<string, string>()
  const coverage = new Map<string, number>()
  const premises = new Map<string, number>()
  const schedules = new Map<number, ScheduleRecord>()
  const hashes = new Set<string>()
  const signatures = new Map<string, number>()
  const exercised = new Set<string>()
  const unattributed = new Map<string, number>()
  const known = new Map<string, readonly string[]>()
  const inconclusive = new Map<string, number>()
  const explained = new Set<number>()
  let classes: readonly string[] = []
  let phase: CampaignPhase = 'steady'
  let runs = 0
  let sessionMs = 0
  let pace: SubjectPace = {}
  let crash: BrokenRule | undefined
  let ended: Extract<CampaignRecord, { readonly type: 'end' }> | undefined

  /**
   * Each record of a bucket comes from a failing schedule of its own (a cause that is not certain is investigated more than once,
   * and parts find the same one), so the hits of equal ids add up. Those of a bucket that is replaced do not: it had another
   * trigger, and whether it was the same cause is not known.
   */
  function addBucket(bucket: Bucket): void {
    if (bucket.foundAt !== undefined) explained.add(bucket.foundAt)
    const others = [...buckets.values()]
    if (others.some((other) => isSupersededBy(bucket, other))) return
    for (const other of others) if (isSupersededBy(other, bucket)) buckets.delete(other.id)
    const before = buckets.get(bucket.id)
    const kept = before && !isBetter(bucket, before) ? before : bucket
    buckets.set(bucket.id, { ...kept, hits: bucket.hits + (before?.hits ?? 0) })
  }

  function addSchedule(record: ScheduleRecord): void {
    if (schedules.has(record.index)) return
    schedules.set(record.index, record)
    // Two parts of a campaign may both run what the whole runs once.
    if (!hashes.has(record.hash)) increase(signatures, record.signature)
    hashes.add(record.hash)
    for (const each of record.exercised) exercised.add(each)
    for (const each of record.inconclusive) increase(inconclusive, each)
  }

  function apply(record: CampaignRecord): void {
    switch (record.type) {
      case 'phase':
        phase = record.phase
        return
      case 'steady':
        for (const failure of record.failures)
          steadyFailures.set(`${failure.rule} ${record.workload}`, failure)
        if (record.leftOut !== undefined) leftOut.set(record.workload, record.leftOut)
        return
      case 'space':
        classes = [...new Set([...classes, ...record.classes])].sort()
        return
      case 'batch':
        runs += record.schedules
        sessionMs += record.tookMs
        addCounts(coverage, record.coverage)
        addCounts(premises, record.premises)
        pace = joinedPace(pace, record.pace)
        crash ??= record.crash
        return
      case 'schedule':
        return addSchedule(record)
      case 'hit': {
        const bucket = buckets.get(record.bucket)
        if (bucket) buckets.set(bucket.id, { ...bucket, hits: bucket.hits + 1 })
        if (record.index !== undefined) explained.add(record.index)
        return
      }
      case 'bucket':
        return addBucket(record.bucket)
      case 'unattributed':
        return increase(unattributed, record.rule)
      case 'known':
        known.set(record.hash, record.broken)
        return
      case 'end':
        ended = record
        return
      default:
        record satisfies never
    }
  }

  return {
    apply,
    phase: () => phase,
    buckets,
    steadyFailures,
    leftOut,
    coverage,
    premises,
    classes: () => classes,
    exercisedClasses: () => exercised,
    pace: () => pace,
    crash: () => crash,
    schedules,
    runs: () => runs,
    sessionMs: () => sessionMs,
    hasIndex: (index) => schedules.has(index),
    hasRun: (hash) => hashes.has(hash),
    unexplained: () =>
      [...schedules.values()].flatMap(({ index, workload, broken }) =>
        broken.some((rule) => !steadyFailures.has(`${rule} ${workload}`)) && !explained.has(index)
          ? [index]
          : [],
      ),
    estimate: () => estimateDiscovery(signatures),
    isUnattributable: (rule) => (unattributed.get(rule) ?? 0) >= maxUnattributed,
    unattributed,
    known,
    inconclusive,
    ended: () => ended,
  }
}
