/**
 * State of an invariant about one order, stored on the order itself. One map per invariant would be searched a dozen
 * times per call, with poor memory locality.
 */
import type { OrderWatch } from './tracker-state.ts'

export interface Note<Value> {
  readonly of: (order: OrderWatch) => Value | undefined
  readonly keep: (order: OrderWatch, value: Value | undefined) => void
  /** Creates the value if there is none. */
  readonly or: (order: OrderWatch, make: () => Value) => Value
}

const emptySlots: undefined[] = []

/**
 * Allocates a slot for one value per order. Call it once per invariant, at module level: runs share the slot index, not
 * the values.
 */
export function createNote<Value>(): Note<Value> {
  const slot = emptySlots.push(undefined) - 1
  return {
    of: ({ notes: invariantStates }) => invariantStates[slot] as Value | undefined,
    or: ({ notes: invariantStates }, make) => (invariantStates[slot] ??= make()) as Value,
    keep({ notes: invariantStates }, value) {
      invariantStates[slot] = value
    },
  }
}

/** Empty slots for a new order. */
export const blankNotes = (): unknown[] => emptySlots.slice()
