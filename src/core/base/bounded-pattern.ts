/**
 * Regular expressions from outside, matched with texts from outside: `^(a+)+$` takes years for 35 characters. What may take
 * long for a text is interrupted after a limit; the usual expression and text are matched directly.
 */
import { createContext, Script } from 'node:vm'

/** Matching took longer than the limit; nothing is known about the text. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded'
  readonly limitMs: number
  /** The expression that took so long, where it was one. */
  readonly pattern: string | undefined

  constructor(limitMs: number, pattern?: string) {
    super(`it took longer than ${limitMs} ms`)
    this.limitMs = limitMs
    this.pattern = pattern
  }
}

const script = new Script('work()')
let context: { work?: () => unknown } | undefined

const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Runs what has no effects, for so long at most; it takes half a millisecond to begin. */
export function withinTime<Value>(limitMs: number, work: () => Value, pattern?: string): Value {
  let value: Value | undefined
  const outer = context?.work
  context ??= createContext({})
  context.work = () => {
    value = work()
  }
  try {
    script.runInContext(context, { timeout: limitMs })
    return value as Value
  } catch (error) {
    throw isTimeout(error) ? new TimeLimitExceeded(limitMs, pattern) : error
  } finally {
    if (outer) context.work = outer
    else delete context.work
  }
}

/** How the steps of matching grow: with the length of the text to the power of `degree`, at most. */
interface Growth {
  readonly degree: number
  readonly factor: number
}

/** An expression or a group of one, as it is read. */
interface OpenGroup {
  /** It can match in several ways, so that a repetition of it multiplies them. */
  hasChoice: boolean
}

const quantifier = /^(?:[*+?]|\{(\d+)(,)?(\d*)\})\??/
const groupOpening = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[\w-]*:))?/
const characterClass = /^\[(?:\\[\s\S]|[^\]\\])*\]/
/** A letter, an escape, or what stands for one. */
const atom = /^(?:\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|k<[^>]*>|[\s\S])|[\s\S])/

/** Undefined where it may be exponential, or is not understood. */
function growthOf(source: string): Growth | undefined {
  const groups: OpenGroup[] = [{ hasChoice: false }]
  let degree = source.startsWith('^') ? 0 : 1
  let factor = 1
  let rest = source
  while (rest !== '') {
    const opened = groupOpening.exec(rest)
    const current = groups.at(-1)
    if (opened) {
      groups.push({ hasChoice: false })
      rest = rest.slice(opened[0].length)
      continue
    }
    if (!current) return undefined
    if (rest.startsWith('|')) {
      // An alternative need not begin where the expression does.
      if (groups.length === 1 && source.startsWith('^')) degree++
      current.hasChoice = true
      factor *= 2
      rest = rest.slice(1)
      continue
    }
    const closed = rest.startsWith(')') ? groups.pop() : undefined
    const [read] = closed ? [')'] : (characterClass.exec(rest) ?? atom.exec(rest) ?? [''])
    rest = rest.slice(read.length)
    const outer = groups.at(-1)
    if (!outer) return undefined
    const repeated = quantifier.exec(rest)
    rest = rest.slice(repeated?.[0].length ?? 0)
    outer.hasChoice ||= closed?.hasChoice ?? false
    if (!repeated) continue
    const [text, from, open, to] = repeated
    const isFixed = from !== undefined && open === undefined
    const isOptional = text.startsWith('?') || (from === '0' && to === '1')
    if (closed?.hasChoice && !isOptional) return undefined
    if (isFixed) continue
    outer.hasChoice = true
    if (isOptional) factor *= 2
    else degree++
  }
  return groups.length === 1 ? { degree, factor } : undefined
}

/** A text so short is matched at once by any expression. */
const shortText = 12
/** Steps that take a few milliseconds. */
const maxDirectSteps = 1_000_000
const limitMs = 100
/** An expression that took too long so often is not tried again. */
const maxTimeouts = 5

/** Written as `RegExp`, for what takes one. */
export class BoundedPattern {
  readonly #expression: RegExp
  readonly #growth: Growth | undefined
  #timeouts = 0

  /** Throws a SyntaxError for what is no expression. */
  constructor(source: string, flags = '') {
    this.#expression = new RegExp(source, flags)
    this.#growth = growthOf(source)
  }

  /** Throws `TimeLimitExceeded` when that cannot be found out in time. */
  test(text: string): boolean {
    if (this.#isQuick(text.length)) return this.#expression.test(text)
    const pattern = String(this)
    if (this.#timeouts >= maxTimeouts) throw new TimeLimitExceeded(limitMs, pattern)
    try {
      return withinTime(limitMs, () => this.#expression.test(text), pattern)
    } catch (error) {
      if (error instanceof TimeLimitExceeded) this.#timeouts++
      throw error
    }
  }

  toString(): string {
    return String(this.#expression)
  }

  #isQuick(length: number): boolean {
    if (!this.#growth) return length <= shortText
    const { degree, factor } = this.#growth
    return factor * Math.max(length, 1) ** degree <= maxDirectSteps
  }
}
