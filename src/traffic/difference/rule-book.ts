/** Rules, read once and put in order of strength, so that a comparison only looks up what holds where. */
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Rule } from './difference.ts'
import type { Side } from './document.ts'
import { createRuleStates, type RuleState, type SteppedRule } from './rule-states.ts'
import { readSelector, type Selector } from './selector.ts'

/** Strongest first: who uses us knows best, then what the protocol says, then what was seen. */
const strength = [
  'user',
  'protocol',
  'inferred',
  'default',
] as const satisfies readonly Rule['from'][]

export const defaultRule: Rule = {
  at: '$',
  compare: { as: 'equal' },
  from: 'default',
  reason: 'nothing says that it may differ',
}

/** A rule whose places have to be looked for in each document. */
export interface Searched {
  readonly rule: Rule
  readonly rank: number
  readonly find: (document: unknown) => readonly string[]
}

/** The rules of one side of one operation. */
export interface RulePage {
  readonly start: RuleState
  readonly searched: readonly Searched[]
}

export interface RuleBook {
  /** Every rule, strongest first. */
  readonly rules: readonly Rule[]
  readonly page: (side: Side, operation: string | undefined) => RulePage
}

interface Ready {
  readonly rule: Rule
  readonly rank: number
  readonly selector: Selector
}

/** Operations that are remembered; a recording may name any number that nobody knows. */
const mostPages = 500

/** Reads all rules; the error says which of them will not do, and why. */
export function compileRules(rules: readonly Rule[]): Result<RuleBook, string> {
  const ordered = strength.flatMap((from) => rules.filter((rule) => rule.from === from))
  const ready: Ready[] = []
  for (const [rank, rule] of ordered.entries()) {
    const selector = readSelector(rule.at)
    if (!selector.ok) return no(selector.error)
    ready.push({ rule, rank, selector: selector.value })
  }
  const pages = new Map<string, RulePage>()
  return ok({
    rules: ordered,
    page(side, operation) {
      const key = `${side} ${operation ?? ''}`
      const before = pages.get(key)
      if (before) return before
      const page = pageOf(ready, side, operation)
      if (pages.size < mostPages) pages.set(key, page)
      return page
    },
  })
}

function pageOf(ready: readonly Ready[], side: Side, operation: string | undefined): RulePage {
  const own = ready.filter(
    ({ rule }) =>
      (rule.side === undefined || rule.side === side) &&
      (rule.operation === undefined || rule.operation === operation),
  )
  const stepped: SteppedRule[] = []
  const searched: Searched[] = []
  for (const { rule, rank, selector } of own)
    if (selector.kind === 'steps') stepped.push({ rule, rank, steps: selector.steps })
    else searched.push({ rule, rank, find: selector.find })
  return { start: createRuleStates(stepped, defaultRule), searched }
}
