/**
 * Opens what shows a campaign: a screen where there is a person at a terminal and stdout is not asked for, else lines.
 */
import { compact } from '../../core/base/compact.ts'
import type { CampaignHeading } from '../screen/model.ts'
import type { SessionRequest } from '../batch/session-runner.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { canShowScreen } from '../../terminal/cli/session-output.ts'
import type { StopSignal } from '../../terminal/cli/stop-signal.ts'
import type { BucketStore } from './bucket-store.ts'
import type { CampaignDisplay } from './campaign-display.ts'
import type { CampaignPlan } from './campaign-plan.ts'
import type { ExploreFlags } from './explore-flags.ts'
import type { ExploredService } from './explored-service.ts'
import { isStdoutClaimed } from '../../terminal/cli/run/claimed-stdout.ts'
import { eventChannelsOf } from '../schedules/schedule.ts'
import type { ServiceRunner } from './service-runner.ts'
import type { CampaignBudget } from '../campaign/campaign.ts'
import { phaseTexts, rateText, runRate, timeLeftMs } from '../campaign/campaign-text.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { createProgressLine } from '../../terminal/cli/progress-line.ts'
import type { CampaignProgress } from './explore-report.ts'

const shortTime = (ms: number): string =>
  ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`

/** The progress of a campaign in one line: phase, what was played and is played now, findings, time left. */
function progressText(progress: CampaignProgress, budget: CampaignBudget): string {
  const { state, tookMs, activity } = progress
  const left = timeLeftMs(state, tookMs, budget)
  return [
    phaseTexts[state.phase()],
    `${state.runs()} played`,
    rateText(runRate(state.runs(), tookMs)),
    `${pluralise(activity.sessions, 'session')} open, ${pluralise(activity.exchanges, 'call')} so far`,
    pluralise(state.buckets.size, 'bucket'),
    ...(left === undefined ? [] : [`about ${shortTime(left)} left`]),
  ].join('  ')
}

interface LinesDisplayOptions {
  readonly budget: CampaignBudget
  readonly quiet?: true | undefined
  /** No line is drawn again. */
  readonly plain?: true | undefined
}

function createLinesDisplay(
  { budget, quiet, plain }: LinesDisplayOptions,
  io: Io,
): CampaignDisplay {
  const line = createProgressLine(plain ? { ...io, isTTY: false } : io)
  const leave = (): Promise<void> => {
    line.clear()
    return Promise.resolve()
  }
  return {
    async say(sentence) {
      line.clear()
      if (!quiet) await printLine(io.stderr, `sparring: ${sentence}`)
    },
    show(progress) {
      if (!quiet) line.show(() => progressText(progress, budget))
    },
    clear: line.clear,
    betweenBatches: () => Promise.resolve(),
    waitedMs: () => 0,
    end: leave,
    [Symbol.asyncDispose]: leave,
  }
}

export interface DisplayParts {
  readonly plan: CampaignPlan
  readonly bucketStore: BucketStore
  readonly runner: ServiceRunner
  readonly service: ExploredService
  readonly stopping: StopSignal
  readonly details: CampaignHeading['details']
}

export const isOnScreen = (flags: ExploreFlags, io: Io): boolean =>
  canShowScreen(flags, io) && !isStdoutClaimed(flags, io)

export async function openCampaignDisplay(
  flags: ExploreFlags,
  { plan, bucketStore, runner, service, stopping, details }: DisplayParts,
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
        const scenario = bucketStore.scenarioOf(bucket)
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
