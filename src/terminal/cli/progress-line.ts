/**
 * Progress: a line that is redrawn on a terminal, a line on stderr every 5 s elsewhere, or what the program that runs
 * the verb takes.
 */
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { asTerminalText, isCi, type Io } from './io.ts'

export interface ProgressLine {
  /** Shows the text, unless the last one is too recent. */
  readonly show: (text: () => string) => void
  /** Erases the line before other output; the next text is shown at once. */
  readonly clear: () => void
}

/** Signs of life of long work. */
export function everySecond(work: () => void): Disposable {
  const timer = setInterval(work, 1000)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const lineIntervalMs = 5000
const redrawMs = 100
const reportMs = 1000

/** `delayMs`: how long nothing is shown on a terminal, as most work is over by then. */
export function createProgressLine(
  {
    stderr,
    isTTY,
    env,
    columns,
    onProgress,
  }: Pick<Io, 'stderr' | 'isTTY' | 'env' | 'columns' | 'onProgress'>,
  delayMs = 0,
): ProgressLine {
  const onTerminal = isTTY && !isCi(env)
  const intervalMs = onProgress ? reportMs : onTerminal ? redrawMs : lineIntervalMs
  let dueAt = performance.now() + (onProgress ? 0 : onTerminal ? delayMs : intervalMs)
  let isShown = false
  return {
    show(text) {
      const now = performance.now()
      if (now < dueAt) return
      dueAt = now + intervalMs
      const line = escapeControls(text())
      if (onProgress) return onProgress(line)
      isShown = onTerminal
      stderr.write(
        onTerminal ? `\r\u001b[K${line.slice(0, columns - 1)}` : `${asTerminalText(line)}\n`,
      )
    },
    clear() {
      if (!isShown) return
      isShown = false
      dueAt = 0
      stderr.write('\r\u001b[K')
    },
  }
}
