/** Removes whitespace between JSON tokens; the tokens stay unchanged. */
import { endOfJsonString } from '../json/json-string.ts'
import { isJsonWhitespace, quote } from './json-bytes.ts'

/** The text must be valid JSON. */
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
