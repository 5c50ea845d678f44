/** Pairs of a recorded and a live identifier: one-to-one over all exchanges, and new on both sides. */

interface Vote {
  readonly old: string
  readonly live: string
  isSure: boolean
  count: number
}

/** Maximum number of pairs; further ones are differences. */
const maxPairs = 200_000

export function createIdentifierPairs() {
  const votes = new Map<string, Vote>()
  const paired = new Set<string>()
  const forth = new Map<string, string>()
  const back = new Map<string, string>()

  const isFree = (old: string, live: string): boolean =>
    (forth.get(old) ?? live) === live && (back.get(live) ?? old) === old

  return {
    see(old: string, live: string, isSure: boolean) {
      const key = `${old}\u0000${live}`
      const before = votes.get(key)
      if (before) {
        before.count++
        before.isSure ||= isSure
      } else if (votes.size >= maxPairs) return
      else votes.set(key, { old, live, isSure, count: 1 })
      paired.add(old)
      paired.add(live)
      if (!isSure || !isFree(old, live)) return
      forth.set(old, live)
      back.set(live, old)
    },
    /** All values that may be identifiers, of either side. */
    values: (): ReadonlySet<string> => paired,
    /** By the pairs so far: neither is paired with another one. */
    isFree,
    /** Whether the two stand for each other; `isForeign` tells values that cannot be generated anew. */
    settle(
      isForeign: (old: string, live: string) => boolean,
    ): (old: string, live: string) => boolean {
      const bound = new Map<string, string>()
      const taken = new Set<string>()
      for (const { old, live, isSure } of [...votes.values()].toSorted(
        (a, b) => b.count - a.count,
      )) {
        if (bound.has(old) || taken.has(live) || isForeign(old, live)) continue
        if (!isSure) continue
        bound.set(old, live)
        taken.add(live)
      }
      return (old, live) => bound.get(old) === live
    },
  }
}
