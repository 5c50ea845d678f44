/**
 * Sequences of actions, interned: thousands of orders share the same one, and a list per order would be a large part of
 * their memory.
 */
export interface ActionSequence {
  readonly last: string | undefined
  /** As text: `confirm, preparing`. */
  readonly text: string
  /** Continuations by next action. */
  readonly continuations: Map<string, ActionSequence>
}

/** The sequence without actions. */
export const emptySequence: ActionSequence = { last: undefined, text: '', continuations: new Map() }

/** Maximum number of interned sequences: a service may act in any order, repeatedly. */
const maxInterned = 10_000
let internedCount = 0

/** The sequence with one more action. */
export function appendAction(
  { text, continuations }: ActionSequence,
  next: string,
): ActionSequence {
  const known = continuations.get(next)
  if (known) return known
  const sequence: ActionSequence = {
    last: next,
    text: text === '' ? next : `${text}, ${next}`,
    continuations: new Map(),
  }
  if (internedCount < maxInterned) {
    internedCount++
    continuations.set(next, sequence)
  }
  return sequence
}
