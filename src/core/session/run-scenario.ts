/** Library API for scenarios: plays one against a session that the test has opened. */
import { compact } from '../base/compact.ts'
import { type Configuration, configurationParts } from '../session-api/configuration/schema.ts'
import { checkSchema, schemaErrorsText } from '../runtime/files/schema-errors.ts'
import { withCurrentNames } from '../runtime/files/check-configuration.ts'
import { problem } from '../base/problem.ts'
import { roles } from '../protocol/role.ts'
import { configurationOf } from '../scenario/options.ts'
import { playRun } from '../scenario/play.ts'
import { type ScenarioOutcome, unexercisedFailures } from '../scenario/outcome.ts'
import { readRuns } from '../scenario/read.ts'
import type { ScenarioRun } from '../scenario/runs.ts'
import type { ScenarioInput } from '../scenario/schema.ts'
import type { SubjectRequest } from '../scenario/ask-subject.ts'
import { abortableSleep } from '../runtime/clock/clock.ts'
import type { SessionOptions } from './options.ts'
import type { Session } from '../session-api/session.ts'
import type { SessionInfo } from '../session-api/session-info.ts'
import { faultPort } from '../faults/port.ts'

export type { ScenarioOutcome } from '../scenario/outcome.ts'
export type { ScenarioInput } from '../scenario/schema.ts'

export interface PlayOptions {
  /** Queries your service for its own status of an order; without it `view` and `views` steps are unknown. */
  readonly view?: (orderId: string) => Promise<string | undefined>
  /**
   * Asks your service itself for something, as a person at its screen would; returns the HTTP status. Without it `ask`
   * steps fail.
   */
  readonly visit?: (request: SubjectRequest) => Promise<number>
  /** The paths on which it is asked, where a step has none; as `subject.asks` of the configuration. */
  readonly asks?: Partial<Configuration['subject']['asks']>
  /** Whether the run has failed when a rule of `tests` was not exercised. */
  readonly requireExercised?: boolean
  /** Aborts the run. */
  readonly signal?: AbortSignal
}

/** The single run of a scenario; examples and variants are left to the test runner's loops. */
function runOf(scenario: ScenarioInput): ScenarioRun {
  const attempted = `playing the scenario "${scenario.name}"`
  const runs = readRuns(withCurrentNames(scenario), checkSchema)
  if (!runs.ok) throw problem(attempted, schemaErrorsText(runs.error), '')
  const [run] = runs.value
  if (run && runs.value.length === 1) return run
  throw problem(
    attempted,
    `it is ${runs.value.length} runs`,
    'Leave out its examples and variants, and play it in a loop of your own.',
  )
}

/**
 * Session options for a scenario: channel, seed, settings.
 *
 * @example
 * await using session = await openSession({
 *   ...scenarioOptions(scenario),
 *   subject: app.fetch,
 *   clock: 'virtual',
 * })
 */
export function scenarioOptions(scenario: ScenarioInput): SessionOptions {
  const run = runOf(scenario)
  const { subject: _subject, faults: _faults, ...options } = configurationOf(run, {})
  const { subject } = run.scenario
  return { ...options, ...(subject === 'none' ? { only: roles } : { as: subject }) }
}

/** A scenario that is played in another session than it asks for would show something else. */
function checkFit({ scenario }: ScenarioRun, { subject, channel }: SessionInfo): void {
  const role = subject?.role ?? 'none'
  const wrong =
    scenario.subject !== role
      ? `it is about ${scenario.subject}, and your service in this session is ${role}`
      : scenario.channel !== undefined && scenario.channel !== channel
        ? `its channel is ${scenario.channel}, and that of this session ${channel}`
        : undefined
  if (wrong !== undefined)
    throw problem(
      `playing the scenario "${scenario.name}"`,
      wrong,
      'Open the session with scenarioOptions(scenario).',
    )
}

/**
 * Plays a scenario against the subject of a session opened for it: its steps with their faults, the end of faults,
 * recovery until everything has settled, and the verdicts. Returns the outcome; throws only when the scenario itself
 * is invalid, or when the session does not fit it: another role or channel, or orders already.
 *
 * @example
 * const scenario = {
 *   name: 'CONFIRMED comes twice',
 *   about: 'The order goes on as if it had come once.',
 *   orders: { o1: { type: 'DELIVERY' } },
 *   faults: [{ duplicate: { event: 'CONFIRMED' } }],
 *   steps: [{ create: 'o1' }, { await: { status: 'DELIVERED', order: 'o1', within: '2m' } }],
 *   expect: { statuses: { o1: 'CONCLUDED' } },
 * } satisfies ScenarioInput
 * const outcome = await playScenario(session, scenario)
 * expect(outcome.failures).toEqual([])
 */
export async function playScenario(
  session: Session,
  scenario: ScenarioInput,
  options: PlayOptions = {},
): Promise<ScenarioOutcome> {
  const run = runOf(scenario)
  const { info, faults } = await session.look({ faults: true })
  if (info.counts.orders > 0)
    throw problem(
      `playing the scenario "${scenario.name}"`,
      'this session has orders already, and o1 would be another one',
      'Open a session for each scenario, or reset this one.',
    )
  checkFit(run, info)
  const active = new Set(faults.filter(({ over }) => over === undefined).map(({ text }) => text))
  for (const spec of run.faults) {
    const checked = faultPort.check(spec)
    // A session that was opened with these faults has them already.
    if (checked.ok && checked.value.every(({ text }) => active.has(text))) continue
    await session.submit({ kind: 'fault.add', spec })
  }
  const outcome = await playRun(run, session, {
    sleep: abortableSleep,
    tolerances: configurationParts.tolerances().parse(scenario.session?.tolerances ?? {}),
    asks: configurationParts.subject().parse({ asks: options.asks ?? {} }).asks,
    ...compact({ view: options.view, requestSubject: options.visit, enough: options.signal }),
  })
  const { result, failures } = outcome
  const unexercised = options.requireExercised ? unexercisedFailures(outcome.unexercised) : []
  if (result !== 'passed' || unexercised.length === 0) return outcome
  return { ...outcome, result: 'failed', failures: [...failures, ...unexercised] }
}
