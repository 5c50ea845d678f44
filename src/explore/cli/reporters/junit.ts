/** JUnit XML for CI: a case for each rule that binds the role of the service. */
import { pluralise } from '../../../core/protocol/count-text.ts'
import {
  haltSuite,
  type JunitCase,
  junitDocument,
} from '../../../terminal/cli/reporters/junit-document.ts'
import { evidenceLines, indented, ruleLines } from '../../../terminal/cli/reporters/rule-lines.ts'
import { bucketLines } from './bucket-text.ts'
import { defineExploreReporter } from './reporter.ts'
import { type RuleResult, ruleResults, steadyText } from './rule-results.ts'

/** A rule that was not broken: why nothing is known of it, where that is so. */
function skippedBecause({ doubts, premises, rule }: RuleResult): readonly string[] {
  if (doubts.length > 0) return [doubts.join('\n')]
  return premises === 0 ? [`its premise never occurred: ${rule.premise}`] : []
}

function caseOf(result: RuleResult, subject: string): JunitCase {
  const { rule, steady, found, premises } = result
  const { id, sentence } = rule
  const failures = [
    ...(steady
      ? [
          {
            message: steadyText(steady),
            text: [
              steadyText(steady),
              ...indented(evidenceLines(steady.failure.evidence)),
              ...ruleLines(rule, []),
            ],
          },
        ]
      : []),
    ...found.map((each) => ({
      message: each.bucket.failure.because,
      text: bucketLines(each),
    })),
  ]
  const [file] = found.flatMap((each) => each.file ?? [])
  const problems =
    failures.length > 0
      ? failures.map(({ message, text }) => ({
          kind: 'failure' as const,
          message,
          type: id,
          text: text.join('\n'),
        }))
      : skippedBecause(result).map((message) => ({ kind: 'skipped' as const, message }))
  return {
    name: `${id} ${sentence}`,
    classname: subject,
    ...(file === undefined ? {} : { file }),
    problems,
    ...(premises === 0 ? {} : { output: `its premise occurred ${pluralise(premises, 'time')}` }),
  }
}

export const exploreJunit = defineExploreReporter({
  name: 'junit',
  summary: 'for machines that build: JUnit XML, a case for each rule',
  form: 'document',
  finish(report) {
    const { subject, halted } = report
    const cases = ruleResults(report).map((each) => caseOf(each, subject))
    return junitDocument([
      { name: `explore ${subject}`, cases },
      ...(halted === undefined ? [] : [haltSuite('the campaign ran to its end', halted)]),
    ])
  },
})
