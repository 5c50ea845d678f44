/** Opens the reports that `--reporter`, `--json` and `--quiet` ask for. */
import type { Io } from '../../terminal/cli/io.ts'
import {
  openReportWriters,
  type ReportWriters,
  wantedReporters,
} from '../../terminal/cli/run/report-writers.ts'
import type { ExploreFlags } from './explore-flags.ts'
import type { CampaignProgress, ExploreReport, ExploreReporter } from './explore-report.ts'
import { exploreFindingReporters, exploreGithub } from './reporters/findings.ts'
import { exploreJson } from './reporters/json.ts'
import { explorePretty } from './reporters/pretty.ts'

const { junit, sarif } = exploreFindingReporters

/** Every reporter of `sparring explore`. */
export const exploreReporters: readonly ExploreReporter[] = [
  explorePretty,
  exploreJson,
  junit,
  sarif,
  exploreGithub,
]

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
