/** Options of Ink for a program that takes the whole screen. */
import type { RenderOptions } from 'ink'

/** The streams of a terminal. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream
  /** A stream that never blocks the process; it carries the size of the terminal. */
  readonly output: NodeJS.WritableStream & {
    readonly columns: number
    readonly rows: number
    readonly writableLength: number
  }
}

export const fullScreenOptions = ({ input, output }: TerminalStreams): RenderOptions => ({
  stdin: input,
  stdout: output,
  alternateScreen: true,
  incrementalRendering: true,
  maxFps: 60,
  exitOnCtrlC: false,
  // Nothing may print while the screen is shown, and Ink must not capture what is printed afterwards.
  patchConsole: false,
  // Ink treats any CI variable as non-interactive; the caller has already decided.
  interactive: true,
})
