/** Interface of reporters of campaigns: called for each record, then with the whole report. */
import type { Reporter } from '../../../terminal/cli/reporters/reporter.ts'
import type { CampaignProgress } from '../../campaign/campaign-progress.ts'
import type { ExploreReport } from '../explore-report.ts'

export type ExploreReporter = Reporter<CampaignProgress, ExploreReport>

export const defineExploreReporter = (reporter: ExploreReporter): ExploreReporter => reporter
