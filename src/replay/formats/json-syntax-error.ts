/** Locates the first JSON syntax error, which `JSON.parse` reports unreliably; called only after that has failed. */
import { backslash, quote } from '../../core/traffic/json/json-string.ts'

export interface JsonSyntaxError {
  /** Character offset. */
  readonly at: number
  readonly message: string
}

const blanks = /[ \t\r\n]*/y
const hex = /[\dA-Fa-f]{4}/y

/** End of the string at `start`, or the offset of its first error. */
function stringAt(text: string, start: number): { readonly end: number; readonly whole: boolean } {
  for (let at = start + 1; at < text.length;) {
    const char = text.charCodeAt(at)
    if (char === quote) return { end: at + 1, whole: true }
    // Control characters are not allowed in JSON strings.
    if (char < 32) return { end: at, whole: false }
    if (char !== backslash) at++
    else if ('"\\/bfnrt'.includes(text.charAt(at + 1) || ' ')) at += 2
    else if (text[at + 1] === 'u' && endOf(hex, text, at + 2) > 0) at += 6
    else return { end: at, whole: false }
  }
  return { end: text.length, whole: false }
}
const literal = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

type Expected = 'value' | 'key' | 'colon' | 'separator'

const expectedText: Readonly<Record<Expected, string>> = {
  value: 'a value',
  key: 'the name of a member',
  colon: 'a colon',
  separator: 'a comma or an end',
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** Undefined when the text is valid JSON. */
export function findJsonSyntaxError(text: string): JsonSyntaxError | undefined {
  const open: string[] = []
  let expected: Expected = 'value'
  /** Just behind an opening bracket, where the closing one is allowed. */
  let isFirst = false
  let isDone = false
  for (let at = endOf(blanks, text, 0); at < text.length; at = endOf(blanks, text, at)) {
    const char = text[at] ?? ''
    const closes = char === '}' || char === ']'
    if (isDone) return { at, message: 'there is text after its end' }
    if (closes && (expected === 'separator' || isFirst)) {
      if (open.pop() !== char) return { at, message: `a ${char} that nothing opened` }
      at++
      expected = 'separator'
      isFirst = false
    } else if (expected === 'separator' && char === ',') {
      at++
      expected = open.at(-1) === '}' ? 'key' : 'value'
    } else if (expected === 'colon' && char === ':') {
      at++
      expected = 'value'
    } else if (expected === 'value' && (char === '{' || char === '[')) {
      open.push(char === '{' ? '}' : ']')
      at++
      expected = char === '{' ? 'key' : 'value'
      isFirst = true
      continue
    } else if (char === '"' && (expected === 'value' || expected === 'key')) {
      const { end, whole } = stringAt(text, at)
      if (!whole) return { at: end, message: 'a text that does not end as one' }
      at = end
      expected = expected === 'key' ? 'colon' : 'separator'
      isFirst = false
    } else if (expected === 'value' && endOf(literal, text, at) > 0) {
      at = endOf(literal, text, at)
      expected = 'separator'
      isFirst = false
    } else
      return { at, message: `${JSON.stringify(char)} where ${expectedText[expected]} should be` }
    isDone = open.length === 0
  }
  return isDone ? undefined : { at: text.length, message: 'it breaks off' }
}
