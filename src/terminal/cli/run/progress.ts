/** Progress of runs: the current step, with rate and estimate. */
import type { Io } from '../io.ts'
import { createProgressLine, type ProgressLine } from '../progress-line.ts'

export interface RunProgress extends Pick<ProgressLine, 'clear'> {
  readonly began: (title: string) => void
  readonly step: (text: string) => void
  readonly ended: () => void
}

const shortDuration = (seconds: number): string =>
  seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.max(1, Math.round(seconds))} s`

export function createRunProgress(total: number, io: Io, quiet: boolean): RunProgress {
  const start = performance.now()
  const line = createProgressLine(io)
  let done = 0
  let title = ''

  function state(): string {
    const passed = (performance.now() - start) / 1000
    if (done === 0) return `${done + 1}/${total}`
    const rate = done / passed
    const pace = rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`
    return `${Math.min(done + 1, total)}/${total}  ${pace}  about ${shortDuration((total - done) / rate)} left`
  }

  function step(text: string): void {
    if (!quiet) line.show(() => `${state()}  ${title}: ${text}`)
  }

  return {
    began(name) {
      title = name
      step('begins')
    },
    step,
    ended() {
      done++
    },
    clear: line.clear,
  }
}
