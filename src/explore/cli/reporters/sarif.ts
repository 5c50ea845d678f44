/** SARIF 2.1.0 for code scanning: rules that bind the role of the service, kept scenarios as locations. */
import {
  invariantSarifRule,
  sarifDocument,
  sarifLocation,
} from '../../../terminal/cli/reporters/sarif-document.ts'
import type { ReportedBucket } from '../explore-report.ts'
import { bucketLines } from './bucket-text.ts'
import { defineExploreReporter } from './reporter.ts'
import { reportedClauses, type RuleResult, ruleResults, steadyText } from './rule-results.ts'

/** The workload is the location of what nothing is kept of. */
const locationOf = ({ file, bucket }: ReportedBucket) =>
  file === undefined ? workloadLocation(bucket.schedule.workload) : sarifLocation(file)

const workloadLocation = (workload: string) => ({
  logicalLocations: [{ fullyQualifiedName: workload }],
})

/** By the format a result that is no failure has the level `none`. */
const failure = { level: 'error' } as const
const doubt = { kind: 'review', level: 'none' } as const

function resultsOf({ rule, steady, found, suspected }: RuleResult, ruleIndex: number) {
  const place = { ruleId: rule.id, ruleIndex }
  const bucketResult = (reported: ReportedBucket) => ({
    message: { text: bucketLines(reported).join('\n') },
    locations: [locationOf(reported)],
    // Equal in all parts of a campaign, and in the next one.
    partialFingerprints: { 'sparringBucket/v1': reported.bucket.id },
    properties: { status: reported.bucket.status, again: reported.again },
  })
  return [
    ...(steady
      ? [
          {
            ...place,
            ...failure,
            message: { text: steadyText(steady) },
            locations: steady.workloads.slice(0, 1).map(workloadLocation),
          },
        ]
      : []),
    ...found.map((each) => ({ ...place, ...failure, ...bucketResult(each) })),
    ...suspected.map((each) => ({ ...place, ...doubt, ...bucketResult(each) })),
  ]
}

export const exploreSarif = defineExploreReporter({
  name: 'sarif',
  summary: 'for gatherers of findings: SARIF 2.1.0',
  form: 'document',
  finish(report) {
    const { version, halted, interrupted } = report
    const results = ruleResults(report)
    const clauses = reportedClauses(report)
    return sarifDocument({
      version,
      halted,
      isComplete: halted === undefined && !interrupted,
      rules: results.map(({ rule }) => invariantSarifRule(rule, clauses)),
      results: results.flatMap(resultsOf),
    })
  },
})
