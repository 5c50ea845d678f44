/**
 * The process environment of a verb (streams, variables, terminal, signals), injected so that tests can run a verb
 * without a process; and the functions that print lines and JSON.
 */
import { Writable } from 'node:stream'
import type { ExitCode } from './exit-code.ts'
import { isStdout } from '../../core/runtime/files/output-place.ts'
import { escapeControls, hasControls } from '../../core/traffic/escape-controls.ts'
import { writeWithBackpressure } from '../../core/runtime/recording/write-with-backpressure.ts'

/** A signal, the end of the output (`closed`), or that of the npm that started the program (`orphaned`). */
export type Interruption = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'closed' | 'orphaned'

export interface Io {
  /** Opened on first use: most verbs never read it. */
  readonly stdin: () => NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Both stdin and stdout are a terminal: keys can be read and a screen can be drawn. */
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
  /** Colours may be written to stdout. */
  readonly color: boolean
  /**
   * Subscribes to signals and, as `closed`, to the end of the output (EPIPE, EIO), and, as `orphaned`, to that of npm.
   * Without a listener a signal ends the program. Returns the unsubscribe function.
   */
  readonly onInterrupt: (listener: (why: Interruption) => void) => () => void
  /**
   * Ignores SIGINT meanwhile: Ctrl-C goes to every program of a terminal, and an editor that has it is the one meant.
   */
  readonly aside?: <Value>(during: () => Promise<Value>) => Promise<Value>
  /** Takes the progress of long work, in place of lines on stderr. */
  readonly onProgress?: (text: string) => void
  /** Called with each output that is not whole; false where the same was said before. See `reportLoss`. */
  readonly onLoss?: (sentence: string) => boolean
  /** Ends the program at once, without cleanup. */
  readonly exit: (code: ExitCode) => void
}

const colours = new RegExp(String.raw`(\u{1B}\[[\d;]*m)`, 'u')

/** Lines as a terminal shows them: colours stay, other control characters in them are escaped. */
export const asTerminalText = (text: string): string =>
  hasControls(text)
    ? text
        .split(colours)
        .map((part, index) => (index % 2 === 1 ? part : escapeControls(part, '\n\t')))
        .join('')
    : text

/** Whether what is written to a stream is shown at a terminal. */
export const isTerminal = (stream: NodeJS.WritableStream): boolean =>
  'isTTY' in stream && stream.isTTY === true

/** Width to wrap text to: that of the terminal. Lines in files and pipes stay whole, so that they can be searched. */
export const textWidth = ({ stdout, columns }: Pick<Io, 'stdout' | 'columns'>): number =>
  isTerminal(stdout) ? columns : Infinity

export const printLine = (stream: NodeJS.WritableStream, line: string): Promise<void> =>
  writeWithBackpressure(stream, `${asTerminalText(line)}\n`)

/** Prints one value as indented JSON. */
export const printJson = (io: Io, value: unknown): Promise<void> =>
  printLine(io.stdout, JSON.stringify(value, null, 2))

/** Prints to stderr where an output goes to stdout, so that the two are not mixed. */
export const withStdoutFor = (output: string | undefined, io: Io): Io =>
  output !== undefined && isStdout(output, io.cwd) ? { ...io, stdout: io.stderr, isTTY: false } : io

/** Discards what is written to stderr. */
export const withoutStderr = (io: Io): Io => ({
  ...io,
  stderr: new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  }),
})

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

/** FORCE_COLOR wins over NO_COLOR, as in Node itself, and both win over terminal detection. */
export function wantsColor(env: Io['env'], onTerminal: boolean): boolean {
  const forced = env['FORCE_COLOR']
  if (isSet(forced)) return forced !== '0' && forced !== 'false'
  return !isSet(env['NO_COLOR']) && onTerminal && env['TERM'] !== 'dumb'
}

/** CI machines set CI; even with a pseudo-terminal they are not interactive. */
export const isCi = (env: Io['env']): boolean => isSet(env['CI']) && env['CI'] !== 'false'
