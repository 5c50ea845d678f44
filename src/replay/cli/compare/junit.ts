/** JUnit XML reporter: one suite, a test case per exchange and per failed rule. */
import { type JunitCase, junitDocument } from '../../../terminal/cli/reporters/junit-document.ts'
import type { ReplayedExchange } from '../../../core/traffic/recording/replay-report.ts'
import { exchangeHeading, isBehaviourDifference, isDeviation, deviationLines } from './wording.ts'
import { defineCompareReporter } from './reporter.ts'

function caseOf(compared: ReplayedExchange, file: string): JunitCase {
  const { recorded, live, standing } = compared
  const { operation = 'unknown' } = recorded ?? live ?? {}
  const text = deviationLines(compared).join('\n')
  const problem = {
    kind: isBehaviourDifference(compared) ? 'failure' : 'error',
    message: text.split('\n', 1)[0] ?? '',
    type: standing,
    text,
  } as const
  return {
    name: exchangeHeading(compared),
    classname: operation,
    file,
    problems: isDeviation(compared) ? [problem] : [],
  }
}

export const comparisonJunit = defineCompareReporter({
  name: 'junit',
  summary: 'for machines that build: JUnit XML',
  form: 'document',
  finish({ exchanges, left, right, replay }) {
    const failedRules = (replay?.failedRules ?? []).map(({ invariant, because }): JunitCase => ({
      name: invariant,
      classname: 'invariants',
      file: left,
      problems: [{ kind: 'failure', message: because, type: invariant }],
    }))
    const compared = exchanges.map((each) => caseOf(each, left))
    return junitDocument([{ name: `${left} | ${right}`, cases: [...compared, ...failedRules] }])
  },
})
