/** Schedules of a campaign on the correct service, where nothing may be found, and how fast they run. */
import { runCampaign } from '../../src/explore/campaign/campaign.ts'
import {
  createReferenceRunner,
  createReferenceWorkers,
} from '../../test/support/reference-runner.ts'
import { type BenchCampaign, campaignOptions, type FalseAlarm } from './kill.ts'

export interface FalseAlarms {
  /** Schedules that were drawn and run. */
  readonly schedules: number
  readonly alarms: readonly FalseAlarm[]
  /** Rules that were broken while several schedules ran, and by none of them alone. */
  readonly unattributed: readonly string[]
  readonly seconds: number
}

export async function measureFalseAlarms(
  campaign: BenchCampaign,
  onProgress: (schedules: number) => void = () => undefined,
  workers = 0,
): Promise<FalseAlarms> {
  const { seed, defects, channel, crashes } = campaign
  const service = { seed, defects, channel, crashes }
  await using threads = workers > 0 ? createReferenceWorkers(service, workers) : undefined
  const runner = threads ?? createReferenceRunner(service)
  const alarms: FalseAlarm[] = []
  const began = performance.now()
  const state = await runCampaign({
    ...campaignOptions(campaign, runner),
    enough: new AbortController().signal,
    onRecord(record) {
      if (record.type === 'steady')
        for (const { rule } of record.failures)
          alarms.push({ rule, schedule: `${record.workload} without faults` })
      if (record.type === 'schedule') {
        onProgress(record.index + 1)
        for (const rule of record.broken)
          alarms.push({ rule, schedule: `${record.workload}, schedule ${record.index}` })
      }
    },
  })
  return {
    schedules: state.schedules.size,
    alarms,
    unattributed: [...state.unattributed.keys()],
    seconds: (performance.now() - began) / 1000,
  }
}
