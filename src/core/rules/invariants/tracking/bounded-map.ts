/** Maps by key: values are created on first use, and in bounded ones the oldest is evicted. */
import { setBounded } from '../../../engine/bounded.ts'

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

/** The value of a key of a weak map, such as an order, created on first use. */
export function getOrCreate<Key extends WeakKey, Value>(
  map: WeakMap<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
