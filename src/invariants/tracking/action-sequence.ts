/**
 * What was done one after the other, each sequence once: thousands of orders go the same way, and a list of its own for
 * each would be much of what is kept of them.
 */
export interface Way {
  readonly last: string | undefined
  /** As a sentence says it: `confirm, preparing`. */
  readonly text: string
  /** Those that go on from here, by what is done next. */
  readonly onward: Map<string, Way>
}

/** Where nothing was done yet. */
export const nowhere: Way = { last: undefined, text: '', onward: new Map() }

/** Ways that are shared, at most: a service may do things in any order, again and again. */
const mostShared = 10_000
let shared = 0

/** The same way, and one thing more. */
export function goOn({ text, onward }: Way, next: string): Way {
  const known = onward.get(next)
  if (known) return known
  const way = { last: next, text: text === '' ? next : `${text}, ${next}`, onward: new Map() }
  if (shared < mostShared) {
    shared++
    onward.set(next, way)
  }
  return way
}
