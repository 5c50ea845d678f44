/** How a campaign is shown while it runs: as lines, or on a screen of its own where there is a person at a terminal. */
import type { CampaignProgress, ExploreReport } from './explore-report.ts'

/** Disposing of it gives the terminal back. */
export interface CampaignDisplay extends AsyncDisposable {
  /** Tells the operator a sentence. */
  readonly say: (sentence: string) => Promise<void>
  readonly show: (progress: CampaignProgress) => void
  /** Makes room for lines of a report. */
  readonly clear: () => void
  /** Called where no session of the campaign is open: what the operator wants to play is played then. */
  readonly betweenBatches: () => Promise<void>
  /** Wall-clock time for which the campaign has waited for that, in ms. */
  readonly waitedMs: () => number
  /**
   * All reports are written, and no session of the campaign is opened any more. Resolves when the operator knows how it
   * ended; at once after one that was halted.
   */
  readonly end: (report: ExploreReport) => Promise<void>
}
