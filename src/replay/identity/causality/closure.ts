/**
 * Transitive closures over causes: an exchange with everything that it depends on, or with everything that depends on
 * it. Minimising removes exchanges by these.
 */
import type { Cause } from '../../../core/traffic/recording/recorded-exchange.ts'
import { appendTo } from '../../../core/traffic/append-to.ts'

/**
 * Default minimum certainty of a cause. Excludes `order` causes: that one exchange of a lane preceded another does not
 * mean that it had to.
 */
export const minCertainty = 0.75

function transitiveClosure(
  from: Iterable<string>,
  next: (id: string) => readonly string[] | undefined,
): Set<string> {
  const reached = new Set(from)
  // Iterating a set includes members that are added during the iteration.
  for (const id of reached) for (const other of next(id) ?? []) reached.add(other)
  return reached
}

/**
 * The closure over these exchanges, by `recordId`. Causes below the minimum certainty are ignored: `1` keeps what the
 * protocol proves, `0` keeps every observed order.
 */
export function causalClosure(
  ids: Iterable<string>,
  causes: ReadonlyMap<string, readonly Cause[]>,
  certainty = minCertainty,
) {
  const members = new Set(ids)
  const before = new Map<string, readonly string[]>()
  const after = new Map<string, string[]>()
  for (const id of members) {
    const known = (causes.get(id) ?? []).filter(
      (cause) => cause.sure >= certainty && members.has(cause.id),
    )
    before.set(
      id,
      known.map((cause) => cause.id),
    )
    for (const cause of known) appendTo(after, cause.id, id)
  }
  return {
    /** These and everything that they depend on, transitively. */
    withCauses: (wanted: Iterable<string>): ReadonlySet<string> =>
      transitiveClosure(
        [...wanted].filter((id) => members.has(id)),
        (id) => before.get(id),
      ),
    /** These and everything that depends on them, transitively. */
    withDependants: (removed: Iterable<string>): ReadonlySet<string> =>
      transitiveClosure(removed, (id) => after.get(id)),
  }
}
