/**
 * Plays a run of a scenario in this process against the reference Software Service, on the virtual clock of the
 * session. Used to test the scenarios of the repository with and without defects.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compact } from '../../src/core/base/compact.ts'
import {
  type ConfigurationInput,
  configurationParts,
} from '../../src/core/session-api/configuration/schema.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import { configurationOf } from '../../src/core/scenario/options.ts'
import type { ScenarioOutcome } from '../../src/core/scenario/outcome.ts'
import { playRun, type PlayEnvironment } from '../../src/core/scenario/play.ts'
import type { ScenarioRun } from '../../src/core/scenario/runs.ts'
import { findNeedOfStart } from '../../src/terminal/cli/run/plan.ts'
import { type HarnessOptions, type InProcessHarness, openHarness } from './in-process-harness.ts'

/** A base URL for the service that is never resolved. */
const serviceUrl = 'http://software-service.test'

export interface InProcessPlayOptions extends Pick<HarnessOptions, 'pace' | 'wire'> {
  readonly defects?: readonly DefectName[]
  readonly seed?: number
  /** The service answers a person's wish before it has done anything about it. */
  readonly answersAsksAtOnce?: boolean
  /** Whether the service says how it sees an order (`subject.probe`); true when absent. */
  readonly isProbed?: boolean
  /** Session options that the scenario overrides. */
  readonly configuration?: ConfigurationInput
  /** As if another one had started the service. */
  readonly isStartedElsewhere?: true
  readonly onStep?: PlayEnvironment['onStep']
  readonly enough?: AbortSignal
  readonly isDecided?: PlayEnvironment['isDecided']
  /** Called with the session before it is closed. */
  readonly after?: (harness: InProcessHarness, outcome: ScenarioOutcome) => void | Promise<void>
}

/** The file of a service that is ended and started again. */
const createMemory = (run: ScenarioRun): string | undefined =>
  findNeedOfStart(run) === undefined
    ? undefined
    : join(mkdtempSync(join(tmpdir(), 'sparring-memory-')), 'orders')

export async function playInProcess(
  run: ScenarioRun,
  options: InProcessPlayOptions = {},
): Promise<ScenarioOutcome> {
  const { defects = [], seed, configuration = {}, onStep, enough, after, pace, wire } = options
  const { answersAsksAtOnce = false, isDecided, isProbed = true } = options
  // The harness itself sets the address of the service and its capabilities.
  const { subject: _subject, seed: wished, ...session } = configurationOf(run, configuration)
  const delivers = session.capabilities?.logistics === true
  const memory = options.isStartedElsewhere ? undefined : createMemory(run)
  using _memory = { [Symbol.dispose]: () => memory && rmSync(dirname(memory), { recursive: true }) }
  await using harness = await openHarness({
    seed: seed ?? wished ?? 1,
    channel: run.channel,
    defects,
    delivers,
    session,
    ...compact({ pace, wire, memory }),
  })
  const outcome = await playRun(run, harness.session, {
    // The virtual clock is advanced, not awaited.
    sleep: () => Promise.resolve(),
    view: isProbed ? async (id) => harness.service.view(id)?.status ?? undefined : undefined,
    requestSubject: async ({ method, path, body }) => {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const request = new Request(`${serviceUrl}${path}`, { method, headers, ...sent })
      const answer = harness.service.fetch(request)
      return answersAsksAtOnce ? 202 : (await answer).status
    },
    tolerances: configurationParts.tolerances().parse(session.tolerances ?? {}),
    ...compact({
      onStep,
      enough,
      isDecided,
      restartSubject: memory === undefined ? undefined : harness.restartSubject,
    }),
  })
  await after?.(harness, outcome)
  return outcome
}
