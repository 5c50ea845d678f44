/**
 * The service that is explored, over sockets: opens one session after the other with the service in it. One that `--start`
 * gives is fresh for each session, unless it is kept by `--reset`; a kept one finds each session on the same ports.
 */
import { sessionConfiguration } from '../../exploration/session-runner.ts'
import { compact } from '../../compact.ts'
import type { Configuration, ConfigurationInput } from '../../configuration/schema.ts'
import { checkConfiguration } from '../../edge/files/check-configuration.ts'
import { schemaErrorsText } from '../../edge/files/schema-errors.ts'
import type { OpenedSession, SessionRequest } from '../../exploration/session-runner.ts'
import { problem } from '../../problem.ts'
import type { Role } from '../../protocol/role.ts'
import { createScenarioObserver } from '../../scenario/observer.ts'
import type { ScenarioRun } from '../../scenario/runs.ts'
import { applyDialect } from '../../session/dialect.ts'
import { prepareSession } from '../../session/session.ts'
import type { PreparedSession } from '../../session/types.ts'
import type { Io } from '../io.ts'
import { type ReservedPorts, reservePorts } from '../reserve-ports.ts'
import { findAbortCondition } from '../run/abort-condition.ts'
import { closeSession } from '../run/close-session.ts'
import { withFreeSubjectPort } from '../run/subject-environment.ts'
import { createSubjectProcess, type SubjectProcess } from '../run/subject-process.ts'
import { createSubjectQueries } from '../run/subject-queries.ts'
import { waitForSubject } from '../run/wait-for-subject.ts'
import { unreachableReason } from '../subject-probe.ts'
import { resetSubject } from './reset-subject.ts'
import { SubjectGone } from './subject-gone.ts'
import { type SubjectWatch, watchSubject } from './subject-watch.ts'

export interface ExploredServiceOptions {
  /** From flags and configuration file. */
  readonly base: ConfigurationInput
  readonly configuration: Configuration
  readonly subject: Role
  readonly channel: ScenarioRun['channel']
  readonly start?: string | undefined
  readonly reset?: string | undefined
  readonly waitSeconds: number
  readonly io: Io
  /** Aborts on interruption. */
  readonly signal: AbortSignal
}

export interface SessionSettings {
  /** The time to recover that was learned, in ms. */
  readonly convergeMs?: number | undefined
  /** The file to record to. */
  readonly recording?: string
  /** No faults are expected: a service that rejects us then is not configured for us. */
  readonly isSteady?: boolean
}

export interface ExploredService extends AsyncDisposable {
  readonly open: (request: SessionRequest, settings?: SessionSettings) => Promise<OpenedSession>
  /** Why no further session can be opened. */
  readonly gone: () => SubjectGone | undefined
  /** Aborts when it is gone. */
  readonly signal: AbortSignal
  /** 95th percentile of its answers in the last session, in wall-clock ms. */
  readonly answerMs: () => number | undefined
}

/** A kept service that polls calls again after a pause of its own: it is given so many seconds at least. */
const minReturnSeconds = 45

/** Seeds of sessions below this: ids are never used twice, not even by the next campaign against the same service. */
const maxSeed = 1_000_000_000

const freshSeed = (): number => 1 + Math.floor(Math.random() * maxSeed)

export async function createExploredService(
  options: ExploredServiceOptions,
): Promise<ExploredService> {
  const { base, subject, channel, start, reset, waitSeconds, io, signal } = options
  const isKept = start === undefined || reset !== undefined
  const ended = new AbortController()
  let gone: SubjectGone | undefined
  let bug: { readonly error: unknown } | undefined
  let ports: ReservedPorts | undefined
  let keptProcess: SubjectProcess | undefined
  let watch: SubjectWatch | undefined
  let sessions = 0

  function leave(why: SubjectGone): SubjectGone {
    gone ??= why
    ended.abort()
    return gone
  }

  /** The file with all of its output stays where a report quotes it. */
  async function end({ stop, output }: SubjectProcess): Promise<void> {
    await stop()
    if (gone && gone.output.length > 0) output.close()
    else output.discard()
  }

  /** The same ports for all sessions: those of the configuration, or free ones. */
  async function fixedPorts(): Promise<Pick<ConfigurationInput, 'port' | 'subject'>> {
    const { host, port, subject: own } = options.configuration
    if (start === undefined && port !== 0) return {}
    ports ??= await reservePorts('exploring your service', host)
    const url = own.url ?? `http://127.0.0.1:${ports.service}`
    const place = base.port === undefined || port === 0 ? { port: ports.first } : {}
    return start === undefined ? place : { ...place, subject: { ...base.subject, url } }
  }

  async function configure(request: SessionRequest, settings: SessionSettings) {
    const { convergeMs, recording } = settings
    const learned = convergeMs === undefined ? {} : { converge: convergeMs }
    const fresh = { ...request, seed: freshSeed() }
    const merged = sessionConfiguration(
      fresh,
      { subject, channel },
      {
        ...base,
        ...(isKept ? await fixedPorts() : {}),
        faults: [],
        recording: recording === undefined ? {} : { file: recording },
        tolerances: { ...learned, ...base.tolerances },
      },
    )
    const input = { ...merged, subject: { ...merged.subject, role: subject } }
    const checked = checkConfiguration(applyDialect(input), 'the session')
    if (!checked.ok)
      throw problem('opening a session', schemaErrorsText(checked.error), 'Correct the workload.')
    const configured = { input, configuration: checked.value }
    return isKept ? configured : withFreeSubjectPort(configured)
  }

  async function open(
    request: SessionRequest,
    settings: SessionSettings = {},
  ): Promise<OpenedSession> {
    if (gone) throw gone
    const { input, configuration } = await configure(request, settings)
    const isFirst = sessions++ === 0
    // One that starts now has nothing to forget.
    if (reset !== undefined && !(isFirst && start !== undefined))
      await resetSubject({ reset, configuration, channel, io, signal }).catch(orGone)
    const session = await prepareSession(
      {
        ...input,
        onBug(error) {
          bug ??= { error }
          ended.abort()
        },
      },
      configuration,
    )
    const held = new AsyncDisposableStack()
    held.defer(() => closeSession(session))
    try {
      await enter(session, configuration, settings, held)
      const queries = await createSubjectQueries(configuration)
      held.defer(() => queries.close())
      const { visit } = queries
      return {
        session,
        ...compact({ requestSubject: visit }),
        async [Symbol.asyncDispose]() {
          await check(configuration)
          await held.disposeAsync()
          if (bug) throw bug.error
          if (gone && !signal.aborted) throw gone
        },
      }
    } catch (error) {
      await held.disposeAsync()
      throw error
    }
  }

  const orGone = (error: unknown): never => {
    throw error instanceof SubjectGone ? leave(error) : error
  }

  /** Lets the service in, and begins the session. */
  async function enter(
    session: PreparedSession,
    configuration: Configuration,
    settings: SessionSettings,
    held: AsyncDisposableStack,
  ): Promise<void> {
    const current = watchSubject(session)
    watch = held.use(current)
    if (settings.isSteady) watchForRejection(session, configuration, held)
    const subjectProcess =
      keptProcess ??
      createSubjectProcess({
        configuration,
        channel,
        session,
        start,
        io,
        onEnd: (how) => void leave(goneAway(how, subjectProcess.output.lines())),
      })
    const isStarted = keptProcess !== undefined
    if (isKept) keptProcess = subjectProcess
    else
      held.defer(async () => {
        await end(subjectProcess)
      })
    if (!isStarted) subjectProcess.start()
    const { url } = configuration.subject
    const isReturning = url === undefined && sessions > 1
    const refusal = await waitForSubject({
      session,
      url,
      seconds: isReturning ? Math.max(waitSeconds, minReturnSeconds) : waitSeconds,
      probe: (each) => unreachableReason(each, configuration),
      startedSubject: subjectProcess.current,
      enough: signal,
    })
    if (refusal && !signal.aborted) {
      const { because, remedy } = refusal
      throw leave(new SubjectGone(because, remedy, subjectProcess.output.lines()))
    }
    await Promise.all([session.begin(), session.loadFaults()])
  }

  function watchForRejection(
    session: PreparedSession,
    configuration: Configuration,
    held: AsyncDisposableStack,
  ): void {
    const observer = held.use(createScenarioObserver(session, subject))
    const stop = session.onExchange(() => {
      const found = findAbortCondition(observer, { channel }, configuration)
      if (found) leave(new SubjectGone(found.because, found.remedy))
    })
    held.defer(stop)
  }

  /** Whether it is still there at the end of a session: what a lost service did not do is no finding. */
  async function check(configuration: Configuration): Promise<void> {
    if (gone || signal.aborted || start !== undefined) return
    const { url } = configuration.subject
    if (url === undefined) {
      if (watch?.isSilent())
        leave(new SubjectGone('it does not call any more', 'Look why, and start it again.'))
      return
    }
    const why = await unreachableReason(url, configuration)
    if (why !== undefined)
      leave(new SubjectGone(`it does not answer at ${url} any more (${why})`, 'Start it again.'))
  }

  return {
    open,
    gone: () => gone,
    signal: ended.signal,
    answerMs: () => watch?.answerMs(),
    async [Symbol.asyncDispose]() {
      if (keptProcess) await end(keptProcess)
      ports?.[Symbol.dispose]()
    },
  }
}

const goneAway = (how: string, output: readonly string[]): SubjectGone =>
  new SubjectGone(`it went away in the middle: ${how}`, 'Look why in its output.', output)
