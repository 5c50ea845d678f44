/** Parts of a report that recordings and sessions share: verdicts with their clauses, faults by exchange, what was chosen. */
import { type Clauses, clauseWithPlace } from '../../protocol/clause.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { RecordedVerdict } from '../../traffic/recording/format.ts'
import type {
  ReportedClause,
  ReportedFault,
  ReportedVerdict,
} from '../../report/session/report-content.ts'

const reportedClauses = (ids: readonly string[], clauses: Clauses): readonly ReportedClause[] =>
  ids.map((id) => {
    const clause = clauses.get(id)
    return { id, text: clause ? clauseWithPlace(clause) : '' }
  })

/** With what their clauses say. */
export const reportedVerdicts = (
  verdicts: readonly RecordedVerdict[],
  clauses: Clauses,
): readonly ReportedVerdict[] =>
  verdicts.map((verdict) => ({
    ...verdict,
    clauses: reportedClauses(verdict.clauses, clauses),
  }))

/** Faults as the exchanges name them, in the order in which they fired first. */
export function faultsOfExchanges(exchanges: readonly Exchange[]): readonly ReportedFault[] {
  const byText = Map.groupBy(
    exchanges.filter(({ fault }) => fault !== undefined),
    ({ fault = '' }) => fault,
  )
  return Array.from(byText, ([text, all]) => ({
    text,
    fired: all.length,
    exchanges: all.map(({ seq }) => seq),
  }))
}
