/**
 * A map that forgets by whole generations. To take things out one by one would touch each of them once more when it is
 * long cold, which costs as much as to get to know it; a generation is let go of without a look.
 */
import { setBounded } from '../../engine/bounded.ts'

/** What others see of it. */
export interface Remembered<Value> {
  readonly get: (key: string) => Value | undefined
  /** The older ones first. */
  readonly values: () => readonly Value[]
}

export interface Generations<Value> extends Remembered<Value> {
  readonly keep: (key: string, value: Value) => void
  readonly drop: (key: string) => void
  /** What has not been kept since the last time is forgotten. */
  readonly age: () => void
}

/** `most`: of one generation, when it would grow too large. */
export function createGenerations<Value>(most: number): Generations<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  return {
    get: (key) => young.get(key) ?? old.get(key),
    values: () => [
      ...[...old].flatMap(([key, value]) => (young.has(key) ? [] : [value])),
      ...young.values(),
    ],
    keep: (key, value) => setBounded(young, key, value, most),
    drop(key) {
      young.delete(key)
      old.delete(key)
    },
    age() {
      old = young
      young = new Map()
    },
  }
}
