/**
 * A bounded memory of finished work, in two generations: new and used entries live in the young one; when that is full
 * it becomes the old one, and what nobody asked for since is forgotten with the generation before. A hit in the young
 * generation costs one map lookup: no list is relinked, which is what makes it cheaper than a strict
 * least-recently-used order.
 */
export interface Memory<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, bytes: number): void
  /** Entries held, of both generations. */
  size(): number
}

export interface MemoryBounds {
  /** Of both generations together. */
  readonly entries: number
  readonly bytes: number
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

export function createMemory<Value>(bounds: MemoryBounds): Memory<Value> {
  const entriesEach = Math.max(1, Math.floor(bounds.entries / 2))
  const bytesEach = bounds.bytes / 2
  let young = new Map<string, Entry<Value>>()
  let old = new Map<string, Entry<Value>>()
  let youngBytes = 0

  function keep(key: string, entry: Entry<Value>): void {
    if (young.size >= entriesEach || youngBytes + entry.bytes > bytesEach) {
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
      keep(key, aged)
      return aged.value
    },
    set(key, value, bytes) {
      if (bytes > bytesEach) return
      keep(key, { value, bytes })
    },
    size: () => young.size + old.size,
  }
}
