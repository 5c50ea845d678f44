/** One look at a session: the world and the wire, what it says of itself, and what its judge and its hands have kept. */
import type { Instant } from '../engine/instant.ts'
import { look } from '../views/look.ts'
import { begunOf } from './initial-conditions.ts'
import type { Snapshot, View } from '../session-api/session-api.ts'
import { type InfoParts, sessionInfo } from './info.ts'
import type { Hands } from './operator.ts'
import type { Bench } from './verdicts.ts'

export interface LookParts extends InfoParts {
  readonly hands: Hands
  readonly bench: Bench | undefined
  /** The instant at which the world began. */
  readonly origin: Instant
}

export async function lookAt(parts: () => LookParts, view: View): Promise<Snapshot> {
  // Who asks for a story waits for its teller; everybody else sees what is so at this moment.
  const teller = view.explain === undefined ? undefined : await import('../views/explain.ts')
  const { hands, bench, origin, ...rest } = parts()
  const { stage, log } = rest
  const { world, journal, settings } = stage.engine
  const info = sessionInfo(rest)
  const wanted = view.verdicts === true || view.explain !== undefined
  const verdicts = wanted ? bench?.judge.verdicts() : undefined
  const deeds = view.deeds ? hands.deeds() : undefined
  const snapshot = look(
    { world, journal, log, info, settings, deeds, verdicts: view.verdicts ? verdicts : undefined },
    view,
  )
  const explanation = teller?.explain(
    { world, journal, log, now: info.clock.now, verdicts: verdicts ?? [], subject: info.subject },
    view.explain ?? '',
  )
  const begun = view.deeds ? begunOf(rest.configuration, rest.seed, origin) : undefined
  return { ...snapshot, ...(explanation ? { explanation } : {}), ...(begun ? { begun } : {}) }
}
