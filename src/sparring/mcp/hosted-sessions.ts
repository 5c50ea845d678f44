/** The sessions that an agent has started: each is a `sparring up` in this process, by a name. */
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { callRefusal } from '../../core/runtime/files/file-access.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { problem } from '../../core/base/problem.ts'
import type { SessionChoice } from '../verbs/support/choose-session.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { createToolIo, type ToolIo } from './tool-io.ts'
import { sessionOnlyFlags, upArguments } from '../up/up-flags.ts'
import { defineVerb } from '../../terminal/cli/verb.ts'

/** `sparring up` as a tool starts it: a session of this process, registered as one of `sparring mcp`. */
const hostedSessionVerb = defineVerb({
  name: 'up',
  summary: 'start a session of this process',
  arguments: upArguments,
  flags: sessionOnlyFlags,
  async run(options, io) {
    const { runUp } = await import('../up/run-up.ts')
    return runUp(options, io, { verb: 'mcp' })
  },
})

interface HostedSession {
  readonly name: string
  readonly control: string
  readonly running: ToolIo
  /** Resolves when it has closed, with what it could not write as a whole; never rejects. */
  readonly ended: Promise<readonly string[]>
}

export interface StartedSession {
  readonly session: string
  /** What `sparring up --json` prints first: addresses, seed, credentials. */
  readonly ready: UnknownRecord
  readonly notes: readonly string[]
}

interface HostedSessionsOptions extends Pick<Io, 'cwd' | 'env'> {
  /** A session ended by an error after it was ready. */
  readonly onError: (name: string, error: unknown) => void
}

const maxSessions = 32
const namePattern = /^[\w][\w.-]{0,39}$/

/** The first line of output, or the end of a session that does not get so far. */
async function untilReady(
  running: ToolIo,
  line: Promise<string>,
  ended: Promise<unknown>,
): Promise<UnknownRecord> {
  const first = await Promise.race([line, ended.then(() => undefined)])
  const ready: unknown = first === undefined ? undefined : JSON.parse(first)
  if (isUnknownRecord(ready)) return ready
  const [why = 'it was cancelled'] = running.notes().slice(-1)
  throw problem('starting a session', why, 'Call session_start again.')
}

export class HostedSessions {
  readonly #options: HostedSessionsOptions
  readonly #sessions = new Map<string, HostedSession>()
  /** Names of sessions that start or run. */
  readonly #taken = new Set<string>()
  #last = 0

  constructor(options: HostedSessionsOptions) {
    this.#options = options
  }

  /** Resolves when it is ready. An abortion of the signal before ends it. */
  async start(
    wanted: string | undefined,
    flags: UnknownRecord,
    signal: AbortSignal,
  ): Promise<StartedSession> {
    const name = this.#newName(wanted)
    this.#taken.add(name)
    const line = Promise.withResolvers<string>()
    const running = createToolIo({
      cwd: this.#options.cwd,
      env: this.#options.env,
      lastLineOnly: true,
      onLine: line.resolve,
    })
    const interrupt = (): void => running.interrupt('SIGTERM')
    signal.addEventListener('abort', interrupt)
    if (signal.aborted) interrupt()
    const up = hostedSessionVerb.run(flags, running.io)
    let isReady = false
    const ended = up.then(
      (exit) => (exit === exitCode.done ? [] : running.notes().slice(-1)),
      (error: unknown) => {
        if (isReady) this.#options.onError(name, error)
        return []
      },
    )
    void ended.then(() => {
      this.#sessions.delete(name)
      this.#taken.delete(name)
    })
    try {
      const ready = await untilReady(running, line.promise, up)
      isReady = true
      this.#sessions.set(name, { name, control: String(ready['control']), running, ended })
      return { session: name, ready, notes: running.notes() }
    } finally {
      signal.removeEventListener('abort', interrupt)
    }
  }

  /** Where the session that is meant answers; without a name the only one, or `otherwise`. */
  choose(name: string | undefined, otherwise: SessionChoice): SessionChoice {
    if (name !== undefined) return this.#named(name)
    const [only, ...others] = this.#sessions.values()
    if (otherwise.control !== undefined || only === undefined) return otherwise
    if (others.length === 0) return { control: only.control }
    throw problem(
      'choosing a session',
      `${this.#sessions.size} run here: ${[...this.#sessions.keys()].join(', ')}`,
      'Name one with the argument session.',
    )
  }

  /** The name of the session with this control URL. */
  nameOf(control: unknown): string | undefined {
    return this.#sessionAt(control)?.name
  }

  /** Resolves when the session with this control URL has closed, if it is one of these, with what it could not write. */
  ended(control: string): Promise<readonly string[]> {
    return this.#sessionAt(control)?.ended ?? Promise.resolve([])
  }

  async close(): Promise<void> {
    const all = [...this.#sessions.values()]
    for (const { running } of all) running.interrupt('SIGTERM')
    await Promise.all(all.map(({ ended }) => ended))
  }

  #newName(wanted: string | undefined): string {
    if (wanted !== undefined && !namePattern.test(wanted))
      throw problem(
        'starting a session',
        `"${wanted}" is no name for a session`,
        'Use up to 40 letters, digits, dots, dashes and underscores.',
      )
    if (wanted !== undefined && this.#taken.has(wanted))
      throw problem(
        'starting a session',
        `there is a session ${wanted} already`,
        'Choose another name, or stop it with session_stop.',
      )
    if (this.#taken.size >= maxSessions)
      throw problem(
        'starting a session',
        `${maxSessions} sessions run already`,
        'Stop some with session_stop.',
      )
    if (wanted !== undefined) return wanted
    let name: string
    do name = `s${++this.#last}`
    while (this.#taken.has(name))
    return name
  }

  #sessionAt(control: unknown): HostedSession | undefined {
    return [...this.#sessions.values()].find((each) => each.control === control)
  }

  #named(text: string): SessionChoice {
    const own = this.#sessions.get(text)
    if (own) return { control: own.control }
    if (/^https?:/i.test(text)) {
      const refusal = callRefusal(text)
      if (refusal) throw refusal
      return { control: text }
    }
    if (/^\d{1,5}$/.test(text)) return { control: `http://127.0.0.1:${text}` }
    const names = [...this.#sessions.keys()]
    const near = findClosestName(text, names)
    throw problem(
      'choosing a session',
      `there is no session "${text}"`,
      near !== undefined
        ? `Did you mean ${near}?`
        : names.length > 0
          ? `There are ${names.join(', ')}.`
          : 'Start one with session_start, or name the control URL of one that runs; session_status lists them.',
    )
  }
}
