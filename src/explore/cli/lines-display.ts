/** A campaign as lines on stderr; its progress is one line: phase, schedules and their rate, width, findings, time left. */
import type { CampaignBudget } from '../campaign/campaign.ts'
import { phaseTexts, rateText, runRate, timeLeftMs } from '../campaign/campaign-text.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { createProgressLine } from '../../terminal/cli/progress-line.ts'
import type { CampaignDisplay } from './campaign-display.ts'
import type { CampaignProgress } from './explore-report.ts'

const shortTime = (ms: number): string =>
  ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : `${Math.max(1, Math.round(ms / 1000))} s`

function progressText(progress: CampaignProgress, budget: CampaignBudget): string {
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

export interface LinesDisplayOptions {
  readonly budget: CampaignBudget
  readonly quiet?: true | undefined
  /** No line is drawn again. */
  readonly plain?: true | undefined
}

export function createLinesDisplay(
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
