/** Progress of a campaign in one line: phase, schedules and their rate, width, findings, time left. */
import type { CampaignBudget } from '../../exploration/campaign.ts'
import { pluralise } from '../../protocol/count-text.ts'
import type { Io } from '../io.ts'
import { createProgressLine, type ProgressLine } from '../progress-line.ts'
import type { CampaignProgress } from './explore-report.ts'

export interface ExploreProgress extends Pick<ProgressLine, 'clear'> {
  readonly show: (progress: CampaignProgress) => void
}

const phaseNames = {
  steady: 'without faults',
  known: 'known reproducers',
  search: 'search',
} as const

const shortTime = (ms: number): string =>
  ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`

/** About how long the search still takes; undefined where nothing limits it. */
function leftMs(
  { state, tookMs }: CampaignProgress,
  { maxMs, maxRuns }: CampaignBudget,
): number | undefined {
  const done = state.schedules.size
  const byTime = maxMs === undefined ? Infinity : maxMs - tookMs
  const byRuns = maxRuns === undefined || done === 0 ? Infinity : ((maxRuns - done) * tookMs) / done
  const left = Math.min(byTime, byRuns)
  return Number.isFinite(left) ? Math.max(0, left) : undefined
}

export function createExploreProgress(
  budget: CampaignBudget,
  io: Io,
  isQuiet: boolean,
): ExploreProgress {
  const line = createProgressLine(io)
  function text(progress: CampaignProgress): string {
    const { state, tookMs, width } = progress
    const rate = state.runs() / Math.max(0.001, tookMs / 1000)
    const left = leftMs(progress, budget)
    return [
      phaseNames[state.phase()],
      pluralise(state.schedules.size, 'schedule'),
      rate >= 1 ? `${rate.toFixed(1)} runs/s` : `${(rate * 60).toFixed(1)} runs/min`,
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
