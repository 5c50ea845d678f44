/** Progress of a campaign in one line: phase, schedules and their rate, width, findings, time left. */
import type { CampaignBudget } from '../../exploration/campaign.ts'
import { phaseTexts, rateText, runRate, timeLeftMs } from '../../exploration/campaign-text.ts'
import { pluralise } from '../../protocol/count-text.ts'
import type { Io } from '../io.ts'
import { createProgressLine, type ProgressLine } from '../progress-line.ts'
import type { CampaignProgress } from './explore-report.ts'

export interface ExploreProgress extends Pick<ProgressLine, 'clear'> {
  readonly show: (progress: CampaignProgress) => void
}

const shortTime = (ms: number): string =>
  ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`

export function createExploreProgress(
  budget: CampaignBudget,
  io: Io,
  isQuiet: boolean,
): ExploreProgress {
  const line = createProgressLine(io)
  function text(progress: CampaignProgress): string {
    const { state, tookMs, width } = progress
    const left = timeLeftMs(state, tookMs, budget)
    return [
      phaseTexts[state.phase()],
      pluralise(state.schedules.size, 'schedule'),
      rateText(runRate(state.runs(), tookMs)),
      `${width} side by side`,
      pluralise(state.buckets.size, 'bucket'),
      ...(left === undefined ? [] : [`about ${shortTime(left)} left`]),
    ].join('  ')
  }
  return {
    clear: line.clear,
    show: (progress) => {
      if (!isQuiet) line.show(() => text(progress))
    },
  }
}
