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
import { replicaUrls } from '../../core/session-api/configuration/subject.ts'
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
  /** Our URLs: asked for at each start, since the session may come after it. */
  readonly session: () => Pick<PreparedSession, 'urls'>
  /** The command of `--start`; without it nothing is ever started. */
  readonly start: string | undefined
  readonly fill: CommandFiller
  readonly io: Io
  /** Called with how it ended, when it was not stopped. */
  readonly onEnd: (how: string) => void
  /** Called with each start, by a session too. */
  readonly onStart?: () => void
}

/** One of the processes of a subject. */
class Replica {
  readonly #launch: () => StartedSubject
  readonly #onEnd: SubjectProcessOptions['onEnd']
  #current: StartedSubject | undefined
  /** The one that was ended on purpose. */
  #last: StartedSubject | undefined
  #ended: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(launch: () => StartedSubject, onEnd: SubjectProcessOptions['onEnd']) {
    this.#launch = launch
    this.#onEnd = onEnd
  }

  get current(): StartedSubject | undefined {
    return this.#current
  }

  get ended(): Promise<void> {
    return this.#ended
  }

  isRunning(): boolean {
    return this.#current !== undefined && this.#current.endReason() === undefined
  }

  /** A process that is ended on purpose is no longer the current one, and its end is not reported. */
  end(signal: NodeJS.Signals): void {
    this.#last = this.#current ?? this.#last
    this.#current = undefined
    const ending = this.#last?.stop(signal)
    this.#ended = Promise.all([this.#ended, ending]).then(() => undefined)
  }

  start(): void {
    if (this.isRunning()) return
    if (!this.#current && !this.#last) return this.#begin()
    // What is left of the one before must not hold its port.
    this.end('SIGKILL')
    void this.#ended.then(() => {
      if (!this.#isStopped && !this.#current) this.#begin()
    })
  }

  stop(): Promise<void> {
    this.#isStopped = true
    this.end('SIGTERM')
    return this.#ended
  }

  #begin(): void {
    const started = this.#launch()
    this.#current = started
    void started.end.then(() => {
      if (this.#current === started) this.#onEnd(started.endReason() ?? 'it ended')
    })
  }
}

/** The processes of a subject, one for each of its addresses: one of them is ended at a time, in turn. */
export function createSubjectProcess(options: SubjectProcessOptions): SubjectProcess {
  const { session, start, fill, io, onEnd, configuration } = options
  let folder: TemporaryFolder | undefined
  let crashes = 0
  const output = createProcessOutput()

  function launch(url: string | undefined, replica: number): StartedSubject {
    folder ??= openTemporaryFolder('service')
    const own = { ...options, url, replica, folder: folder.path }
    const { placeholders, env } = subjectEnvironmentOf(own, session())
    return startSubject(fill(start ?? '', placeholders), { ...io.env, ...env }, io.cwd, output)
  }

  const urls = [configuration.subject.url, ...replicaUrls(configuration.subject)]
  const replicas = urls.map((url, index) => new Replica(() => launch(url, index + 1), onEnd))
  return {
    current: () => (replicas.find((each) => !each.isRunning()) ?? replicas[0])?.current,
    output,
    async ended() {
      await Promise.all(replicas.map((each) => each.ended))
    },
    end: (signal) => replicas[crashes++ % replicas.length]?.end(`SIG${signal}`),
    start() {
      if (start !== undefined) for (const each of replicas) each.start()
      options.onStart?.()
    },
    async stop() {
      await Promise.all(replicas.map((each) => each.stop()))
      folder?.[Symbol.dispose]()
    },
  }
}
