/**
 * The subject as a child process: started by a shell in its own process group, so that its children end with it; the end
 * of its output is kept for failure reports.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { cancellableSleep } from './cancellable-sleep.ts'

export interface StartedSubject {
  /** Exit code or signal as a sentence; undefined while it runs. */
  readonly endReason: () => string | undefined
  /** Resolves when the shell has ended. */
  readonly end: Promise<void>
  /** The last lines of stdout and stderr. */
  readonly output: () => readonly string[]
  /** SIGTERM, then SIGKILL to the process group; resolves when the shell has ended. */
  readonly stop: () => Promise<void>
}

/** Characters of output that are kept. */
const maxOutputChars = 64_000
const maxOutputLines = 20
const killAfterMs = 3000

/** A port that is free at this moment. */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Fills in `{ordering-application}`, `{port}` …; leaves other braces to the shell. */
export const fillPlaceholders = (
  command: string,
  values: Readonly<Record<string, string>>,
): string => command.replace(/\{([a-z-]+)\}/g, (whole, name: string) => values[name] ?? whole)

const describeExit = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `it ended with code ${code ?? 0}` : `it was ended by ${signal}`

/** Signals the process group; ignores one that has ended. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended.
  }
}

export function startSubject(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): StartedSubject {
  const child = spawn(command, {
    shell: true,
    detached: true,
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let exitDescription: string | undefined
  const done = Promise.withResolvers<void>()
  /** The output is closed: the shell and all processes that it started have ended. */
  const outputClosed = Promise.withResolvers<void>()
  const appendOutput = (data: string): void => {
    text = (text + data).slice(-maxOutputChars)
  }
  // Decoded by the stream, since a multi-byte character may be split between two chunks.
  child.stdout.setEncoding('utf8').on('data', appendOutput)
  child.stderr.setEncoding('utf8').on('data', appendOutput)
  const atExit = (): void => signalGroup(child, 'SIGKILL')
  const markEnded = (description: string): void => {
    exitDescription ??= description
    process.removeListener('exit', atExit)
    done.resolve()
  }
  child.once('close', () => outputClosed.resolve())
  // The subject must not outlive this program.
  process.once('exit', atExit)
  child.once('error', (error) => {
    markEnded(`it could not be started: ${error.message}`)
    outputClosed.resolve()
  })
  child.once('exit', (code, signal) => markEnded(describeExit(code, signal)))

  return {
    endReason: () => exitDescription,
    end: done.promise,
    output: () => (text.trim() === '' ? [] : text.trimEnd().split('\n').slice(-maxOutputLines)),
    async stop() {
      signalGroup(child, 'SIGTERM')
      const timer = new AbortController()
      // The shell ends at once, but its children get the same time for cleanup.
      await Promise.race([outputClosed.promise, cancellableSleep(killAfterMs, timer.signal)])
      timer.abort()
      signalGroup(child, 'SIGKILL')
      await done.promise
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}
