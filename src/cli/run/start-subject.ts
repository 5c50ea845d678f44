/**
 * Your service as a process of ours: started by a shell in a process group of its own, so that whatever it starts ends
 * with it, and its output kept for when something goes wrong.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { sleep } from './sleep.ts'

export interface StartedSubject {
  /** How it ended, as a sentence; undefined while it runs. */
  readonly ended: () => string | undefined
  /** Resolves when it has ended, whoever ended it. */
  readonly end: Promise<void>
  /** The last lines that it wrote. */
  readonly output: () => readonly string[]
  /** Politely first, and then not; resolves when nothing of it is left. */
  readonly stop: () => Promise<void>
}

/** Letters of its output that are kept. */
const keptLetters = 64_000
const shownLines = 20
const patienceMs = 3000

/** A port that nobody listens on at this moment. */
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

/** The addresses in place of their names: `{ordering-application}`, `{port}` … Other braces are the shell's. */
export const filled = (command: string, values: Readonly<Record<string, string>>): string =>
  command.replace(/\{([a-z-]+)\}/g, (whole, name: string) => values[name] ?? whole)

const howItEnded = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `it ended with code ${code ?? 0}` : `it was ended by ${signal}`

/** Everything in the group; gone already is just as well. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left.
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
  let how: string | undefined
  const done = Promise.withResolvers<void>()
  /** Nobody holds its output any more: the shell has ended, and what it started as well. */
  const silent = Promise.withResolvers<void>()
  const keep = (data: string): void => {
    text = (text + data).slice(-keptLetters)
  }
  // As text, since a letter of several bytes may come in two pieces.
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const atExit = (): void => signalGroup(child, 'SIGKILL')
  const over = (said: string): void => {
    how ??= said
    process.removeListener('exit', atExit)
    done.resolve()
  }
  child.once('close', () => silent.resolve())
  // However this program ends, what it started must not stay behind.
  process.once('exit', atExit)
  child.once('error', (error) => {
    over(`it could not be started: ${error.message}`)
    silent.resolve()
  })
  child.once('exit', (code, signal) => over(howItEnded(code, signal)))

  return {
    ended: () => how,
    end: done.promise,
    output: () => (text.trim() === '' ? [] : text.trimEnd().split('\n').slice(-shownLines)),
    async stop() {
      signalGroup(child, 'SIGTERM')
      const late = new AbortController()
      // A shell goes at once, and what it started may have things to put in order: that has its time too.
      await Promise.race([silent.promise, sleep(patienceMs, late.signal)])
      late.abort()
      signalGroup(child, 'SIGKILL')
      await done.promise
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}
