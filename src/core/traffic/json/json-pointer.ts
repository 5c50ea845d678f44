/** JSON Pointers (RFC 6901): escaping and splitting; conversion to JSONPath (RFC 9535). */

/** Escapes a key as a reference token of a pointer. */
export const escapePointerKey = (key: string): string =>
  key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key

/** The unescaped keys of a pointer; none for the whole document. */
export const pointerKeys = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The JSONPath along these keys, with list positions as they are (`this`) or as wildcards (`each`). */
export const jsonPathOf = (keys: readonly string[], positions: 'each' | 'this'): string =>
  keys.reduce((path, key) => {
    if (/^\d+$/.test(key)) return positions === 'each' ? `${path}[*]` : `${path}[${key}]`
    return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
  }, '$')
