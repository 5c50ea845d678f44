/** Parses JSON bodies, with a small cache. */
import { tryParseJson } from '../../../traffic/json/try-parse-json.ts'

export interface JsonReader {
  /** Parses JSON; undefined if the text is not JSON. */
  readonly read: (text: string | undefined) => unknown
  /** Drops cached values of long texts. */
  readonly dropLong: () => void
}

/** Size of the cache: the bodies that one observation may involve. */
const cacheSize = 4
/** Longest text that stays in the cache between observations. */
const maxCachedChars = 50_000

/**
 * Caches the last few values, since all invariants ask for the same. No more are retained, because a value takes
 * several times the memory of its text.
 */
export function createJsonReader(): JsonReader {
  let cache: { readonly text: string; readonly value: unknown }[] = []
  let hasLong = false
  return {
    read(text) {
      if (text === undefined || text === '') return undefined
      const cached = cache.find((each) => each.text === text)
      if (cached) return cached.value
      const value = tryParseJson(text)
      hasLong ||= text.length > maxCachedChars
      cache.push({ text, value })
      if (cache.length > cacheSize) cache.shift()
      return value
    },
    dropLong() {
      if (hasLong) cache = cache.filter(({ text }) => text.length <= maxCachedChars)
      hasLong = false
    },
  }
}
