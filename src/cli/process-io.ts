/** The process as a verb sees it: the only place of the command line that touches `process`. */
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { problem } from '../problem.ts'
import { type Interruption, type Io, wantsColor } from './io.ts'

/**
 * A signal reaches us twice when somebody presses Ctrl-C under npm: from the terminal, and passed on by npm. Two
 * within this time are one.
 */
const sameSignalMs = 250

/** The code with which a program ends that does not listen: 128 and the signal's number. */
const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143, closed: 0 } as const

/** Nobody reads any more: the pipe was closed, or the terminal went away. */
const isGone = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EIO'

/** A full disk behind `>` is no bug of ours: it is told in a sentence, as any other place that cannot be written to. */
function endUnwritten(error: Error): void {
  const told = problem('writing the output', error.message, 'Make room, or send it elsewhere.')
  try {
    writeSync(2, `sparring: ${told.message}\n`)
  } catch {
    // Nobody can be told where that is what cannot be written.
  }
  process.exit(told.exit)
}

function createInterrupts(): Pick<Io, 'onInterrupt'> & Required<Pick<Io, 'aside'>> {
  const listeners = new Set<(why: Interruption) => void>()
  let last = -Infinity
  let others = 0
  const tell = (why: Interruption) => {
    if (why === 'SIGINT' && others > 0) return
    const now = performance.now()
    if (now - last < sameSignalMs) return
    if (listeners.size === 0) process.exit(codes[why])
    // A terminal that goes away is told several times, by its signal and by every write: nobody presses a key twice.
    if (last > -Infinity && (why === 'closed' || why === 'SIGHUP')) return
    last = now
    // Ending takes our handlers away a moment before the process: the second half of such a signal would then kill it.
    if (why === 'SIGINT') setTimeout(() => undefined, sameSignalMs)
    for (const listener of listeners) listener(why)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => tell(signal))
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isGone(error)) tell('closed')
      else endUnwritten(error)
    })
  return {
    onInterrupt(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async aside(during) {
      others++
      try {
        return await during()
      } finally {
        others--
      }
    },
  }
}

export function createProcessIo(): Io {
  const { stdout, stderr, env } = process
  return {
    stdin: () => process.stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    isTTY: stdout.isTTY && isatty(0),
    columns: stdout.columns ?? 80,
    rows: stdout.rows ?? 24,
    color: wantsColor(env, stdout.isTTY),
    ...createInterrupts(),
    exit: (code) => process.exit(code),
  }
}
