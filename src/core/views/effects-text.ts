/** What your service has done for an order inside, as one line. */
import { clockOf } from '../engine/instant.ts'
import type { ObservedEffects } from '../rules/invariants/tracking/tracker-state.ts'
import { escapeControls } from '../traffic/escape-controls.ts'

/** `tickets: 2, rows: 1, counted at 15:00:03.120`. */
export function effectsText({ at, counts, failures }: ObservedEffects): string {
  const counted = counts.map(({ kind, count }) => `${kind}: ${count}`)
  const others = Object.entries(failures).map(([kind, why]) => `${kind}: not counted (${why})`)
  return escapeControls(`${[...counted, ...others].join(', ')}, counted at ${clockOf(at)}`)
}
