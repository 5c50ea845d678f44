/** The model of a campaign's screen: the last progress, what is shown, and where the cursor is. */
import { type Bucket, type BucketDetails, bucketKey, byCertainty } from '../investigation/bucket.ts'
import type { CampaignBudget } from '../campaign/campaign.ts'
import { type CampaignProgress, CampaignState } from '../campaign/campaign-state.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { runRate } from '../campaign/campaign-text.ts'
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import type { Role } from '../../core/protocol/role.ts'
import { initialList, type ListModel } from '../../terminal/dashboard/list-screen/list-screen.ts'

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

/** Runs at a moment, to tell how many there are in a second. */
interface RunSample {
  readonly atMs: number
  readonly runs: number
}

export interface CampaignModel extends ListModel {
  readonly heading: CampaignHeading
  /** It is changed by the campaign, and read when a frame is drawn. */
  readonly state: CampaignState
  readonly width: number
  /** Of the last seconds, oldest first. */
  readonly samples: readonly RunSample[]
  /** The schedule that was run last. */
  readonly last?: Extract<CampaignRecord, { readonly type: 'schedule' }>
  readonly ended?: Extract<CampaignRecord, { readonly type: 'end' }>
  /** Key of the bucket with the cursor; the first one when absent. */
  readonly chosen?: string
  /** `asked`: whether to stop. `stopping`: it is to stop. */
  readonly stop: 'no' | 'asked' | 'stopping'
}

export const initialCampaign = (
  heading: CampaignHeading,
  columns: number,
  rows: number,
): CampaignModel => ({
  ...initialList(columns, rows),
  heading,
  state: new CampaignState(),
  width: 0,
  samples: [],
  stop: 'no',
})

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
    buckets.findIndex((each) => bucketKey(each) === chosen),
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

/** Time between two samples of the number of runs, and of how many the rate is taken. */
const sampleMs = 1000
const maxSamples = 10

function sampled(samples: readonly RunSample[], next: RunSample): readonly RunSample[] {
  const newest = samples.at(-1)
  if (newest && next.atMs - newest.atMs < sampleMs) return samples
  return [...samples.slice(1 - maxSamples), next]
}

/** Takes over one record. */
export function foldProgress(model: CampaignModel, progress: CampaignProgress): CampaignModel {
  const { record, state, tookMs, width } = progress
  const samples = sampled(model.samples, { atMs: tookMs, runs: state.runs() })
  const next = { ...model, state, tookMs, width, samples }
  if (record.type === 'schedule') return { ...next, last: record }
  return record.type === 'end' ? { ...next, ended: record } : next
}
