/**
 * Delta debugging (Zeller): removes chunks of a list, large ones first, until no single element can be removed. Differs
 * in two ways: dependants are removed with an element, and after a removal the search does not restart.
 */
export interface DeltaDebugOptions<Thing> {
  readonly things: readonly Thing[]
  /** Dependants of a thing that must be removed with it; among those that are left. */
  readonly withIt?: (thing: Thing, left: ReadonlySet<Thing>) => readonly Thing[]
  /** These are never removed. */
  readonly stays?: (thing: Thing) => boolean
  readonly stillFails: (left: ReadonlySet<Thing>) => Promise<boolean>
  /** How many chunks are tried at once; one when absent. */
  readonly parallel?: () => number
}

/** Safety bound; real runs need far fewer rounds. */
const maxRounds = 100

export async function deltaDebug<Thing>(
  options: DeltaDebugOptions<Thing>,
): Promise<ReadonlySet<Thing>> {
  const { stays = () => false, withIt = () => [], stillFails, parallel = () => 1 } = options
  let left: ReadonlySet<Thing> = new Set(options.things)

  function without(piece: readonly Thing[]): ReadonlySet<Thing> | undefined {
    const gone = new Set(piece)
    for (const thing of piece) for (const other of withIt(thing, left)) gone.add(other)
    for (const thing of gone) if (stays(thing)) return undefined
    return new Set([...left].filter((thing) => !gone.has(thing)))
  }

  /** One pass with chunks of this size; answers whether anything was removed. */
  async function pass(size: number): Promise<boolean> {
    let went = false
    // From the end: late elements are more often removable than early ones.
    const removable = [...left].filter((thing) => !stays(thing)).toReversed()
    let at = 0
    while (at < removable.length) {
      const tried: { readonly rest: ReadonlySet<Thing>; readonly next: number }[] = []
      const most = parallel()
      while (at < removable.length && tried.length < most) {
        const piece = removable.slice(at, (at += size)).filter((thing) => left.has(thing))
        const rest = piece.length > 0 ? without(piece) : undefined
        if (rest && rest.size < left.size) tried.push({ rest, next: at })
      }
      const outcomes = await Promise.all(tried.map(({ rest }) => stillFails(rest)))
      const removed = tried[outcomes.indexOf(true)]
      if (!removed) continue
      // Whichever ended first, the first in the list counts: the others were of a larger rest.
      left = removed.rest
      at = removed.next
      went = true
    }
    return went
  }

  let size = [...left].filter((thing) => !stays(thing)).length
  for (let round = 0; round < maxRounds && size >= 1; round++) {
    const went = await pass(size)
    if (size === 1 && !went) break
    size = Math.max(1, Math.floor(size / 2))
  }
  return left
}
