/** Implements `Io` on the real `process`: its streams, environment, signals and exit. */
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { problem } from '../../../core/base/problem.ts'
import { type Interruption, type Io, wantsColor } from '../../../terminal/cli/io.ts'

/**
 * Debounce time for signals: Ctrl-C under npm arrives twice, from the terminal and forwarded by npm.
 */
const sameSignalMs = 250

/** Exit codes where a signal has no listener: 128 plus the signal's number. */
const signalExitCodes = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
  orphaned: 143,
  closed: 0,
} as const

/** The reader is gone: the pipe was closed (EPIPE) or the terminal went away (EIO). */
const isGone = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EIO'

/**
 * A full disk behind `>` is not a bug of ours: it is reported as a problem, like any other unwritable output. What runs for
 * long has other outputs, and goes on without this one.
 */
function reportUnwritable(error: Error, goesOn: boolean): void {
  const failure = problem('writing the output', error.message, 'Make room, or send it elsewhere.')
  try {
    writeSync(2, `sparring: ${failure.message}\n`)
  } catch {
    // stderr is what cannot be written: nothing more can be reported.
  }
  if (goesOn) process.exitCode = failure.exit
  else process.exit(failure.exit)
}

function createInterrupts(): Pick<Io, 'onInterrupt'> & Required<Pick<Io, 'aside'>> {
  const listeners = new Set<(why: Interruption) => void>()
  let last = -Infinity
  let suspensions = 0
  const notify = (why: Interruption) => {
    if (why === 'SIGINT' && suspensions > 0) return
    const now = performance.now()
    if (now - last < sameSignalMs) return
    if (listeners.size === 0) process.exit(signalExitCodes[why])
    // A lost terminal is signalled several times, by SIGHUP and by every write, and npm may end by the same signal as we
    // do: only the first counts.
    if (last > -Infinity && why !== 'SIGINT' && why !== 'SIGTERM') return
    last = now
    // Handlers are removed shortly before the process ends: the forwarded duplicate of the signal would then kill it.
    if (why === 'SIGINT') setTimeout(() => undefined, sameSignalMs)
    for (const listener of listeners) listener(why)
  }
  let watchesSignals = false
  /** Before there is a listener a signal ends the process by itself, whatever runs. */
  function watchSignalsOnce(): void {
    if (watchesSignals) return
    watchesSignals = true
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => notify(signal))
  }
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isGone(error)) notify('closed')
      else if (process.exitCode === undefined)
        reportUnwritable(error, stream === process.stdout && listeners.size > 0)
    })
  const tellAndNotify = (): void => {
    if (listeners.size > 0 && last === -Infinity)
      process.stderr.write('sparring: npm, which started this, has ended, and so this ends too\n')
    notify('orphaned')
  }
  let watchesNpm = false
  /** Only what runs for long has listeners, and only npm names itself in the environment. */
  function watchNpmOnce(): void {
    if (watchesNpm || process.env['npm_execpath'] === undefined) return
    watchesNpm = true
    import('../../../core/runtime/npm-parent.ts')
      .then(({ watchNpm }) => watchNpm(tellAndNotify))
      .catch(() => undefined)
  }
  return {
    onInterrupt(listener) {
      listeners.add(listener)
      watchSignalsOnce()
      watchNpmOnce()
      return () => listeners.delete(listener)
    },
    async aside(during) {
      suspensions++
      try {
        return await during()
      } finally {
        suspensions--
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
