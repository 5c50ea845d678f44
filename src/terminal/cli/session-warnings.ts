/** Prints warnings of sessions on stderr, each once; while a dashboard is shown they are kept until it has ended. */
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { type Io, printLine } from './io.ts'

export interface SessionWarnings {
  readonly onWarning: (text: string) => void
  /** The dashboard has ended. */
  readonly release: () => void
}

export function createSessionWarnings(
  { stderr }: Pick<Io, 'stderr'>,
  isScreenShown = false,
): SessionWarnings {
  const printed = new Set<string>()
  let kept: string[] | undefined = isScreenShown ? [] : undefined
  const print = (text: string): void =>
    // What a partner or a collector answered must not begin a line.
    void printLine(stderr, `sparring: ${escapeControls(text)}`)
  return {
    onWarning(text) {
      if (printed.has(text)) return
      printed.add(text)
      if (kept) kept.push(text)
      else print(text)
    },
    release() {
      const texts = kept ?? []
      kept = undefined
      for (const text of texts) print(text)
    },
  }
}
