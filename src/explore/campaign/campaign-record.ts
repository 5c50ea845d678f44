/** The records of a campaign: one JSON object per line, from which it is resumed, merged and reported. */
import type { Bucket } from '../investigation/bucket.ts'
import type { CoverageCounts } from '../schedules/coverage.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { SubjectPace } from '../schedules/result.ts'

/** What a campaign is doing. */
export const campaignPhases = ['steady', 'known', 'search'] as const
export type CampaignPhase = (typeof campaignPhases)[number]

export type CampaignRecord =
  | { readonly type: 'phase'; readonly phase: CampaignPhase }
  /** What a workload does without faults; what is broken there is left out of the search. */
  | {
      readonly type: 'steady'
      readonly workload: string
      readonly failures: readonly BrokenRule[]
      /** Why the workload is left out. */
      readonly leftOut?: string
    }
  /** All kinds of faults that can be tried. */
  | {
      readonly type: 'space'
      readonly classes: readonly string[]
      readonly workloads: readonly string[]
    }
  | {
      readonly type: 'batch'
      readonly schedules: number
      readonly coverage: CoverageCounts
      readonly premises: Readonly<Record<string, number>>
      readonly advice: Readonly<Record<string, number>>
      /** Session time, in ms. */
      readonly tookMs: number
      readonly pace: SubjectPace
      /** The service went away in it. */
      readonly crash?: BrokenRule
    }
  | {
      readonly type: 'schedule'
      readonly index: number
      readonly strategy: string
      readonly hash: string
      readonly workload: string
      /** Number of faults. */
      readonly faults: number
      /** The kinds of faults that fired. */
      readonly exercised: readonly string[]
      readonly signature: string
      /** The rules that it broke. */
      readonly broken: readonly string[]
      readonly inconclusive: readonly string[]
      /** What must come in the end was not waited for. */
      readonly cutShort?: true
    }
  /** A failure that a bucket explains. */
  | {
      readonly type: 'hit'
      readonly bucket: string
      readonly index?: number
      readonly replaces?: string
    }
  /** `replaces`: the id of what was recorded of the same failure before it was shrunk. */
  | { readonly type: 'bucket'; readonly bucket: Bucket; readonly replaces?: string }
  /** A rule that was broken while several schedules ran, and by none of them alone. */
  | { readonly type: 'unattributed'; readonly rule: string }
  /** A reproducer of an earlier campaign was run; it passes when it breaks nothing. */
  | { readonly type: 'known'; readonly hash: string; readonly broken: readonly string[] }
  | { readonly type: 'end'; readonly reason: 'done' | 'interrupted'; readonly tookMs: number }
