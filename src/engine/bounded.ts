/** Maps and sets with a bound: what is oldest leaves first. */

/** Adds to a set that keeps at most so many; answers what had to leave. */
export function addBounded<Value>(set: Set<Value>, value: Value, most: number): Value | undefined {
  set.add(value)
  if (set.size <= most) return undefined
  const [oldest] = set
  if (oldest !== undefined) set.delete(oldest)
  return oldest
}

/** Sets in a map that keeps at most so many keys. */
export function setBounded<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): void {
  map.set(key, value)
  if (map.size <= most) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
