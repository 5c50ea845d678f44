/** Opens the reports that `--reporter`, `--json` and `--quiet` ask for. */
import type { Io } from '../../terminal/cli/io.ts'
import {
  openReportWriters,
  type ReportWriters,
  wantedReporters,
} from '../../terminal/cli/run/report-writers.ts'
import type { ExploreFlags } from './explore-flags.ts'
import type { CampaignProgress, ExploreReport } from './explore-report.ts'
import { exploreReporters } from './reporters/catalogue.ts'

type ReportFlags = Pick<ExploreFlags, 'reporter' | 'json' | 'quiet'>

export function openExploreReports(
  flags: ReportFlags,
  io: Io,
  /** The reporter to stdout when nothing is asked for. */
  usual?: readonly string[],
): Promise<ReportWriters<CampaignProgress, ExploreReport>> {
  const style = { color: io.color, quiet: flags.quiet === true }
  return openReportWriters(wantedReporters(flags, usual), io, style, exploreReporters)
}
