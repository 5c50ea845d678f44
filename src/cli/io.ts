/**
 * Everything that a verb may know of the machine that it runs on. A verb gets it as a parameter, so that a test can
 * drive one without a process.
 */
import type { ExitCode } from './exit-code.ts'
import { writeWithBackpressure } from '../edge/recording/write-with-backpressure.ts'

export type Interruption = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'closed'

export interface Io {
  /** Opened when somebody reads it: most verbs never do. */
  readonly stdin: () => NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** A person sits at both ends: keys can be read and a screen can be drawn. */
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
  /** Colours may be written to stdout. */
  readonly color: boolean
  /**
   * Calls back when somebody wants the program to stop; `closed` when nobody reads its output any more. While nobody
   * listens, a signal ends the program by itself. Answers how to stop listening.
   */
  readonly onInterrupt: (listener: (why: Interruption) => void) => () => void
  /** Ctrl-C goes to every program of a terminal: while another one has it, as an editor has, it is not meant for us. */
  readonly aside?: <Value>(during: () => Promise<Value>) => Promise<Value>
  /** Ends the program at once, whatever is under way. */
  readonly exit: (code: ExitCode) => void
}

export const sayLine = (stream: NodeJS.WritableStream, line: string): Promise<void> =>
  writeWithBackpressure(stream, `${line}\n`)

/** One value as JSON: indented, since a person may look at it, and any reader of JSON takes it. */
export const sayJson = (io: Io, value: unknown): Promise<void> =>
  writeWithBackpressure(io.stdout, `${JSON.stringify(value, null, 2)}\n`)

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

/** FORCE_COLOR goes before NO_COLOR, as in Node itself, and either before what the terminal is. */
export function wantsColor(env: Io['env'], terminal: boolean): boolean {
  const forced = env['FORCE_COLOR']
  if (isSet(forced)) return forced !== '0' && forced !== 'false'
  return !isSet(env['NO_COLOR']) && terminal && env['TERM'] !== 'dumb'
}

/** CI is set by machines that build; whatever their terminal looks like, nobody sits there. */
export const isCi = (env: Io['env']): boolean => isSet(env['CI']) && env['CI'] !== 'false'
