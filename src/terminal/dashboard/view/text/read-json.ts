/**
 * Parses JSON typed by a person and reports line, column and what was expected. The platform's own parser does not
 * always report the position.
 */
import { err, ok, type Result } from '../../../../core/protocol/result.ts'

export interface JsonSyntaxProblem {
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly message: string
}

export function parseJsonWithPosition(text: string): Result<unknown, JsonSyntaxProblem> {
  const problem = scan(text)
  if (!problem) return ok(JSON.parse(text))
  const before = text.slice(0, problem.at)
  const line = before.split('\n').length
  return err({ line, column: problem.at - before.lastIndexOf('\n'), message: problem.message })
}

interface SyntaxProblem {
  readonly at: number
  readonly message: string
}

const space = /[ \t\r\n]*/y
const string = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y

/** Finds the first syntax error. */
function scan(text: string): SyntaxProblem | undefined {
  let at = 0
  /** Closing characters of the open objects and arrays, outermost first. */
  const closers: ('}' | ']')[] = []

  const accept = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) return false
    at += match[0].length
    return true
  }
  const peek = (): string => {
    accept(space)
    return text[at] ?? ''
  }
  const problemHere = (message: string): SyntaxProblem => ({ at, message })
  const expected = (what: string): SyntaxProblem =>
    problemHere(at >= text.length ? `the text ends, but ${what} is missing` : `${what} is missing`)

  /** Reads a name and its colon. */
  function readName(): SyntaxProblem | undefined {
    if (peek() !== '"') return expected('a name in double quotes')
    if (!accept(string))
      return problemHere('this name does not end, or has a sign that must be escaped')
    if (peek() !== ':') return expected('a colon')
    at++
    return undefined
  }

  for (;;) {
    // A value, or the start of an object or array.
    const first = peek()
    if (first === '{' || first === '[') {
      at++
      const closing = first === '{' ? '}' : ']'
      if (peek() === closing) at++
      else {
        closers.push(closing)
        const problem = closing === '}' ? readName() : undefined
        if (problem) return problem
        continue
      }
    } else if (first === '"') {
      if (!accept(string))
        return problemHere('this text does not end, or has a sign that must be escaped')
    } else if (!accept(word) && !accept(number)) return expected('a value')
    // After a value: the end of the enclosing object or array, or a comma.
    for (;;) {
      const closing = closers.at(-1)
      const next = peek()
      if (closing === undefined)
        return next === '' ? undefined : problemHere('the text goes on after its end')
      if (next === closing) {
        at++
        closers.pop()
        continue
      }
      if (next !== ',') return expected(`a comma or ${closing}`)
      at++
      const after = peek()
      if (after === closing) return problemHere(`there is a comma too many before ${closing}`)
      const problem = closing === '}' ? readName() : undefined
      if (problem) return problem
      break
    }
  }
}
