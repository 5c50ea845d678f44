/** SARIF 2.1.0 for code scanning: invariants are the rules, scenario files the locations. */
import { isInconclusiveVerdict, type Verdict } from '../../../invariants/verdict.ts'
import { type Clauses, clausesOf, clauseWithPlace } from '../../../protocol/clause.ts'
import type { LocatedFailure, ScenarioReport, RunReport } from '../report.ts'
import { failureText } from './pretty.ts'
import { defineReporter } from './reporter.ts'
import {
  encodedFileUri,
  sarifDocument,
  type SarifRule,
  toPascalCase,
} from '../../reporters/sarif-document.ts'

const ownRules: readonly SarifRule[] = [
  { id: 'step', name: 'Step', shortDescription: { text: 'A step of a scenario can be done.' } },
  {
    id: 'expectation',
    name: 'Expectation',
    shortDescription: { text: 'What a scenario expects is so in the end.' },
  },
]

const clauseTexts = (ids: readonly string[], clauses: Clauses): readonly string[] =>
  clausesOf(ids, clauses).map((clause) => `${clause.id}: ${clauseWithPlace(clause)}`)

const ruleOf = (
  { id, name, sentence, remedy, clauses: ids, kind }: Verdict,
  clauses: Clauses = new Map(),
): SarifRule => ({
  id,
  name: toPascalCase(name),
  shortDescription: { text: sentence },
  help: { text: [remedy, ...clauseTexts(ids, clauses)].join('\n') },
  properties: { tags: ids, kind },
})

function rulesOf({ runs, clauses }: ScenarioReport): readonly SarifRule[] {
  const byId = new Map<string, SarifRule>()
  for (const { outcome } of runs)
    for (const verdict of outcome?.verdicts ?? []) byId.set(verdict.id, ruleOf(verdict, clauses))
  return [...ownRules, ...byId.values()]
}

function locationOf(file: string, place: LocatedFailure['place']) {
  const region = place ? { region: { startLine: place.line, startColumn: place.column } } : {}
  return { physicalLocation: { artifactLocation: { uri: encodedFileUri(file) }, ...region } }
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
      locations: [locationOf(run.file, failure.place)],
      properties: { seed: run.seed, again: run.again },
    }
  })
  const advice = (run.outcome?.advice ?? []).map(({ id, findings }) => ({
    ruleId: id,
    ruleIndex: index(id),
    level: 'note',
    message: { text: `${run.title}: ${findings[0]?.because ?? id}` },
    locations: [locationOf(run.file, undefined)],
    properties: { seed: run.seed, again: run.again },
  }))
  // By the format a result that is no failure has the level `none`.
  const doubts = (run.outcome?.verdicts ?? []).filter(isInconclusiveVerdict).map((verdict) => ({
    ruleId: verdict.id,
    ruleIndex: index(verdict.id),
    kind: 'review',
    level: 'none',
    message: { text: `${run.title}: ${doubtText(verdict)}` },
    locations: [locationOf(run.file, undefined)],
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
