/** The closure over causes: an exchange with everything that depends on it. Minimising removes exchanges by it. */
import type { Cause } from '../../../core/traffic/recording/recorded-exchange.ts'
import { appendTo } from '../../../core/traffic/append-to.ts'

/**
 * Default minimum certainty of a cause. Excludes `order` causes: that one exchange of a lane preceded another does not
 * mean that it had to.
 */
export const minCertainty = 0.75

/**
 * Says which of these exchanges, by `recordId`, are removed with some of them: those and everything that depends on them,
 * transitively. Causes below the minimum certainty are ignored: `1` keeps what the protocol proves, `0` keeps every
 * observed order.
 */
export function closureOf(
  ids: Iterable<string>,
  causes: ReadonlyMap<string, readonly Cause[]>,
  certainty = minCertainty,
): (removed: Iterable<string>) => ReadonlySet<string> {
  const members = new Set(ids)
  const dependants = new Map<string, string[]>()
  for (const id of members)
    for (const cause of causes.get(id) ?? [])
      if (cause.sure >= certainty && members.has(cause.id)) appendTo(dependants, cause.id, id)
  return (removed) => {
    const all = new Set(removed)
    // Iterating a set includes members that are added during the iteration.
    for (const id of all) for (const other of dependants.get(id) ?? []) all.add(other)
    return all
  }
}
