/**
 * The state of a campaign, folded from its records: the same for one that runs, is resumed, or is merged from parts.
 */
import { compact } from '../../core/base/compact.ts'
import { type Bucket, bucketKey, isBetter, isSmaller } from '../investigation/bucket.ts'
import type { CampaignPhase, CampaignRecord } from './campaign-record.ts'
import { addCounts } from '../schedules/coverage.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { SubjectPace } from '../schedules/result.ts'

interface DiscoveryEstimate {
  /** Runs that were counted. */
  readonly runs: number
  /** Runs that look different from each other, by abstract signature. */
  readonly species: number
  /** Probability that the next run has a signature that no run had; 1 before the first run. */
  readonly newProbability: number
}

/**
 * What is left to discover, by Good and Turing: of the runs so far, the share that looked as none
 * had before is the chance that the next one looks new.
 */
export function estimateDiscovery(signatures: ReadonlyMap<string, number>): DiscoveryEstimate {
  let runs = 0
  let singletons = 0
  for (const count of signatures.values()) {
    runs += count
    if (count === 1) singletons++
  }
  return { runs, species: signatures.size, newProbability: runs === 0 ? 1 : singletons / runs }
}

type ScheduleRecord = Extract<CampaignRecord, { readonly type: 'schedule' }>

/** Batches with a broken rule that no schedule alone explains, after which it is not looked for any more. */
const maxUnattributed = 3

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
export const joinedPace = (known: SubjectPace, latest: SubjectPace): SubjectPace => ({
  ...known,
  ...latest,
  ...compact({
    attempts: greater(known.attempts, latest.attempts),
    retryGapMs: greater(known.retryGapMs, latest.retryGapMs),
    attemptsMs: greater(known.attemptsMs, latest.attemptsMs),
    reconcileMs: greater(known.reconcileMs, latest.reconcileMs),
    stepMs: greater(known.stepMs, latest.stepMs),
  }),
})

const greater = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

export class CampaignState {
  /** By rule: how often a verdict was inconclusive. */
  readonly inconclusive = new Map<string, number>()
  /** By hash: the rules that a reproducer of an earlier campaign breaks now. */
  readonly known = new Map<string, readonly string[]>()
  /** By rule: how often it was broken in a batch whose schedules do not break it alone. */
  readonly unattributed = new Map<string, number>()
  /** Schedules that were drawn and run. */
  readonly schedules = new Map<number, ScheduleRecord>()
  readonly premises = new Map<string, number>()
  /** By rule: how often it had advice, which is no failure. */
  readonly advice = new Map<string, number>()
  readonly coverage = new Map<string, number>()
  /** Workloads that cannot be played, and why. */
  readonly leftOut = new Map<string, string>()
  /** `<rule> <workload>` of what is broken without faults. */
  readonly steadyFailures = new Map<string, BrokenRule>()
  /** By `bucketKey`. */
  readonly buckets = new Map<string, Bucket>()
  readonly #hashes = new Set<string>()
  /** Of schedules that were played to their end. */
  readonly #wholeHashes = new Set<string>()
  readonly #signatures = new Map<string, number>()
  readonly #exercised = new Set<string>()
  readonly #explained = new Set<number>()
  #classes: readonly string[] = []
  #phase: CampaignPhase = 'steady'
  #runs = 0
  #sessionMs = 0
  #pace: SubjectPace = {}
  #crash: BrokenRule | undefined
  #ended: Extract<CampaignRecord, { readonly type: 'end' }> | undefined

  apply(record: CampaignRecord): void {
    switch (record.type) {
      case 'phase':
        this.#phase = record.phase
        return
      case 'steady':
        for (const failure of record.failures)
          this.steadyFailures.set(`${failure.rule} ${record.workload}`, failure)
        if (record.leftOut !== undefined) this.leftOut.set(record.workload, record.leftOut)
        return
      case 'space':
        this.#classes = [...new Set([...this.#classes, ...record.classes])].sort()
        return
      case 'batch':
        this.#runs += record.schedules
        this.#sessionMs += record.tookMs
        addCounts(this.coverage, record.coverage)
        addCounts(this.premises, record.premises)
        addCounts(this.advice, record.advice)
        this.#pace = joinedPace(this.#pace, record.pace)
        this.#crash ??= record.crash
        return
      case 'schedule':
        return this.#addSchedule(record)
      case 'hit': {
        this.#deleteUnfinished(record.replaces)
        const bucket = this.buckets.get(record.bucket)
        if (bucket) this.buckets.set(bucket.id, { ...bucket, hits: bucket.hits + 1 })
        if (record.index !== undefined) this.#explained.add(record.index)
        return
      }
      case 'bucket':
        return this.#addBucket(record.bucket, record.replaces)
      case 'unattributed':
        return increase(this.unattributed, record.rule)
      case 'known':
        this.known.set(record.hash, record.broken)
        return
      case 'end':
        this.#ended = record
        return
      default:
        record satisfies never
    }
  }

  phase(): CampaignPhase {
    return this.#phase
  }

  /** All kinds of faults that can be tried. */
  classes(): readonly string[] {
    return this.#classes
  }

  exercisedClasses(): ReadonlySet<string> {
    return this.#exercised
  }

  pace(): SubjectPace {
    return this.#pace
  }

  /** The first crash that was observed. */
  crash(): BrokenRule | undefined {
    return this.#crash
  }

  /** All runs, those of investigations included. */
  runs(): number {
    return this.#runs
  }

  /** Session time of all batches, in ms. */
  sessionMs(): number {
    return this.#sessionMs
  }

  hasIndex(index: number): boolean {
    const known = this.schedules.get(index)
    return known !== undefined && !known.cutShort
  }

  /** To its end: what was cut short is run again. */
  hasRun(hash: string): boolean {
    return this.#wholeHashes.has(hash)
  }

  /** Whether any schedule was played to its end. */
  hasWhole(): boolean {
    return this.#wholeHashes.size > 0
  }

  /** Numbers of schedules that failed and are in no bucket. */
  unexplained(): readonly number[] {
    return [...this.schedules.values()].flatMap(({ index, workload, broken }) =>
      broken.some((rule) => !this.steadyFailures.has(`${rule} ${workload}`)) &&
      !this.#explained.has(index)
        ? [index]
        : [],
    )
  }

  estimate(): DiscoveryEstimate {
    return estimateDiscovery(this.#signatures)
  }

  isUnattributable(rule: string): boolean {
    return (this.unattributed.get(rule) ?? 0) >= maxUnattributed
  }

  ended(): Extract<CampaignRecord, { readonly type: 'end' }> | undefined {
    return this.#ended
  }

  /** What was recorded of a failure before it was shrunk: it explains no other one, so it has a single hit. */
  #deleteUnfinished(id: string | undefined): void {
    if (id !== undefined) this.buckets.delete(bucketKey({ id, unfinished: true }))
  }

  /**
   * Each record of a bucket comes from a failing schedule of its own (a cause that is not certain is investigated more than once,
   * and parts find the same one), so the hits of equal ids add up. Those of a bucket that is replaced do not: it had another
   * trigger, and whether it was the same cause is not known. What was recorded before it was shrunk is the same failure.
   */
  #addBucket(bucket: Bucket, replaces?: string): void {
    // One that was not shrunk to its end is investigated again.
    if (bucket.foundAt !== undefined && !bucket.unfinished) this.#explained.add(bucket.foundAt)
    this.#deleteUnfinished(replaces)
    this.#deleteUnfinished(bucket.id)
    if (bucket.unfinished) {
      this.buckets.set(bucketKey(bucket), bucket)
      return
    }
    const others = [...this.buckets.values()]
    if (others.some((other) => isSupersededBy(bucket, other))) return
    for (const other of others) if (isSupersededBy(other, bucket)) this.buckets.delete(other.id)
    const before = this.buckets.get(bucket.id)
    const kept = before && !isBetter(bucket, before) ? before : bucket
    const hits = bucket.hits + (before?.hits ?? 0)
    this.buckets.set(bucket.id, { ...kept, hits })
  }

  #addSchedule(record: ScheduleRecord): void {
    if (this.hasIndex(record.index)) return
    this.schedules.set(record.index, record)
    // Two parts of a campaign may both run what the whole runs once.
    if (!this.#hashes.has(record.hash)) increase(this.#signatures, record.signature)
    this.#hashes.add(record.hash)
    if (!record.cutShort) this.#wholeHashes.add(record.hash)
    for (const each of record.exercised) this.#exercised.add(each)
    for (const each of record.inconclusive) increase(this.inconclusive, each)
  }
}

/** What screens and reporters receive while a campaign runs. */
export interface CampaignProgress {
  readonly record: CampaignRecord
  /** After the record. */
  readonly state: CampaignState
  /** Wall-clock time since the beginning, in ms. */
  readonly tookMs: number
  /** Schedules that run side by side. */
  readonly width: number
  /** Of the sessions that are open: how many there are, and how many calls all sessions have had so far. */
  readonly activity: { readonly sessions: number; readonly exchanges: number }
}
