/** A real campaign against the reference service in this process, and what screens and reporters are told of it. */
import type { DefectName } from '../../src/demo/defects.ts'
import type { CampaignProgress } from '../../src/exploration/campaign-progress.ts'
import type { CampaignRecord } from '../../src/exploration/campaign-record.ts'
import { createCampaignState } from '../../src/exploration/campaign-state.ts'
import type { ExploreOptions, ExploreResult } from '../../src/session/explore-options.ts'
import { exploreReference } from './explore-reference.ts'

export interface CampaignOptionsOfTest extends Pick<
  ExploreOptions,
  'maxRuns' | 'workloads' | 'onRecord' | 'signal' | 'width'
> {
  readonly defects?: readonly DefectName[]
}

/** Runs a campaign over both channels, deliveries included. */
export const exploreInProcess = (options: CampaignOptionsOfTest): Promise<ExploreResult> =>
  exploreReference(options)

/** What is told of records that come one each 10 ms; the state of each is that after it, as long as it is read at once. */
export function* progressOf(
  records: Iterable<CampaignRecord>,
  width = 16,
): Generator<CampaignProgress> {
  const state = createCampaignState()
  let tookMs = 0
  for (const record of records) {
    state.apply(record)
    tookMs += 10
    yield { record, state, tookMs, width }
  }
}

/** The records of a campaign. */
export async function recordCampaign(
  options: CampaignOptionsOfTest,
): Promise<readonly CampaignRecord[]> {
  const records: CampaignRecord[] = []
  await exploreInProcess({ ...options, onRecord: (record) => records.push(record) })
  return records
}
