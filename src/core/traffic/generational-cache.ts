/**
 * A bounded cache with two generations, an approximation of least-recently-used eviction. New and recently used entries
 * are in the young generation; when it is full it becomes the old one, and entries of the previous old generation that
 * were not used are evicted. A hit in the young generation costs one map lookup: no list is relinked, as in a strict
 * LRU.
 */
export interface GenerationalCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, bytes: number): void
  /** Entries in both generations. */
  size(): number
}

export interface CacheBounds {
  /** In both generations together. */
  readonly entries: number
  readonly bytes: number
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

export function createGenerationalCache<Value>(bounds: CacheBounds): GenerationalCache<Value> {
  const maxEntriesPerGeneration = Math.max(1, Math.floor(bounds.entries / 2))
  const maxBytesPerGeneration = bounds.bytes / 2
  let young = new Map<string, Entry<Value>>()
  let old = new Map<string, Entry<Value>>()
  let youngBytes = 0

  function store(key: string, entry: Entry<Value>): void {
    if (young.size >= maxEntriesPerGeneration || youngBytes + entry.bytes > maxBytesPerGeneration) {
      old = young
      young = new Map()
      youngBytes = 0
    }
    young.set(key, entry)
    youngBytes += entry.bytes
  }

  return {
    get(key) {
      const hit = young.get(key)
      if (hit) return hit.value
      const aged = old.get(key)
      if (!aged) return undefined
      old.delete(key)
      store(key, aged)
      return aged.value
    },
    set(key, value, bytes) {
      if (bytes > maxBytesPerGeneration) return
      store(key, { value, bytes })
    },
    size: () => young.size + old.size,
  }
}
