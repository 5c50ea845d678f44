/**
 * Environment with a subject, over sockets and on the real clock. Our side listens first, then the subject is started if
 * `--start` is given, and the session begins once the subject has answered or called.
 */
import { StepFailure } from '../../scenario/step-actions.ts'
import { observerOf, playRun, type PlayEnvironment } from '../../scenario/play.ts'
import type { ScenarioOutcome } from '../../scenario/outcome.ts'
import { prepareSession } from '../../session/session.ts'
import { type Io, printLine } from '../io.ts'
import { unreachableReason } from '../subject-probe.ts'
import type { RunEnvironment, EnvironmentResult, RunHooks } from './environment.ts'
import { waitForSubject } from './wait-for-subject.ts'
import type { PlannedRun } from './plan.ts'
import { abortableSleep } from '../../session/abortable-sleep.ts'
import { createProcessOutput, type ProcessOutput } from './process-output.ts'
import {
  emptyPlaceholders,
  fillPlaceholders,
  startSubject,
  type StartedSubject,
} from './start-subject.ts'
import { withFreeSubjectPort, subjectEnvironmentOf } from './subject-environment.ts'
import type { PreparedSession } from '../../session/types.ts'
import type { ScenarioRun } from '../../scenario/runs.ts'
import type { ScenarioObserver } from '../../scenario/observer.ts'
import type { Configuration } from '../../configuration/schema.ts'
import { defaultClient } from '../../protocol/auth/default-client.ts'
import { probeOrder } from '../../edge/client/probe-order.ts'
import { createSocketTransport } from '../../edge/client/transport.ts'
import { startTls } from '../../session/tls.ts'

export interface ExternalEnvironmentOptions {
  /** The command of `--start`. */
  readonly start?: string | undefined
  readonly waitSeconds: number
  readonly io: Io
}

/** Time limit for open exchanges to end. */
const closeTimeoutMs = 1500

async function close(session: PreparedSession): Promise<void> {
  const late = new AbortController()
  await Promise.race([session.close(), abortableSleep(closeTimeoutMs, late.signal)])
  late.abort()
}

/** The process of the subject: starts, stops and restarts it. */
interface SubjectProcess {
  readonly start: () => void
  readonly stop: () => Promise<void>
  readonly current: () => StartedSubject | undefined
  /** Of all its processes, where it is started again. */
  readonly output: ProcessOutput
}

function createSubjectProcess(
  planned: PlannedRun,
  session: PreparedSession,
  { start, io }: ExternalEnvironmentOptions,
  onEnd: (how: string) => void,
): SubjectProcess {
  let current: StartedSubject | undefined
  const output = createProcessOutput()
  return {
    current: () => current,
    output,
    start() {
      if (start === undefined) return
      const { placeholders, env } = subjectEnvironmentOf(planned, session)
      const started = startSubject(
        fillPlaceholders(start, placeholders),
        { ...io.env, ...env },
        io.cwd,
        output,
      )
      current = started
      // A process that is stopped on purpose is no longer the current one, and its end is not reported.
      void started.end.then(() => {
        if (current === started) onEnd(started.endReason() ?? 'it ended')
      })
    },
    async stop() {
      const last = current
      current = undefined
      await last?.stop()
    },
  }
}

/** The subject's process ended during the run: the run has failed. */
const failedBySubjectEnd = (outcome: ScenarioOutcome, how: string): ScenarioOutcome => ({
  ...outcome,
  result: 'failed',
  failures: [
    ...outcome.failures,
    { kind: 'step', path: ['steps'], because: `your service went away in the middle: ${how}` },
  ],
})

async function playAgainstSubject(
  planned: PlannedRun,
  options: ExternalEnvironmentOptions,
  { onStep, enough: signal }: RunHooks,
  session: PreparedSession,
): Promise<EnvironmentResult> {
  const { configuration, loaded } = planned
  const { tolerances, subject } = configuration
  const aborted = new AbortController()
  let endedBecause: string | undefined
  let abortCondition: AbortCondition | undefined
  let called = false
  using observer = observerOf(loaded.run, session)
  session.onExchange(({ from }) => {
    called ||= from.party === 'subject'
    abortCondition ??= findAbortCondition(observer, loaded.run, configuration)
    if (abortCondition) aborted.abort()
  })
  const subjectProcess = createSubjectProcess(planned, session, options, (how) => {
    endedBecause = how
    aborted.abort()
  })
  const queries = await createSubjectQueries(configuration)
  const waitUntilReady = () =>
    waitForSubject({
      session,
      url: subject.url,
      seconds: options.waitSeconds,
      probe: (url) => unreachableReason(url, configuration),
      startedSubject: subjectProcess.current,
      enough: signal,
    })
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
              await subjectProcess.stop()
              subjectProcess.start()
              const notReady = await waitUntilReady()
              if (notReady && !signal.aborted) throw new StepFailure(notReady.because)
            },
    })
    if (abortCondition && !signal.aborted)
      return { kind: 'halted', ...abortCondition, output: output() }
    if (endedBecause !== undefined && !signal.aborted)
      return {
        kind: 'played',
        outcome: failedBySubjectEnd(outcome, endedBecause),
        output: output(),
      }
    if (outcome.result !== 'failed') return { kind: 'played', outcome }
    const { url } = subject
    const why =
      url === undefined || options.start ? undefined : await unreachableReason(url, configuration)
    if (why !== undefined) {
      const because = `it does not answer at ${url} any more (${why})`
      return { kind: 'halted', because, remedy: 'Start it again.' }
    }
    const us = session.urls.get('ordering-application') ?? [...session.urls.values()][0]
    const hint = called
      ? undefined
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
  const { start = '', io } = options
  const told = new Set<string>()

  /** Once for all runs. */
  async function tellEmptyPlaceholders(planned: PlannedRun, session: PreparedSession) {
    const { placeholders } = subjectEnvironmentOf(planned, session)
    for (const each of emptyPlaceholders(start, placeholders)) {
      if (told.has(each)) continue
      told.add(each)
      await printLine(
        io.stderr,
        `sparring: ${each} in --start is empty: it is not played in this session`,
      )
    }
  }

  return async (given, hooks) => {
    const planned = options.start === undefined ? given : await withFreeSubjectPort(given)
    const bug = Promise.withResolvers<never>()
    const session = await prepareSession(
      { ...planned.input, onBug: bug.reject },
      planned.configuration,
    )
    try {
      await tellEmptyPlaceholders(planned, session)
      return await Promise.race([playAgainstSubject(planned, options, hooks, session), bug.promise])
    } finally {
      await close(session)
    }
  }
}

interface AbortCondition {
  readonly because: string
  readonly remedy: string
}

/** Rejected manifests before aborting: a service that is starting up may have none yet. */
const maxRejections = 3

/** All runs are aborted when the subject answers but rejects our credentials or cannot receive events. */
function findAbortCondition(
  observer: ScenarioObserver,
  { channel }: ScenarioRun,
  { counterparts }: Configuration,
): AbortCondition | undefined {
  const refusal = observer.rejectedCredentials()
  if (refusal) {
    const { role } = refusal.exchange.from
    const { clientId, clientSecret } = counterparts[role].credentials
    // One of the configuration is not shown.
    const secret =
      clientSecret === defaultClient(role).clientSecret ? `secret ${clientSecret}` : 'its secret'
    return {
      because: `it refuses our credentials (${refusal.evidence.line})`,
      remedy: `Have it accept the client ${clientId} with ${secret}, or set counterparts.${role}.credentials to what it accepts.`,
    }
  }
  observer.read()
  const rejections = observer.orders.manifestRejections()
  // A polling subject needs no manifest.
  if (channel === 'polling' || rejections.length < maxRejections) return undefined
  return {
    because: `it cannot be sent events, because its manifest cannot be used: ${rejections.at(-1)}`,
    remedy: 'Have it answer GET /.well-known/<name> with a manifest that declares webhooks.',
  }
}

/** Requests to the subject outside the protocol: its view of an order, and operator actions by URL. */
interface SubjectQueries {
  readonly view: PlayEnvironment['view']
  readonly visit: PlayEnvironment['requestSubject']
  readonly close: () => void
}

/** Timeout of such a request, in milliseconds. */
const timeoutMs = 5000

async function createSubjectQueries(configuration: Configuration): Promise<SubjectQueries> {
  const { url, probe, webhooks } = configuration.subject
  if (url === undefined) return { view: undefined, visit: undefined, close: () => undefined }
  const tls = await startTls({ ...configuration, tls: false })
  const { transport, close: closeTransport } = createSocketTransport({
    timeoutMs,
    trust: tls?.trust,
  })
  const base = url.replace(/\/+$/, '')
  const target = { base, party: 'subject', transport, webhooks } as const
  return {
    close: closeTransport,
    view:
      probe === undefined
        ? undefined
        : async (orderId) => (await probeOrder(target, probe, orderId))?.status,
    async visit({ method, path, body }) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { accept: 'application/json', 'content-type': 'application/json' }
      return (await transport({ method, url: `${base}${path}`, headers, ...sent })).status
    },
  }
}
