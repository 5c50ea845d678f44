/** Maps and sets with a maximum size: the oldest key is evicted first. */
import { charsIn } from './short-text.ts'

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

/** Characters of the values of a map; counted anew for one that is restored. */
const charsByMap = new WeakMap<object, number>()

function countChars(map: ReadonlyMap<unknown, unknown>, more: number): number {
  let chars = charsByMap.get(map)
  if (chars === undefined) {
    chars = 0
    for (const value of map.values()) chars += charsIn(value)
  } else chars += more
  charsByMap.set(map, chars)
  return chars
}

/** Deletes a key of a map whose characters are limited. */
export function deleteCounted<Key, Value>(map: Map<Key, Value>, key: Key): void {
  const value = map.get(key)
  if (map.delete(key)) countChars(map, -charsIn(value))
}

/** Sets a key in a map of at most so many keys and characters; returns what was evicted. */
export function setCounted<Key, Value>(
  map: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  max: { readonly entries: number; readonly chars: number },
): readonly Value[] {
  const before = map.get(key)
  map.set(key, value)
  let chars = countChars(map, charsIn(value) - (before === undefined ? 0 : charsIn(before)))
  const evicted: Value[] = []
  while (map.size > 1 && (map.size > max.entries || chars > max.chars)) {
    const oldest = oldestOf(map)
    if (oldest.done) break
    const old = map.get(oldest.value)
    if (old !== undefined) evicted.push(old)
    deleteCounted(map, oldest.value)
    chars = countChars(map, 0)
  }
  return evicted
}

/** A map whose values have a size, such as characters. */
export interface SizedMap<Key, Value> {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly delete: (key: Key) => void
  /** Oldest first. */
  readonly entries: () => MapIterator<[Key, Value]>
}

/** Limits of a map by number and by size. The newest value stays, however large it is. */
interface SizeLimits<Value> {
  readonly maxEntries: number
  readonly maxSize: number
  readonly sizeOf: (value: Value) => number
}

export function createSizedMap<Key, Value>({
  maxEntries,
  maxSize,
  sizeOf,
}: SizeLimits<Value>): SizedMap<Key, Value> {
  const map = new Map<Key, Value>()
  let size = 0

  function remove(key: Key): void {
    const value = map.get(key)
    if (value === undefined) return
    size -= sizeOf(value)
    map.delete(key)
  }

  return {
    get: (key) => map.get(key),
    set(key, value) {
      remove(key)
      map.set(key, value)
      size += sizeOf(value)
      while (map.size > 1 && (map.size > maxEntries || size > maxSize)) {
        const oldest = oldestOf(map)
        if (oldest.done) return
        remove(oldest.value)
      }
    },
    delete: remove,
    entries: () => map.entries(),
  }
}
