/** The findings of a certification: suites are areas, cases and rules are clauses. */
import { buildVersion } from '../../../core/runtime/version.ts'
import {
  annotationReporter,
  type ReportFinding,
  findingReporters,
} from '../../../terminal/cli/reporters/findings.ts'
import type { JunitCase } from '../../../terminal/cli/reporters/junit-document.ts'
import type { ProcedureProgress } from '../../judge/run-procedures.ts'
import { type ReportedResult, resultsByArea } from '../../report/report.ts'
import { type ReportedCertification, resultLines } from './result-lines.ts'

type Exchanges = ReportedCertification['exchanges']

const textOf = (result: ReportedResult, exchanges: Exchanges): string =>
  resultLines(result, exchanges).join('\n')

function problemsOf(result: ReportedResult, exchanges: Exchanges): JunitCase['problems'] {
  const { outcome, level, problems, why } = result
  const message = problems[0]?.text ?? why ?? ''
  if (outcome === 'failed')
    return [{ kind: 'failure', message, type: level, text: textOf(result, exchanges) }]
  return outcome === 'skipped' || outcome === 'attestation' ? [{ kind: 'skipped', message }] : []
}

const caseOf = (result: ReportedResult, role: string, exchanges: Exchanges): JunitCase => ({
  name: `${result.clauses.join(', ')} ${result.says}`,
  classname: role,
  problems: problemsOf(result, exchanges),
  ...(result.outcome === 'warning' ? { output: textOf(result, exchanges) } : {}),
})

const violated = ({ report }: ReportedCertification): readonly ReportedResult[] =>
  report.results.filter(({ problems }) => problems.length > 0)

const endOf = ({ report }: ReportedCertification) => ({
  version: buildVersion(),
  halted: report.halted,
})

export const certifyFindingReporters = findingReporters<ReportedCertification>({
  summaries: {
    junit: 'for machines that build: JUnit XML, a case for each clause',
    sarif: 'for code scanning: a result for each violated clause',
  },
  endOf,
  expectedEnd: 'the certification ran to its end',
  suitesOf: ({ report: { role, results }, exchanges }) =>
    Array.from(resultsByArea(results), ([area, ofArea]) => ({
      name: `certify ${role} ${area}`,
      cases: ofArea.map((each) => caseOf(each, role, exchanges)),
    })),
  rulesOf: (whole) =>
    violated(whole).map(({ clause, clauses, says, remedy = '', level }) => ({
      id: clause,
      name: clause,
      shortDescription: { text: says },
      help: { text: remedy },
      properties: { tags: clauses, kind: level },
    })),
  findingsOf: (whole) =>
    violated(whole).flatMap((result) =>
      result.problems.map(({ text, isNotice }): ReportFinding => ({
        rule: result.clause,
        level: result.outcome === 'failed' && !isNotice ? 'error' : 'warning',
        text: `${text}\n${textOf(result, whole.exchanges)}`,
      })),
    ),
  isWithoutRuleIndex: true,
})

export const certifyGithub = annotationReporter<ProcedureProgress, ReportedCertification>({
  summary: 'for GitHub: an annotation for each violated clause',
  endOf,
  ofReport: ({ report, exchanges }) =>
    report.results
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
      .map((result) => ({
        level: result.outcome === 'failed' ? 'error' : 'warning',
        title: result.clauses.join(', '),
        text: textOf(result, exchanges),
      })),
})
