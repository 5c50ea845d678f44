/** Opens the reports that `--reporter`, `--json` and `--quiet` ask for. */
import type { Io } from '../io.ts'
import { openReportWriters, type ReportWriters } from '../run/report-writers.ts'
import type { ExploreFlags } from './explore-flags.ts'
import type { CampaignProgress, ExploreReport } from './explore-report.ts'
import { exploreReporters } from './reporters/catalogue.ts'

type ReportFlags = Pick<ExploreFlags, 'reporter' | 'json' | 'quiet'>

export function openExploreReports(
  { reporter, json, quiet }: ReportFlags,
  io: Io,
  /** The reporter to stdout when nothing is asked for. */
  usual: readonly string[] = ['pretty'],
): Promise<ReportWriters<CampaignProgress, ExploreReport>> {
  const requested = reporter ?? []
  // --json claims stdout, also with reports to files; a reporter to stdout overrides it.
  const isJson = json === true && requested.every((each) => each.includes('='))
  const wanted = isJson ? ['json', ...requested] : reporter ? requested : usual
  return openReportWriters(wanted, io, { color: io.color, quiet: quiet === true }, exploreReporters)
}
