/**
 * The table of old and new names: one to one within a kind. What would break that is kept as a conflict, and the first
 * name stands.
 */
import type { Conflict, Renamed } from './binding.ts'
import type { Site } from './correlation.ts'
import { leastEmbedded } from './shapes.ts'

export interface NameTable {
  readonly newName: (kind: string, old: string) => string | undefined
  readonly oldName: (kind: string, live: string) => string | undefined
  /** By the value alone, for what is long enough to mean one thing only. */
  readonly oldNameOfAny: (live: string) => string | undefined
  readonly newNameOfAny: (old: string) => string | undefined
  /** What stands against it, if anything does. */
  readonly against: (kind: string, old: string, live: string) => string | undefined
  readonly put: (kind: string, old: string, live: string, learned?: Site) => void
  readonly report: (conflict: Conflict) => void
  readonly rows: () => readonly Renamed[]
  readonly conflicts: () => readonly Conflict[]
}

/** Beyond it the first ones tell enough. */
const mostConflicts = 10_000

class Pairs {
  readonly forth = new Map<string, Renamed>()
  readonly back = new Map<string, string>()
}

export function createNameTable(): NameTable {
  const kinds = new Map<string, Pairs>()
  const forthAny = new Map<string, string>()
  const backAny = new Map<string, string>()
  const conflicts: Conflict[] = []
  const reported = new Set<string>()

  function pairsOf(kind: string): Pairs {
    let pairs = kinds.get(kind)
    if (!pairs) kinds.set(kind, (pairs = new Pairs()))
    return pairs
  }

  return {
    newName: (kind, old) => kinds.get(kind)?.forth.get(old)?.new,
    oldName: (kind, live) => kinds.get(kind)?.back.get(live),
    oldNameOfAny: (live) => backAny.get(live),
    newNameOfAny: (old) => forthAny.get(old),
    against(kind, old, live) {
      const pairs = kinds.get(kind)
      const bound = pairs?.forth.get(old)?.new
      if (bound !== undefined) return bound === live ? undefined : bound
      const other = pairs?.back.get(live)
      return other === undefined || other === old ? undefined : other
    },
    put(kind, old, live, learned) {
      const pairs = pairsOf(kind)
      pairs.forth.set(old, { kind, old, new: live, ...(learned ? { learned } : {}) })
      pairs.back.set(live, old)
      if (old.length < leastEmbedded || live.length < leastEmbedded) return
      if (!forthAny.has(old)) forthAny.set(old, live)
      if (!backAny.has(live)) backAny.set(live, old)
    },
    report(conflict) {
      const { kind, old, new: live, against } = conflict
      const key = [kind, old, live, against].join('\u0000')
      if (reported.has(key) || conflicts.length >= mostConflicts) return
      reported.add(key)
      conflicts.push(conflict)
    },
    rows: () => [...kinds.values()].flatMap(({ forth }) => [...forth.values()]),
    conflicts: () => conflicts,
  }
}
