/** Progress with rate and estimate: a line that is overwritten on a terminal, a line every 5 s elsewhere. */
import { escapeControls } from '../../traffic/escape-controls.ts'
import { isCi, type Io } from '../io.ts'

export interface RunProgress {
  readonly began: (title: string) => void
  readonly step: (text: string) => void
  readonly ended: () => void
  /** Erases the progress line before other output. */
  readonly clear: () => void
}

const lineIntervalMs = 5000
const redrawMs = 100

const shortDuration = (seconds: number): string =>
  seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.max(1, Math.round(seconds))} s`

export function createRunProgress(total: number, io: Io, quiet: boolean): RunProgress {
  const start = performance.now()
  const onTerminal = io.isTTY && !isCi(io.env)
  let done = 0
  let title = ''
  let lastWritten = start
  let drawn = 0
  let shown = false

  function state(): string {
    const passed = (performance.now() - start) / 1000
    if (done === 0) return `${done + 1}/${total}`
    const rate = done / passed
    const pace = rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`
    return `${Math.min(done + 1, total)}/${total}  ${pace}  about ${shortDuration((total - done) / rate)} left`
  }

  function clear(): void {
    if (!shown) return
    shown = false
    io.stderr.write('\r\u001b[K')
  }

  function print(text: string): void {
    if (quiet) return
    const now = performance.now()
    if (onTerminal) {
      if (shown && now - drawn < redrawMs) return
      drawn = now
      shown = true
      const line = escapeControls(`${state()}  ${title}: ${text}`).slice(0, io.columns - 1)
      io.stderr.write(`\r\u001b[K${line}`)
    } else if (now - lastWritten >= lineIntervalMs) {
      lastWritten = now
      io.stderr.write(`${escapeControls(`${state()}  ${title}: ${text}`)}\n`)
    }
  }

  return {
    began(name) {
      title = name
      print('begins')
    },
    step: print,
    ended() {
      done++
    },
    clear,
  }
}
