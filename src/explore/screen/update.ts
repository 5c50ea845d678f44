/** Updates of the campaign's screen: pure, and O(1) for each record, since a campaign tells of hundreds in a second. */
import type { CampaignProgress } from '../campaign/campaign-progress.ts'
import { moveIndex, scroll } from '../../terminal/dashboard/model/lists.ts'
import type { Motion } from '../../terminal/dashboard/model/message.ts'
import {
  bodyHeight,
  type CampaignModel,
  type CampaignView,
  chosenBucketIndex,
  listedBuckets,
  type RunSample,
} from './model.ts'
import { openTextRows, textHeight } from './open-text.ts'

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

export type CampaignMessage =
  | { readonly kind: 'progress'; readonly progress: CampaignProgress }
  /** Time passes, although there are no records. */
  | { readonly kind: 'ticked'; readonly tookMs: number }
  | { readonly kind: 'resized'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'moved'; readonly motion: Motion }
  | { readonly kind: 'opened'; readonly view: CampaignView }
  | { readonly kind: 'closed' }
  | { readonly kind: 'stop'; readonly stop: CampaignModel['stop'] }
  | { readonly kind: 'notice'; readonly notice: CampaignModel['notice'] }

/** The list of buckets moves its cursor, an open text its rows. */
function moved(model: CampaignModel, motion: Motion): CampaignModel {
  if (model.view !== 'overview') {
    const length = openTextRows(model).length
    return { ...model, top: scroll(length, textHeight(model), model.top, motion) }
  }
  const buckets = listedBuckets(model)
  const index = chosenBucketIndex(buckets, model)
  const bucket = buckets[moveIndex(buckets.length, bodyHeight(model), index, motion)]
  return bucket ? { ...model, chosen: bucket.id } : model
}

export function updateCampaign(model: CampaignModel, message: CampaignMessage): CampaignModel {
  switch (message.kind) {
    case 'progress':
      return foldProgress(model, message.progress)
    case 'ticked':
      return { ...model, tookMs: Math.max(model.tookMs, message.tookMs) }
    case 'resized':
      return { ...model, columns: message.columns, rows: message.rows }
    case 'moved':
      return moved(model, message.motion)
    case 'opened':
      return { ...model, view: message.view, before: model.view, top: 0 }
    case 'closed':
      return { ...model, view: model.view === 'help' ? model.before : 'overview', top: 0 }
    case 'stop':
      return { ...model, stop: message.stop }
    case 'notice': {
      const { notice: _before, ...others } = model
      return message.notice ? { ...others, notice: message.notice } : others
    }
    default:
      return message satisfies never
  }
}
