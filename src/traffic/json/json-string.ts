/**
 * Strings in the text of a JSON document, found without reading it. By hand and not by a pattern: a body may be a string of
 * many megabytes, and a pattern that goes through one letter by letter runs out of stack.
 */

/** Behind the closing quote of the string that begins at `start`; -1 when the text breaks off in it. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return quote + 1
  }
  return -1
}
