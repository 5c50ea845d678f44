/**
 * Plays a run of a scenario in this process against the reference Software Service, on the virtual clock of the session.
 * Used to
 * test the scenarios of the repository with and without defects.
 */
import { compact } from '../../src/compact.ts'
import { type ConfigurationInput, configurationParts } from '../../src/configuration/schema.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import { configurationOf } from '../../src/scenario/options.ts'
import type { Outcome } from '../../src/scenario/outcome.ts'
import { play, type Stagehands } from '../../src/scenario/play.ts'
import type { Run } from '../../src/scenario/runs.ts'
import { type Duel, openDuel } from './in-process-harness.ts'

/** A base URL for the service that is never resolved. */
const serviceUrl = 'http://software-service.test'

export interface DuelPlayOptions {
  readonly defects?: readonly DefectName[]
  readonly seed?: number
  /** Session options that the scenario overrides. */
  readonly configuration?: ConfigurationInput
  readonly onStep?: Stagehands['onStep']
  readonly enough?: AbortSignal
  /** Called with the session before it is closed. */
  readonly after?: (harness: Duel) => void | Promise<void>
}

export async function playInDuel(run: Run, options: DuelPlayOptions = {}): Promise<Outcome> {
  const { defects = [], seed, configuration = {}, onStep, enough, after } = options
  // The harness itself sets the address of the service and its capabilities.
  const { subject: _subject, seed: wished, ...session } = configurationOf(run, configuration)
  const delivers = session.capabilities?.logistics === true
  await using harness = await openDuel({
    seed: seed ?? wished ?? 1,
    channel: run.channel,
    defects,
    delivers,
    session,
  })
  const outcome = await play(run, harness.session, {
    // The virtual clock is advanced, not awaited.
    sleep: () => Promise.resolve(),
    view: (orderId) => Promise.resolve(harness.service.view(orderId)?.status ?? undefined),
    visit: async ({ method, path, body }) => {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const request = new Request(`${serviceUrl}${path}`, { method, headers, ...sent })
      return (await harness.service.fetch(request)).status
    },
    patience: configurationParts.judgement().parse(session.judgement ?? {}),
    ...compact({ onStep, enough }),
  })
  await after?.(harness)
  return outcome
}
