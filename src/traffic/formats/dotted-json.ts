/** Restores the line ends of a JSON text in which every byte that is not printable is a dot. */
import { endOfJsonString } from '../json/json-string.ts'
import { tryParseJson } from '../json/try-parse-json.ts'

/** Outside of texts a dot is part of a number, or a line end. */
function withLineEnds(text: string): string {
  let result = ''
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at)
    const end = char === '"' ? endOfJsonString(text, at) : at + 1
    if (end < 0) return text
    const isNumber = /\d/.test(text.charAt(at - 1)) && /\d/.test(text.charAt(at + 1))
    result += char === '.' && !isNumber ? '\n' : text.slice(at, end)
    at = end
  }
  return result
}

/** The text unchanged, unless line ends make it JSON. */
export function undotJson(text: string): string {
  const restored = withLineEnds(text)
  return tryParseJson(text) === undefined && tryParseJson(restored) !== undefined ? restored : text
}
