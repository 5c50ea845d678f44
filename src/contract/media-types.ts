/** Which entry of a `content` of the document describes a message, by its media type. */

/** `application/json; charset=utf-8` without its parameters, in lower case. */
export const mediaTypeOf = (header: string): string =>
  header.split(';')[0]?.trim().toLowerCase() ?? ''

/** The most specific entry that covers a media type: itself, its family, or any. */
export function matchingMediaType(entries: readonly string[], header: string): string | undefined {
  const type = mediaTypeOf(header)
  const family = `${type.split('/')[0]}/*`
  for (const wanted of [type, family, '*/*'])
    for (const entry of entries) if (mediaTypeOf(entry) === wanted) return entry
  return undefined
}

export const isJsonType = (type: string): boolean =>
  /^[^/]+\/(?:[^;]+\+)?json$/.test(mediaTypeOf(type))

export const isFormType = (type: string): boolean =>
  mediaTypeOf(type) === 'application/x-www-form-urlencoded'

export const isTextType = (type: string): boolean => mediaTypeOf(type).startsWith('text/')
