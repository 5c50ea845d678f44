/**
 * Sets of exchanges that stand by themselves: with an exchange everything that it came of, and without one nothing that
 * came of it. By these minimising takes a recording apart.
 */
import type { Cause } from '../recording/recorded-exchange.ts'

export interface Closure {
  /** These and everything that they depend on, directly or not. */
  readonly withCauses: (ids: Iterable<string>) => ReadonlySet<string>
  /** These and everything that depends on them. */
  readonly withDependants: (ids: Iterable<string>) => ReadonlySet<string>
}

/** That one exchange of a lane came before another does not mean that it had to. */
export const leastSure = 0.75

function reach(
  from: Iterable<string>,
  next: (id: string) => readonly string[] | undefined,
): Set<string> {
  const reached = new Set(from)
  // A set that grows while it is walked is walked to its end.
  for (const id of reached) for (const other of next(id) ?? []) reached.add(other)
  return reached
}

/**
 * Of these exchanges, by `recordId`. Causes that are less sure than `least` do not hold anybody: `1` keeps what the
 * protocol proves, `0` keeps every order that was seen.
 */
export function closureOf(
  ids: Iterable<string>,
  causes: ReadonlyMap<string, readonly Cause[]>,
  least = leastSure,
): Closure {
  const members = new Set(ids)
  const before = new Map<string, readonly string[]>()
  const after = new Map<string, string[]>()
  for (const id of members) {
    const known = (causes.get(id) ?? []).filter(
      (cause) => cause.sure >= least && members.has(cause.id),
    )
    before.set(
      id,
      known.map((cause) => cause.id),
    )
    for (const cause of known) {
      const dependants = after.get(cause.id)
      if (dependants) dependants.push(id)
      else after.set(cause.id, [id])
    }
  }
  return {
    withCauses: (wanted) =>
      reach(
        [...wanted].filter((id) => members.has(id)),
        (id) => before.get(id),
      ),
    withDependants: (removed) => reach(removed, (id) => after.get(id)),
  }
}
