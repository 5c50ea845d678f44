/**
 * Compares runs of one scenario that must end the same: over each channel (CV-12), and with independent handovers in any
 * order (CV-11). The invariants that compare runs define "the same".
 */
import { invariants } from '../rules/invariants/catalogue.ts'
import { compareRuns } from '../rules/invariants/judge/compare-runs.ts'
import type { ScenarioFailure, ScenarioOutcome } from './outcome.ts'

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
