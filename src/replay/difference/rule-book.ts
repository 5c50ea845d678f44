/** Rules compiled and sorted by precedence, with one lookup per side and operation. */
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Rule } from '../../core/traffic/recording/difference.ts'
import type { DocumentSide } from './document.ts'
import { jsonpath, type JSONValue } from 'json-p3'

/** One path segment: the names that it selects, or all members. */
interface SelectorStep {
  /** At any depth from here on. */
  readonly deep: boolean
  /** Selected names; every member when absent. */
  readonly names?: ReadonlySet<string>
}

type Selector =
  | { readonly kind: 'steps'; readonly steps: readonly SelectorStep[] }
  | {
      readonly kind: 'search'
      /** The places that match in a document, as JSON Pointers. */
      readonly find: (document: unknown) => readonly string[]
    }

type Query = ReturnType<typeof jsonpath.compile>

function stepsOf({ segments }: Query): readonly SelectorStep[] | undefined {
  const { NameSelector, WildcardSelector } = jsonpath.selectors
  const steps: SelectorStep[] = []
  for (const segment of segments) {
    const deep = segment.toString().startsWith('..')
    const names: string[] = []
    let all = false
    for (const selector of segment.selectors) {
      if (selector instanceof NameSelector) names.push(selector.name)
      else if (selector instanceof WildcardSelector) all = true
      else return undefined
    }
    steps.push(all ? { deep } : { deep, names: new Set(names) })
  }
  return steps
}

/**
 * Compiles the JSONPath (RFC 9535) of a rule. Names and wildcards become steps that are matched while documents are
 * compared; filters, slices and indexes must search each document. Compiles a path; the error is a clause that says
 * what is wrong with it.
 */
export function readSelector(at: string): Result<Selector, string> {
  let query: Query
  try {
    query = jsonpath.compile(at)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return err(`"${at}" is no JSONPath (RFC 9535): ${why}`)
  }
  const steps = stepsOf(query)
  if (steps) return ok({ kind: 'steps', steps })
  return ok({
    kind: 'search',
    find(document) {
      try {
        return query
          .query(document as JSONValue)
          .pointers()
          .map(String)
      } catch {
        // A document too deep for the search has no match.
        return []
      }
    },
  })
}

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

/** A rule with the JSONPath steps to its places. */
interface SteppedRule {
  readonly rule: Rule
  /** Precedence: the lowest number decides. */
  readonly rank: number
  readonly steps: readonly SelectorStep[]
}

export interface RuleState {
  /** The applicable rule of highest precedence. */
  readonly rule: Rule
  readonly rank: number
  /** The state of the member with this name. */
  readonly member: (name: string) => RuleState
  /** The state of every member of a list. */
  readonly each: () => RuleState
}

/** A rule and the number of its steps already matched. */
interface PartialMatch {
  readonly rule: SteppedRule
  readonly gone: number
}

/** Cache limits, since a document may have any number of names; beyond them states are built anew each time. */
const maxNames = 2000
const maxStates = 20_000

/**
 * A lazily built automaton over the JSONPath steps of all rules: each state has the rule for the current place and
 * the next state for each member. States are created on first use and shared by all exchanges of the operation.
 */
function createRuleStates(rules: readonly SteppedRule[], fallback: Rule): RuleState {
  const numbers = new Map(rules.map((rule, index) => [rule, index]))
  const known = new Map<string, RuleState>()

  function stateOf(partialMatches: readonly PartialMatch[]): RuleState {
    const key = partialMatches
      .map(({ rule, gone }) => `${numbers.get(rule)}:${gone}`)
      .toSorted()
      .join(' ')
    const before = known.get(key)
    if (before) return before
    const state = make(partialMatches)
    if (known.size < maxStates) known.set(key, state)
    return state
  }

  function next(partialMatches: readonly PartialMatch[], name: string | undefined): RuleState {
    const after = new Map<string, PartialMatch>()
    const put = (each: PartialMatch): unknown =>
      after.set(`${numbers.get(each.rule)}:${each.gone}`, each)
    for (const each of partialMatches) {
      const step = each.rule.steps[each.gone]
      if (!step) continue
      if (step.deep) put(each)
      const fits = !step.names || (name !== undefined && step.names.has(name))
      if (fits) put({ rule: each.rule, gone: each.gone + 1 })
    }
    return stateOf([...after.values()])
  }

  function make(partialMatches: readonly PartialMatch[]): RuleState {
    const strongest = partialMatches
      .filter(({ rule, gone }) => gone === rule.steps.length)
      .toSorted((a, b) => a.rule.rank - b.rule.rank)[0]?.rule
    const members = new Map<string, RuleState>()
    let inList: RuleState | undefined
    const state: RuleState = {
      rule: strongest?.rule ?? fallback,
      rank: strongest?.rank ?? Number.POSITIVE_INFINITY,
      member(name) {
        const before = members.get(name)
        if (before) return before
        const found = next(partialMatches, name)
        if (members.size < maxNames) members.set(name, found)
        return found
      },
      each: () => (inList ??= next(partialMatches, undefined)),
    }
    return state
  }

  return stateOf(rules.map((rule) => ({ rule, gone: 0 })))
}
