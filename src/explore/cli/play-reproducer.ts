/**
 * Plays a kept scenario step by step: the ordinary dashboard of a session whose clock is stepped. The faults of the scenario are
 * active from the beginning, its orders are placed and its steps made as session time passes them, which only the operator
 * lets happen.
 */
import { unpaused } from '../batch/parallel-clock.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { checkSchema, schemaErrorsText } from '../../core/runtime/files/schema-errors.ts'
import { withCurrentNames } from '../../core/runtime/files/check-configuration.ts'
import type { OpenedSession, SessionRequest } from '../batch/session-runner.ts'
import { problem } from '../../core/base/problem.ts'
import { SessionObserver } from '../../core/scenario/observer.ts'
import { readRuns } from '../../core/scenario/read.ts'
import type { ScenarioRun } from '../../core/scenario/runs.ts'
import type { ScenarioClock } from '../../core/scenario/scenario-clock.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { Hosts } from '../../core/scenario/hosts.ts'
import { createStepActions, newOrderOf } from '../../core/scenario/step-actions.ts'
import { StepFailure } from '../../core/scenario/shared-shapes.ts'
import { performStep, stepEntryOf, stepText } from '../../core/scenario/steps.ts'
import type { Session } from '../../core/session-api/session.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { runDashboard, type SessionOutputOptions } from '../../terminal/cli/session-output.ts'

export interface ReproducerOptions {
  /** As it is kept of a bucket; one run. */
  readonly scenario: ScenarioInput
  readonly seed: number
  /** Opens and begins a session with your service in it, as the campaign opens its own; its ports must be free. */
  readonly open: (request: SessionRequest) => Promise<OpenedSession>
  /** Paths of your service for an `ask` without one. */
  readonly asks: Configuration['subject']['asks']
}

/** A reproducer that is played at the pace of the operator. */
export interface OpenedReproducer extends AsyncDisposable {
  readonly session: Session
  /** Why an order could not be placed, or a step not be made; what follows it is left out. */
  readonly failure: () => string | undefined
  /** Resolves when all steps were made and the faults have ended. */
  readonly played: Promise<void>
}

/** The longest wait for news: a silence that lasts long enough raises none. */
const maxSleepMs = 250

function runOf(scenario: ScenarioInput): ScenarioRun {
  const attempt = `playing the reproducer "${scenario.name}"`
  const runs = readRuns(withCurrentNames(scenario), checkSchema)
  if (!runs.ok) throw problem(attempt, schemaErrorsText(runs.error), 'Correct its scenario.')
  const [run, another] = runs.value
  if (run && !another) return run
  const remedy = 'Leave out its examples and variants.'
  throw problem(attempt, `it is ${runs.value.length} runs`, remedy)
}

/** Session time as the operator lets it pass: it is waited for, and never advanced. */
function createObservedClock(session: Session, enough: AbortSignal): ScenarioClock {
  const now = async () => (await session.look({})).info.clock.now

  async function waitUntil(
    condition: () => boolean | Promise<boolean>,
    timeoutMs: number,
  ): Promise<boolean> {
    const end = (await now()) + timeoutMs
    while (!enough.aborted) {
      const changed = new AbortController()
      // From here on news is noticed: what happens while the condition is looked at is not lost.
      const stop = session.subscribe(() => changed.abort())
      try {
        if (await condition()) return true
        if ((await now()) >= end) return false
        await abortableSleep(maxSleepMs, AbortSignal.any([changed.signal, enough]))
      } finally {
        stop()
      }
    }
    return false
  }

  return {
    now,
    waitUntil,
    advance: async (ms) => void (await waitUntil(() => false, ms)),
    ...unpaused,
  }
}

/** Places orders at their times and makes the steps, then ends the faults; throws when one cannot be made. */
async function playAtPace(
  { scenario }: ScenarioRun,
  { session, requestSubject }: OpenedSession,
  { asks }: ReproducerOptions,
  left: AbortSignal,
): Promise<void> {
  const failed = new AbortController()
  const enough = AbortSignal.any([left, failed.signal])
  const { subject } = scenario
  const role = subject === 'none' ? 'software-service' : subject
  using observer = new SessionObserver(session, role)
  const clock = createObservedClock(session, enough)
  // A step waits as long as the operator likes.
  const waitMs = Number.MAX_SAFE_INTEGER
  const asking = { subject, asks, requestSubject }
  const actions = createStepActions({ session, observer, clock, waitMs, ...asking })
  const context = {
    orders: scenario.orders,
    session,
    observer,
    clock,
    actions,
    hosts: new Hosts({ session, observer, clock, actions, waitMs, subject, enough }),
    waitMs,
    asks,
    requestSubject,
  }
  const begin = await clock.now()
  const placements = Object.entries(scenario.orders)
    .flatMap(([slot, order]) => (order.at === undefined ? [] : [{ slot, order, at: order.at }]))
    .sort((one, other) => one.at - other.at)
  const placeAll = async (): Promise<void> => {
    for (const { slot, order, at } of placements) {
      await clock.advance(begin + at - (await clock.now()))
      if (enough.aborted) return
      await actions.place(newOrderOf(order), slot)
    }
  }
  const makeSteps = async (): Promise<void> => {
    for (const step of scenario.steps) {
      if (enough.aborted) return
      const entry = stepEntryOf(step)
      try {
        await performStep(entry, context)
      } catch (error) {
        if (!(error instanceof StepFailure)) throw error
        if (error.occasion === 'late') continue
        throw new StepFailure(`${stepText(entry)}: ${error.message}`)
      }
    }
  }
  const parts = [placeAll(), makeSteps()]
  for (const part of parts) part.catch(() => failed.abort())
  const results = await Promise.allSettled(parts)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  if (!enough.aborted) session.faults.end()
}

/** Opens the session of a reproducer; it is played until it is disposed of. */
export async function openReproducer(options: ReproducerOptions): Promise<OpenedReproducer> {
  const run = runOf(options.scenario)
  const { faults, scenario } = run
  const opened = await options.open({ seed: options.seed, settings: scenario.session, faults })
  const { session } = opened
  await session.setClock({ mode: 'stepped' })
  const ended = new AbortController()
  let failure: string | undefined
  opened.crashWatch?.ended.addEventListener('abort', () => {
    if (ended.signal.aborted) return
    failure ??= 'your service went away'
    ended.abort()
  })
  const played = playAtPace(run, opened, options, ended.signal).catch((error: unknown) => {
    if (!(error instanceof StepFailure)) throw error
    failure = error.message
  })
  // Reported where it is awaited: at the latest when the session is closed.
  played.catch(() => undefined)
  return {
    session,
    failure: () => failure,
    played,
    async [Symbol.asyncDispose]() {
      ended.abort()
      try {
        await played
      } finally {
        await opened[Symbol.asyncDispose]()
      }
    },
  }
}

/** Plays a reproducer in the dashboard until the operator leaves it; returns what could not be made of it. */
export async function playReproducer(
  options: ReproducerOptions & {
    readonly output: SessionOutputOptions
    readonly signal: AbortSignal
  },
  io: Io,
): Promise<string | undefined> {
  const { output, signal } = options
  await using reproducer = await openReproducer(options)
  await runDashboard(reproducer.session, output, io, { signal })
  const failure = reproducer.failure()
  return failure === undefined ? undefined : `not made: ${failure}`
}
