/**
 * What becomes of failures: those that a bucket explains count to it, the others are investigated, one of each rule at a time,
 * because the others are often explained by what comes of it. Each is played again at once; its bucket is recorded before it
 * is shrunk.
 */
import { compact } from '../../core/base/compact.ts'
import type { InvariantKind } from '../../core/rules/invariants/verdict.ts'
import { type Bucket, explains, isSameCause } from '../investigation/bucket.ts'
import type { CampaignRecord } from './campaign-record.ts'
import type { CampaignState } from './campaign-state.ts'
import { mapConcurrently } from '../../core/base/concurrent-tasks.ts'
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
import type { ScheduleBatches } from './schedule-batches.ts'
import { type Schedule, type ScheduledFault, scheduleHash } from '../schedules/schedule.ts'
import type { Workload } from '../workloads/workload.ts'

/** Different causes of one rule that are distinguished; beyond them a failure counts to the first. */
export const maxBucketsOfRule = 5
/** Failures with the trigger of a bucket that is not certain are investigated until there are so many. */
const maxDoubtfulHits = 3
/** The same of one rule at the same time. */
const maxOfRule = 2
/** Workloads that break a rule without faults of which it is tried whether they break it again. */
const maxSteadyOfRule = 4
/** What may have been broken is played again so often. */
const maxDoubtsOfRule = 3
/** Investigations at the same time. */
const maxInvestigations = 8
/** Failures that wait to be investigated. */
const maxWaiting = 500

export interface FailuresOptions {
  readonly state: CampaignState
  readonly workloads: ReadonlyMap<string, Workload>
  readonly kindOf: (rule: string) => InvariantKind
  readonly record: (record: CampaignRecord) => Promise<void>
  /** Runs schedules to learn whether they break these rules, equal ones once. */
  readonly run: (
    schedules: readonly Schedule[],
    rules: readonly string[],
  ) => Promise<readonly ScheduleResult[]>
  /** Plays the kept scenario of a schedule. */
  readonly runAgain: (schedule: Schedule, attempt: number, rule: string) => Promise<ReplayResult>
  /** Says what is run next: others may have it played beforehand. */
  readonly expect?: ScheduleBatches['expect']
  /** How many sessions run at the same time at most. */
  readonly sessions: () => number
  /** The same of sessions with a single schedule. */
  readonly sessionsForOne?: (() => number) | undefined
  /** What was found is played again beside the search. */
  readonly isBeside?: boolean | undefined
}

/** `confirm`: what failed is played again. `shrink`: of what is certain, a smaller reproducer is looked for. */
export type InquiryStage = 'confirm' | 'shrink'

interface Inquiry {
  readonly rule: string
  readonly suspicion: Suspicion
  readonly investigation: Investigation
  request: RunRequest
  results: readonly InvestigatedRun[]
  isPlaying: boolean
  /** The bucket that is recorded before it is shrunk. */
  recorded?: Bucket
}

const stageOf = ({ request: { soFar } }: Inquiry): InquiryStage =>
  soFar?.status === 'confirmed' ? 'shrink' : 'confirm'

interface WaitingFailure {
  readonly result: InvestigatedRun
  readonly failure: BrokenRule
  readonly index: number | undefined
  readonly coupling: readonly ScheduledFault[]
  readonly isDoubt?: true
}

/** First causes only, one of each rule: what follows from another broken rule is shown with it. */
export function firstFailures({ failures }: Pick<ReplayResult, 'failures'>): readonly BrokenRule[] {
  const rules = new Set(failures.map(({ rule }) => rule))
  const causes = failures.filter(({ follows }) => follows === undefined || !rules.has(follows))
  const first = new Map<string, BrokenRule>()
  for (const each of causes) if (!first.has(each.rule)) first.set(each.rule, each)
  return [...first.values()]
}

/** How often it was played again before; undefined where it is run in a batch of its own. */
function attemptAt({ how, schedules }: RunRequest, place: number): number | undefined {
  if (how !== 'again') return undefined
  return schedules.slice(0, place).filter((each) => each === schedules[place]).length
}

const earlyKey = ({ schedule }: InvestigatedRun, { rule }: BrokenRule): string =>
  `${rule} ${scheduleHash(schedule)}`

export class Failures {
  readonly #options: FailuresOptions
  readonly #state: FailuresOptions['state']
  #waiting: readonly WaitingFailure[] = []
  #inquiries: readonly Inquiry[] = []
  /** Of schedules that are still played: what was broken in them is investigated already. */
  readonly #early = new Set<string>()

  /** By rule: how often it was played again what may have broken it. */
  readonly #doubts = new Map<string, number>()
  /** What was found is played again beside the search. */
  readonly isBeside: boolean

  constructor(options: FailuresOptions) {
    this.#options = options
    this.#state = options.state
    this.isBeside = options.isBeside === true
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
      if (this.#early.has(earlyKey(result, failure))) {
        if (known) explaining.add(known)
      } else if (known) {
        explaining.add(known)
        await this.#hit(known, index)
      } else if (this.#waiting.length < maxWaiting)
        this.#waiting = [...this.#waiting, { result, failure, index, coupling }]
    }
    return [...explaining]
  }

  /** The same of a schedule that is still played: what is known of it later is the same failure. */
  async addEarly(result: InvestigatedRun, index: number): Promise<void> {
    await this.add(result, index)
    for (const failure of firstFailures(result)) this.#early.add(earlyKey(result, failure))
  }

  /** Has it played again alone what may be broken in a run, where Sparring was late in company. */
  addDoubts(result: ScheduleResult, index?: number): void {
    const { doubts: failures = [] } = result
    for (const failure of firstFailures({ failures })) {
      const { rule } = failure
      const tried = this.#doubts.get(rule) ?? 0
      const isSteady = this.#state.steadyFailures.has(`${rule} ${result.schedule.workload}`)
      if (!this.isBeside || isSteady || this.#isKnown(rule) || tried >= maxDoubtsOfRule) continue
      this.#doubts.set(rule, tried + 1)
      const doubt = { result: { ...result, failures }, failure, index, coupling: [] }
      this.#waiting = [...this.#waiting, { ...doubt, isDoubt: true }]
    }
  }

  /**
   * Has the failures of a run without faults investigated: one of each rule, and those of some other workloads where it may take
   * what was ordered by chance to show one.
   */
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

  /** Whether a round can be played of investigations in this stage. */
  canAdvance(stage: InquiryStage): boolean {
    return (
      this.#inquiries.some((each) => !each.isPlaying && stageOf(each) === stage) ||
      (stage === 'confirm' && this.#waiting.some((each) => this.#canStart(each)))
    )
  }

  /**
   * Takes the investigations in these stages one round further, those that are played meanwhile left out; false when there
   * are none.
   */
  async advance(stages: readonly InquiryStage[] = ['confirm', 'shrink']): Promise<boolean> {
    if (stages.includes('confirm')) await this.#startInvestigations()
    const round = this.#inquiries.filter(
      (each) => !each.isPlaying && stages.includes(stageOf(each)),
    )
    if (round.length === 0) return false
    for (const each of round) each.isPlaying = true
    const parts = [() => this.#runAlone(round), () => this.#runShared(round)]
    await mapConcurrently(parts, this.#options.sessions(), (play) => play())
    const ended = new Set<Inquiry>()
    for (const each of round) {
      if (!(await this.#resume(each))) ended.add(each)
      each.isPlaying = false
    }
    this.#inquiries = this.#inquiries.filter((each) => !ended.has(each))
    return true
  }

  /** Keeps what is not investigated to its end as it is: there is no time left. */
  async giveUp(): Promise<void> {
    const runs = this.#state.runs()
    const { kindOf } = this.#options
    const inquiries = this.#inquiries
    const waiting = this.#waiting
    this.#inquiries = []
    this.#waiting = []
    for (const { suspicion, request, recorded } of inquiries)
      if (request.soFar ?? !suspicion.isDoubt)
        await this.#conclude(request.soFar ?? unconfirmedBucket(suspicion, kindOf), recorded)
    for (const each of waiting)
      if (!each.isDoubt) await this.#conclude(unconfirmedBucket({ ...each, runs }, kindOf))
  }

  /** Whether a rule has a bucket that explains a run, or so many that no further one is looked for. */
  isExplained(result: InvestigatedRun, rule: string): boolean {
    return this.#bucketFor(result, rule) !== undefined
  }

  /** What is still shrunk explains nothing yet: it may need less. */
  #finished(): readonly Bucket[] {
    return [...this.#state.buckets.values()].filter(({ unfinished }) => !unfinished)
  }

  #bucketsOf(rule: string): readonly Bucket[] {
    return this.#finished().filter((bucket) => bucket.rule === rule)
  }

  /** One of each rule at a time; another of another workload where sessions can be open beside those of the search. */
  #canStart({ failure: { rule }, result: { schedule } }: WaitingFailure): boolean {
    const same = this.#inquiries.filter((each) => each.rule === rule)
    const isAnother = same.every(
      ({ suspicion, request: { soFar } }) =>
        soFar?.status !== 'confirmed' && suspicion.result.schedule.workload !== schedule.workload,
    )
    const max = this.isBeside ? maxOfRule : 1
    return this.#inquiries.length < maxInvestigations && same.length < max && isAnother
  }

  /** The bucket that a failure belongs to: one that is not certain does not hide one that is for long. */
  #bucketFor(result: InvestigatedRun, rule: string): Bucket | undefined {
    const isSteady = (bucket: Bucket): boolean =>
      bucket.rule === rule && [bucket, result].every(({ schedule }) => schedule.faults.length === 0)
    const explaining = this.#finished().filter(
      (each) => explains(each, result, rule) || (each.status === 'confirmed' && isSteady(each)),
    )
    const known = this.#bucketsOf(rule)
    return (
      explaining.find(({ status }) => status === 'confirmed') ??
      explaining.find(({ hits }) => hits >= maxDoubtfulHits) ??
      (known.length >= maxBucketsOfRule ? known[0] : undefined)
    )
  }

  /** What is about no single order shows soonest where there are most. */
  #companyOf({ result: { schedule }, failure: { slot } }: WaitingFailure): number {
    const { orders = {} } = this.#options.workloads.get(schedule.workload) ?? {}
    return slot === undefined ? Object.keys(orders).length : 0
  }

  #hit({ id }: Bucket, index: number | undefined, replaced?: Bucket): Promise<void> {
    const more = compact({ index, replaces: replaced?.id })
    return this.#options.record({ type: 'hit', bucket: id, ...more })
  }

  async #startInvestigations(): Promise<void> {
    const left: WaitingFailure[] = []
    const found = this.#waiting.toSorted(
      (one, other) => this.#companyOf(other) - this.#companyOf(one),
    )
    this.#waiting = []
    for (const one of found) {
      const { result, failure, index } = one
      const known = this.#bucketFor(result, failure.rule)
      if (known) await this.#hit(known, index)
      else if (!this.#canStart(one)) left.push(one)
      else {
        const suspicion = { ...one, runs: this.#state.runs() }
        const investigation = investigate(suspicion, this.#options.workloads, this.#options.kindOf)
        const step = investigation.next()
        const request = step.done === true ? undefined : step.value
        if (request)
          this.#inquiries = [
            ...this.#inquiries,
            {
              rule: failure.rule,
              suspicion,
              investigation,
              request,
              results: [],
              isPlaying: false,
            },
          ]
      }
    }
    // Others may have come meanwhile.
    this.#waiting = [...left, ...this.#waiting]
  }

  /** `recorded`: what was recorded of the same failure before it was shrunk. */
  async #conclude(bucket: Bucket, recorded?: Bucket): Promise<void> {
    const same = this.#finished().find((each) => isSameCause(each, bucket))
    if (same) return this.#hit(same, bucket.foundAt, recorded)
    const [known] = this.#bucketsOf(bucket.rule)
    // One that is not certain is of use only as long as nothing better is known of the rule.
    if (bucket.status !== 'confirmed' && known) return this.#hit(known, bucket.foundAt)
    return this.#options.record({
      type: 'bucket',
      bucket,
      ...compact({ replaces: recorded?.id }),
    })
  }

  /** Resumes an investigation with its results; false when it has ended. */
  async #resume(inquiry: Inquiry): Promise<boolean> {
    const step = inquiry.investigation.next(inquiry.results)
    if (step.done === true) {
      if (!inquiry.suspicion.isDoubt || step.value.failed > 0)
        await this.#conclude(step.value, inquiry.recorded)
      return false
    }
    inquiry.request = step.value
    const { soFar } = step.value
    if (stageOf(inquiry) === 'shrink' && soFar && !inquiry.recorded) {
      const bucket = { ...soFar, unfinished: true as const }
      inquiry.recorded = bucket
      await this.#options.record({ type: 'bucket', bucket })
    }
    return true
  }

  #isKnown(rule: string): boolean {
    const { length } = this.#waiting.filter(({ failure }) => failure.rule === rule)
    return this.#bucketsOf(rule).length > 0 || length >= (this.isBeside ? maxSteadyOfRule : 1)
  }

  /** Runs the schedules of all inquiries that are to be played in sessions of their own. */
  async #runAlone(round: readonly Inquiry[]): Promise<void> {
    const own = round.filter(({ request }) => request.how !== 'shared')
    const plays = own.flatMap((inquiry) =>
      inquiry.request.schedules.map((schedule, place) => ({
        inquiry,
        schedule,
        attempt: attemptAt(inquiry.request, place),
      })),
    )
    type Play = (typeof plays)[number]
    const playAlone = async (play: Play): Promise<readonly InvestigatedRun[]> => {
      const { inquiry, schedule, attempt } = play
      if (attempt === undefined) return this.#options.run([schedule], [inquiry.rule])
      return [await this.#options.runAgain(schedule, attempt, inquiry.rule)]
    }
    this.#options.expect?.(
      plays.map(({ schedule, attempt }) => ({ schedules: [schedule], attempt })),
      true,
    )
    const { sessions, sessionsForOne = sessions } = this.#options
    const found = await mapConcurrently(plays, sessionsForOne(), playAlone)
    for (const inquiry of own)
      inquiry.results = found.flatMap((runs, at) => (plays[at]?.inquiry === inquiry ? runs : []))
  }

  async #runShared(round: readonly Inquiry[]): Promise<void> {
    const shared = round.filter(({ request }) => request.how === 'shared')
    const rules = [...new Set(shared.map(({ rule }) => rule))].sort()
    const found = await this.#options.run(
      shared.flatMap(({ request }) => request.schedules),
      rules,
    )
    let at = 0
    for (const inquiry of shared) {
      const end = at + inquiry.request.schedules.length
      inquiry.results = found.slice(at, end)
      at = end
    }
  }
}
