/**
 * Plays a run of a scenario in this process, against the reference Software Service on the session's virtual clock: no
 * socket, no waiting. What the repository's own scenarios are tried with, right and wrong.
 */
import { compact } from '../../src/compact.ts'
import { type ConfigurationInput, configurationParts } from '../../src/configuration/schema.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import { configurationOf } from '../../src/scenario/options.ts'
import type { Outcome } from '../../src/scenario/outcome.ts'
import { play, type Stagehands } from '../../src/scenario/play.ts'
import type { Run } from '../../src/scenario/runs.ts'
import { type Duel, openDuel } from './in-process-harness.ts'

/** Where the service is, as a name that nobody resolves. */
const base = 'http://software-service.test'

export interface DuelPlayOptions {
  readonly defects?: readonly DefectName[]
  readonly seed?: number
  /** Below what the scenario says. */
  readonly configuration?: ConfigurationInput
  readonly onStep?: Stagehands['onStep']
  readonly enough?: AbortSignal
  /** Sees the session before it is closed. */
  readonly after?: (duel: Duel) => void | Promise<void>
}

export async function playInDuel(run: Run, options: DuelPlayOptions = {}): Promise<Outcome> {
  const { defects = [], seed, configuration = {}, onStep, enough, after } = options
  // The duel says itself where its service is, and all that it has.
  const { subject: _subject, seed: wished, ...session } = configurationOf(run, configuration)
  const delivers = session.capabilities?.logistics === true
  await using duel = await openDuel({
    seed: seed ?? wished ?? 1,
    channel: run.channel,
    defects,
    delivers,
    session,
  })
  const outcome = await play(run, duel.session, {
    // Nobody waits on a clock that is driven.
    sleep: () => Promise.resolve(),
    view: (orderId) => Promise.resolve(duel.service.view(orderId)?.status ?? undefined),
    visit: async ({ method, path, body }) => {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const request = new Request(`${base}${path}`, { method, headers, ...sent })
      return (await duel.service.fetch(request)).status
    },
    patience: configurationParts.judgement().parse(session.judgement ?? {}),
    ...compact({ onStep, enough }),
  })
  await after?.(duel)
  return outcome
}
