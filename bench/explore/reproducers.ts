/** What shrinking makes of the first failures of a defect, and whether it fails again when it is played as a scenario. */
import { runCampaign } from '../../src/explore/campaign/campaign.ts'
import type { Bucket } from '../../src/explore/investigation/bucket.ts'
import {
  placementOrder,
  trimWorkload,
  type Workload,
} from '../../src/explore/workloads/workload.ts'
import { createReferenceRunner } from '../../test/support/reference-runner.ts'
import { type BenchCampaign, builtInWorkloads, campaignOptions } from './kill.ts'

export interface Reproducer {
  readonly rule: string
  readonly status: Bucket['status']
  /** Number of faults, and of orders. */
  readonly faults: number
  readonly orders: number
  /** Schedules that were run to shrink it. */
  readonly executions: number
}

export interface Replays {
  readonly rule: string
  readonly failed: number
  readonly played: number
}

export interface ShrunkDefect {
  readonly reproducers: readonly Reproducer[]
  /** Of the first reproducer that is confirmed, when it was to be played again. */
  readonly replays?: Replays
}

function entryOf({ schedule }: Bucket, workloads: readonly Workload[]) {
  const workload = workloads.find(({ name }) => name === schedule.workload)
  if (!workload) throw new Error(`there is no workload ${schedule.workload}`)
  return { schedule, workload: trimWorkload(workload, schedule.trim) }
}

const reproducerOf = (bucket: Bucket, workloads: readonly Workload[]): Reproducer => ({
  rule: bucket.rule,
  status: bucket.status,
  faults: bucket.schedule.faults.length,
  orders: placementOrder(entryOf(bucket, workloads).workload).length,
  executions: bucket.shrinkRuns,
})

/** Attempts of their own: those of the confirmation have other numbers. */
const firstAttempt = 1000

/** The campaign draws as many schedules as it took to find the defect, and shrinks what failed. */
export async function measureReproducers(
  campaign: BenchCampaign,
  timesAgain: number,
): Promise<ShrunkDefect> {
  const { workloads = builtInWorkloads } = campaign
  const runner = createReferenceRunner(campaign)
  const { buckets } = await runCampaign({
    ...campaignOptions(campaign, runner),
    enough: new AbortController().signal,
    onRecord: () => undefined,
  })
  const found = [...buckets.values()]
  const reproducers = found.map((bucket) => reproducerOf(bucket, workloads))
  const confirmed = found.find(({ status }) => status === 'confirmed')
  if (!confirmed || timesAgain === 0) return { reproducers }
  const { rule } = confirmed
  let failed = 0
  for (let attempt = 0; attempt < timesAgain; attempt++) {
    const { failures } = await runner.playAgain(
      entryOf(confirmed, workloads),
      firstAttempt + attempt,
    )
    if (failures.some((each) => each.rule === rule)) failed++
  }
  return { reproducers, replays: { rule, failed, played: timesAgain } }
}
