/**
 * The terminal of the dashboard. Node writes to a terminal synchronously, so a slow one (ssh, a busy multiplexer)
 * would block every server in the process; here a thread of the pool writes the frames, and the stream's queue length
 * tells when to draw the next. The screen is restored however the process ends; frames still queued then are dropped.
 */
import { closeSync, constants, openSync, write, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { createMouseFilter, type MouseReport } from './mouse-input.ts'

interface KeyInput {
  readonly input: NodeJS.ReadStream
  /** Calls back with each report of the mouse; returns an unsubscribe function. */
  readonly onMouse: (listener: (report: MouseReport) => void) => () => void
  readonly close: () => void
}

/** An escape that nothing has followed for so long, in ms, is the key. */
const escapeMs = 40
/** The rest of a report on a slow line comes within this time, in ms, after its escape was taken for the key. */
const restMs = 500

/**
 * Complete sequences for keys that are released: after a plain escape the reader would wait for more, and take the next key
 * for one with alt. Alt with a bracket is not bound to anything.
 */
const completeForms: Readonly<Record<string, string>> = {
  '\u{1b}': '\u{1b}[27u',
  '\u{1b}[': '',
}

/** The input of a terminal with keys alone: reports of the mouse are taken out as it is read. */
export function createKeyInput(stdin: NodeJS.ReadStream): KeyInput {
  const listeners = new Set<(report: MouseReport) => void>()
  const filter = createMouseFilter((report) => {
    for (const listener of listeners) listener(report)
  })
  let released = ''
  let timer: NodeJS.Timeout | undefined
  let afterReading: NodeJS.Immediate | undefined

  /** Gives the reader keys that were held back. */
  function deliver(keys: string): void {
    released += keys
    if (keys !== '') stdin.emit('readable')
  }

  function releaseKeys(): void {
    const keys = filter.release()
    deliver(completeForms[keys] ?? keys)
    forgetLater()
  }

  function stop(): void {
    clearTimeout(timer)
    clearImmediate(afterReading)
  }

  function startTimer(ms: number, then: () => void): void {
    timer = setTimeout(then, ms)
    timer.unref()
  }

  const forgetLater = (): void => startTimer(restMs, () => deliver(filter.forget()))

  function schedule(): void {
    stop()
    if (!filter.mayBeKeys()) return forgetLater()
    // Where this process was busy the rest may be there already: it is read before the release.
    startTimer(escapeMs, () => {
      afterReading = setImmediate(releaseKeys)
    })
  }

  /** The next keys; null as from a stream when there are none for now. */
  function read(): string | null {
    if (released !== '') {
      const keys = released
      released = ''
      return keys
    }
    for (;;) {
      // The reader of keys sets the encoding, so these are whole characters.
      const chunk = stdin.read() as string | Buffer | null
      if (chunk === null) return null
      const keys = filter.push(chunk.toString())
      schedule()
      if (keys !== '') return keys
    }
  }

  return {
    // Everything but reading is the stream's own: its mode, its listeners, whether it keeps the process alive.
    input: new Proxy(stdin, {
      get(target, name) {
        if (name === 'read') return read
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    }),
    onMouse(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: stop,
  }
}

interface TerminalOutput extends Writable {
  readonly isTTY: true
  readonly columns: number
  readonly rows: number
}

export interface Terminal {
  /** Keys, without the reports of the mouse. */
  readonly input: NodeJS.ReadStream
  /** Calls back with each report of the mouse; returns an unsubscribe function. */
  readonly onMouse: (listener: (report: MouseReport) => void) => () => void
  readonly output: TerminalOutput
  /** Stops the process group until the shell continues it, as ctrl-z does in programs that do not read raw keys. */
  readonly suspend: () => Promise<void>
  /** Lends the terminal to a child program. Readers of our input have to detach before: it belongs to the child. */
  readonly lend: <Value>(to: () => Promise<Value>) => Promise<Value>
  /** Flushes queued output and restores the screen. */
  readonly close: () => Promise<void>
}

/** Node's stream for the terminal, for its size and file descriptor. */
export type TerminalDevice = NodeJS.WriteStream & { readonly fd: number }

export interface TerminalOptions {
  readonly stdin?: NodeJS.ReadStream
  readonly stdout?: TerminalDevice
  /** Whether the terminal reports clicks and the wheel, in place of selecting text. */
  readonly mouse?: boolean
  /** Handler of termination signals; by default the process exits at once, with the screen restored. */
  readonly onSignal?: (signal: NodeJS.Signals) => void
}

/** Reports of buttons and the wheel, in the SGR form, which has no limit of columns. */
const mouseOn = '\u{1b}[?1000h\u{1b}[?1006h'
const mouseOff = '\u{1b}[?1006l\u{1b}[?1000l'

/** A row that a terminal draws wider than it is measured loses its end, and moves no other row. */
const wrapOff = '\u{1b}[?7l'
const wrapOn = '\u{1b}[?7h'

/** Synchronised output off, bracketed paste off, mouse off, automatic wrap on, primary screen, cursor on. */
const restoring = `\u{1b}[?2026l\u{1b}[?2004l${mouseOff}${wrapOn}\u{1b}[?1049l\u{1b}[?25h`

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export function openTerminal(options: TerminalOptions = {}): Terminal {
  const { stdin = process.stdin, stdout = process.stdout, mouse = false } = options
  const own = reopen(stdout.fd)
  const descriptor = own ?? stdout.fd
  const output = asyncOutput(descriptor, stdout)
  const resized = (): boolean => output.emit('resize')
  stdout.on('resize', resized)

  const keys = mouse ? createKeyInput(stdin) : undefined
  const take = (): boolean => output.write(mouse ? wrapOff + mouseOn : wrapOff)
  take()
  /** Another program has the terminal meanwhile. */
  async function withoutModes<Value>(during: () => Promise<Value>): Promise<Value> {
    output.write(mouse ? mouseOff + wrapOn : wrapOn)
    await drained(output)
    try {
      return await during()
    } finally {
      take()
    }
  }

  let open = true
  const restore = (): void => {
    if (!open) return
    open = false
    try {
      writeSync(descriptor, restoring)
    } catch {
      // The terminal is gone: nothing to restore.
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
    input: keys?.input ?? stdin,
    onMouse: keys?.onMouse ?? (() => () => undefined),
    output,
    suspend: () =>
      withoutModes(async () => {
        process.kill(0, 'SIGTSTP')
        // The signal stops the process here; the timer fires after SIGCONT, or soon where job control is missing.
        await pause(50)
      }),
    lend: (to) =>
      withoutModes(async () => {
        // Removed listeners take effect in the next event loop turn; only then does pause() stop reading.
        await nextTurn()
        stdin.pause()
        await nextTurn()
        return to()
      }),
    async close() {
      keys?.close()
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

/** A separate file descriptor for the same terminal: Node changes the mode of its own. */
function reopen(descriptor: number): number | undefined {
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
    // Frames are whole texts; the dashboard reads the queue length itself, so the high-water mark is only a hint.
    highWaterMark: 1 << 20,
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      writeAll(chunk, done)
    },
    writev(chunks, done) {
      writeAll(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)), done)
    },
  })
  // A closed terminal is noticed by SIGHUP; write errors before that are ignored.
  stream.on('error', () => undefined)
  return Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => stdout.columns },
    rows: { get: () => stdout.rows },
  }) as TerminalOutput
}

/** Resolves when all output so far has been written. */
const drained = (output: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (output.destroyed || output.writableEnded) resolve()
    else output.write('', () => resolve())
  })
