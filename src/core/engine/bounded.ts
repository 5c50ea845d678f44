/** Maps and sets with a maximum size: the oldest key is evicted first. */

/** A map or a set: its keys come oldest first. */
interface OrderedKeys<Key> {
  readonly keys: () => Iterator<Key>
}

const iterators = new WeakMap<object, Iterator<unknown>>()

/**
 * The oldest key. A new iterator would first skip the slots of all deleted keys, thousands in a large map; so one
 * iterator is cached for each map or set and continues after the last evicted key.
 */
function oldestOf<Key>(collection: OrderedKeys<Key>): IteratorResult<Key> {
  const next = (iterators.get(collection) as Iterator<Key> | undefined)?.next()
  if (next && !next.done) return next
  const iterator = collection.keys()
  iterators.set(collection, iterator)
  return iterator.next()
}

/** Adds to a set of at most `max` values; returns the evicted value. */
export function addBounded<Value>(set: Set<Value>, value: Value, max: number): Value | undefined {
  set.add(value)
  if (set.size <= max) return undefined
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
  max: number,
): void {
  map.set(key, value)
  if (map.size <= max) return
  const oldest = oldestOf(map)
  if (!oldest.done) map.delete(oldest.value)
}

/** Limits of a map by number and by size, such as characters. The newest value stays, however large it is. */
export interface SizeLimits<Value> {
  readonly maxEntries: number
  readonly maxSize: number
  readonly sizeOf: (value: Value) => number
}

/** Sizes of maps; counted anew for one that is restored. */
const sizes = new WeakMap<object, number>()

function resize<Value>(map: Map<unknown, Value>, more: number, of: (value: Value) => number) {
  const before =
    sizes.get(map) ?? Array.from(map.values(), of).reduce((sum, one) => sum + one, -more)
  const size = before + more
  sizes.set(map, size)
  return size
}

/** Deletes a key of a map of limited size, and returns its value. */
export function deleteSized<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  { sizeOf }: SizeLimits<Value>,
): readonly Value[] {
  const value = map.get(key)
  if (value === undefined) return []
  map.delete(key)
  resize(map, -sizeOf(value), sizeOf)
  return [value]
}

/** Sets a key in a map of limited size; returns what was evicted. */
export function setSized<Key, Value>(
  map: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  limits: SizeLimits<Value>,
): readonly Value[] {
  const { maxEntries, maxSize, sizeOf } = limits
  const before = map.get(key)
  map.set(key, value)
  let size = resize(map, sizeOf(value) - (before === undefined ? 0 : sizeOf(before)), sizeOf)
  const evicted: Value[] = []
  while (map.size > 1 && (map.size > maxEntries || size > maxSize)) {
    const oldest = oldestOf(map)
    if (oldest.done) break
    evicted.push(...deleteSized(map, oldest.value, limits))
    size = sizes.get(map) ?? 0
  }
  return evicted
}
