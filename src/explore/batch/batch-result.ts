/**
 * The result of a batch: the findings of all verdicts, each assigned to the schedule of its order; and what is broken while it is
 * played still, so that it can be played again at once.
 */
import type { BatchEntry } from './schedule-runner.ts'
import { type BatchObserver, type OrderOwner, signatureOf } from './batch-observer.ts'
import type { BatchResult, ScheduleResult } from '../schedules/result.ts'
import type { ScheduledFault } from '../schedules/schedule.ts'
import {
  type Finding,
  isFailedVerdict,
  isViolation,
  type Verdict,
} from '../../core/rules/invariants/verdict.ts'
import { type BrokenRule, brokenRuleOf, isForGood } from '../schedules/broken-rule.ts'

export interface BatchParts {
  readonly entries: readonly BatchEntry[]
  readonly verdicts: readonly Verdict[]
  readonly batch: BatchObserver
  readonly hasFired: (fault: ScheduledFault) => boolean
  readonly ownerOf: (orderId: string) => OrderOwner | undefined
  readonly stepFailures: readonly (readonly string[])[]
  readonly faultsEndedMs: readonly number[]
  readonly tookMs: number
  readonly isCutShort: boolean
}

/** The findings of a verdict that count, and those that Sparring's own lateness may have caused. */
const findingsOf = ({ findings, latest = [] }: Verdict): readonly Finding[] => [
  ...new Set([...findings, ...latest]),
]

export function batchResultOf({
  entries,
  verdicts,
  batch,
  hasFired,
  ownerOf,
  stepFailures,
  faultsEndedMs,
  tookMs,
  isCutShort,
}: BatchParts): BatchResult {
  const failures = entries.map(() => [] as BrokenRule[])
  const inconclusive = entries.map(() => new Set<string>())
  const doubts = entries.map(() => [] as BrokenRule[])
  const unattributed: BrokenRule[] = []
  for (const verdict of verdicts)
    for (const finding of findingsOf(verdict)) {
      const owner = finding.orderId === undefined ? undefined : ownerOf(finding.orderId)
      const entry = batch.causeOf(finding) ?? owner?.entry ?? (entries.length === 1 ? 0 : undefined)
      const slot = owner?.entry === entry ? owner?.slot : undefined
      if (finding.advice) continue
      if (isViolation(finding)) {
        const list = entry === undefined ? unattributed : failures[entry]
        list?.push(brokenRuleOf(verdict, finding, slot))
      } else if (entry !== undefined) {
        inconclusive[entry]?.add(verdict.id)
        doubts[entry]?.push(brokenRuleOf(verdict, finding, slot))
      } else for (const each of inconclusive) each.add(verdict.id)
    }
  const results = entries.map(({ schedule }, entry): ScheduleResult => {
    const traces = batch.traces(entry)
    return {
      schedule,
      failures: failures[entry] ?? [],
      inconclusive: [...(inconclusive[entry] ?? [])],
      doubts: doubts[entry] ?? [],
      exercised: schedule.faults.map(hasFired),
      signature: signatureOf(traces),
      traces,
      faultsEndedMs: faultsEndedMs[entry] ?? 0,
      stepFailures: stepFailures[entry] ?? [],
    }
  })
  return {
    results,
    unattributed,
    coverage: batch.coverage(),
    premises: Object.fromEntries(verdicts.map(({ id, premises }) => [id, premises])),
    advice: Object.fromEntries(
      verdicts.flatMap(({ id, findings }) => {
        const { length } = findings.filter(({ advice }) => advice)
        return length > 0 ? [[id, length]] : []
      }),
    ),
    tookMs,
    isCutShort,
    pace: batch.pace(),
    points: entries.map((_, entry) => batch.points(entry)),
    sharedPoints: batch.sharedPoints(),
  }
}

/** What is broken for good while a batch is played. */
export class BrokenSoFar {
  readonly #onBroken: (result: ScheduleResult, entry: number) => void
  readonly #reported = new Set<string>()
  #violations = ''

  constructor(onBroken: (result: ScheduleResult, entry: number) => void) {
    this.#onBroken = onBroken
  }

  /** Hands on the schedules that have broken a rule since the last look. */
  look(verdicts: readonly Verdict[], resultsBy: (broken: readonly Verdict[]) => BatchResult): void {
    const broken = verdicts.filter((each) => isForGood(each) && isFailedVerdict(each))
    const violations = broken.map((each) => `${each.id} ${each.violations}`).join()
    if (violations === this.#violations) return
    this.#violations = violations
    for (const [entry, result] of resultsBy(broken).results.entries()) {
      const texts = result.failures.map(({ rule }) => `${rule} ${entry}`)
      const isNew = texts.some((each) => !this.#reported.has(each))
      for (const each of texts) this.#reported.add(each)
      if (isNew) this.#onBroken(result, entry)
    }
  }
}
