/** Parses JSON bodies, with a small cache. */

/** Parses JSON; undefined if the text is not JSON. */
export type JsonReader = (text: string | undefined) => unknown

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Size of the cache: the bodies that one observation may involve. */
const cacheSize = 4

/**
 * Caches the last few values, since all invariants ask for the same. No more are retained, because a value takes
 * several times the memory of its text.
 */
export function createJsonReader(): JsonReader {
  const cache: { readonly text: string; readonly value: unknown }[] = []
  return (text) => {
    if (text === undefined || text === '') return undefined
    const cached = cache.find((each) => each.text === text)
    if (cached) return cached.value
    const value = parsed(text)
    cache.push({ text, value })
    if (cache.length > cacheSize) cache.shift()
    return value
  }
}
