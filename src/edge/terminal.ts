/**
 * The terminal that the dashboard draws on. Node writes to a terminal synchronously, so a slow one (ssh, a busy
 * multiplexer) would hold up every server in the process; here frames are written by a thread of the pool instead, and
 * the length of the queue says when there is room for the next one. Whatever way the process ends, the screen is given
 * back: what is still queued at that moment is not worth having.
 */
import { closeSync, constants, openSync, write, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

interface TerminalOutput extends Writable {
  readonly isTTY: true
  readonly columns: number
  readonly rows: number
}

export interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: TerminalOutput
  /** Stops the process group until the shell continues it, as ctrl-z does in programs that do not read raw keys. */
  readonly suspend: () => Promise<void>
  /**
   * Lends the terminal to a program that draws and reads by itself. Whoever uses our input has let go of it before: what
   * is typed now is none of ours.
   */
  readonly lend: <Value>(to: () => Promise<Value>) => Promise<Value>
  /** Waits for what is queued, and gives the screen back. */
  readonly close: () => Promise<void>
}

/** Node's own stream for the terminal: its size, and its descriptor. */
export type TerminalDevice = NodeJS.WriteStream & { readonly fd: number }

export interface TerminalOptions {
  readonly stdin?: NodeJS.ReadStream
  readonly stdout?: TerminalDevice
  /** What to do when the process is told to end; by default it ends at once, with the screen given back. */
  readonly onSignal?: (signal: NodeJS.Signals) => void
}

/** Synchronised output off, bracketed paste off, mouse off, primary screen, cursor on. */
const restoring = '\u{1b}[?2026l\u{1b}[?2004l\u{1b}[?1000l\u{1b}[?1049l\u{1b}[?25h'

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export function openTerminal(options: TerminalOptions = {}): Terminal {
  const { stdin = process.stdin, stdout = process.stdout } = options
  const own = reopened(stdout.fd)
  const descriptor = own ?? stdout.fd
  const output = asyncOutput(descriptor, stdout)
  const resized = (): boolean => output.emit('resize')
  stdout.on('resize', resized)

  let open = true
  const restore = (): void => {
    if (!open) return
    open = false
    try {
      writeSync(descriptor, restoring)
    } catch {
      // The terminal is gone: there is nothing left to restore.
    }
  }
  const listeners = Object.entries(signals).map(([name, number]) => {
    const listener = (signal: NodeJS.Signals): void => {
      if (options.onSignal) return options.onSignal(signal)
      process.exit(128 + number)
    }
    process.on(name, listener)
    return [name, listener] as const
  })
  process.on('exit', restore)

  return {
    input: stdin,
    output,
    async suspend() {
      await drained(output)
      process.kill(0, 'SIGTSTP')
      // The signal stops us here; this timer runs out when we are continued, or at once where nobody can stop us.
      await pause(50)
    },
    async lend(to) {
      await drained(output)
      // Listeners that were taken off are gone for good with the next turn; only then does pausing stop the reading.
      await turn()
      stdin.pause()
      await turn()
      return to()
    },
    async close() {
      await drained(output)
      restore()
      process.off('exit', restore)
      for (const [name, listener] of listeners) process.off(name, listener)
      stdout.off('resize', resized)
      output.destroy()
      if (own !== undefined) closeSync(own)
    },
  }
}

/** A descriptor of our own for the same terminal: Node changes the mode of the one it has. */
function reopened(descriptor: number): number | undefined {
  try {
    return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NOCTTY)
  } catch {
    return undefined
  }
}

function asyncOutput(descriptor: number, stdout: TerminalDevice): TerminalOutput {
  const writeAll = (data: Buffer, done: (error?: Error | null) => void): void => {
    write(descriptor, data, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => writeAll(data, done), 5)
      else if (error) done(error)
      else if (written < data.length) writeAll(data.subarray(written), done)
      else done()
    })
  }
  const stream = new Writable({
    // Frames are whole texts; a high mark only tells others when to wait, and the dashboard looks at the length itself.
    highWaterMark: 1 << 20,
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      writeAll(chunk, done)
    },
    writev(chunks, done) {
      writeAll(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done)
    },
  })
  // A terminal that went away is noticed by its signal; the failing writes before that are no news.
  stream.on('error', () => undefined)
  return Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => stdout.columns },
    rows: { get: () => stdout.rows },
  }) as TerminalOutput
}

/** Everything written so far is on the terminal. */
const drained = (output: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (output.destroyed || output.writableEnded) resolve()
    else output.write('', () => resolve())
  })
