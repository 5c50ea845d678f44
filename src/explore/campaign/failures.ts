/**
 * What becomes of failures: those that a bucket explains count to it, the others are investigated, one of each rule at a time,
 * because the others are often explained by what comes of it.
 */
import type { InvariantKind } from '../../core/rules/invariants/verdict.ts'
import { type Bucket, explains, isSameCause } from '../investigation/bucket.ts'
import type { CampaignRecord } from './campaign-record.ts'
import type { CampaignState } from './campaign-state.ts'
import { mapConcurrently } from '../batch/concurrent-tasks.ts'
import {
  type InvestigatedRun,
  type Investigation,
  investigate,
  type RunRequest,
  type Suspicion,
  unconfirmedBucket,
} from '../investigation/investigation.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { ReplayResult, ScheduleResult } from '../schedules/result.ts'
import type { Schedule, ScheduledFault } from '../schedules/schedule.ts'
import type { Workload } from '../workloads/workload.ts'

/** Different causes of one rule that are distinguished; beyond them a failure counts to the first. */
export const maxBucketsOfRule = 5
/** Failures with the trigger of a bucket that is not certain are investigated until there are so many. */
const maxDoubtfulHits = 3
/** Investigations at the same time. */
const maxInvestigations = 8
/** Failures that wait to be investigated. */
const maxWaiting = 500

export interface FailuresOptions {
  readonly state: CampaignState
  readonly workloads: ReadonlyMap<string, Workload>
  readonly kindOf: (rule: string) => InvariantKind
  readonly record: (record: CampaignRecord) => Promise<void>
  /** Runs schedules, equal ones once. */
  readonly run: (schedules: readonly Schedule[]) => Promise<readonly ScheduleResult[]>
  /** Plays the kept scenario of a schedule. */
  readonly runAgain: (schedule: Schedule, attempt: number) => Promise<ReplayResult>
  /** How many sessions run at the same time at most. */
  readonly sessions: () => number
  /** Aborts when the campaign is to end: what is cut short then says nothing. */
  readonly enough?: AbortSignal
}

interface Inquiry {
  readonly rule: string
  readonly suspicion: Suspicion
  readonly investigation: Investigation
  request: RunRequest
  results: readonly InvestigatedRun[]
}

interface WaitingFailure {
  readonly result: InvestigatedRun
  readonly failure: BrokenRule
  readonly index: number | undefined
  readonly coupling: readonly ScheduledFault[]
}

/** First causes only, one of each rule: what follows from another broken rule is shown with it. */
export function firstFailures({ failures }: Pick<ReplayResult, 'failures'>): readonly BrokenRule[] {
  const rules = new Set(failures.map(({ rule }) => rule))
  const causes = failures.filter(({ follows }) => follows === undefined || !rules.has(follows))
  const first = new Map<string, BrokenRule>()
  for (const each of causes) if (!first.has(each.rule)) first.set(each.rule, each)
  return [...first.values()]
}

export class Failures {
  readonly #options: FailuresOptions
  readonly #state: FailuresOptions['state']
  #waiting: readonly WaitingFailure[] = []
  #inquiries: readonly Inquiry[] = []

  constructor(options: FailuresOptions) {
    this.#options = options
    this.#state = options.state
  }

  /**
   * Sorts the failures of a run into buckets, or has them investigated; returns the buckets that explain some of them.
   */
  async add(
    result: InvestigatedRun,
    index?: number,
    /** Faults of other schedules of the batch that act beyond their orders. */
    coupling: readonly ScheduledFault[] = [],
  ): Promise<readonly Bucket[]> {
    const explaining = new Set<Bucket>()
    for (const failure of firstFailures(result)) {
      if (this.#state.steadyFailures.has(`${failure.rule} ${result.schedule.workload}`)) continue
      const known = this.#bucketFor(result, failure.rule)
      if (known) {
        explaining.add(known)
        await this.#hit(known, index)
      } else if (this.#waiting.length < maxWaiting)
        this.#waiting = [...this.#waiting, { result, failure, index, coupling }]
    }
    return [...explaining]
  }

  /** Has the failures of a run without faults investigated, one of each rule. */
  addSteady(result: ScheduleResult): void {
    const found = firstFailures(result)
      .filter(({ rule }) => !this.#isKnown(rule))
      .map((failure) => ({ result, failure, index: undefined, coupling: [] }))
    this.#waiting = [...this.#waiting, ...found]
  }

  /** Whether any failure is or waits to be investigated. */
  areOpen(): boolean {
    return this.#waiting.length > 0 || this.#inquiries.length > 0
  }

  /** Takes all investigations one round further; false when there are none. */
  async advance(): Promise<boolean> {
    await this.#startInvestigations()
    if (this.#inquiries.length === 0) return false
    await mapConcurrently([this.#runAlone, this.#runShared], this.#options.sessions(), (play) =>
      play(),
    )
    if (this.#options.enough?.aborted) return false
    const open: Inquiry[] = []
    for (const inquiry of this.#inquiries) if (await this.#resume(inquiry)) open.push(inquiry)
    this.#inquiries = open
    return true
  }

  /** Keeps what is not investigated to its end as it is: there is no time left. */
  async giveUp(): Promise<void> {
    const runs = this.#state.runs()
    const left = [
      ...this.#inquiries.map(({ suspicion }) => suspicion),
      ...this.#waiting.map((each) => ({ ...each, runs })),
    ]
    this.#inquiries = []
    this.#waiting = []
    for (const each of left)
      await this.#conclude(unconfirmedBucket(each, this.#options.kindOf), each.failure.rule)
  }

  /** Whether a rule has a bucket that explains a run, or so many that no further one is looked for. */
  isExplained(result: InvestigatedRun, rule: string): boolean {
    return this.#bucketFor(result, rule) !== undefined
  }

  #bucketsOf(rule: string): readonly Bucket[] {
    return [...this.#state.buckets.values()].filter((bucket) => bucket.rule === rule)
  }

  /** The bucket that a failure belongs to: one that is not certain does not hide one that is for long. */
  #bucketFor(result: InvestigatedRun, rule: string): Bucket | undefined {
    const explaining = [...this.#state.buckets.values()].filter((each) =>
      explains(each, result, rule),
    )
    const known = this.#bucketsOf(rule)
    return (
      explaining.find(({ status }) => status === 'confirmed') ??
      explaining.find(({ hits }) => hits >= maxDoubtfulHits) ??
      (known.length >= maxBucketsOfRule ? known[0] : undefined)
    )
  }

  #hit({ id }: Bucket, index: number | undefined): Promise<void> {
    return this.#options.record({
      type: 'hit',
      bucket: id,
      ...(index === undefined ? {} : { index }),
    })
  }

  async #startInvestigations(): Promise<void> {
    const left: WaitingFailure[] = []
    const found = this.#waiting
    this.#waiting = []
    for (const one of found) {
      const { result, failure, index } = one
      const known = this.#bucketFor(result, failure.rule)
      if (known) await this.#hit(known, index)
      else if (
        this.#inquiries.length >= maxInvestigations ||
        this.#inquiries.some(({ rule }) => rule === failure.rule)
      )
        left.push(one)
      else {
        const suspicion = { ...one, runs: this.#state.runs() }
        const investigation = investigate(suspicion, this.#options.workloads, this.#options.kindOf)
        const step = investigation.next()
        const request = step.done === true ? undefined : step.value
        if (request)
          this.#inquiries = [
            ...this.#inquiries,
            { rule: failure.rule, suspicion, investigation, request, results: [] },
          ]
      }
    }
    // Others may have come meanwhile.
    this.#waiting = [...left, ...this.#waiting]
  }

  async #conclude(bucket: Bucket | undefined, rule: string): Promise<void> {
    if (!bucket) return this.#options.record({ type: 'unattributed', rule })
    const same = [...this.#state.buckets.values()].find((each) => isSameCause(each, bucket))
    if (same) return this.#hit(same, bucket.foundAt)
    const [known] = this.#bucketsOf(rule)
    // One that is not certain is of use only as long as nothing better is known of the rule.
    if (bucket.status !== 'confirmed' && known) return this.#hit(known, bucket.foundAt)
    return this.#options.record({ type: 'bucket', bucket })
  }

  /** Resumes an investigation with its results; false when it has ended. */
  async #resume(inquiry: Inquiry): Promise<boolean> {
    const step = inquiry.investigation.next(inquiry.results)
    if (step.done !== true) {
      inquiry.request = step.value
      return true
    }
    await this.#conclude(step.value, inquiry.rule)
    return false
  }

  #isKnown(rule: string): boolean {
    return (
      this.#bucketsOf(rule).length > 0 || this.#waiting.some(({ failure }) => failure.rule === rule)
    )
  }

  /** Runs the schedules of all inquiries that are to be played in sessions of their own. */
  readonly #runAlone = async (): Promise<void> => {
    const own = this.#inquiries.filter(({ request }) => request.how !== 'shared')
    const plays = own.flatMap((inquiry) =>
      inquiry.request.schedules.map((schedule, place) => ({ inquiry, schedule, place })),
    )
    type Play = (typeof plays)[number]
    const playAlone = async (play: Play): Promise<readonly InvestigatedRun[]> => {
      const { inquiry, schedule, place } = play
      const { how, schedules } = inquiry.request
      if (how !== 'again') return this.#options.run([schedule])
      const attempt = schedules.slice(0, place).filter((each) => each === schedule).length
      return [await this.#options.runAgain(schedule, attempt)]
    }
    const found = await mapConcurrently(plays, this.#options.sessions(), playAlone)
    for (const inquiry of own)
      inquiry.results = found.flatMap((runs, at) => (plays[at]?.inquiry === inquiry ? runs : []))
  }

  readonly #runShared = async (): Promise<void> => {
    const shared = this.#inquiries.filter(({ request }) => request.how === 'shared')
    const found = await this.#options.run(shared.flatMap(({ request }) => request.schedules))
    let at = 0
    for (const inquiry of shared) {
      const end = at + inquiry.request.schedules.length
      inquiry.results = found.slice(at, end)
      at = end
    }
  }
}
