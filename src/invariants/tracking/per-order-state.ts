/**
 * State of an invariant about one order, stored on the order itself. One map per invariant would be searched a dozen
 * times per call, with poor memory locality.
 */
import type { TrackedOrder } from './tracker-state.ts'

export interface PerOrderState<Value> {
  readonly get: (order: TrackedOrder) => Value | undefined
  readonly set: (order: TrackedOrder, value: Value | undefined) => void
  /** Creates the value if there is none. */
  readonly getOrCreate: (order: TrackedOrder, make: () => Value) => Value
}

const emptySlots: undefined[] = []

/**
 * Allocates a slot for one value per order. Call it once per invariant, at module level: runs share the slot index, not
 * the values.
 */
export function createPerOrderState<Value>(): PerOrderState<Value> {
  const slot = emptySlots.push(undefined) - 1
  return {
    get: ({ notes: invariantStates }) => invariantStates[slot] as Value | undefined,
    getOrCreate: ({ notes: invariantStates }, make) => (invariantStates[slot] ??= make()) as Value,
    set({ notes: invariantStates }, value) {
      invariantStates[slot] = value
    },
  }
}

/** Empty slots for a new order. */
export const emptyInvariantStates = (): unknown[] => emptySlots.slice()
