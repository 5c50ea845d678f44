/**
 * Environment with a subject, over sockets and on the real clock. Our side listens first, then the subject is started if
 * `--start` is set, and the session begins once the subject has answered or called.
 */
import { isWebhookOperation } from '../../../core/protocol/catalogue.ts'
import { urlPath } from '../../../core/traffic/recognise-operation.ts'
import { displayText } from '../../../core/traffic/redaction/display.ts'
import { StepFailure } from '../../../core/scenario/shared-shapes.ts'
import { observerOf, playRun } from '../../../core/scenario/play.ts'
import type { ScenarioOutcome } from '../../../core/scenario/outcome.ts'
import { prepareSession } from '../../../core/session/session.ts'
import { type Io, printLine } from '../io.ts'
import type { PlannedRun } from './plan.ts'
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import { type AbortCondition, findAbortCondition } from './abort-condition.ts'
import { closeSession } from './close-session.ts'
import {
  findSubjectEnd,
  type SubjectNotReady,
  waitForSubject,
} from '../../service/subject-answers.ts'
import { createCommandFiller, withFreeSubjectPort } from '../../service/subject-environment.ts'
import { createSubjectProcess, type SubjectProcess } from '../../service/subject-process.ts'
import { createSubjectQueries, unreachableReason } from '../../service/subject-requests.ts'
import { sessionPorts } from '../losses.ts'
import { createSessionWarnings } from '../session-warnings.ts'
import type { PreparedSession } from '../../../core/session/types.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'

interface RunHooks {
  /** Receives the current step as one line of text. */
  readonly onStep: (text: string) => void
  /** Aborts on interruption. */
  readonly enough: AbortSignal
  /** Called with the session that was played, before it is closed. */
  readonly onPlayed: (session: Pick<SessionApi, 'look'>, outcome: ScenarioOutcome) => Promise<void>
}

export type EnvironmentResult =
  | {
      readonly kind: 'played'
      readonly outcome: ScenarioOutcome
      /** The first and the last lines of the subject's output, and where all of it is. */
      readonly output?: readonly string[] | undefined
      /** Another possible cause of the failure, as a sentence. */
      readonly hint?: string | undefined
    }
  /** No further run can be played: the subject is unreachable or rejects us. */
  | {
      readonly kind: 'halted'
      readonly because: string
      readonly remedy: string
      readonly output?: readonly string[] | undefined
    }

/** Where a run is played: in this process without a subject, or against a subject that we start or that is running. */
export type RunEnvironment = (planned: PlannedRun, watching: RunHooks) => Promise<EnvironmentResult>

export interface ExternalEnvironmentOptions {
  /** The command of `--start`. */
  readonly start?: string | undefined
  readonly waitSeconds: number
  readonly io: Io
}

/** The subject went away during the run: the run has failed, and what the rules say of it does not count. */
const failedBySubjectEnd = (outcome: ScenarioOutcome, how: string): ScenarioOutcome => ({
  ...outcome,
  result: 'failed',
  verdicts: [],
  advice: [],
  unexercised: [],
  failures: [
    ...outcome.failures.filter(({ kind }) => kind === 'step'),
    { kind: 'step', path: ['steps'], because: `your service went away in the middle: ${how}` },
  ],
})

interface StartedSession {
  readonly session: PreparedSession
  readonly subjectProcess: SubjectProcess
  /** Aborts when the process ends by itself. */
  readonly aborted: AbortController
  /** Calls back each time the process is started again. */
  readonly whenStarted: (listener: () => void) => void
}

async function playAgainstSubject(
  planned: PlannedRun,
  options: ExternalEnvironmentOptions,
  { onStep, onPlayed, enough: signal }: RunHooks,
  { session, subjectProcess, aborted, whenStarted }: StartedSession,
): Promise<EnvironmentResult> {
  const { configuration, loaded } = planned
  const { tolerances, subject } = configuration
  let abortCondition: AbortCondition | undefined
  let called = false
  /** The last answer to a webhook that was none of success. */
  let refusedWebhook: string | undefined
  using observer = observerOf(loaded.run, session)
  session.onExchange(({ from, operation, request, reply }) => {
    called ||= from.party === 'subject'
    if (isWebhookOperation(operation) && reply && reply.status >= 300)
      refusedWebhook = `${request.method} ${urlPath(request.url)} with ${reply.status}`
    abortCondition ??= findAbortCondition(observer, loaded.run, configuration)
    if (abortCondition) aborted.abort()
  })
  const queries = await createSubjectQueries(configuration)
  const waitUntilReady = () =>
    waitForSubject({
      session,
      url: subject.url,
      seconds: options.waitSeconds,
      probe,
      startedSubject: subjectProcess.current,
      enough: signal,
    })
  const probe = (url: string): Promise<string | undefined> =>
    unreachableReason(url, configuration, signal)
  /** Why the process that was started after a crash is of no use. */
  let notBack: SubjectNotReady | undefined
  let returning = Promise.resolve()
  function waitForReturn(): void {
    returning = waitUntilReady().then((notReady) => {
      if (!notReady || signal.aborted) return
      notBack ??= notReady
      aborted.abort()
    })
  }
  /** Where a service that we started answers; one that only polls need not. */
  let listensAt: string | undefined
  const { output: processOutput } = subjectProcess
  /** Whether a report quotes the output: the file with all of it stays then. */
  let isQuoted = false
  const output = (): readonly string[] => {
    isQuoted = true
    return processOutput.lines()
  }

  try {
    subjectProcess.start()
    onStep('wait for your service')
    const refusal = await waitUntilReady()
    if (refusal && !signal.aborted) return { kind: 'halted', ...refusal, output: output() }
    whenStarted(waitForReturn)
    const { url } = subject
    if (options.start !== undefined && url !== undefined && (await probe(url)) === undefined)
      listensAt = url
    await session.begin()
    const outcome = await playRun(loaded.run, session, {
      sleep: abortableSleep,
      onStep,
      tolerances,
      view: queries.view,
      asks: subject.asks,
      requestSubject: queries.visit,
      enough: AbortSignal.any([signal, aborted.signal]),
      observer,
      restartSubject:
        options.start === undefined
          ? undefined
          : async () => {
              await session.submit({ kind: 'session.end-subject', signal: 'TERM' })
              await subjectProcess.ended()
              await session.submit({ kind: 'session.renew-subject' })
              await returning
              if (notBack && !signal.aborted) throw new StepFailure(notBack.because)
            },
    })
    await onPlayed(session, outcome)
    if (abortCondition && !signal.aborted)
      return { kind: 'halted', ...abortCondition, output: output() }
    await returning
    const end =
      options.start === undefined
        ? undefined
        : (notBack?.because ??
          (await findSubjectEnd({
            url: listensAt,
            probe,
            endReason: () => subjectProcess.current()?.endReason(),
            enough: AbortSignal.any([signal, aborted.signal]),
          })))
    if (end !== undefined && !signal.aborted)
      return { kind: 'played', outcome: failedBySubjectEnd(outcome, end), output: output() }
    if (outcome.result !== 'failed') return { kind: 'played', outcome }
    const why = url === undefined || options.start !== undefined ? undefined : await probe(url)
    if (why !== undefined) {
      const because = displayText(`it does not answer at ${url} any more (${why})`)
      return { kind: 'halted', because, remedy: 'Start it again.' }
    }
    const us = session.urls.get('ordering-application') ?? [...session.urls.values()][0]
    const hint = called
      ? undefined
      : refusedWebhook !== undefined
        ? `your service answered ${refusedWebhook}, and never called ${us}`
        : `your service never called ${us}: is that where it looks for its partner?`
    return { kind: 'played', outcome, output: output(), hint }
  } finally {
    await subjectProcess.stop()
    if (isQuoted) processOutput.close()
    else processOutput.discard()
    queries.close()
  }
}

export function createExternalEnvironment(options: ExternalEnvironmentOptions): RunEnvironment {
  const { io } = options
  const { onWarning } = createSessionWarnings(io)
  // Once for all runs.
  const fill = createCommandFiller(
    '--start',
    (sentence) => void printLine(io.stderr, `sparring: ${sentence}`),
  )

  return async (loaded, hooks) => {
    const planned = options.start === undefined ? loaded : await withFreeSubjectPort(loaded)
    const bug = Promise.withResolvers<never>()
    const { configuration } = planned
    const aborted = new AbortController()
    let onStarted = (): void => undefined
    const subjectProcess = createSubjectProcess({
      configuration,
      channel: planned.loaded.run.channel,
      session: () => session,
      start: options.start,
      fill,
      io,
      onEnd: () => aborted.abort(),
      onStart: () => onStarted(),
    })
    const session = await prepareSession(
      {
        ...planned.input,
        ...(options.start === undefined ? {} : { service: subjectProcess }),
        onBug: bug.reject,
        onWarning,
        ...sessionPorts(io),
      },
      configuration,
    )
    try {
      const playing = playAgainstSubject(planned, options, hooks, {
        session,
        subjectProcess,
        aborted,
        whenStarted: (listener) => void (onStarted = listener),
      })
      return await Promise.race([playing, bug.promise])
    } finally {
      await closeSession(session, io)
    }
  }
}
