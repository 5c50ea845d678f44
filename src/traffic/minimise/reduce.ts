/**
 * Leaves out of a list what can be left out: big pieces first, then smaller ones, until nothing can go alone. That is
 * delta debugging (Zeller), with two changes: what depends on something goes with it, and a piece that could go is not
 * put back to begin again.
 */

export interface ReduceOptions<Thing> {
  readonly things: readonly Thing[]
  /** What has to go with a thing, besides itself; of things that are left. */
  readonly withIt?: (thing: Thing, left: ReadonlySet<Thing>) => readonly Thing[]
  /** These stay. */
  readonly stays?: (thing: Thing) => boolean
  readonly stillFails: (left: ReadonlySet<Thing>) => Promise<boolean>
}

/** A bound that no sensible run comes near. */
const mostRounds = 100

export async function reduce<Thing>(options: ReduceOptions<Thing>): Promise<ReadonlySet<Thing>> {
  const { stays = () => false, withIt = () => [], stillFails } = options
  let left: ReadonlySet<Thing> = new Set(options.things)

  function without(piece: readonly Thing[]): ReadonlySet<Thing> | undefined {
    const gone = new Set(piece)
    for (const thing of piece) for (const other of withIt(thing, left)) gone.add(other)
    for (const thing of gone) if (stays(thing)) return undefined
    return new Set([...left].filter((thing) => !gone.has(thing)))
  }

  /** One pass over the list in pieces of this size; answers whether anything went. */
  async function pass(size: number): Promise<boolean> {
    let went = false
    // From the end: what came late is more often needless than what began it all.
    const removable = [...left].filter((thing) => !stays(thing)).toReversed()
    for (let at = 0; at < removable.length; at += size) {
      const piece = removable.slice(at, at + size).filter((thing) => left.has(thing))
      const rest = piece.length > 0 ? without(piece) : undefined
      if (!rest || rest.size === left.size || !(await stillFails(rest))) continue
      left = rest
      went = true
    }
    return went
  }

  let size = [...left].filter((thing) => !stays(thing)).length
  for (let round = 0; round < mostRounds && size >= 1; round++) {
    const went = await pass(size)
    if (size === 1 && !went) break
    size = Math.max(1, Math.floor(size / 2))
  }
  return left
}
