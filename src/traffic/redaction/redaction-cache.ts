/** Cache of redacted texts that recur (headers, the same order read twice); bounded, one per redactor. */
import { createMemory, type Memory } from '../generational-cache.ts'
import type { ClassId } from './class.ts'
import type { Redactor } from './redactor.ts'
import type { Walk } from './walk.ts'

interface CachedText {
  readonly value: string
  readonly rows: readonly (readonly [path: string, id: ClassId])[]
}

const maxCachedLength = 32_768
const caches = new WeakMap<Redactor, Memory<CachedText>>()

function cacheOf(redactor: Redactor): Memory<CachedText> {
  let cache = caches.get(redactor)
  if (!cache) caches.set(redactor, (cache = createMemory({ entries: 8000, bytes: 16_000_000 })))
  return cache
}

/** `about` is the rest of the cache key: everything else that the result depends on. */
export type Remember = (
  walk: Walk,
  about: string,
  text: string,
  work: (walk: Walk) => string,
) => string

export function remembering(redactor: Redactor): Remember {
  const cache = cacheOf(redactor)
  return (walk, about, text, work) => {
    if (text.length > maxCachedLength) return work(walk)
    const key = `${about}\u0000${text}`
    let cached = cache.get(key)
    if (!cached) {
      const rows: (readonly [string, ClassId])[] = []
      cached = { value: work({ ...walk, report: (path, id) => void rows.push([path, id]) }), rows }
      cache.set(key, cached, (key.length + cached.value.length) * 2 + 200)
    }
    for (const [path, id] of cached.rows) walk.report(path, id)
    return cached.value
  }
}
