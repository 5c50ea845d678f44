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

const blank: undefined[] = []

/**
 * Allocates a slot for one value per order. Call it once per invariant, at module level: runs share the slot index, not
 * the values.
 */
export function createNote<Value>(): Note<Value> {
  const place = blank.push(undefined) - 1
  return {
    of: ({ notes }) => notes[place] as Value | undefined,
    or: ({ notes }, make) => (notes[place] ??= make()) as Value,
    keep({ notes }, value) {
      notes[place] = value
    },
  }
}

/** Empty slots for a new order. */
export const blankNotes = (): unknown[] => blank.slice()
