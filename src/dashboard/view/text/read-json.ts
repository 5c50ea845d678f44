/**
 * Reads JSON that a person has written, and says where it is wrong: the line, the column and what was awaited there. The
 * platform's own parser does not always say where.
 */
import { no, ok, type Result } from '../../../protocol/result.ts'

export interface WrongJson {
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly message: string
}

export function readJson(text: string): Result<unknown, WrongJson> {
  const wrong = scan(text)
  if (!wrong) return ok(JSON.parse(text))
  const before = text.slice(0, wrong.at)
  const line = before.split('\n').length
  return no({ line, column: wrong.at - before.lastIndexOf('\n'), message: wrong.message })
}

interface Wrong {
  readonly at: number
  readonly message: string
}

const space = /[ \t\r\n]*/y
const string = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y

/** The first place that is no JSON. */
function scan(text: string): Wrong | undefined {
  let at = 0
  /** What is open, outermost first: its closing sign. */
  const open: ('}' | ']')[] = []

  const passes = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) return false
    at += match[0].length
    return true
  }
  const sign = (): string => {
    passes(space)
    return text[at] ?? ''
  }
  const here = (message: string): Wrong => ({ at, message })
  const awaited = (what: string): Wrong =>
    here(at >= text.length ? `the text ends, but ${what} is missing` : `${what} is missing`)

  /** A name and its colon. */
  function name(): Wrong | undefined {
    if (sign() !== '"') return awaited('a name in double quotes')
    if (!passes(string)) return here('this name does not end, or has a sign that must be escaped')
    if (sign() !== ':') return awaited('a colon')
    at++
    return undefined
  }

  for (;;) {
    // A value, or the opening of one.
    const first = sign()
    if (first === '{' || first === '[') {
      at++
      const closing = first === '{' ? '}' : ']'
      if (sign() === closing) at++
      else {
        open.push(closing)
        const wrong = closing === '}' ? name() : undefined
        if (wrong) return wrong
        continue
      }
    } else if (first === '"') {
      if (!passes(string)) return here('this text does not end, or has a sign that must be escaped')
    } else if (!passes(word) && !passes(number)) return awaited('a value')
    // What follows a value: the end of what is open, or a comma and the next.
    for (;;) {
      const closing = open.at(-1)
      const next = sign()
      if (closing === undefined)
        return next === '' ? undefined : here('the text goes on after its end')
      if (next === closing) {
        at++
        open.pop()
        continue
      }
      if (next !== ',') return awaited(`a comma or ${closing}`)
      at++
      const after = sign()
      if (after === closing) return here(`there is a comma too many before ${closing}`)
      const wrong = closing === '}' ? name() : undefined
      if (wrong) return wrong
      break
    }
  }
}
