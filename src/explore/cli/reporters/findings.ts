/** The findings of a campaign: cases are the rules that bind the role of the service, locations the kept scenarios. */
import { pluralise } from '../../../core/protocol/count-text.ts'
import { statusWords } from '../../campaign/campaign-text.ts'
import { countsAsFailure } from '../../investigation/bucket.ts'
import {
  annotationReporter,
  fileLocation,
  type ReportFinding,
  findingReporters,
  invariantFindingRule,
  namedLocation,
} from '../../../terminal/cli/reporters/findings.ts'
import type { JunitCase } from '../../../terminal/cli/reporters/junit-document.ts'
import { evidenceLines, indented, ruleLines } from '../../../terminal/cli/reporters/rule-lines.ts'
import type { CampaignProgress, ExploreReport, ReportedBucket } from '../explore-report.ts'
import {
  bucketLines,
  reportedClauses,
  type RuleResult,
  ruleResults,
  steadyText,
} from './rule-results.ts'

/** A rule that was not broken: why nothing is known of it, where that is so. */
function skippedBecause({ doubts, premises, rule }: RuleResult): readonly string[] {
  if (doubts.length > 0) return [doubts.join('\n')]
  return premises === 0 ? [`its premise never occurred: ${rule.premise}`] : []
}

function failuresOf({ rule, steady, found }: RuleResult): JunitCase['problems'] {
  const failure = (message: string, lines: readonly string[]) =>
    ({ kind: 'failure', message, type: rule.id, text: lines.join('\n') }) as const
  const evidence = indented(evidenceLines(steady?.failure.evidence ?? []))
  return [
    ...(steady
      ? [failure(steadyText(steady), [steadyText(steady), ...evidence, ...ruleLines(rule, [])])]
      : []),
    ...found.map((each) => failure(each.bucket.failure.because, bucketLines(each))),
  ]
}

function caseOf(result: RuleResult, subject: string): JunitCase {
  const { rule, found, premises } = result
  const failures = failuresOf(result)
  const [file] = found.flatMap((each) => each.file ?? [])
  return {
    name: `${rule.id} ${rule.sentence}`,
    classname: subject,
    ...(file === undefined ? {} : { file }),
    problems:
      failures.length > 0
        ? failures
        : skippedBecause(result).map((message) => ({ kind: 'skipped' as const, message })),
    ...(premises === 0 ? {} : { output: `its premise occurred ${pluralise(premises, 'time')}` }),
  }
}

function findingsOf({
  rule: { id },
  steady,
  found,
  suspected,
}: RuleResult): readonly ReportFinding[] {
  const ofBucket =
    (level: ReportFinding['level']) =>
    (reported: ReportedBucket): ReportFinding => {
      const { bucket, file, again } = reported
      return {
        rule: id,
        level,
        text: bucketLines(reported).join('\n'),
        // The workload is the location of what nothing is kept of.
        locations: [
          file === undefined ? namedLocation(bucket.schedule.workload) : fileLocation(file),
        ],
        // Equal in all parts of a campaign, and in the next one.
        partialFingerprints: { 'sparringBucket/v1': bucket.id },
        properties: { status: bucket.status, again },
      }
    }
  const steadyFinding: readonly ReportFinding[] = steady
    ? [
        {
          rule: id,
          level: 'error',
          text: steadyText(steady),
          locations: steady.workloads.slice(0, 1).map(namedLocation),
        },
      ]
    : []
  return [...steadyFinding, ...found.map(ofBucket('error')), ...suspected.map(ofBucket('review'))]
}

const annotationsOf = ({ rule: { id }, steady, found, suspected }: RuleResult) => [
  ...(steady ? [{ level: 'error' as const, title: id, text: steadyText(steady) }] : []),
  ...[...found, ...suspected].map((reported) => ({
    level: countsAsFailure(reported.bucket) ? ('error' as const) : ('warning' as const),
    file: reported.file,
    title: `${id} ${statusWords[reported.bucket.status]}`,
    text: bucketLines(reported).join('\n'),
  })),
]

export const exploreFindingReporters = findingReporters<ExploreReport>({
  summaries: {
    junit: 'for machines that build: JUnit XML, a case for each rule',
    sarif: 'for gatherers of findings: SARIF 2.1.0',
  },
  endOf: (report) => report,
  expectedEnd: 'the campaign ran to its end',
  suitesOf(report) {
    const { subject } = report
    const cases = ruleResults(report).map((each) => caseOf(each, subject))
    return [{ name: `explore ${subject}`, cases }]
  },
  rulesOf(report) {
    const clauses = reportedClauses(report)
    return ruleResults(report).map(({ rule }) => invariantFindingRule(rule, clauses))
  },
  findingsOf: (report) => ruleResults(report).flatMap(findingsOf),
})

export const exploreGithub = annotationReporter<CampaignProgress, ExploreReport>({
  summary: 'for GitHub: an annotation for each bucket',
  endOf: (report) => report,
  ofReport: (report) => ruleResults(report).flatMap(annotationsOf),
})
