/** Rules compiled and sorted by precedence, with one lookup per side and operation. */
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Rule } from './difference.ts'
import type { DocumentSide } from './document.ts'
import { createRuleStates, type RuleState, type SteppedRule } from './rule-states.ts'
import { readSelector, type Selector } from './selector.ts'

/** Highest precedence first. */
const precedence = [
  'user',
  'protocol',
  'inferred',
  'learned',
  'default',
] as const satisfies readonly Rule['from'][]

export const defaultRule: Rule = {
  at: '$',
  compare: { as: 'equal' },
  from: 'default',
  reason: 'nothing says that it may differ',
}

/** A rule whose places must be searched in each document, since its JSONPath has filters or positions. */
export interface SearchRule {
  readonly rule: Rule
  readonly rank: number
  readonly find: (document: unknown) => readonly string[]
}

/** The compiled rules for one side of one operation. */
export interface OperationRules {
  readonly start: RuleState
  readonly searched: readonly SearchRule[]
}

export interface RuleBook {
  /** All rules, highest precedence first. */
  readonly rules: readonly Rule[]
  readonly page: (side: DocumentSide, operation: string | undefined) => OperationRules
}

interface CompiledRule {
  readonly rule: Rule
  readonly rank: number
  readonly selector: Selector
}

/** Maximum number of cached operations; a recording may contain any number of unknown ones. */
const maxPages = 500

/** Compiles all rules; the error names the invalid one and why. */
export function compileRules(rules: readonly Rule[]): Result<RuleBook, string> {
  const ordered = precedence.flatMap((from) => rules.filter((rule) => rule.from === from))
  const compiled: CompiledRule[] = []
  for (const [rank, rule] of ordered.entries()) {
    const selector = readSelector(rule.at)
    if (!selector.ok) return err(selector.error)
    compiled.push({ rule, rank, selector: selector.value })
  }
  const pages = new Map<string, OperationRules>()
  return ok({
    rules: ordered,
    page(side, operation) {
      const key = `${side} ${operation ?? ''}`
      const before = pages.get(key)
      if (before) return before
      const page = operationRulesOf(compiled, side, operation)
      if (pages.size < maxPages) pages.set(key, page)
      return page
    },
  })
}

function operationRulesOf(
  compiled: readonly CompiledRule[],
  side: DocumentSide,
  operation: string | undefined,
): OperationRules {
  const applicable = compiled.filter(
    ({ rule }) =>
      (rule.side === undefined || rule.side === side) &&
      (rule.operation === undefined || rule.operation === operation),
  )
  const stepped: SteppedRule[] = []
  const searched: SearchRule[] = []
  for (const { rule, rank, selector } of applicable)
    if (selector.kind === 'steps') stepped.push({ rule, rank, steps: selector.steps })
    else searched.push({ rule, rank, find: selector.find })
  return { start: createRuleStates(stepped, defaultRule), searched }
}
