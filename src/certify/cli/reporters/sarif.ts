/** SARIF 2.1.0 for code scanning: a rule for each clause, a result for each problem. */
import { buildVersion } from '../../../core/runtime/version.ts'
import { sarifDocument } from '../../../terminal/cli/reporters/sarif-document.ts'
import { defineCertifyReporter } from './reporter.ts'
import { resultLines } from './result-lines.ts'

export const certifySarif = defineCertifyReporter({
  name: 'sarif',
  summary: 'for code scanning: a result for each violated clause',
  form: 'document',
  finish({ report, exchanges }) {
    const { results, halted } = report
    const violated = results.filter(({ problems }) => problems.length > 0)
    return sarifDocument({
      version: buildVersion(),
      rules: violated.map(({ clause, clauses, says, remedy = '', level }) => ({
        id: clause,
        name: clause,
        shortDescription: { text: says },
        help: { text: remedy },
        properties: { tags: clauses, kind: level },
      })),
      results: violated.flatMap((result) =>
        result.problems.map((problem) => ({
          ruleId: result.clause,
          level: result.outcome === 'failed' && !problem.isNotice ? 'error' : 'warning',
          message: {
            text: [problem.text, ...resultLines(result, exchanges)].join('\n'),
          },
        })),
      ),
      isComplete: halted === undefined,
      halted,
    })
  },
})
