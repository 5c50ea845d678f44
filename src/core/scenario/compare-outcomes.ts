/**
 * Compares runs of one scenario that must end the same: over each channel (CV-12), and with independent handovers in any
 * order (CV-11). The invariants that compare runs define "the same".
 */
import { invariants } from '../rules/invariants/catalogue.ts'
import type { ScenarioFailure, ScenarioOutcome } from './outcome.ts'
import type { ComparableOutcome, Invariant } from '../rules/invariants/invariant.ts'
import type { RunOutcomes } from '../rules/invariants/judge/judge.ts'
import { type Finding, maxFindings, type Verdict } from '../rules/invariants/verdict.ts'

/**
 * Compares the outcomes of several runs of one story: CV-11 (another order of events) and CV-12 (another channel). The
 * caller stores the judge's outcomes of each run with the name of its variant ("with CONFIRMED last", "by webhook").
 * The first run is the baseline. Variants must be equivalent: deliveries that commute, and the same faults or none.
 */
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

/** What distinguishes a run, as in "o1 ended differently by webhook". */
function variantOf({ run }: ScenarioOutcome, byChannel: boolean): string {
  if (!byChannel) return `in "${run.title}"`
  return run.channel === 'both' ? 'by both channels' : `by ${run.channel}`
}

/** Differences between the runs of one group; each run is compared with the first. */
export function compareOutcomes(outcomes: readonly ScenarioOutcome[]): readonly ScenarioFailure[] {
  const [first, ...others] = outcomes
  if (!first || others.length === 0) return []
  const byChannel = others.some(({ run }) => run.channel !== first.run.channel)
  const id = byChannel ? 'CV-12' : 'CV-11'
  const invariant = invariants.find((each) => each.id === id)
  if (!invariant) return []
  const verdict = compareRuns(
    invariant,
    outcomes.map((outcome) => ({
      variant: variantOf(outcome, byChannel),
      endings: outcome.endings,
    })),
  )
  if (verdict.outcome !== 'failed') return []
  const [finding] = verdict.findings
  const because = `${id} failed: ${finding?.because ?? verdict.sentence}`
  const path = ['variants', byChannel ? 'channels' : 'faults']
  return [{ kind: 'invariant', path, because, verdict }]
}
