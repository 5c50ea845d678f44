/** JUnit XML for CI: a suite for each area, a case for each clause. */
import { type ReportedResult, resultsByArea } from '../../report/report.ts'
import {
  haltSuite,
  type JunitCase,
  junitDocument,
} from '../../../terminal/cli/reporters/junit-document.ts'
import { defineCertifyReporter, type ReportedCertification } from './reporter.ts'
import { resultLines } from './result-lines.ts'

function problemsOf(
  result: ReportedResult,
  { exchanges }: ReportedCertification,
): JunitCase['problems'] {
  const text = resultLines(result, exchanges).join('\n')
  const message = result.problems[0]?.text ?? result.why ?? ''
  const { outcome, level } = result
  if (outcome === 'failed') return [{ kind: 'failure', message, type: level, text }]
  return outcome === 'skipped' || outcome === 'attestation' ? [{ kind: 'skipped', message }] : []
}

export const certifyJunit = defineCertifyReporter({
  name: 'junit',
  summary: 'for machines that build: JUnit XML, a case for each clause',
  form: 'document',
  finish(whole) {
    const { report } = whole
    const { role, results, halted } = report
    const suites = Array.from(resultsByArea(results), ([area, ofArea]) => ({
      name: `certify ${role} ${area}`,
      cases: ofArea.map((result): JunitCase => ({
        name: `${result.clauses.join(', ')} ${result.says}`,
        classname: role,
        problems: problemsOf(result, whole),
        ...(result.outcome === 'warning'
          ? { output: resultLines(result, whole.exchanges).join('\n') }
          : {}),
      })),
    }))
    return junitDocument([
      ...suites,
      ...(halted === undefined ? [] : [haltSuite('the certification ran to its end', halted)]),
    ])
  },
})
