/** The result of a batch: the findings of all verdicts, each assigned to the schedule of its order. */
import { type Finding, isViolation, type Verdict } from '../../core/rules/invariants/verdict.ts'
import { type BatchObserver, type OrderOwner, signatureOf } from './batch-observer.ts'
import type { BatchEntry } from './batch-entry.ts'
import { type BrokenRule, brokenRuleOf } from '../schedules/broken-rule.ts'
import type { BatchResult, ScheduleResult } from '../schedules/result.ts'
import type { ScheduledFault } from '../schedules/schedule.ts'

export interface BatchParts {
  readonly entries: readonly BatchEntry[]
  readonly verdicts: readonly Verdict[]
  readonly batch: BatchObserver
  readonly hasFired: (fault: ScheduledFault) => boolean
  readonly ownerOf: (orderId: string) => OrderOwner | undefined
  readonly stepFailures: readonly (readonly string[])[]
  readonly faultsEndedMs: number
  readonly tookMs: number
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
}: BatchParts): BatchResult {
  const failures = entries.map(() => [] as BrokenRule[])
  const inconclusive = entries.map(() => new Set<string>())
  const unattributed: BrokenRule[] = []
  for (const verdict of verdicts)
    for (const finding of findingsOf(verdict)) {
      const owner = finding.orderId === undefined ? undefined : ownerOf(finding.orderId)
      const entry = owner?.entry ?? (entries.length === 1 ? 0 : undefined)
      if (finding.advice) continue
      if (isViolation(finding)) {
        const list = entry === undefined ? unattributed : failures[entry]
        list?.push(brokenRuleOf(verdict, finding, owner?.slot))
      } else if (entry !== undefined) inconclusive[entry]?.add(verdict.id)
      else for (const each of inconclusive) each.add(verdict.id)
    }
  const results = entries.map(({ schedule }, entry): ScheduleResult => {
    const traces = batch.traces(entry)
    return {
      schedule,
      failures: failures[entry] ?? [],
      inconclusive: [...(inconclusive[entry] ?? [])],
      exercised: schedule.faults.map(hasFired),
      signature: signatureOf(traces),
      traces,
      faultsEndedMs,
      stepFailures: stepFailures[entry] ?? [],
    }
  })
  return {
    results,
    unattributed,
    coverage: batch.coverage(),
    premises: Object.fromEntries(verdicts.map(({ id, premises }) => [id, premises])),
    tookMs,
    pace: batch.pace(),
    points: entries.map((_, entry) => batch.points(entry)),
    sharedPoints: batch.sharedPoints(),
  }
}
