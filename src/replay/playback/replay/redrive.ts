/**
 * Replay by decisions (redrive): our counterpart repeats the decisions of the recorded partner against a live service.
 * Connects a session, a scenario derived from the recording, and their comparison.
 */
import { joinUrl } from '../../../core/base/join-url.ts'
import { compact } from '../../../core/base/compact.ts'
import { configurationParts } from '../../../core/session-api/configuration/schema.ts'
import { checkSchema, schemaErrorsText } from '../../../core/runtime/files/schema-errors.ts'
import { problem } from '../../../core/base/problem.ts'
import type { PartnerDecisions } from '../../../core/scenario/decision.ts'
import { decisionsOf } from '../../from-recording/decisions.ts'
import { withoutCrash } from '../../from-recording/answers.ts'
import { scenarioOf } from '../../from-recording/scenario-of.ts'
import { redriveStatuses } from '../../from-recording/redrive-status.ts'
import type { StepOptions, StepTiming } from '../../from-recording/steps-of.ts'
import { configurationOf } from '../../../core/scenario/options.ts'
import { type PlayEnvironment, playRun } from '../../../core/scenario/play.ts'
import { isViolation } from '../../../core/rules/invariants/verdict.ts'
import type { SubjectRequest } from '../../../core/scenario/ask-subject.ts'
import { readRuns } from '../../../core/scenario/read.ts'
import type { ScenarioRun } from '../../../core/scenario/runs.ts'
import type { ScenarioInput } from '../../../core/scenario/schema.ts'
import { prepareSession } from '../../../core/session/session.ts'
import type { SessionOptions } from '../../../core/session/options.ts'
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import { contractRulesOf, failedRulesOf } from '../../minimise/report-builder.ts'
import { recordedStoreOptions } from '../../../core/session/stores.ts'
import { createRuleBook } from '../../difference/protocol-rules.ts'
import { type Exchange, largeChars } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import type { FetchHandler, Session } from '../../../core/session-api/session.ts'
import type { PlaybackOptions } from './options.ts'
import { instantFromValue } from '../../../core/traffic/date-time.ts'
import { shiftTimes } from '../../../core/traffic/entities/shift-times.ts'

/** Shifts all times of an order document as a block to the session's clock. */
type Document = Readonly<Record<string, unknown>>

/** The document with `createdAt` at `now` (ms since 1970) and all other times shifted alike. */
export function shiftDocument(document: Document, now: number): Document {
  const { createdAt } = document
  // A time without an offset is read alike on every machine.
  const was = instantFromValue(createdAt)
  return was === undefined
    ? document
    : (JSON.parse(
        shiftTimes(JSON.stringify(document), { shiftMs: now - was, from: was }),
      ) as Document)
}

export interface RedriveOptions
  extends
    Omit<SessionOptions, 'as' | 'subject' | 'handler' | 'recording'>,
    Pick<PlaybackOptions, 'recording' | 'subject' | 'role' | 'rules' | 'record' | 'signal'> {
  /** The service under test: its URL, or a fetch-style handler in this process. Absent: we play every role. */
  readonly to?: string | FetchHandler
  /** `original` when absent, else as fast as the partner's waits allow, or a speed factor. */
  readonly timing?: StepTiming
  /** The longest pause before a decision, in ms. */
  readonly maxGapMs?: number
  /**
   * When the service has nothing more to do: without activity for so long, in ms, about an order (its recorded id) or
   * about any. By the limits of the judge when absent.
   */
  readonly settle?: {
    readonly ms: number | (() => number)
    readonly orderId?: string | undefined
    /** Ends as soon as this safety rule fails for the order: it stays so. */
    readonly invariant?: string | undefined
  }
  /** Endpoints that trigger what a person at the service's screen would do. */
  readonly asks?: StepOptions['asks']
  /** Starts a service that needs the session's URLs or clock; the returned handle is disposed at the end. */
  readonly connect?: (session: Session) => AsyncDisposable | undefined
  /** Awaited before the first decision, for example until the service is ready. */
  readonly met?: (session: Session) => Promise<void>
  /** Called with one line of text for each step. */
  readonly onStep?: (text: string) => void
  /** Called with one sentence for each guess and for each action that cannot be repeated. */
  readonly onWarning?: (text: string) => void
}

function runOf(scenario: ScenarioInput, file: string): ScenarioRun {
  const runs = readRuns(scenario, checkSchema)
  const [run] = runs.ok ? runs.value : []
  if (run) return run
  const wrong = runs.ok ? 'it has no run' : schemaErrorsText(runs.error)
  throw problem(
    `making a scenario of the recording ${file}`,
    wrong,
    'Export it, and mend it there.',
  )
}

/** A service is ended only where it is ours to start. */
function playable(decisions: PartnerDecisions, { service }: RedriveOptions): PartnerDecisions {
  if (service) return decisions
  return {
    ...decisions,
    anomalies: decisions.anomalies.flatMap((each) => {
      const spec = withoutCrash(each.spec)
      return spec ? [{ ...each, spec }] : []
    }),
    decisions: decisions.decisions.flatMap((each) => {
      if (each.what.kind !== 'fault') return [each]
      const spec = withoutCrash(each.what.spec)
      return spec ? [{ ...each, what: { ...each.what, spec } }] : []
    }),
  }
}

/** Session options of a run; the caller's options win. */
function sessionOptions(run: ScenarioRun, options: RedriveOptions, seed: number): SessionOptions {
  const {
    recording: _recording,
    to,
    subject,
    role,
    timing: _timing,
    maxGapMs: _maxGapMs,
    asks: _asks,
    settle: _settle,
    record,
    rules: _rules,
    connect: _connect,
    met: _met,
    signal: _signal,
    onStep: _onStep,
    onWarning: _onWarning,
    only,
    listen,
    fetch,
    automatic,
    runCommand,
    onBug,
    service,
    ...configuration
  } = options
  const { subject: ofRun, ...said } = configurationOf(run, {
    ...configuration,
    ...(record === undefined ? {} : { recording: { file: record } }),
    seed,
  })
  const as = role ?? (run.scenario.subject === 'none' ? undefined : run.scenario.subject)
  return {
    clock: typeof to === 'string' ? 'real' : 'virtual',
    ...said,
    seed,
    subject: { ...ofRun, ...subject, ...(typeof to === 'string' ? { url: to } : {}) },
    ...(as && to !== undefined ? { as } : {}),
    ...(typeof to === 'function' ? { handler: to } : {}),
    listen: listen ?? typeof to === 'string',
    automatic: automatic ?? false,
    ...compact({ only, fetch, runCommand, onBug, service }),
  }
}

/** Base URL for an in-process service: a host name that no resolver knows. */
const inProcessBase = 'http://subject.test'

const visitOf = (to: RedriveOptions['to']) =>
  to === undefined
    ? undefined
    : async ({ method, path, body }: SubjectRequest): Promise<number> => {
        const base = typeof to === 'string' ? to : inProcessBase
        const request = new Request(joinUrl(base, path), {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return (await (typeof to === 'string' ? fetch(request) : to(request))).status
      }

/** Characters of live exchanges that are kept beside several times those of the recording. */
const minLiveChars = 64_000_000
const liveFactor = 4
/** Characters of an exchange without what is large in it. */
const baseChars = 2000

const charsOf = (exchange: Exchange): number => baseChars + largeChars(exchange)

/**
 * Collects all exchanges from now on, since they are compared when it is over; `onFull` is called when they take much
 * more memory than the recording, and no more are collected.
 */
function collect(session: Session, { exchanges }: RecordingContent, onFull: () => void) {
  const live: RecordedExchange[] = []
  let left = minLiveChars + liveFactor * exchanges.reduce((sum, each) => sum + charsOf(each), 0)
  session.onExchange((exchange) => {
    left -= charsOf(exchange)
    if (left >= 0) live.push({ ...exchange, recordId: `live-${exchange.seq}` })
    else onFull()
  })
  return (): readonly RecordedExchange[] => live.toSorted((a, b) => a.seq - b.seq)
}

/**
 * Waits of the steps as a multiple of `settle.ms`: an order goes through several statuses before one that is awaited.
 */
const stepFactor = 5

/** Asked for when the service is there. */
const settleMsOf = ({ ms }: NonNullable<RedriveOptions['settle']>): number =>
  typeof ms === 'number' ? ms : ms()

/** A virtual clock does not run by itself, so only a real one is slept on. */
function playOptions(
  options: RedriveOptions,
  decisions: PartnerDecisions,
  tolerances: SessionOptions['tolerances'],
): PlayEnvironment {
  const { signal, onStep, settle } = options
  const slot = decisions.orders.find(({ orderId }) => orderId === settle?.orderId)?.slot
  const isDecided = ({ verdicts }: Session): boolean =>
    verdicts().some(
      ({ id, kind, findings }) =>
        id === settle?.invariant &&
        kind === 'safety' &&
        findings.some((finding) => isViolation(finding) && finding.slot === slot),
    )
  return {
    sleep: abortableSleep,
    requestSubject: visitOf(options.to),
    tolerances: configurationParts.tolerances().parse(tolerances ?? {}),
    ...(settle ? { settle: { ms: settleMsOf(settle), slot }, isDecided } : {}),
    ...compact({ enough: signal, onStep }),
  }
}

function scenarioFor(decisions: PartnerDecisions, options: RedriveOptions, now?: number) {
  const { timing = 'original', maxGapMs, asks, recording, settle } = options
  // How other orders end is waited for only where the whole is replayed.
  const played = settle ? { ...decisions, ends: [], endsAt: 0 } : decisions
  return scenarioOf(played, {
    name: decisions.name || recording.file,
    timing,
    maxGapMs,
    asks,
    ...(settle ? { maxWaitMs: stepFactor * settleMsOf(settle) } : {}),
    ...(now === undefined ? {} : { document: (order, { at }) => shiftDocument(order, now + at) }),
  })
}

/**
 * Replays the decisions of a recording's partner against a live service, and compares the service's behaviour with the
 * recording. Ids are new, the pace may differ, the state is fresh. Throws a `Problem` when the recording cannot be
 * converted to a scenario; other failures are in the report.
 */
export async function replayByDecisions(options: RedriveOptions): Promise<ReplayReport> {
  const { recording, seed = 42, connect, met, onWarning } = options
  const decisions = playable(decisionsOf(recording), options)
  const { scenario } = scenarioFor(decisions, options)
  const opened = {
    ...sessionOptions(runOf(scenario, recording.file), options, seed),
    ...recordedStoreOptions(decisions),
  }
  await using session = await prepareSession(opened)
  const full = new AbortController()
  const live = collect(session, recording, () => {
    if (!full.signal.aborted)
      onWarning?.(
        `the replay is ended: its exchanges take more than ${minLiveChars / 1e6} MB and ${liveFactor} times the recording; the report has those before`,
      )
    full.abort()
  })
  await met?.(session)
  await Promise.all([session.begin(), session.loadFaults()])
  await using _service = connect?.(session) ?? { [Symbol.asyncDispose]: () => Promise.resolve() }
  const { info } = await session.look({})
  const derived = scenarioFor(decisions, options, info.clock.now)
  for (const warning of derived.warnings) onWarning?.(warning)
  const run = runOf(derived.scenario, recording.file)
  const signal = AbortSignal.any([full.signal, ...(options.signal ? [options.signal] : [])])
  const environment = playOptions({ ...options, signal }, decisions, opened.tolerances)
  const outcome = await playRun(run, session, environment)
  const { exchanges, first, counts, map } = redriveStatuses({
    decisions,
    recorded: recording.exchanges,
    live: live(),
    slots: new Map(outcome.orders.map(({ slot, orderId }) => [slot, orderId])),
    rules: createRuleBook(options.rules),
    stuck: outcome.failures.find(({ kind }) => kind === 'step')?.because,
  })
  return {
    recording: recording.file,
    driver: 'partner',
    seed,
    exchanges,
    ...compact({ first }),
    counts,
    strategies: {},
    unused: [],
    conflicts: [],
    map,
    ...contractRulesOf(outcome.verdicts),
    failedRules: failedRulesOf(outcome.verdicts),
    ...(derived.guessed.length > 0 ? { guessed: derived.guessed } : {}),
    ...(outcome.result === 'stopped' ? { interrupted: true } : {}),
  }
}
