/** Writes a comparison through the requested reporters and returns the exit code. */
import type { ExitCode } from '../../../terminal/cli/exit-code.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { openReportWriters, type ReportWriters } from '../../../terminal/cli/run/report-writers.ts'
import type { ComparisonReport, ComparedExchange } from './comparison-report.ts'
import { comparisonJson } from './json.ts'
import { comparisonFindingReporters } from './findings.ts'
import { createPrettyReporter } from './pretty.ts'

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
