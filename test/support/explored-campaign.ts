/** The records of a real campaign against the reference service in this process, and the progress that they make. */
import { type CampaignProgress, CampaignState } from '../../src/explore/campaign/campaign-state.ts'
import type { CampaignRecord } from '../../src/explore/campaign/campaign-record.ts'
import { exploreReference, type ReferenceCampaignOptions } from './explore-reference.ts'
import { twoWorkloads, writtenWorkloads } from './written-workloads.ts'

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

async function recordCampaign(options: ReferenceCampaignOptions) {
  const records: CampaignRecord[] = []
  await exploreReference({ ...options, onRecord: (record) => records.push(record) })
  return records
}

/**
 * The records of a campaign of so many schedules that finds one bucket: the schedules of a correct service, which need no
 * investigation, and among them what a short campaign finds at one that never reads again what it lost (RT-6).
 */
export async function recordOneBucket(maxRuns: number): Promise<readonly CampaignRecord[]> {
  const workloads = writtenWorkloads('software-service', ['takeout'])
  const short = { defects: ['never-reconciles'], maxRuns: 2, seed: 21, workloads } as const
  const found = await recordCampaign(short)
  const bucket = found.findLast(({ type }) => type === 'bucket')
  if (!bucket) throw new Error('the campaign found nothing')
  const records = await recordCampaign({ maxRuns, seed: 7, workloads: twoWorkloads })
  const place = records.findIndex((each) => each.type === 'schedule' && each.index === 12)
  return records.toSpliced(place, 0, bucket)
}
