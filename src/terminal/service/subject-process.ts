/**
 * The subject as a child process: started by a shell in its own process group, so that its children end with it; its
 * output is kept for failure reports.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import type { SubjectControl } from '../../core/session-api/session.ts'
import type { PreparedSession } from '../../core/session/types.ts'
import type { Io } from '../cli/io.ts'
import { openTemporaryFolder, type TemporaryFolder } from '../cli/temporary-folder.ts'
import { createProcessOutput, type ProcessOutput } from './process-output.ts'
import { type CommandFiller, subjectEnvironmentOf } from './subject-environment.ts'

export interface StartedSubject {
  /** Of the shell; undefined where it could not be started. */
  readonly pid: number | undefined
  /** Exit code or signal as a sentence; undefined while it runs. */
  readonly endReason: () => string | undefined
  /** Resolves when the shell has ended. */
  readonly end: Promise<void>
  /** SIGTERM, or this signal, then SIGKILL to the process group; resolves when the shell has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

const killAfterMs = 3000

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
  /** Receives stdout and stderr. */
  output: Pick<ProcessOutput, 'append'>,
): StartedSubject {
  const child = spawn(command, {
    shell: true,
    detached: true,
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let exitDescription: string | undefined
  const done = Promise.withResolvers<void>()
  /** The output is closed: the shell and all processes that it started have ended. */
  const outputClosed = Promise.withResolvers<void>()
  // Decoded by the stream, since a multi-byte character may be split between two chunks.
  child.stdout.setEncoding('utf8').on('data', output.append)
  child.stderr.setEncoding('utf8').on('data', output.append)
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
    pid: child.pid,
    endReason: () => exitDescription,
    end: done.promise,
    async stop(signal = 'SIGTERM') {
      signalGroup(child, signal)
      const timer = new AbortController()
      // The shell ends at once, but its children get the same time for cleanup.
      await Promise.race([outputClosed.promise, abortableSleep(killAfterMs, timer.signal)])
      timer.abort()
      signalGroup(child, 'SIGKILL')
      await done.promise
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

/** The process of a subject that `--start` gives; a session ends it at a message, and starts it again. */
export interface SubjectProcess extends SubjectControl {
  /** Resolves when the one that was ended has. */
  readonly ended: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly current: () => StartedSubject | undefined
  /** Of all its processes, where it is started again. */
  readonly output: ProcessOutput
}

export interface SubjectProcessOptions {
  readonly configuration: Configuration
  readonly channel: string
  /** Our URLs. */
  readonly session: Pick<PreparedSession, 'urls'>
  /** The command of `--start`; without it nothing is ever started. */
  readonly start: string | undefined
  readonly fill: CommandFiller
  readonly io: Io
  /** Called with how it ended, when it was not stopped. */
  readonly onEnd: (how: string) => void
}

export function createSubjectProcess(options: SubjectProcessOptions): SubjectProcess {
  const { session, start, io, onEnd } = options
  let current: StartedSubject | undefined
  /** The one that was ended on purpose. */
  let last: StartedSubject | undefined
  let ended: Promise<void> = Promise.resolve()
  let isStopped = false
  let folder: TemporaryFolder | undefined
  const output = createProcessOutput()

  function end(signal: NodeJS.Signals): void {
    // A process that is ended on purpose is no longer the current one, and its end is not reported.
    last = current ?? last
    current = undefined
    const ending = last?.stop(signal)
    ended = Promise.all([ended, ending]).then(() => undefined)
  }

  function launch(command: string): void {
    folder ??= openTemporaryFolder('service')
    const { placeholders, env } = subjectEnvironmentOf({ ...options, folder: folder.path }, session)
    const filled = options.fill(command, placeholders)
    const started = startSubject(filled, { ...io.env, ...env }, io.cwd, output)
    current = started
    void started.end.then(() => {
      if (current === started) onEnd(started.endReason() ?? 'it ended')
    })
  }

  return {
    current: () => current,
    output,
    ended: () => ended,
    end: (signal) => end(`SIG${signal}`),
    start() {
      const isRunning = current !== undefined && current.endReason() === undefined
      if (start === undefined || isRunning) return
      if (!current && !last) return launch(start)
      // What is left of the one before must not hold its port.
      end('SIGKILL')
      const own = ended
      void own.then(() => {
        if (!isStopped && !current) launch(start)
      })
    },
    async stop() {
      isStopped = true
      end('SIGTERM')
      await ended
      folder?.[Symbol.dispose]()
    },
  }
}
