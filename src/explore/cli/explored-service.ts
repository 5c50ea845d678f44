/**
 * The service that is explored, over sockets: opens sessions with the service in them. One that `--start` gives is fresh for each
 * session, and several are open at the same time, unless it is kept by `--reset`; a kept one finds one session after the other on
 * the same ports.
 */
import { compact } from '../../core/base/compact.ts'
import type {
  Configuration,
  ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'
import type { OpenedSession, SessionRequest } from '../batch/session-runner.ts'
import type { CrashWatch } from '../batch/crash.ts'
import type { Role } from '../../core/protocol/role.ts'
import { SessionObserver } from '../../core/scenario/observer.ts'
import type { ScenarioRun } from '../../core/scenario/runs.ts'
import { prepareSession } from '../../core/session/session.ts'
import type { PreparedSession } from '../../core/session/types.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { findAbortCondition } from '../../terminal/cli/run/abort-condition.ts'
import { closeSession } from '../../terminal/cli/run/close-session.ts'
import { findSubjectEnd, waitForSubject } from '../../terminal/service/subject-answers.ts'
import {
  createSubjectProcess,
  type SubjectProcess,
} from '../../terminal/service/subject-process.ts'
import { createSubjectQueries, unreachableReason } from '../../terminal/service/subject-requests.ts'
import { resetSubject } from './reset-subject.ts'
import { createSessionConfigurator, type SessionSettings } from './session-configurator.ts'
import { createSessionWarnings } from '../../terminal/cli/session-warnings.ts'
import { createSessionSlots } from './session-slots.ts'
import { SubjectGone, type SubjectWatch, watchForCrash, watchSubject } from './subject-watch.ts'

export interface ExploredServiceOptions {
  /** From flags and configuration file. */
  readonly base: ConfigurationInput
  readonly configuration: Configuration
  readonly subject: Role
  readonly channel: ScenarioRun['channel']
  readonly start?: string | undefined
  readonly reset?: string | undefined
  readonly waitSeconds: number
  /** Sessions that are open at the same time at most: one, where they have the same service or the same ports. */
  readonly maxSessions: () => number
  readonly io: Io
  /** Aborts on interruption. */
  readonly signal: AbortSignal
  /** Called with what the operator should know. */
  readonly notify: (sentence: string) => void
}

export interface ServiceSession extends OpenedSession {
  /** 95th percentile of the service's answers, in wall-clock ms. */
  readonly answerMs: () => number | undefined
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
}

interface ServiceProcess {
  readonly process: SubjectProcess
  /** Of its session: aborts when the process ends. */
  sessionEnd: AbortController
}

/** A kept service that polls calls again after a pause of its own: it has so many seconds at least. */
const minReturnSeconds = 45

export async function createExploredService(
  options: ExploredServiceOptions,
): Promise<ExploredService> {
  const { subject, channel, start, reset, waitSeconds, io, signal, notify } = options
  const isKept = start === undefined || reset !== undefined
  const { onWarning } = createSessionWarnings(io)
  const slots = createSessionSlots(options.maxSessions)
  const configurator = createSessionConfigurator({ ...options, isKept })
  const ended = new AbortController()
  let unavailable: SubjectGone | undefined
  let bug: { readonly error: unknown } | undefined
  let kept: ServiceProcess | undefined
  let sessions = 0
  /** Whether the service that we start has ever answered at its URL: one that only polls need not. */
  let isListening = false

  function markUnavailable(why: SubjectGone): SubjectGone {
    unavailable ??= why
    ended.abort()
    return unavailable
  }

  /** The file with all of its output stays where a report quotes it. */
  async function end({ stop, output }: SubjectProcess): Promise<void> {
    await stop()
    if (unavailable && unavailable.output.length > 0) output.close()
    else output.discard()
  }

  async function open(
    request: SessionRequest,
    settings: SessionSettings = {},
  ): Promise<ServiceSession> {
    await using held = new AsyncDisposableStack()
    held.use(await slots.take())
    if (unavailable) throw unavailable
    const { input, configuration } = await configurator.configure(request, settings)
    sessions++
    await forgetEndedProcess()
    // One that starts now has nothing to forget.
    if (reset !== undefined && (kept !== undefined || start === undefined))
      await resetSubject({ reset, configuration, channel, io, signal }).catch(untilUnavailable)
    // Or one that ends when it is asked to forget.
    await forgetEndedProcess()
    const session = await prepareSession(
      {
        ...input,
        onWarning,
        onBug(error) {
          bug ??= { error }
          ended.abort()
        },
      },
      configuration,
    )
    held.defer(() => closeSession(session))
    const watch = held.use(watchSubject(session))
    const crashWatch = await enter(session, configuration, settings, held)
    const queries = await createSubjectQueries(configuration)
    held.defer(() => queries.close())
    const { visit } = queries
    const opened = held.move()
    return {
      session,
      answerMs: watch.answerMs,
      ...compact({ requestSubject: visit, crashWatch }),
      async [Symbol.asyncDispose]() {
        await check(configuration, watch)
        await opened.disposeAsync()
        if (bug) throw bug.error
        if (unavailable && !signal.aborted) throw unavailable
      },
    }
  }

  const untilUnavailable = (error: unknown): never => {
    throw error instanceof SubjectGone ? markUnavailable(error) : error
  }

  /** A kept service that has ended between two sessions is started again with the next one. */
  async function forgetEndedProcess(): Promise<void> {
    const how = kept?.process.current()?.endReason()
    if (!kept || how === undefined) return
    if (!signal.aborted)
      notify(`your service went away between two sessions: ${how}; it is started again`)
    await end(kept.process)
    kept = undefined
  }

  function startService(session: PreparedSession, configuration: Configuration): ServiceProcess {
    const service: ServiceProcess = {
      process: createSubjectProcess({
        configuration,
        channel,
        session,
        start,
        io,
        onEnd: () => service.sessionEnd.abort(),
      }),
      sessionEnd: new AbortController(),
    }
    service.process.start()
    return service
  }

  /** Lets the service in, and begins the session; returns what notices a crash of a service that we start. */
  async function enter(
    session: PreparedSession,
    configuration: Configuration,
    settings: SessionSettings,
    held: AsyncDisposableStack,
  ): Promise<CrashWatch | undefined> {
    if (settings.isSteady) watchForRejection(session, configuration, held)
    const service = kept ?? startService(session, configuration)
    const { process: subjectProcess } = service
    if (isKept) kept = service
    else
      held.defer(async () => {
        await end(subjectProcess)
      })
    const { url } = configuration.subject
    const isReturning = url === undefined && sessions > 1
    const probe = (each: string): Promise<string | undefined> =>
      unreachableReason(each, configuration, signal)
    const refusal = await waitForSubject({
      session,
      url,
      seconds: isReturning ? Math.max(waitSeconds, minReturnSeconds) : waitSeconds,
      probe,
      startedSubject: subjectProcess.current,
      enough: signal,
    })
    if (refusal && !signal.aborted) {
      const { because, remedy } = refusal
      throw markUnavailable(new SubjectGone(because, remedy, subjectProcess.output.lines()))
    }
    if (start !== undefined && url !== undefined) isListening ||= (await probe(url)) === undefined
    service.sessionEnd = new AbortController()
    if (subjectProcess.current()?.endReason() !== undefined) service.sessionEnd.abort()
    await Promise.all([session.begin(), session.loadFaults()])
    const { ended: goneAway, crash } = held.use(
      watchForCrash({
        session,
        subjectProcess,
        processEnded: service.sessionEnd.signal,
        signal,
        url: start === undefined || isListening ? url : undefined,
        probe,
        ...(start === undefined ? { timeoutMs: waitSeconds * 1000 } : {}),
      }),
    )
    if (start === undefined) {
      // Its session ends at once: it would wait for what cannot come.
      goneAway.addEventListener('abort', () => {
        void crash().then((found) => found && markUnavailable(lost(found.because)))
      })
      return undefined
    }
    return {
      ended: goneAway,
      async crash() {
        const found = await crash()
        if (!found) return undefined
        // What is left of it must not hold its ports, nor answer the next session.
        await end(subjectProcess)
        if (kept === service) kept = undefined
        return found
      },
    }
  }

  function watchForRejection(
    session: PreparedSession,
    configuration: Configuration,
    held: AsyncDisposableStack,
  ): void {
    const observer = held.use(new SessionObserver(session, subject))
    const stop = session.onExchange(() => {
      const found = findAbortCondition(observer, { channel }, configuration)
      if (found) markUnavailable(new SubjectGone(found.because, found.remedy))
    })
    held.defer(stop)
  }

  /** Whether it is still there at the end of a session: what a lost service did not do is no finding. */
  async function check(configuration: Configuration, watch: SubjectWatch): Promise<void> {
    if (unavailable || signal.aborted || start !== undefined) return
    const { url } = configuration.subject
    if (url === undefined) {
      if (watch.isSilent())
        markUnavailable(
          new SubjectGone('it does not call any more', 'Look why, and start it again.'),
        )
      return
    }
    const because = await findSubjectEnd({
      url,
      probe: (each) => unreachableReason(each, configuration, signal),
      endReason: () => undefined,
      enough: signal,
      timeoutMs: waitSeconds * 1000,
    })
    if (because !== undefined && !signal.aborted) markUnavailable(lost(because))
  }

  return {
    open,
    isKept,
    unavailable: () => unavailable,
    signal: ended.signal,
    async [Symbol.asyncDispose]() {
      if (kept) await end(kept.process)
      configurator[Symbol.dispose]()
    },
  }
}

const lost = (because: string): SubjectGone => new SubjectGone(because, 'Start it again.')
