/**
 * Checks that a scenario catches its defect: the reference subject with that defect breaks the named invariant in at
 * least one run.
 */
import type { LoadedRun } from '../../src/terminal/cli/run/load-scenarios.ts'
import { type DefectName, isDefectName } from '../../src/demo/defects.ts'
import { compareOutcomes } from '../../src/core/scenario/compare-outcomes.ts'
import type { ScenarioOutcome } from '../../src/core/scenario/outcome.ts'
import type { Verdict } from '../../src/core/rules/invariants/verdict.ts'
import type { ScenarioRun } from '../../src/core/scenario/runs.ts'
import { playInProcess } from './play-scenario-in-process.ts'

/** Whether it is about what the reference service does: it is a POS without tables. */
export const isForReference = ({ run: { scenario } }: LoadedRun): boolean =>
  scenario.subject === 'software-service' && scenario.session.capabilities?.indoor !== true

export interface ScenarioCheck {
  readonly file: string
  readonly name: string
  readonly defect: DefectName
  readonly breaks: string
  readonly runs: readonly ScenarioRun[]
}

/** The checks of all scenarios, each with the runs that may show the defect. */
export function scenarioChecks(loaded: readonly LoadedRun[]): readonly ScenarioCheck[] {
  const scenarios = Map.groupBy(loaded, ({ file }) => file)
  return [...scenarios].flatMap(([file, same]) => {
    const runs = same.map(({ run }) => run)
    const { name = '', proof = [] } = runs[0]?.scenario ?? {}
    return proof.map(({ defect, breaks }) => {
      if (!isDefectName(defect)) throw new Error(`${file}: there is no defect ${defect}`)
      return { file, name, defect, breaks, runs }
    })
  })
}

const isBroken = (verdicts: readonly Verdict[], rule: string): boolean =>
  verdicts.some(({ id, outcome }) => id === rule && outcome === 'failed')

/** Undefined when the rule failed; otherwise the rules that failed instead. */
export async function missedDefect({
  runs,
  defect,
  breaks,
}: ScenarioCheck): Promise<string | undefined> {
  const failed = new Set<string>()
  const groups = new Map<string, ScenarioOutcome[]>()
  let steps = 0
  for (const run of runs) {
    const outcome = await playInProcess(run, {
      defects: [defect],
      // The rest of the run would not change it. A verdict takes as long as several steps.
      isDecided: ({ verdicts }) => ++steps % 8 === 0 && isBroken(verdicts(), breaks),
    })
    for (const verdict of outcome.verdicts) if (verdict.outcome === 'failed') failed.add(verdict.id)
    const group = [...(groups.get(run.group ?? run.title) ?? []), outcome]
    groups.set(run.group ?? run.title, group)
    for (const { verdict } of compareOutcomes(group)) if (verdict) failed.add(verdict.id)
    if (failed.has(breaks)) return undefined
  }
  const found = failed.size > 0 ? [...failed].join(', ') : 'nothing'
  return `${defect} does not break ${breaks}, but ${found}`
}
