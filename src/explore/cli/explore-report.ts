/** The data that reporters of a campaign format. */
import type { Bucket, BucketDetails } from '../investigation/bucket.ts'
import type { CampaignProgress, CampaignState } from '../campaign/campaign-state.ts'
import type { Workload } from '../workloads/workload.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { Reporter } from '../../terminal/cli/reporters/reporter.ts'

export type { CampaignProgress }

/** A bucket with what is kept of it. */
export interface ReportedBucket extends BucketDetails {
  readonly bucket: Bucket
}

export interface ExploreReport {
  readonly version: string
  readonly subject: Role
  readonly channel: 'polling' | 'webhook' | 'both'
  readonly seed: number
  readonly shard?: { readonly part: number; readonly of: number }
  readonly state: CampaignState
  readonly workloads: ReadonlyMap<string, Workload>
  /** Certain ones first, then by how often they were met. */
  readonly buckets: readonly ReportedBucket[]
  /** Reproducers of earlier campaigns that break nothing any more, by their files. */
  readonly passing: readonly string[]
  /** Wall-clock time. */
  readonly tookMs: number
  /** Why the campaign ended early: the subject is unreachable or rejects us. */
  readonly halted?: string
  readonly interrupted?: true
  /** The files that were merged; absent for a campaign that was run. */
  readonly merged?: readonly string[]
}

/** Called for each record, then with the whole report. */
export type ExploreReporter = Reporter<CampaignProgress, ExploreReport>
