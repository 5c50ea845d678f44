/** SARIF 2.1.0 for code scanning: invariants are the rules, scenario files the locations. */
import { isInconclusiveVerdict, type Verdict } from '../../../../core/rules/invariants/verdict.ts'
import type { ScenarioReport, RunReport } from '../report.ts'
import { failureText } from './pretty.ts'
import { defineReporter } from './reporter.ts'
import {
  invariantSarifRule,
  sarifDocument,
  sarifLocation,
  type SarifRule,
} from '../../reporters/sarif-document.ts'

const ownRules: readonly SarifRule[] = [
  { id: 'step', name: 'Step', shortDescription: { text: 'A step of a scenario can be done.' } },
  {
    id: 'expectation',
    name: 'Expectation',
    shortDescription: { text: 'What a scenario expects is so in the end.' },
  },
]

function rulesOf({ runs, clauses }: ScenarioReport): readonly SarifRule[] {
  const byId = new Map<string, SarifRule>()
  for (const { outcome } of runs)
    for (const verdict of outcome?.verdicts ?? [])
      byId.set(verdict.id, invariantSarifRule(verdict, clauses))
  return [...ownRules, ...byId.values()]
}

const doubtText = ({ id, findings }: Verdict): string =>
  findings.find(({ lagMs }) => lagMs !== undefined)?.because ?? id

function resultsOf(run: RunReport, index: (id: string) => number) {
  const failed = run.failures.map((failure) => {
    const ruleId = failure.verdict?.id ?? (failure.kind === 'step' ? 'step' : 'expectation')
    return {
      ruleId,
      ruleIndex: index(ruleId),
      level: 'error',
      message: { text: `${run.title}: ${failureText(failure, run.file)}` },
      locations: [sarifLocation(run.file, failure.place)],
      properties: { seed: run.seed, again: run.again },
    }
  })
  const advice = (run.outcome?.advice ?? []).map(({ id, findings }) => ({
    ruleId: id,
    ruleIndex: index(id),
    level: 'note',
    message: { text: `${run.title}: ${findings[0]?.because ?? id}` },
    locations: [sarifLocation(run.file)],
    properties: { seed: run.seed, again: run.again },
  }))
  // By the format a result that is no failure has the level `none`.
  const doubts = (run.outcome?.verdicts ?? []).filter(isInconclusiveVerdict).map((verdict) => ({
    ruleId: verdict.id,
    ruleIndex: index(verdict.id),
    kind: 'review',
    level: 'none',
    message: { text: `${run.title}: ${doubtText(verdict)}` },
    locations: [sarifLocation(run.file)],
    properties: { seed: run.seed, again: run.again },
  }))
  return [...failed, ...doubts, ...advice]
}

export const runSarifReporter = defineReporter({
  name: 'sarif',
  summary: 'for gatherers of findings: SARIF 2.1.0',
  form: 'document',
  finish(report) {
    const rules = rulesOf(report)
    const index = (id: string): number => rules.findIndex((rule) => rule.id === id)
    const { version, runs, halted, interrupted } = report
    return sarifDocument({
      version,
      rules,
      halted,
      isComplete: halted === undefined && !interrupted,
      results: runs.flatMap((run) => resultsOf(run, index)),
    })
  },
})
