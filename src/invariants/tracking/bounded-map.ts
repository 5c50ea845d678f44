/** Bounded maps by key: the oldest entry is evicted. */
import { setBounded } from '../../engine/bounded.ts'

export const maxTrackedKeys = 20_000

/** The value of a key, created on first use. */
export function getOrCreateBounded<Value>(
  map: Map<string, Value>,
  key: string,
  make: () => Value,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  setBounded(map, key, made, maxTrackedKeys)
  return made
}
