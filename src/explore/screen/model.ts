/** The model of a campaign's screen: the last progress, what is shown, and where the cursor is. */
import { type Bucket, byCertainty } from '../investigation/bucket.ts'
import type { BucketDetails } from '../investigation/bucket-details.ts'
import type { CampaignBudget } from '../campaign/campaign.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { runRate } from '../campaign/campaign-text.ts'
import { type CampaignState, createCampaignState } from '../campaign/campaign-state.ts'
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { Tone } from '../../terminal/dashboard/view/text/row.ts'

/** What is run; it does not change. */
export interface CampaignHeading {
  /** The details of a bucket; files come with time. */
  readonly details: (bucket: Bucket) => BucketDetails
  readonly subject: Role
  readonly channels: readonly EventChannel[]
  readonly seed: number
  readonly budget: CampaignBudget
  readonly shard?: { readonly part: number; readonly of: number }
}

export type CampaignView = 'overview' | 'story' | 'help'

/** Runs at a moment, to tell how many there are in a second. */
export interface RunSample {
  readonly atMs: number
  readonly runs: number
}

export interface CampaignModel {
  readonly columns: number
  readonly rows: number
  readonly heading: CampaignHeading
  /** It is changed by the campaign, and read when a frame is drawn. */
  readonly state: CampaignState
  /** Wall-clock time since the beginning, in ms. */
  readonly tookMs: number
  readonly width: number
  /** Of the last seconds, oldest first. */
  readonly samples: readonly RunSample[]
  /** The schedule that was run last. */
  readonly last?: Extract<CampaignRecord, { readonly type: 'schedule' }>
  readonly ended?: Extract<CampaignRecord, { readonly type: 'end' }>
  readonly view: CampaignView
  /** Where help leads back to. */
  readonly before: CampaignView
  /** Id of the bucket with the cursor; the first one when absent. */
  readonly chosen?: string
  /** Top row of the open text. */
  readonly top: number
  /** `asked`: whether to stop. `stopping`: it is to stop. */
  readonly stop: 'no' | 'asked' | 'stopping'
  readonly notice?: { readonly text: string; readonly tone: Tone }
}

export const initialCampaign = (
  heading: CampaignHeading,
  columns: number,
  rows: number,
): CampaignModel => ({
  columns,
  rows,
  heading,
  state: createCampaignState(),
  tookMs: 0,
  width: 0,
  samples: [],
  view: 'overview',
  before: 'overview',
  top: 0,
  stop: 'no',
})

/** Rows above and below what is shown. */
export const headingHeight = ({ rows }: CampaignModel): number => (rows < 8 ? 1 : 2)
export const bodyHeight = (model: CampaignModel): number =>
  Math.max(0, model.rows - headingHeight(model) - 1)

/** The buckets in the order of the list. */
export const listedBuckets = ({ state }: CampaignModel): readonly Bucket[] =>
  [...state.buckets.values()].sort(byCertainty)

/** The index of the bucket with the cursor; undefined while there are none. */
export function chosenBucketIndex(
  buckets: readonly Bucket[],
  { chosen }: Pick<CampaignModel, 'chosen'>,
): number | undefined {
  if (buckets.length === 0) return undefined
  return Math.max(
    0,
    buckets.findIndex(({ id }) => id === chosen),
  )
}

export function chosenBucket(model: CampaignModel): Bucket | undefined {
  const buckets = listedBuckets(model)
  const index = chosenBucketIndex(buckets, model)
  return index === undefined ? undefined : buckets[index]
}

/** Runs per second in the last seconds; of the whole time once the campaign has ended. */
export function recentRate({ samples, state, tookMs, ended }: CampaignModel): number {
  if (ended) return runRate(state.runs(), tookMs)
  const [oldest = { atMs: 0, runs: 0 }] = samples
  return runRate(state.runs() - oldest.runs, tookMs - oldest.atMs)
}
