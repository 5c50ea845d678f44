/**
 * Sequences of actions, interned: thousands of orders share the same one, and a list per order would be a large part of
 * their memory.
 */
export interface Way {
  readonly last: string | undefined
  /** As text: `confirm, preparing`. */
  readonly text: string
  /** Continuations by next action. */
  readonly onward: Map<string, Way>
}

/** The sequence without actions. */
export const nowhere: Way = { last: undefined, text: '', onward: new Map() }

/** Maximum number of interned sequences: a service may act in any order, repeatedly. */
const maxInterned = 10_000
let internedCount = 0

/** The sequence with one more action. */
export function goOn({ text, onward: continuations }: Way, next: string): Way {
  const known = continuations.get(next)
  if (known) return known
  const sequence: Way = {
    last: next,
    text: text === '' ? next : `${text}, ${next}`,
    onward: new Map(),
  }
  if (internedCount < maxInterned) {
    internedCount++
    continuations.set(next, sequence)
  }
  return sequence
}
