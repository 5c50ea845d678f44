/** JSON Pointers (RFC 6901): places in documents, part by part; and the JSONPath (RFC 9535) of such a place. */

/** A key as a part of a pointer. */
export const pointerPart = (key: string): string =>
  key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key

/** The keys that a pointer goes by; none for the document itself. */
export const keysIn = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The path along these keys; positions in lists as they are, or `each` of the list. */
export const jsonPathOf = (keys: readonly string[], positions: 'each' | 'this'): string =>
  keys.reduce((path, key) => {
    if (/^\d+$/.test(key)) return positions === 'each' ? `${path}[*]` : `${path}[${key}]`
    return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
  }, '$')
