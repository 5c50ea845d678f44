/**
 * Traffic filter syntax: terms joined by AND. `confirm`, `/regex/`, `#147` (its number), `status>=400`, `seq>100`,
 * `ms>500`, `from:SS`, `to:pos`, `o1` (an order by its slot), `mine` (with the user's service), `failed`, `idle` (an empty poll), and `!` before any of
 * them.
 */
import { BoundedPattern, TimeLimitExceeded } from '../base/bounded-pattern.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { roleNamed } from '../protocol/role.ts'
import type { TrafficRow } from '../session-api/session-api.ts'

export type TrafficTest = (row: TrafficRow) => boolean

/** The id of the order in a slot, such as `o1`. */
export type OrderOfSlot = (slot: string) => string | undefined

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
}

const numericFields = {
  status: ({ status }: TrafficRow) => status,
  ms: ({ tookMs }: TrafficRow) => tookMs,
  seq: ({ seq }: TrafficRow) => seq,
} as const

/** Whether one side of an exchange is the user's service: what logs and panes show first. */
export const isWithService: TrafficTest = ({ subject }) => subject

/** Terms that are a word of their own. */
const namedTests: Readonly<Record<string, TrafficTest>> = {
  mine: isWithService,
  idle: ({ idle }) => idle === true,
  failed: ({ failed }) => failed === true,
}

const textOf = ({ method, path, operation, orderId, status, failure }: TrafficRow): string =>
  `${method} ${path} ${operation ?? ''} ${orderId ?? ''} ${status} ${failure ?? ''}`.toLowerCase()

/** A text that takes too long to search is none of those that are looked for. */
function isFound(pattern: BoundedPattern, text: string): boolean {
  try {
    return pattern.test(text)
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return false
    throw error
  }
}

function parseTerm(text: string, orderOfSlot: OrderOfSlot): Result<TrafficTest, string> {
  if (text.startsWith('!!'))
    return err(`"${text.slice(0, 40)}" has more than one "!" before its word`)
  if (text.startsWith('!')) {
    const inner = parseTerm(text.slice(1), orderOfSlot)
    return inner.ok ? ok((row) => !inner.value(row)) : inner
  }
  const number = /^(status|ms|seq)(>=|<=|=|>|<)(.*)$/.exec(text)
  if (number) {
    const [, field, sign = '=', operand = ''] = number
    const wanted = Number(operand)
    if (operand === '' || Number.isNaN(wanted)) return err(`"${text}" needs a number after ${sign}`)
    const compare = comparisons[sign]
    const numberIn = numericFields[field as keyof typeof numericFields]
    return ok((row) => compare?.(numberIn(row), wanted) ?? false)
  }
  const own = /^#(\d+)$/.exec(text)
  if (own) return ok(({ seq }) => seq === Number(own[1]))
  const side = /^(from|to):(.*)$/.exec(text)
  if (side) {
    const name = (side[2] ?? '').toLowerCase()
    const role = side[1] === 'from' ? 'from' : 'to'
    const named = roleNamed(name)
    return ok((row) => (named === undefined ? row[role].startsWith(name) : row[role] === named))
  }
  const expression = /^\/(.+)\/$/.exec(text)
  if (expression) {
    try {
      const pattern = new BoundedPattern(expression[1] ?? '', 'i')
      return ok((row) => isFound(pattern, textOf(row)))
    } catch {
      return err(`"${text}" is no regular expression`)
    }
  }
  const named = namedTests[text]
  if (named) return ok(named)
  const ofSlot = orderOfSlot(text)
  if (ofSlot !== undefined) return ok(({ orderId }) => orderId === ofSlot)
  const lower = text.toLowerCase()
  return ok((row) => textOf(row).includes(lower))
}

/** Parses a filter, in which each `!` is followed by its word; the error names the invalid term. */
export function trafficFilter(
  text: string,
  orderOfSlot: OrderOfSlot = () => undefined,
): Result<TrafficTest, string> {
  const tests: TrafficTest[] = []
  for (const each of text.split(/\s+/).filter((part) => part !== '' && part !== '!')) {
    const test = parseTerm(each, orderOfSlot)
    if (!test.ok) return test
    tests.push(test.value)
  }
  return ok((row) => tests.every((test) => test(row)))
}
