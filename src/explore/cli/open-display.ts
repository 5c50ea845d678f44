/** Opens what shows a campaign: a screen where there is a person at a terminal and stdout is not asked for, else lines. */
import { compact } from '../../core/base/compact.ts'
import type { CampaignHeading } from '../screen/model.ts'
import type { SessionRequest } from '../batch/session-runner.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { canShowScreen } from '../../terminal/cli/session-output.ts'
import type { StopSignal } from '../../terminal/cli/stop-signal.ts'
import type { BucketStore } from './bucket-store.ts'
import type { CampaignDisplay } from './campaign-display.ts'
import type { CampaignPlan } from './campaign-plan.ts'
import type { ExploreFlags } from './explore-flags.ts'
import type { ExploredService } from './explored-service.ts'
import { createLinesDisplay } from './lines-display.ts'
import { isStdoutClaimed } from '../../terminal/cli/run/claimed-stdout.ts'
import { eventChannelsOf } from '../schedules/schedule.ts'
import { type ServiceRunner } from './service-runner.ts'

export interface DisplayParts {
  readonly plan: CampaignPlan
  readonly keeper: BucketStore
  readonly runner: ServiceRunner
  readonly service: ExploredService
  readonly stopping: StopSignal
  readonly details: CampaignHeading['details']
}

export const isOnScreen = (flags: ExploreFlags, io: Io): boolean =>
  canShowScreen(flags, io) && !isStdoutClaimed(flags, io)

export async function openCampaignDisplay(
  flags: ExploreFlags,
  { plan, keeper, runner, service, stopping, details }: DisplayParts,
  io: Io,
): Promise<CampaignDisplay> {
  const { header, channel, configuration, budget } = plan
  const { quiet, plain } = flags
  if (!isOnScreen(flags, io)) return createLinesDisplay({ budget, quiet, plain }, io)
  const { seed, subject, shard } = header
  const { openScreenDisplay } = await import('./screen-display.ts')
  return openScreenDisplay(
    {
      heading: {
        details,
        subject,
        channels: eventChannelsOf(channel, subject),
        seed,
        budget,
        ...compact({ shard }),
      },
      output: flags,
      stopping,
      async play(bucket) {
        const scenario = keeper.scenarioOf(bucket)
        if (!scenario) return `the workload ${bucket.schedule.workload} is unknown`
        const { playReproducer } = await import('./play-reproducer.ts')
        const settings = compact({ convergeMs: runner.convergeMs() })
        const { signal } = stopping
        const { asks } = configuration.subject
        const open = (request: SessionRequest) => service.open(request, settings)
        return playReproducer({ scenario, seed, open, asks, output: flags, signal }, io)
      },
    },
    io,
  )
}
