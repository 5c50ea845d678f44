import { isJsonWhitespace, quote } from './json-bytes.ts'

/**
 * Finds the end of a JSON string literal without parsing it. By hand instead of a regular expression: those overflow
 * the stack on strings of many megabytes. The index after the closing quote of the string that begins at `start`; -1
 * when the text ends within it.
 */
export function endOfJsonString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return at + 1
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

/** Removes whitespace between JSON tokens; the tokens stay unchanged. The text must be valid JSON. */
export function minifyJson(json: string): string {
  let result = ''
  let done = 0
  for (let at = 0; at < json.length;) {
    const char = json.charCodeAt(at)
    if (char === quote) {
      const end = endOfJsonString(json, at)
      at = end < 0 ? json.length : end
    } else if (isJsonWhitespace(char)) {
      result += json.slice(done, at)
      while (at < json.length && isJsonWhitespace(json.charCodeAt(at))) at++
      done = at
    } else at++
  }
  return done === 0 ? json : result + json.slice(done)
}
