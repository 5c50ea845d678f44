/** Maps and sets with a bound: what is oldest leaves first. */

/** Anything that gives its keys oldest first: a map, a set. */
interface Kept<Key> {
  readonly keys: () => Iterator<Key>
}

const walks = new WeakMap<object, Iterator<unknown>>()

/**
 * The oldest key. A walk from the front would first have to pass every place that an earlier one has left, thousands of
 * them in a large map; so one walk is kept for each map or set, and goes on from where the last key left.
 */
function oldestOf<Key>(kept: Kept<Key>): IteratorResult<Key> {
  const next = (walks.get(kept) as Iterator<Key> | undefined)?.next()
  if (next && !next.done) return next
  const walk = kept.keys()
  walks.set(kept, walk)
  return walk.next()
}

/** Adds to a set that keeps at most so many; answers what had to leave. */
export function addBounded<Value>(set: Set<Value>, value: Value, most: number): Value | undefined {
  set.add(value)
  if (set.size <= most) return undefined
  const oldest = oldestOf(set)
  if (oldest.done) return undefined
  set.delete(oldest.value)
  return oldest.value
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
  const oldest = oldestOf(map)
  if (!oldest.done) map.delete(oldest.value)
}
