/**
 * The service that is explored, over sockets: opens sessions with the service in them. One that `--start` gives is fresh for each
 * session, and several are open at the same time, unless it is kept by `--reset`; a kept one finds one session after the other on
 * the same ports.
 */
import { compact } from '../../core/base/compact.ts'
import { HeldResources } from '../../core/base/held-resources.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import type { OpenedSession, SessionRequest } from '../batch/session-runner.ts'
import type { CrashWatch } from '../batch/crash.ts'
import type { CampaignProgress } from '../campaign/campaign-state.ts'
import type { ProcessSignal } from '../../core/engine/session/commands.ts'
import { SessionObserver } from '../../core/scenario/observer.ts'
import { prepareSession } from '../../core/session/session.ts'
import type { PreparedSession } from '../../core/session/types.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { sessionPorts } from '../../terminal/cli/losses.ts'
import { findAbortCondition } from '../../terminal/cli/run/abort-condition.ts'
import { closeSession } from '../../terminal/cli/run/close-session.ts'
import { findSubjectEnd, waitForSubject } from '../../terminal/service/subject-answers.ts'
import {
  createSubjectProcess,
  type SubjectProcess,
} from '../../terminal/service/subject-process.ts'
import { createSubjectQueries, unreachableReason } from '../../terminal/service/subject-requests.ts'
import {
  type CommandFiller,
  createCommandFiller,
} from '../../terminal/service/subject-environment.ts'
import { measureProcessorWait } from './processor-wait.ts'
import { resetSubject } from './reset-subject.ts'
import {
  createSessionConfigurator,
  type SessionConfigurator,
  type SessionConfiguratorOptions,
  type SessionSettings,
} from './session-configurator.ts'
import { createSessionWarnings, type SessionWarnings } from '../../terminal/cli/session-warnings.ts'
import { SubjectGone, type SubjectWatch, watchSubject } from './subject-watch.ts'
import { watchForCrash } from '../../terminal/service/crash-watch.ts'

/** Slots for sessions that are open at the same time: who finds none free waits, first come, first served. */
interface SessionSlots {
  /** Resolves when a slot is free; disposing of it frees it again. What goes first waits for no other one. */
  readonly take: (isFirst?: boolean) => Promise<Disposable>
}

/** `further`: slots beyond the others for what goes first. */
export function createSessionSlots(max: () => number, further: number): SessionSlots {
  const first: (() => void)[] = []
  const others: (() => void)[] = []
  let taken = 0

  function admit(): void {
    for (;;) {
      const free = Math.max(1, max()) - taken
      const next = (free + further > 0 && first.shift()) || (free > 0 && others.shift())
      if (!next) return
      taken++
      next()
    }
  }

  return {
    async take(isFirst = false) {
      await new Promise<void>((resolve) => {
        const waiting = isFirst ? first : others
        waiting.push(resolve)
        admit()
      })
      return {
        [Symbol.dispose]() {
          taken--
          admit()
        },
      }
    },
  }
}

export interface ExploredServiceOptions extends Omit<SessionConfiguratorOptions, 'isKept'> {
  readonly reset?: string | undefined
  readonly waitSeconds: number
  /** Sessions that are open at the same time at most: one, where they have the same service or the same ports. */
  readonly maxSessions: () => number
  /** Sessions beyond them for what goes first. */
  readonly furtherSessions: number
  readonly io: Io
  /** Aborts on interruption. */
  readonly signal: AbortSignal
  /** Called with what the operator should know. */
  readonly notify: (sentence: string) => void
}

export interface ServiceSession extends OpenedSession {
  /** 95th percentile of the service's answers, in wall-clock ms. */
  readonly answerMs: () => number | undefined
  /** The share of its time for which its process, where it is ours, waited for a processor; unknown elsewhere. */
  readonly starved: () => Promise<number | undefined>
}

export interface ExploredService extends AsyncDisposable {
  /** Resolves when the session can be opened beside those that are open. */
  readonly open: (request: SessionRequest, settings?: SessionSettings) => Promise<ServiceSession>
  /** Whether all sessions have the same service. */
  readonly isKept: boolean
  /** Why no further session can be opened. */
  readonly unavailable: () => SubjectGone | undefined
  /** Aborts when it is unavailable. */
  readonly signal: AbortSignal
  readonly activity: () => CampaignProgress['activity']
}

interface ServiceProcess {
  readonly process: SubjectProcess
  /** Of its session: aborts when the process ends. */
  sessionEnd: AbortController
}

/** A kept service that polls calls again after a pause of its own: it has so many seconds at least. */
const minReturnSeconds = 45

class SocketService implements ExploredService {
  readonly signal: AbortSignal
  /** Whether all sessions have the same service. */
  readonly isKept: boolean
  readonly #options: ExploredServiceOptions
  readonly #waitSeconds: ExploredServiceOptions['waitSeconds']
  readonly #start: ExploredServiceOptions['start']
  readonly #onWarning: SessionWarnings['onWarning']
  readonly #slots: SessionSlots
  readonly #configurator: SessionConfigurator
  readonly #fill: Readonly<Record<'start' | 'reset', CommandFiller>>
  readonly #ended = new AbortController()
  #unavailable: SubjectGone | undefined
  #bug: { readonly error: unknown } | undefined
  #kept: ServiceProcess | undefined
  #sessions = 0
  #openSessions = 0
  #exchanges = 0
  /** Whether the service that we start has ever answered at its URL: one that only polls need not. */
  #isListening = false

  constructor(options: ExploredServiceOptions) {
    this.#options = options
    this.#waitSeconds = options.waitSeconds
    this.#start = options.start
    this.isKept = options.start === undefined || options.reset !== undefined
    this.#onWarning = createSessionWarnings(options.io).onWarning
    this.#fill = {
      start: createCommandFiller('--start', options.notify),
      reset: createCommandFiller('--reset', options.notify),
    }
    this.#slots = createSessionSlots(options.maxSessions, options.furtherSessions)
    this.#configurator = createSessionConfigurator({ ...options, isKept: this.isKept })
    this.signal = this.#ended.signal
  }

  async open(request: SessionRequest, settings: SessionSettings = {}): Promise<ServiceSession> {
    await using held = new HeldResources()
    const signal = settings.enough ?? this.#options.signal
    held.use(await this.#slots.take(settings.isFirst))
    signal.throwIfAborted()
    if (this.#unavailable) throw this.#unavailable
    const { input, configuration } = await this.#configurator.configure(request, settings)
    this.#sessions++
    await this.#forgetEndedProcess()
    // One that starts now has nothing to forget.
    if (
      this.#options.reset !== undefined &&
      (this.#kept !== undefined || this.#start === undefined)
    )
      await resetSubject({
        reset: this.#options.reset,
        fill: this.#fill.reset,
        configuration,
        channel: this.#options.channel,
        io: this.#options.io,
        signal,
      }).catch(this.#untilUnavailable)
    // Or one that ends when it is asked to forget.
    await this.#forgetEndedProcess()
    let own: SubjectProcess | undefined
    const service = { end: (how: ProcessSignal) => own?.end(how), start: () => own?.start() }
    const session = await prepareSession(
      {
        ...input,
        ...(this.#start === undefined ? {} : { service }),
        onWarning: this.#onWarning,
        ...sessionPorts(this.#options.io),
        onBug: (error) => {
          this.#bug ??= { error }
          this.#ended.abort()
        },
      },
      configuration,
    )
    held.defer(() => closeSession(session, this.#options.io))
    this.#openSessions++
    held.defer(() => void this.#openSessions--)
    held.defer(session.onExchange(() => void this.#exchanges++))
    const watch = held.use(watchSubject(session))
    const entered = { ...settings, enough: signal }
    const { process: subjectProcess, crashWatch } = await this.#enter(
      session,
      configuration,
      entered,
      held,
    )
    own = subjectProcess
    const waiting = await measureProcessorWait(subjectProcess.current()?.pid)
    const queries = await createSubjectQueries(configuration)
    held.defer(() => queries.close())
    const { visit } = queries
    const opened = held.move()
    return {
      session,
      answerMs: watch.answerMs,
      starved: waiting.share,
      ...compact({ requestSubject: visit, crashWatch }),
      [Symbol.asyncDispose]: async () => {
        await this.#check(configuration, watch, signal)
        await opened[Symbol.asyncDispose]()
        if (this.#bug) throw this.#bug.error
        if (this.#unavailable && !signal.aborted) throw this.#unavailable
      },
    }
  }

  activity(): CampaignProgress['activity'] {
    return { sessions: this.#openSessions, exchanges: this.#exchanges }
  }

  unavailable(): SubjectGone | undefined {
    return this.#unavailable
  }

  async [Symbol.asyncDispose]() {
    if (this.#kept) await this.#end(this.#kept.process)
    this.#configurator[Symbol.dispose]()
  }

  #markUnavailable(why: SubjectGone): SubjectGone {
    this.#unavailable ??= why
    this.#ended.abort()
    return this.#unavailable
  }

  /** The file with all of its output stays where a report quotes it. */
  async #end({ stop, output }: SubjectProcess): Promise<void> {
    await stop()
    if (this.#unavailable && this.#unavailable.output.length > 0) output.close()
    else output.discard()
  }

  /** A kept service that has ended between two sessions is started again with the next one. */
  async #forgetEndedProcess(): Promise<void> {
    const how = this.#kept?.process.current()?.endReason()
    if (!this.#kept || how === undefined) return
    if (!this.#options.signal.aborted)
      this.#options.notify(
        `your service went away between two sessions: ${how}; it is started again`,
      )
    await this.#end(this.#kept.process)
    this.#kept = undefined
  }

  #startService(session: PreparedSession, configuration: Configuration): ServiceProcess {
    const service: ServiceProcess = {
      process: createSubjectProcess({
        configuration,
        channel: this.#options.channel,
        session: () => session,
        start: this.#start,
        fill: this.#fill.start,
        io: this.#options.io,
        onEnd: () => service.sessionEnd.abort(),
      }),
      sessionEnd: new AbortController(),
    }
    service.process.start()
    return service
  }

  /** Lets the service in, and begins the session; returns its process, and what notices a crash of one that we start. */
  async #enter(
    session: PreparedSession,
    configuration: Configuration,
    settings: SessionSettings & { readonly enough: AbortSignal },
    held: HeldResources,
  ): Promise<{ readonly process: SubjectProcess; readonly crashWatch?: CrashWatch }> {
    const { enough: signal } = settings
    if (settings.isSteady) this.#watchForRejection(session, configuration, held)
    const service = this.#kept ?? this.#startService(session, configuration)
    const { process: subjectProcess } = service
    // The session before may have ended while it was down.
    if (!subjectProcess.current()) subjectProcess.start()
    if (this.isKept) this.#kept = service
    else
      held.defer(async () => {
        await this.#end(subjectProcess)
      })
    const { url } = configuration.subject
    const isReturning = url === undefined && this.#sessions > 1
    const probe = (each: string): Promise<string | undefined> =>
      unreachableReason(each, configuration, signal)
    const refusal = await waitForSubject({
      session,
      url,
      seconds: isReturning ? Math.max(this.#waitSeconds, minReturnSeconds) : this.#waitSeconds,
      probe,
      startedSubject: subjectProcess.current,
      enough: signal,
    })
    if (refusal && !signal.aborted) {
      const { because, remedy } = refusal
      throw this.#markUnavailable(new SubjectGone(because, remedy, subjectProcess.output.lines()))
    }
    if (this.#start !== undefined && url !== undefined)
      this.#isListening ||= (await probe(url)) === undefined
    service.sessionEnd = new AbortController()
    if (subjectProcess.current()?.endReason() !== undefined) service.sessionEnd.abort()
    await Promise.all([session.begin(), session.loadFaults()])
    const { ended: goneAway, crash } = held.use(
      watchForCrash({
        session,
        subjectProcess,
        processEnded: service.sessionEnd.signal,
        signal,
        url: this.#start === undefined || this.#isListening ? url : undefined,
        probe,
        ...(this.#start === undefined ? { timeoutMs: this.#waitSeconds * 1000 } : {}),
      }),
    )
    if (this.#start === undefined) {
      // Its session ends at once: it would wait for what cannot come.
      goneAway.addEventListener('abort', () => {
        void crash().then((found) => found && this.#markUnavailable(lost(found.because)))
      })
      return { process: subjectProcess }
    }
    const crashWatch: CrashWatch = {
      ended: goneAway,
      crash: async () => {
        const found = await crash()
        if (!found) return undefined
        // What is left of it must not hold its ports, nor answer the next session.
        await this.#end(subjectProcess)
        if (this.#kept === service) this.#kept = undefined
        return found
      },
    }
    return { process: subjectProcess, crashWatch }
  }

  #watchForRejection(
    session: PreparedSession,
    configuration: Configuration,
    held: HeldResources,
  ): void {
    const observer = held.use(new SessionObserver(session, this.#options.subject))
    const stop = session.onExchange(() => {
      const found = findAbortCondition(observer, { channel: this.#options.channel }, configuration)
      if (found) this.#markUnavailable(new SubjectGone(found.because, found.remedy))
    })
    held.defer(stop)
  }

  /** Whether it is still there at the end of a session: what a lost service did not do is no finding. */
  async #check(
    configuration: Configuration,
    watch: SubjectWatch,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#unavailable || signal.aborted || this.#start !== undefined) return
    const { url } = configuration.subject
    if (url === undefined) {
      if (watch.isSilent())
        this.#markUnavailable(
          new SubjectGone('it does not call any more', 'Look why, and start it again.'),
        )
      return
    }
    const because = await findSubjectEnd({
      url,
      probe: (each) => unreachableReason(each, configuration, signal),
      endReason: () => undefined,
      enough: signal,
      timeoutMs: this.#waitSeconds * 1000,
    })
    if (because !== undefined && !signal.aborted) this.#markUnavailable(lost(because))
  }

  readonly #untilUnavailable = (error: unknown): never => {
    throw error instanceof SubjectGone ? this.#markUnavailable(error) : error
  }
}

export async function createExploredService(
  options: ExploredServiceOptions,
): Promise<ExploredService> {
  return new SocketService(options)
}

const lost = (because: string): SubjectGone => new SubjectGone(because, 'Start it again.')
