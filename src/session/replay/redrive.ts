/**
 * Replay by decisions: our own state machine in the part of the recorded partner, moved by what that one decided, and a
 * live service on the other side. It wires a session, a scenario made from the recording and their comparison.
 */
import { configurationParts } from '../../configuration/schema.ts'
import type { FetchHandler } from '../../edge/client/destinations.ts'
import { check, sentenceOf } from '../../edge/files/schema-errors.ts'
import { problem } from '../../problem.ts'
import type { Role } from '../../protocol/role.ts'
import type { Decisions } from '../../scenario/from-recording/decision.ts'
import { decisionsOf } from '../../scenario/from-recording/decisions.ts'
import { renewed } from '../../scenario/from-recording/shift-document.ts'
import { scenarioOf } from '../../scenario/from-recording/scenario-of.ts'
import { standingsOf } from '../../scenario/from-recording/redrive-status.ts'
import type { StepOptions, Timing } from '../../scenario/from-recording/steps-of.ts'
import { configurationOf } from '../../scenario/options.ts'
import type { Outcome } from '../../scenario/outcome.ts'
import { play, type Stagehands } from '../../scenario/play.ts'
import type { Visit } from '../../scenario/performer.ts'
import { readRuns } from '../../scenario/read.ts'
import type { Run } from '../../scenario/runs.ts'
import type { ScenarioInput } from '../../scenario/schema.ts'
import { prepareSession } from '../session.ts'
import type { SessionOptions } from '../options.ts'
import { sleep } from '../run-scenario.ts'
import type { Session } from '../types.ts'
import { storesOf } from '../stores.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import { ruleBook } from '../../traffic/difference/protocol-rules.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import type { Broken, ReplayReport } from '../../traffic/replay/status.ts'

export interface RedriveOptions extends Omit<
  SessionOptions,
  'as' | 'subject' | 'handler' | 'recording'
> {
  readonly recording: RecordingContent
  /** The service that is tried: its URL, or a fetch-style handler in this process. None: we play every role. */
  readonly to?: string | FetchHandler
  /** What a configuration says of the service besides: its webhooks, its credentials, its probe. */
  readonly subject?: Exclude<SessionOptions['subject'], string | FetchHandler>
  /** The role that it plays; that of the recorded service when absent. */
  readonly role?: Role
  /** As it was (when absent), as fast as what the partner waited for allows, or so many times as fast. */
  readonly timing?: Timing
  /** Where the service is asked for what a person at its screen would do. */
  readonly asks?: StepOptions['asks']
  /** What may differ, before what the protocol says may. */
  readonly rules?: readonly Rule[]
  /** Records what happens now to this file. */
  readonly record?: string
  /** Starts a service that needs the session's addresses or its clock; what it answers is stopped in the end. */
  readonly connect?: (session: Session) => AsyncDisposable | undefined
  /** Awaited before anything is decided: whoever waits for the service does it here. */
  readonly met?: (session: Session) => Promise<void>
  /** Breaks it off; the report says so and has what there is by then. */
  readonly signal?: AbortSignal
  /** Hears what is being done, in one line. */
  readonly onStep?: (text: string) => void
  /** Hears, one sentence each, what had to be guessed and what cannot be done again. */
  readonly onWarning?: (text: string) => void
}

function runOf(scenario: ScenarioInput, file: string): Run {
  const runs = readRuns(scenario, check)
  const [run] = runs.ok ? runs.value : []
  if (run) return run
  const wrong = runs.ok ? 'it has no run' : sentenceOf(runs.error)
  throw problem(
    `making a scenario of the recording ${file}`,
    wrong,
    'Export it, and mend it there.',
  )
}

/** The session of a run, under what the caller says of it. */
function sessionOptions(run: Run, options: RedriveOptions, seed: number): SessionOptions {
  const {
    recording: _recording,
    to,
    subject,
    role,
    timing: _timing,
    asks: _asks,
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
    onBug,
    ...configuration
  } = options
  const { subject: ofRun, ...said } = configurationOf(run, {
    ...configuration,
    ...(record === undefined ? {} : { recording: { file: record } }),
    seed,
  })
  const as = role ?? (run.scenario.subject === 'nobody' ? undefined : run.scenario.subject)
  return {
    clock: typeof to === 'string' ? 'real' : 'virtual',
    ...said,
    seed,
    subject: { ...ofRun, ...subject, ...(typeof to === 'string' ? { url: to } : {}) },
    ...(as && to !== undefined ? { as } : {}),
    ...(typeof to === 'function' ? { handler: to } : {}),
    listen: listen ?? typeof to === 'string',
    automatic: automatic ?? false,
    ...(only ? { only } : {}),
    ...(fetch ? { fetch } : {}),
    ...(onBug ? { onBug } : {}),
  }
}

/** A name for a service in this process that no resolver knows. */
const ownBase = 'http://subject.test'

const visitOf = (to: RedriveOptions['to']) =>
  to === undefined
    ? undefined
    : async ({ method, path, body }: Visit): Promise<number> => {
        const base = typeof to === 'string' ? to.replace(/\/$/, '') : ownBase
        const request = new Request(`${base}${path}`, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return (await (typeof to === 'string' ? fetch(request) : to(request))).status
      }

/** Everything that is exchanged from now on, in the session's time. */
function collect(session: Session): () => readonly RecordedExchange[] {
  const live: RecordedExchange[] = []
  session.onExchange((exchange, { began, ended }) => {
    const { seq } = exchange
    live.push({ ...exchange, startedAt: began, tookMs: ended - began, recordId: `live-${seq}` })
  })
  return () => live.toSorted((a, b) => a.seq - b.seq)
}

const brokenOf = (verdicts: Outcome['verdicts']): readonly Broken[] =>
  verdicts
    .filter(({ outcome }) => outcome === 'broken')
    .map(({ id, sentence, findings: [first] }) => ({
      invariant: id,
      because: first?.because ?? sentence,
      ...(first?.orderId === undefined ? {} : { orderId: first.orderId }),
    }))

/** A virtual clock stands still while a run is played, so only a real one is waited for. */
function handsOf(options: RedriveOptions, judgement: SessionOptions['judgement']): Stagehands {
  const { signal, onStep } = options
  return {
    sleep,
    visit: visitOf(options.to),
    patience: configurationParts.judgement().parse(judgement ?? {}),
    ...(signal ? { enough: signal } : {}),
    ...(onStep ? { onStep } : {}),
  }
}

function scenarioFor(decisions: Decisions, options: RedriveOptions, now?: number) {
  const { timing = 'original', asks, recording } = options
  return scenarioOf(decisions, {
    name: decisions.name || recording.file,
    timing,
    asks,
    ...(now === undefined ? {} : { document: (order, { at }) => renewed(order, now + at) }),
  })
}

/**
 * Replays a recording by what its partner decided, against a live service, and holds what the service does now against
 * what it did then. Ids are new, the pace may be another, the state is fresh. It throws a problem when the recording
 * cannot be made a scenario, and else reports: what it could not do is in the report.
 */
export async function replayByDecisions(options: RedriveOptions): Promise<ReplayReport> {
  const { recording, seed = 42, connect, met, onWarning } = options
  const decisions = decisionsOf(recording)
  const { scenario } = scenarioFor(decisions, options)
  const opened = {
    ...sessionOptions(runOf(scenario, recording.file), options, seed),
    ...storesOf(decisions),
  }
  await using session = await prepareSession(opened)
  const live = collect(session)
  await met?.(session)
  await Promise.all([session.begin(), session.loadFaults()])
  await using _service = connect?.(session) ?? { [Symbol.asyncDispose]: () => Promise.resolve() }
  const { info } = await session.look({})
  const derived = scenarioFor(decisions, options, info.clock.now)
  for (const warning of derived.warnings) onWarning?.(warning)
  const run = runOf(derived.scenario, recording.file)
  const outcome = await play(run, session, handsOf(options, opened.judgement))
  const { exchanges, first, counts, map } = standingsOf({
    decisions,
    recorded: recording.exchanges,
    live: live(),
    slots: new Map(outcome.orders.map(({ slot, orderId }) => [slot, orderId])),
    rules: ruleBook(options.rules),
    stuck: outcome.failures.find(({ kind }) => kind === 'step')?.because,
  })
  return {
    recording: recording.file,
    driver: 'both',
    seed,
    exchanges,
    ...(first === undefined ? {} : { first }),
    counts,
    rungs: {},
    unused: [],
    conflicts: [],
    map,
    broken: brokenOf(outcome.verdicts),
    ...(derived.guessed.length > 0 ? { guessed: derived.guessed } : {}),
    ...(outcome.result === 'stopped' ? { interrupted: true } : {}),
  }
}
