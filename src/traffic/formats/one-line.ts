/** Removes whitespace between JSON tokens; the tokens stay unchanged. */
import { endOfString } from '../json/json-string.ts'
import { isBlank, quote } from './json-bytes.ts'

/** The text must be valid JSON. */
export function onOneLine(json: string): string {
  let result = ''
  let done = 0
  for (let at = 0; at < json.length;) {
    const char = json.charCodeAt(at)
    if (char === quote) {
      const end = endOfString(json, at)
      at = end < 0 ? json.length : end
    } else if (isBlank(char)) {
      result += json.slice(done, at)
      while (at < json.length && isBlank(json.charCodeAt(at))) at++
      done = at
    } else at++
  }
  return done === 0 ? json : result + json.slice(done)
}
