/** Progress of `sparring run`: the run and its step, for how long that has been played, and how long the rest will take. */
import type { Io } from '../io.ts'
import { createProgressLine, type ProgressLine } from '../progress-line.ts'

/** Progress of runs: the step of the one that began first, for how long it has been played, with rate and estimate. */
export interface RunProgress extends Pick<ProgressLine, 'clear'>, Disposable {
  readonly step: (title: string, text: string) => void
  readonly ended: (title: string) => void
}

/** How often the line is written again while a step goes on, in ms. */
const progressMs = 1000

const shortDuration = (seconds: number): string =>
  seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.max(1, Math.round(seconds))} s`

export function createRunProgress(total: number, io: Io, quiet: boolean): RunProgress {
  const start = performance.now()
  const line = createProgressLine(io)
  let done = 0
  /** By title, in the order in which the runs began. */
  const running = new Map<string, { readonly text: string; readonly began: number }>()

  function state(): string {
    const passed = (performance.now() - start) / 1000
    if (done === 0) return `${done + 1}/${total}`
    const rate = done / passed
    const pace = rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`
    return `${Math.min(done + 1, total)}/${total}  ${pace}  about ${shortDuration((total - done) / rate)} left`
  }

  function show(): void {
    const [first] = running
    if (quiet || !first) return
    const [title, { text, began }] = first
    line.show(() => {
      const seconds = Math.round((performance.now() - began) / 1000)
      return `${state()}  ${title}: ${text}${seconds > 0 ? `, for ${seconds} s` : ''}`
    })
  }

  const timer = setInterval(show, progressMs)
  timer.unref()
  return {
    step(title, text) {
      running.set(title, { text, began: performance.now() })
      show()
    },
    ended(title) {
      done++
      running.delete(title)
    },
    clear: line.clear,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
