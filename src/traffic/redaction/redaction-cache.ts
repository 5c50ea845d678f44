/** Cache of redacted texts that recur (headers, the same order read twice); bounded, one per redactor. */
import { createGenerationalCache, type GenerationalCache } from '../generational-cache.ts'
import type { RedactionClassId } from './class.ts'
import type { Redactor } from './redactor.ts'
import type { RedactionWalk } from './walk.ts'

interface CachedText {
  readonly value: string
  readonly rows: readonly (readonly [path: string, id: RedactionClassId])[]
}

const maxCachedLength = 32_768
const caches = new WeakMap<Redactor, GenerationalCache<CachedText>>()

function cacheOf(redactor: Redactor): GenerationalCache<CachedText> {
  let cache = caches.get(redactor)
  if (!cache)
    caches.set(redactor, (cache = createGenerationalCache({ entries: 8000, bytes: 16_000_000 })))
  return cache
}

/** `about` is the rest of the cache key: everything else that the result depends on. */
export type CachedRedaction = (
  walk: RedactionWalk,
  about: string,
  text: string,
  work: (walk: RedactionWalk) => string,
) => string

export function createRedactionCache(redactor: Redactor): CachedRedaction {
  const cache = cacheOf(redactor)
  return (walk, about, text, work) => {
    if (text.length > maxCachedLength) return work(walk)
    const key = `${about}\u0000${text}`
    let cached = cache.get(key)
    if (!cached) {
      const rows: (readonly [string, RedactionClassId])[] = []
      cached = { value: work({ ...walk, report: (path, id) => void rows.push([path, id]) }), rows }
      cache.set(key, cached, (key.length + cached.value.length) * 2 + 200)
    }
    for (const [path, id] of cached.rows) walk.report(path, id)
    return cached.value
  }
}
