/**
 * A lazily built automaton over the JSONPath steps of all rules: each state has the rule for the current place and
 * the next state for each member. States are created on first use and shared by all exchanges of the operation.
 */
import type { Rule } from './difference.ts'
import type { SelectorStep } from './selector.ts'

/** A rule with the JSONPath steps to its places. */
export interface SteppedRule {
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

export function createRuleStates(rules: readonly SteppedRule[], fallback: Rule): RuleState {
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
