/** The records of a real campaign against the reference service in this process, and the progress that they make. */
import { type CampaignProgress, CampaignState } from '../../src/explore/campaign/campaign-state.ts'
import type { CampaignRecord } from '../../src/explore/campaign/campaign-record.ts'
import { exploreReference, type ReferenceCampaignOptions } from './explore-reference.ts'

/**
 * The progress of records that come one each 10 ms; the state of each is that after it, as long as it is read at once.
 */
export function* progressOf(
  records: Iterable<CampaignRecord>,
  width = 16,
): Generator<CampaignProgress> {
  const state = new CampaignState()
  let tookMs = 0
  for (const record of records) {
    state.apply(record)
    tookMs += 10
    const activity = { sessions: 1, exchanges: 0 }
    yield { record, state, tookMs, width, activity }
  }
}

/** The records as if nothing but the first bucket had been found. */
export function withFirstBucketOnly(records: readonly CampaignRecord[]): readonly CampaignRecord[] {
  const first = records.find((record) => record.type === 'bucket')?.bucket.id
  return records.filter(
    (record) =>
      !(record.type === 'bucket' && record.bucket.id !== first) &&
      !(record.type === 'hit' && record.bucket !== first),
  )
}

/** The records of a campaign. */
export async function recordCampaign(
  options: ReferenceCampaignOptions,
): Promise<readonly CampaignRecord[]> {
  const records: CampaignRecord[] = []
  await exploreReference({ ...options, onRecord: (record) => records.push(record) })
  return records
}
