/**
 * The service that `sparring up --start` starts beside a session: it is started again when it ends by itself, or when a
 * fault ended it.
 */
import { problem } from '../../core/base/problem.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import type { SubjectControl } from '../../core/session-api/session.ts'
import type { PreparedSession } from '../../core/session/types.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { waitForSubject } from '../../terminal/service/subject-answers.ts'
import { createCommandFiller } from '../../terminal/service/subject-environment.ts'
import {
  createSubjectProcess,
  type SubjectProcess,
} from '../../terminal/service/subject-process.ts'
import { unreachableReason } from '../../terminal/service/subject-requests.ts'

export interface StartedServiceOptions {
  /** The command of `--start`. */
  readonly start: string
  readonly configuration: Configuration
  /** Called for the session when it is there: its addresses are in the command. */
  readonly session: () => PreparedSession
  readonly waitSeconds: number
  readonly io: Io
  readonly signal: AbortSignal
  /** Called with one line about what the operator should know. */
  readonly notify: (sentence: string) => void
}

/** A service that ends as soon as it has begun is started again after ever longer pauses. */
const firstPauseMs = 1000
const longestPauseMs = 30_000
/** One that has run for so long has begun. */
const steadyMs = 60_000

export class StartedService implements AsyncDisposable {
  readonly control: SubjectControl
  readonly #options: StartedServiceOptions
  readonly #process: SubjectProcess
  #pauseMs = firstPauseMs
  #startedAt = 0
  #hasBegun = false
  #hasFailed = false

  constructor(options: StartedServiceOptions) {
    const { configuration, session, io, start, notify } = options
    this.#options = options
    this.#process = createSubjectProcess({
      configuration,
      channel: configuration.counterparts['ordering-application'].channel ?? 'polling',
      session,
      start,
      fill: createCommandFiller('--start', notify),
      io,
      onEnd: (how) => void this.#startAgain(how),
      onStart: () => void (this.#startedAt = performance.now()),
    })
    this.control = this.#process
  }

  /** Starts it, and waits until it answers or calls. */
  async begin(): Promise<void> {
    const { configuration, waitSeconds: seconds, signal: enough } = this.#options
    const { url } = configuration.subject
    this.#process.start()
    const notReady = await waitForSubject({
      session: this.#options.session(),
      url,
      seconds,
      probe: (each) => unreachableReason(each, configuration, enough),
      startedSubject: this.#process.current,
      enough,
    })
    this.#hasBegun = true
    if (!notReady || enough.aborted) return
    this.#hasFailed = true
    const { because, remedy } = notReady
    throw problem('starting your service', because, remedy, exitCode.unreachable)
  }

  /** What it wrote is shown where it has failed by itself. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { output } = this.#process
    await this.#process.stop()
    const lines = this.#hasFailed ? output.lines() : []
    if (lines.length > 0)
      await printLine(
        this.#options.io.stderr,
        ['sparring: the output of your service:', ...lines.map((line) => `  ${line}`)].join('\n'),
      )
    if (lines.length > 0) output.close()
    else output.discard()
  }

  /** It is a new process to the rules, and has no excuse for what it was asked meanwhile. */
  async #startAgain(how: string): Promise<void> {
    this.#hasFailed = true
    const { notify, signal, session } = this.#options
    if (!this.#hasBegun || signal.aborted) return
    if (performance.now() - this.#startedAt > steadyMs) this.#pauseMs = firstPauseMs
    notify(`your service went away: ${how}; it is started again in ${this.#pauseMs / 1000} s`)
    await abortableSleep(this.#pauseMs, signal)
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs)
    // Its control starts it.
    if (!signal.aborted) await session().submit({ kind: 'session.renew-subject' })
  }
}
