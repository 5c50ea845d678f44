/** Selects the exchanges of a page: all, or of a long session those that tell most, in the order of time. */
import { isRemarkable } from './exchange-text.ts'
import { type FoldedExchange, foldPolls, isQuietPoll } from './fold-polls.ts'
import type { OrderViewPair } from './order-views.ts'
import type { SessionReport } from './report-content.ts'

export interface ExchangeSelection {
  readonly rows: readonly FoldedExchange[]
  /** Exchanges that the page does not have. */
  readonly leftOut: number
}

/** Numbers of the exchanges that a verdict, a failure or a fault names. */
export const namedExchanges = ({
  verdicts = [],
  failures,
  faults,
}: Pick<SessionReport, 'verdicts' | 'failures' | 'faults'>): ReadonlySet<number> =>
  new Set([
    ...verdicts.flatMap(({ findings }) => findings.flatMap(({ evidence }) => evidence)),
    ...failures.flatMap(({ exchanges }) => exchanges),
    ...faults.flatMap(({ exchanges }) => exchanges),
  ])

/**
 * At most `limit` rows. First come exchanges that are named or remarkable, then those of the orders that these are about, then
 * all others, idle polls last; each kind from the beginning of the session on.
 */
export function selectExchanges(
  report: SessionReport,
  views: ReadonlyMap<string, OrderViewPair>,
  limit: number,
): ExchangeSelection {
  const named = namedExchanges(report)
  const rows = foldPolls(report.exchanges, ({ seq }) => named.has(seq))
  if (rows.length <= limit) return { rows, leftOut: 0 }
  const remarkable = new Set(
    report.exchanges.flatMap((each) =>
      isRemarkable(each) || named.has(each.seq) ? [each.seq] : [],
    ),
  )
  const related = new Set(
    [...views.values()].flatMap(({ exchanges }) =>
      exchanges.some((seq) => remarkable.has(seq)) ? exchanges : [],
    ),
  )
  const rankOf = ({ exchange }: FoldedExchange): number => {
    if (named.has(exchange.seq)) return 0
    if (remarkable.has(exchange.seq)) return 1
    if (related.has(exchange.seq)) return 2
    return isQuietPoll(exchange) ? 4 : 3
  }
  const kept = rows
    .map((row, index) => ({ row, index, rank: rankOf(row) }))
    .toSorted((one, other) => one.rank - other.rank || one.index - other.index)
    .slice(0, limit)
    .toSorted((one, other) => one.index - other.index)
    .map(({ row }) => row)
  const count = (all: readonly FoldedExchange[]): number =>
    all.reduce((sum, { times }) => sum + times, 0)
  return { rows: kept, leftOut: count(rows) - count(kept) }
}
