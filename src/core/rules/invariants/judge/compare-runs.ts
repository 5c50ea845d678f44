/**
 * Compares the outcomes of several runs of one story: CV-11 (another order of events) and CV-12 (another channel). The
 * caller stores the judge's outcomes of each run with the name of its variant ("with CONFIRMED last", "by webhook").
 * The first run is the baseline. Variants must be equivalent: deliveries that commute, and the same faults or none.
 */
import type { ComparableOutcome, Invariant } from '../invariant.ts'
import type { RunOutcomes } from './judge.ts'
import { type Finding, maxFindings, type Verdict } from '../verdict.ts'

export interface ComparedRun {
  /** Name of the variant, as the end of a sentence: "by webhook". */
  readonly variant: string
  readonly endings: RunOutcomes
}

interface Compared {
  readonly premises: number
  readonly findings: readonly Finding[]
}

function differences(
  baseline: ComparedRun,
  other: ComparedRun,
  [before, after]: readonly [readonly ComparableOutcome[], readonly ComparableOutcome[]],
): Compared {
  const bySlot = new Map(after.map((ending) => [ending.slot, ending]))
  const findings = before.flatMap(({ slot, signature }): readonly Finding[] => {
    const ending = bySlot.get(slot)
    if (!ending || ending.signature === signature) return []
    const { evidence } = ending
    return [
      {
        because: `${slot} ended differently ${other.variant} (${ending.signature}) than ${baseline.variant || 'in the first run'} (${signature}).`,
        at: evidence.at(-1)?.at ?? 0,
        slot,
        evidence,
      },
    ]
  })
  return { premises: before.filter(({ slot }) => bySlot.has(slot)).length, findings }
}

/** The verdict of one invariant over the runs of one story. */
export function compareRuns(invariant: Invariant, runs: readonly ComparedRun[]): Verdict {
  const { id, name, sentence, remedy, kind, clauses, premise } = invariant
  const [baseline, ...others] = runs
  const endingsIn = (run: ComparedRun | undefined): readonly ComparableOutcome[] =>
    run?.endings.get(id) ?? []
  const compared = others.map((other) =>
    baseline
      ? differences(baseline, other, [endingsIn(baseline), endingsIn(other)])
      : { premises: 0, findings: [] },
  )
  const findings = compared.flatMap((each) => each.findings)
  const premises = compared.reduce((sum, each) => sum + each.premises, 0)
  return {
    id,
    name,
    sentence,
    remedy,
    kind,
    clauses,
    outcome: findings.length > 0 ? 'failed' : premises > 0 ? 'passed' : 'not-exercised',
    premises,
    premise,
    violations: findings.length,
    inconclusive: 0,
    findings: findings.slice(0, maxFindings),
  }
}
