/** JUnit XML reporter: one suite, a test case per exchange and per failed rule. */
import { xmlAttributes, xmlText } from '../../run/reporters/xml.ts'
import type { ComparisonReport } from '../comparison-report.ts'
import { exchangeHeading, isBehaviourDifference, isDeviation, deviationLines } from '../wording.ts'
import { defineCompareReporter } from './reporter.ts'

function caseOf(compared: ComparisonReport, index: number): string {
  const replayed = compared.exchanges[index]
  if (!replayed) return ''
  const { operation = 'unknown' } = replayed.recorded ?? replayed.live ?? {}
  const head = xmlAttributes({
    name: exchangeHeading(replayed),
    classname: operation,
    file: compared.left,
  })
  if (!isDeviation(replayed)) return `    <testcase${head}/>`
  const text = deviationLines(replayed).join('\n')
  const message = text.split('\n', 1)[0] ?? ''
  const inside = isBehaviourDifference(replayed)
    ? `      <failure${xmlAttributes({ message, type: replayed.standing })}>${xmlText(text)}</failure>`
    : `      <error${xmlAttributes({ message, type: replayed.standing })}>${xmlText(text)}</error>`
  return [`    <testcase${head}>`, inside, '    </testcase>'].join('\n')
}

function failedRuleCases({ replay, left }: ComparisonReport): readonly string[] {
  return (replay?.failedRules ?? []).map(({ invariant, because }) =>
    [
      `    <testcase${xmlAttributes({ name: invariant, classname: 'invariants', file: left })}>`,
      `      <failure${xmlAttributes({ message: because, type: invariant })}/>`,
      '    </testcase>',
    ].join('\n'),
  )
}

export const comparisonJunit = defineCompareReporter({
  name: 'junit',
  summary: 'for machines that build: JUnit XML',
  form: 'document',
  finish(compared) {
    const { exchanges, left, right } = compared
    const failedRules = failedRuleCases(compared)
    const different = exchanges.filter(isBehaviourDifference).length
    const counts = {
      tests: exchanges.length + failedRules.length,
      failures: different + failedRules.length,
      errors: exchanges.filter(isDeviation).length - different,
    }
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites${xmlAttributes({ name: 'sparring', ...counts })}>`,
      `  <testsuite${xmlAttributes({ name: `${left} | ${right}`, ...counts })}>`,
      ...exchanges.map((_, index) => caseOf(compared, index)),
      ...failedRules,
      '  </testsuite>',
      '</testsuites>',
    ]
    return `${lines.join('\n')}\n`
  },
})
