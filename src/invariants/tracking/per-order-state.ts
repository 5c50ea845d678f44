/**
 * What an invariant remembers of an order, on the order itself: whoever has the order has it at hand. A map for each
 * invariant would be searched anew by each, a dozen times for every call, and far from memory that was just touched.
 */
import type { OrderWatch } from './tracker-state.ts'

export interface Note<Value> {
  readonly of: (order: OrderWatch) => Value | undefined
  readonly keep: (order: OrderWatch, value: Value | undefined) => void
  /** The same, made when there is none yet. */
  readonly or: (order: OrderWatch, make: () => Value) => Value
}

const blank: undefined[] = []

/** Room for one value of each order. For an invariant as a whole, as it is written: runs share the place, not the value. */
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

/** The notes of an order of which nobody remembers anything. */
export const blankNotes = (): unknown[] => blank.slice()
