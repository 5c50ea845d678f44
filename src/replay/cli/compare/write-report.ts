/** Writes a comparison through the requested reporters and returns the exit code. */
import type { ExitCode } from '../../../terminal/cli/exit-code.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { openReportWriters, type ReportWriters } from '../../../terminal/cli/run/report-writers.ts'
import type { ComparisonReport, ComparedExchange, CompareReporter } from './comparison-report.ts'
import { comparisonFindingReporters } from './findings.ts'
import { createPrettyReporter } from './pretty.ts'
import { appliedEditText } from '../../../core/traffic/recording/exchange-edit.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { replayAccuracy } from '../../../core/traffic/recording/replay-report.ts'

const comparisonLinesVersion = 1

const sideOf = (exchange: Exchange | RecordedExchange | undefined) =>
  exchange && {
    ...('recordId' in exchange
      ? { id: exchange.recordId, edits: exchange.edits?.map(appliedEditText) }
      : {}),
    seq: exchange.seq,
    from: exchange.from.role,
    to: exchange.to.role,
    operation: exchange.operation,
    orderId: exchange.orderId,
    eventIds: exchange.eventIds,
    method: exchange.request.method,
    url: exchange.request.url,
    status: exchange.reply?.status ?? 0,
    failure: exchange.failure?.code,
  }

function lineOf({ index, replayed, isFirst }: ComparedExchange): object {
  const { standing, recorded, live, differences, because, strategy, intendedAt, sentAt } = replayed
  return {
    type: 'exchange',
    version: comparisonLinesVersion,
    index,
    standing,
    ...(isFirst ? { first: true } : {}),
    recorded: sideOf(recorded),
    live: sideOf(live),
    because,
    strategy,
    intendedAt,
    sentAt,
    differences: differences.map(({ rule, ...difference }) => ({
      ...difference,
      rule: { at: rule.at, compare: rule.compare, from: rule.from, reason: rule.reason },
    })),
  }
}

/**
 * JSON Lines reporter: a line per exchange, then a summary. `version` is the schema version of the lines; only
 * incompatible changes raise it.
 */
const comparisonJson: CompareReporter = {
  name: 'json',
  summary: 'for programs: a line of JSON for each exchange, then a summary',
  form: 'document',
  ended: (exchange) => `${JSON.stringify(lineOf(exchange))}\n`,
  finish({
    left,
    right,
    exchanges,
    counts,
    first,
    exit,
    signature,
    leftOut,
    map,
    replay,
    version,
  }) {
    const summary = {
      type: 'summary',
      version: comparisonLinesVersion,
      sparring: version,
      ok: exit === 0,
      exit,
      recorded: left,
      live: right,
      exchanges: exchanges.length,
      counts,
      first,
      signature,
      leftOut,
      ...(replay ? { ...replay, accuracy: replayAccuracy(replay) } : {}),
      names: map,
    }
    return `${JSON.stringify(summary)}\n`
  },
}

/** Report flags of `diff` and `replay`. */
export interface ComparisonReportOptions {
  readonly reporter?: readonly string[]
  readonly json?: boolean
  /** Include exchanges that are the same or noise. */
  readonly all?: boolean
  /** Only differences. */
  readonly quiet?: boolean
}

/** Maximum width in columns: wider side-by-side output is hard to read. */
const maxColumns = 160

/** Opens all report files before the work, so that one that cannot be written fails early. */
export function openComparisonReport(
  { reporter, json: asJson = false, all = false, quiet = false }: ComparisonReportOptions,
  io: Io,
): Promise<ReportWriters<ComparedExchange, ComparisonReport>> {
  const pretty = createPrettyReporter({ columns: Math.min(io.columns, maxColumns), all })
  const reporters = reporter ?? (asJson ? ['json'] : ['pretty'])
  return openReportWriters(reporters, io, { color: io.color, quiet }, [
    pretty,
    comparisonJson,
    comparisonFindingReporters.junit,
    comparisonFindingReporters.sarif,
  ])
}

export async function writeComparisonReport(
  compared: ComparisonReport,
  reportWriters: ReportWriters<ComparedExchange, ComparisonReport>,
): Promise<ExitCode> {
  for (const [index, replayed] of compared.exchanges.entries())
    await reportWriters.writeRun({
      index,
      replayed,
      isFirst: index === compared.first,
      report: compared,
    })
  await reportWriters.writeReport(compared)
  return compared.exit
}
