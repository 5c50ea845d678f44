/**
 * A map with generational eviction. Deleting entries one by one would touch cold memory for each, as expensive as
 * inserting it; a whole generation is dropped without a look.
 */
import { setBounded } from '../../engine/bounded.ts'

/** Read-only view. */
export interface ReadonlyGenerationalMap<Value> {
  readonly get: (key: string) => Value | undefined
  /** Older generation first. */
  readonly values: () => readonly Value[]
}

export interface GenerationalMap<Value> extends ReadonlyGenerationalMap<Value> {
  readonly set: (key: string, value: Value) => void
  readonly delete: (key: string) => void
  /** Evicts the entries that were not set since the last call. */
  readonly evictOldGeneration: () => void
}

/** `most`: maximum size of one generation. */
export function createGenerationalMap<Value>(maxSize: number): GenerationalMap<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return {
    get: (key) => young.get(key) ?? old.get(key),
    values: () => [
      ...[...old].flatMap(([key, value]) => (young.has(key) ? [] : [value])),
      ...young.values(),
    ],
    set: (key, value) => setBounded(young, key, value, maxSize),
    delete(key) {
      young.delete(key)
      old.delete(key)
    },
    evictOldGeneration() {
      old = young
      young = new Map()
    },
  }
}
