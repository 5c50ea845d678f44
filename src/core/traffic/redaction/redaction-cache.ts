/** Cache of redacted texts that recur (headers, the same order read twice); bounded, one per redactor. */
import { createGenerationalCache, type GenerationalCache } from '../generational-cache.ts'
import type { RedactionClassId } from './class.ts'
import type { Redactor } from './redactor.ts'
import type { RedactionWalk } from './walk.ts'

interface CachedText {
  /** Everything else that the result depends on. */
  readonly about: string
  readonly value: string
  readonly rows: readonly (readonly [path: string, id: RedactionClassId])[]
}

const maxCachedLength = 32_768
/** The same text may stand in several places. */
const maxPlaces = 4
const caches = new WeakMap<Redactor, GenerationalCache<readonly CachedText[]>>()

function cacheOf(redactor: Redactor): GenerationalCache<readonly CachedText[]> {
  let cache = caches.get(redactor)
  if (!cache)
    caches.set(redactor, (cache = createGenerationalCache({ entries: 8000, bytes: 16_000_000 })))
  return cache
}

export type CachedRedaction = (
  walk: RedactionWalk,
  about: string,
  text: string,
  work: (walk: RedactionWalk) => string,
) => string

export function createRedactionCache(redactor: Redactor): CachedRedaction {
  const cache = cacheOf(redactor)

  function make(
    walk: RedactionWalk,
    about: string,
    text: string,
    work: (walk: RedactionWalk) => string,
  ): CachedText {
    const rows: (readonly [string, RedactionClassId])[] = []
    const value = work({ ...walk, report: (path, id) => void rows.push([path, id]) })
    const fresh = { about, value, rows }
    const others = (cache.get(text) ?? []).slice(0, maxPlaces - 1)
    cache.set(text, [fresh, ...others], (text.length + value.length) * 2 + 200)
    return fresh
  }

  return (walk, about, text, work) => {
    if (text.length > maxCachedLength) return work(walk)
    const known = cache.get(text)?.find((each) => each.about === about)
    const { value, rows } = known ?? make(walk, about, text, work)
    for (const [path, id] of rows) walk.report(path, id)
    return value
  }
}
