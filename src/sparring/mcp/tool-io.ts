/** The `Io` of a verb that a tool runs: its output is kept in memory, and stdin is never that of the process. */
import { Readable, Writable } from 'node:stream'
import type { Interruption, Io } from '../../terminal/cli/io.ts'

export interface ToolIo {
  readonly io: Io
  readonly stdout: () => string
  /** Lines of stderr, without the name of the program. */
  readonly notes: () => readonly string[]
  /** As by a signal: the verb ends as it would on the command line. */
  readonly interrupt: (why: Interruption) => void
}

interface ToolIoOptions {
  readonly cwd: string
  readonly env: Io['env']
  readonly stdin?: string | undefined
  /** Only the last whole line of stdout is kept. */
  readonly lastLineOnly?: boolean | undefined
  readonly onProgress?: (text: string) => void
  /** Called with each line of stdout. */
  readonly onLine?: (line: string) => void
}

/** Output beyond this is not kept: the result of the largest known run has a tenth of it. */
const maxStdoutChars = 64 * 1024 * 1024
const maxNotes = 50
const maxNoteChars = 2000

/** Calls back with each whole line, and at the end with what is left. */
function lineWriter(onLine: (line: string) => void): Writable & { readonly rest: () => string } {
  let begun = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = (begun + chunk.toString()).split('\n')
      begun = lines.pop() ?? ''
      for (const line of lines) onLine(line)
      done()
    },
  })
  return Object.assign(stream, { rest: () => begun })
}

export function createToolIo(options: ToolIoOptions): ToolIo {
  const { cwd, env, stdin = '', lastLineOnly, onProgress, onLine } = options
  const listeners = new Set<(why: Interruption) => void>()
  let interruption: Interruption | undefined
  let lines: string[] = []
  let chars = 0
  let notes: string[] = []
  const stdout = lineWriter((line) => {
    onLine?.(line)
    if (lastLineOnly) lines = [line]
    else if ((chars += line.length + 1) <= maxStdoutChars) lines.push(line)
  })
  const stderr = lineWriter((line) => {
    const text = line.replace(/^sparring: /, '').slice(0, maxNoteChars)
    notes = [...notes, text].slice(-maxNotes)
    onProgress?.(text)
  })
  return {
    io: {
      stdin: () => Readable.from([stdin]),
      stdout,
      stderr,
      env,
      cwd,
      isTTY: false,
      columns: 120,
      rows: 40,
      color: false,
      onInterrupt(listener) {
        listeners.add(listener)
        if (interruption !== undefined) listener(interruption)
        return () => listeners.delete(listener)
      },
      ...(onProgress ? { onProgress } : {}),
      exit: () => undefined,
    },
    stdout: () => [...lines, ...(stdout.rest() === '' ? [] : [stdout.rest()])].join('\n'),
    notes: () => (stderr.rest() === '' ? notes : [...notes, stderr.rest()]),
    interrupt(why) {
      if (interruption !== undefined) return
      interruption = why
      for (const listener of listeners) listener(why)
    },
  }
}
