/** Progress on stderr: a line that is redrawn on a terminal, a line every 5 s elsewhere. */
import { escapeControls } from '../traffic/escape-controls.ts'
import { isCi, type Io } from './io.ts'

export interface ProgressLine {
  /** Shows the text, unless the last one is too recent. */
  readonly show: (text: () => string) => void
  /** Erases the line before other output; the next text is shown at once. */
  readonly clear: () => void
}

const lineIntervalMs = 5000
const redrawMs = 100

/** `delayMs`: how long nothing is shown on a terminal, as most work is over by then. */
export function createProgressLine(
  { stderr, isTTY, env, columns }: Pick<Io, 'stderr' | 'isTTY' | 'env' | 'columns'>,
  delayMs = 0,
): ProgressLine {
  const onTerminal = isTTY && !isCi(env)
  const intervalMs = onTerminal ? redrawMs : lineIntervalMs
  let dueAt = performance.now() + (onTerminal ? delayMs : intervalMs)
  let isShown = false
  return {
    show(text) {
      const now = performance.now()
      if (now < dueAt) return
      dueAt = now + intervalMs
      isShown = onTerminal
      const line = escapeControls(text())
      stderr.write(onTerminal ? `\r\u001b[K${line.slice(0, columns - 1)}` : `${line}\n`)
    },
    clear() {
      if (!isShown) return
      isShown = false
      dueAt = 0
      stderr.write('\r\u001b[K')
    },
  }
}
