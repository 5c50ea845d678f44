/** Maps and sets with a maximum size: the oldest key is evicted first. */

/** A map or a set: its keys come oldest first. */
interface Kept<Key> {
  readonly keys: () => Iterator<Key>
}

const walks = new WeakMap<object, Iterator<unknown>>()

/**
 * The oldest key. A new iterator would first skip the slots of all deleted keys, thousands in a large map; so one
 * iterator is cached for each map or set and continues after the last evicted key.
 */
function oldestOf<Key>(kept: Kept<Key>): IteratorResult<Key> {
  const next = (walks.get(kept) as Iterator<Key> | undefined)?.next()
  if (next && !next.done) return next
  const walk = kept.keys()
  walks.set(kept, walk)
  return walk.next()
}

/** Adds to a set of at most `max` values; returns the evicted value. */
export function addBounded<Value>(set: Set<Value>, value: Value, most: number): Value | undefined {
  set.add(value)
  if (set.size <= most) return undefined
  const oldest = oldestOf(set)
  if (oldest.done) return undefined
  set.delete(oldest.value)
  return oldest.value
}

/** Sets a key in a map of at most `max` keys. */
export function setBounded<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): void {
  map.set(key, value)
  if (map.size <= most) return
  const oldest = oldestOf(map)
  if (!oldest.done) map.delete(oldest.value)
}
