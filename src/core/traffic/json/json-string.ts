/** Punctuation, literals and containers of JSON text, found without parsing it. */

/** Byte values of JSON punctuation. */
export const quote = 34
export const backslash = 92
export const comma = 44
export const colon = 58
export const openList = 91
export const closeList = 93
export const openObject = 123
export const closeObject = 125

export const isJsonWhitespace = (byte: number): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9

/** UTF-8 byte order mark. */
export const byteOrderMark = [0xef, 0xbb, 0xbf]

/** A byte for an error message. */
export const describeByte = (byte: number): string =>
  byte > 32 && byte < 127 ? `"${String.fromCharCode(byte)}"` : `byte 0x${byte.toString(16)}`

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
