/** The findings of runs: suites are files, cases are runs, rules are invariants, and locations lines of scenarios. */
import {
  isInconclusive,
  isInconclusiveVerdict,
  type Verdict,
} from '../../../../core/rules/invariants/verdict.ts'
import {
  annotationReporter,
  fileLocation,
  type ReportFinding,
  findingReporters,
  type FindingRule,
  type GithubAnnotation,
  invariantFindingRule,
} from '../../reporters/findings.ts'
import type { JunitCase } from '../../reporters/junit-document.ts'
import {
  isUndecided,
  type LocatedFailure,
  type RunReport,
  type ScenarioReport,
  unexercisedTexts,
  unsaidRules,
} from '../report.ts'
import { failureText } from './pretty.ts'

function caseOf(run: RunReport): JunitCase {
  const { title, repetition, file, tookMs, failures, result, because, seed, again } = run
  const output = [
    ...(result === 'failed' ? [`seed ${seed}`, `again: ${again}`, ...(run.output ?? [])] : []),
    ...unexercisedTexts(run),
  ]
  return {
    name: repetition > 1 ? `${title} #${repetition}` : title,
    classname: file,
    file,
    tookMs,
    problems: [
      ...failures.map((failure) => ({
        kind: 'failure' as const,
        message: failure.because,
        type: failure.verdict?.id ?? failure.kind,
        text: failureText(failure, file),
      })),
      ...(isUndecided(run) ? [{ kind: 'skipped' as const, message: because ?? result }] : []),
    ],
    ...(output.length > 0 ? { output: output.join('\n') } : {}),
  }
}

const ownRules: readonly FindingRule[] = [
  { id: 'step', name: 'Step', shortDescription: { text: 'A step of a scenario can be done.' } },
  {
    id: 'expectation',
    name: 'Expectation',
    shortDescription: { text: 'What a scenario expects is so in the end.' },
  },
]

function rulesOf({ runs, clauses }: ScenarioReport): readonly FindingRule[] {
  const verdicts = runs.flatMap(({ outcome }) => outcome?.verdicts ?? [])
  const byId = new Map(verdicts.map((each) => [each.id, invariantFindingRule(each, clauses)]))
  return [...ownRules, ...byId.values()]
}

const ruleOf = ({ verdict, kind }: LocatedFailure): string =>
  verdict?.id ?? (kind === 'step' ? 'step' : 'expectation')

const doubtText = ({ id, findings }: Verdict): string =>
  findings.find(isInconclusive)?.because ?? id

function findingsOf({ title, file, seed, again, ...run }: RunReport): readonly ReportFinding[] {
  const finding = (
    level: ReportFinding['level'],
    rule: string,
    text: string,
    place?: LocatedFailure['place'],
  ): ReportFinding => ({
    rule,
    level,
    text: `${title}: ${text}`,
    locations: [fileLocation(file, place)],
    properties: { seed, again },
  })
  const { verdicts = [], advice = [] } = run.outcome ?? {}
  return [
    ...run.failures.map((each) =>
      finding('error', ruleOf(each), failureText(each, file), each.place),
    ),
    ...verdicts
      .filter(isInconclusiveVerdict)
      .map((verdict) => finding('review', verdict.id, doubtText(verdict))),
    ...advice.map(({ id, findings }) => finding('note', id, findings[0]?.because ?? id)),
    ...unsaidRules(run).map(({ id, because, place }) => finding('note', id, because, place)),
  ]
}

function annotationsOf({ file, title, seed, again, ...run }: RunReport) {
  const annotation = (
    level: GithubAnnotation['level'],
    about: string,
    text: string,
    place?: LocatedFailure['place'],
  ): GithubAnnotation => ({ level, file, place, title: `${title}: ${about}`, text })
  return [
    ...run.failures.map((failure) => {
      const { place, verdict, kind } = failure
      const text = `${failureText(failure, file)}\nseed ${seed}\nagain: ${again}`
      return annotation('error', verdict?.id ?? kind, text, place)
    }),
    ...(run.result === 'inconclusive'
      ? [annotation('warning', 'inconclusive', run.because ?? '')]
      : []),
    ...(run.outcome?.advice ?? []).map(({ id, findings }) =>
      annotation('notice', id, findings[0]?.because ?? ''),
    ),
    ...unsaidRules(run).map(({ id, because, place }) => annotation('notice', id, because, place)),
  ]
}

export const runFindingReporters = findingReporters<ScenarioReport>({
  summaries: {
    junit: 'for machines that build: JUnit XML',
    sarif: 'for gatherers of findings: SARIF 2.1.0',
  },
  endOf: (report) => report,
  expectedEnd: 'every run could be played',
  suitesOf: ({ runs }) =>
    Array.from(
      Map.groupBy(runs, ({ file }) => file),
      ([name, own]) => ({ name, cases: own.map(caseOf) }),
    ),
  rulesOf,
  findingsOf: ({ runs }) => runs.flatMap(findingsOf),
})

export const runGithubReporter = annotationReporter<RunReport, ScenarioReport>({
  summary: 'for GitHub: annotations beside the lines of the scenario',
  endOf: (report) => report,
  ofPart: annotationsOf,
})
