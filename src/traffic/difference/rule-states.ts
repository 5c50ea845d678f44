/**
 * Rules while a document is walked. Where one stands is a state that knows the rule of this place and the state of each
 * member; states are made when somebody first comes there, and used by every exchange of the operation from then on.
 */
import type { Rule } from './difference.ts'
import type { Step } from './selector.ts'

/** A rule with the steps that lead to its places. */
export interface SteppedRule {
  readonly rule: Rule
  /** Its strength: the smallest decides. */
  readonly rank: number
  readonly steps: readonly Step[]
}

export interface RuleState {
  /** The rule that holds here, the strongest of those that do. */
  readonly rule: Rule
  readonly rank: number
  /** The state of the member of this name. */
  readonly member: (name: string) => RuleState
  /** The state of every member of a list. */
  readonly each: () => RuleState
}

/** A rule, and how many of its steps have been gone. */
interface Going {
  readonly rule: SteppedRule
  readonly gone: number
}

/** A document may bring any number of names: beyond these, states are made anew each time. */
const mostNames = 2000
const mostStates = 20_000

export function createRuleStates(rules: readonly SteppedRule[], fallback: Rule): RuleState {
  const numbers = new Map(rules.map((rule, index) => [rule, index]))
  const known = new Map<string, RuleState>()

  function stateOf(going: readonly Going[]): RuleState {
    const key = going
      .map(({ rule, gone }) => `${numbers.get(rule)}:${gone}`)
      .toSorted()
      .join(' ')
    const before = known.get(key)
    if (before) return before
    const state = make(going)
    if (known.size < mostStates) known.set(key, state)
    return state
  }

  function next(going: readonly Going[], name: string | undefined): RuleState {
    const after = new Map<string, Going>()
    const put = (each: Going): unknown => after.set(`${numbers.get(each.rule)}:${each.gone}`, each)
    for (const each of going) {
      const step = each.rule.steps[each.gone]
      if (!step) continue
      if (step.deep) put(each)
      const fits = !step.names || (name !== undefined && step.names.has(name))
      if (fits) put({ rule: each.rule, gone: each.gone + 1 })
    }
    return stateOf([...after.values()])
  }

  function make(going: readonly Going[]): RuleState {
    const here = going
      .filter(({ rule, gone }) => gone === rule.steps.length)
      .toSorted((a, b) => a.rule.rank - b.rule.rank)[0]?.rule
    const members = new Map<string, RuleState>()
    let inList: RuleState | undefined
    const state: RuleState = {
      rule: here?.rule ?? fallback,
      rank: here?.rank ?? Number.POSITIVE_INFINITY,
      member(name) {
        const before = members.get(name)
        if (before) return before
        const found = next(going, name)
        if (members.size < mostNames) members.set(name, found)
        return found
      },
      each: () => (inList ??= next(going, undefined)),
    }
    return state
  }

  return stateOf(rules.map((rule) => ({ rule, gone: 0 })))
}
