/** Where a text stops being JSON, which the machine's own reader mostly does not say; asked only when it does. */

export interface JsonBreak {
  /** In letters. */
  readonly at: number
  readonly message: string
}

const blanks = /[ \t\r\n]*/y
// Control characters may not stand in a text of JSON.
// oxlint-disable-next-line no-control-regex
const string = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y
/** As much of a string as is one. */
// oxlint-disable-next-line no-control-regex
const stringStart = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y
const bare = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

type Expected = 'value' | 'key' | 'colon' | 'separator'

const wanted: Readonly<Record<Expected, string>> = {
  value: 'a value',
  key: 'the name of a member',
  colon: 'a colon',
  separator: 'a comma or an end',
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** Undefined when the text is JSON. */
export function jsonBreak(text: string): JsonBreak | undefined {
  const open: string[] = []
  let expected: Expected = 'value'
  /** A list or object has just begun: it may end at once. */
  let isFirst = false
  let isDone = false
  for (let at = endOf(blanks, text, 0); at < text.length; at = endOf(blanks, text, at)) {
    const char = text[at] ?? ''
    const closes = char === '}' || char === ']'
    if (isDone) return { at, message: 'something stands behind its end' }
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
      const end = endOf(string, text, at)
      if (end < 0)
        return { at: endOf(stringStart, text, at), message: 'a text that does not end as one' }
      at = end
      expected = expected === 'key' ? 'colon' : 'separator'
      isFirst = false
    } else if (expected === 'value' && endOf(bare, text, at) > 0) {
      at = endOf(bare, text, at)
      expected = 'separator'
      isFirst = false
    } else return { at, message: `${JSON.stringify(char)} where ${wanted[expected]} should be` }
    isDone = open.length === 0
  }
  return isDone ? undefined : { at: text.length, message: 'it breaks off' }
}
