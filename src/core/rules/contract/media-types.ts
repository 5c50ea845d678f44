/** Which entry of a `content` of the document describes a message, by its media type, and how its body is read. */

export type BodyKind = 'json' | 'form' | 'text' | 'other'

export interface MediaTypeEntry {
  /** The media type or range in the document. */
  readonly name: string
  /** By the type of the message. */
  readonly kind: BodyKind
}

/** `application/json; charset=utf-8` without its parameters, in lower case. */
const mediaTypeOf = (header: string): string => header.split(';')[0]?.trim().toLowerCase() ?? ''

/** The most specific entry that covers a media type: itself, its family, or any. */
function matchingEntry(entries: readonly string[], type: string): string | undefined {
  for (const wanted of [type, `${type.split('/')[0]}/*`, '*/*'])
    for (const entry of entries) if (mediaTypeOf(entry) === wanted) return entry
  return undefined
}

function kindOf(type: string): BodyKind {
  if (/^[^/]+\/(?:[^;]+\+)?json$/.test(type)) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type.startsWith('text/') ? 'text' : 'other'
}

/** Maximum number of headers that are remembered; a message has one of very few. */
const maxRemembered = 50

/** Finds the entry for a header; without one the first entry is meant. */
export function createMediaTypeIndex(entries: readonly string[]) {
  const known = new Map<string, MediaTypeEntry | undefined>()
  return (header = entries[0] ?? ''): MediaTypeEntry | undefined => {
    if (known.has(header)) return known.get(header)
    const type = mediaTypeOf(header)
    const name = matchingEntry(entries, type)
    const entry = name === undefined ? undefined : { name, kind: kindOf(type) }
    if (known.size < maxRemembered) known.set(header, entry)
    return entry
  }
}
