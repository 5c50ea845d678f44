/**
 * Parts of a report that recordings and sessions share: verdicts with their clauses, faults by exchange, what was
 * chosen.
 */
import { type Clauses, clauseWithPlace } from '../../../core/protocol/clause.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import type { RecordedVerdict } from '../../../core/traffic/recording/session-end.ts'
import type {
  ReportedClause,
  ReportedFault,
  ReportedVerdict,
} from '../../page/session/report-content.ts'

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
function faultsOfExchanges(exchanges: readonly Exchange[]): readonly ReportedFault[] {
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

/** A fault as the session knew it. */
export interface KnownFault {
  readonly name: string
  readonly text: string
  readonly fired: number
  /** Present when it was removed, or has ended. */
  readonly over?: unknown
}

const nameIn = (text: string): string => text.split(' ')[0] ?? text

/** Faults with the exchanges that they distorted; those that exchanges name and the session has forgotten come last. */
export function reportedFaults(
  known: readonly KnownFault[],
  exchanges: readonly Exchange[],
): readonly ReportedFault[] {
  const hits = faultsOfExchanges(exchanges)
  const ofName = Map.groupBy(known, ({ name }) => name)
  // Exchanges name the kind of a fault: of several of one kind, it is not known which.
  const isOnly = (name: string): boolean => ofName.get(name)?.length === 1
  return [
    ...known.map(({ name, text, fired, over }) => ({
      text,
      fired,
      exchanges: isOnly(name)
        ? hits.filter((each) => nameIn(each.text) === name).flatMap((each) => each.exchanges)
        : [],
      ...(over === undefined ? {} : { isOver: true as const }),
    })),
    ...hits.filter(({ text }) => !isOnly(nameIn(text))),
  ]
}
