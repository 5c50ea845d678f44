/** Takes a snapshot of a session: world, traffic, info, verdicts and operator actions. */
import { compact } from '../compact.ts'
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
  /** The instant at which the world started. */
  readonly origin: Instant
}

export async function lookAt(parts: () => LookParts, view: View): Promise<Snapshot> {
  // Load the explanation module before `parts()` is read, so that the rest of the snapshot is current.
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
  return { ...snapshot, ...compact({ explanation, begun }) }
}
