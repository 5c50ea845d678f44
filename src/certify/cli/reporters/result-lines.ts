/** A result as lines for people: the clause, what was wrong, the exchanges that show it, and what to change. */
import { tracedExchangeLine } from '../../judge/exchange-line.ts'
import {
  type CertificationReport,
  relatedClauseText,
  type ReportedResult,
  wrongFirst,
} from '../../report/report.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import type { Reporter } from '../../../terminal/cli/reporters/reporter.ts'
import type { ProcedureProgress } from '../../judge/run-procedures.ts'

/** A report with the exchanges that its results name, redacted. */
export interface ReportedCertification {
  readonly report: CertificationReport
  readonly exchanges: ReadonlyMap<number, Exchange>
  /** The step of a procedure's own exchanges, by their numbers. */
  readonly steps: Readonly<Record<number, string>>
}

/** Called as each procedure begins and ends, then with the whole report. */
export type CertifyReporter = Reporter<ProcedureProgress, ReportedCertification>

/** Exchanges of one problem that are shown at most. */
const maxExchanges = 4

export function resultLines(
  { says, places, problems, why, remedy, under }: ReportedResult,
  exchanges: ReadonlyMap<number, Exchange>,
): readonly string[] {
  const clause = places.length > 0 ? `${says} (${places.join('; ')})` : says
  if (under !== undefined) return [clause, `the same mistake as under ${under}`]
  return [
    clause,
    ...problems.flatMap((problem) => [
      escapeControls(`${problem.text}${problem.times ? ` (${problem.times} times)` : ''}`),
      ...wrongFirst(problem)
        .slice(0, maxExchanges)
        .flatMap((seq) => {
          const exchange = exchanges.get(seq)
          return exchange ? [`  ${escapeControls(tracedExchangeLine(exchange))}`] : []
        }),
      ...(problem.clauses
        ? [`  the clauses about it: ${problem.clauses.map(relatedClauseText).join(', ')}`]
        : []),
    ]),
    ...(why === undefined ? [] : [escapeControls(why)]),
    ...(remedy === undefined ? [] : [`fix: ${remedy}`]),
  ]
}
