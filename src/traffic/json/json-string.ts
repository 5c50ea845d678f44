/**
 * Finds the end of a JSON string literal without parsing it. By hand instead of a regular expression: those overflow
 * the stack on strings of many megabytes.
 */

/** The index after the closing quote of the string that begins at `start`; -1 when the text ends within it. */
export function endOfJsonString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return quote + 1
  }
  return -1
}

/** The index after the closing bracket of the object or list that begins at `start` of a valid JSON text. */
export function endOfJsonContainer(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfJsonString(text, at)
      if (end < 0) break
      at = end - 1
    } else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return text.length
}
