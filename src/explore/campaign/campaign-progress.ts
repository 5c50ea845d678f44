/** What screens and reporters receive while a campaign runs. */
import type { CampaignRecord } from './campaign-record.ts'
import type { CampaignState } from './campaign-state.ts'

export interface CampaignProgress {
  readonly record: CampaignRecord
  /** After the record. */
  readonly state: CampaignState
  /** Wall-clock time since the beginning, in ms. */
  readonly tookMs: number
  /** Schedules that run side by side. */
  readonly width: number
  /** Of the sessions that are open: how many there are, and how many calls all sessions have had so far. */
  readonly activity: { readonly sessions: number; readonly exchanges: number }
}
