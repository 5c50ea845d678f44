/** Failed rules by the orders and by the exchanges that show them, so that every pane marks what is broken. */
import {
  isFailedVerdict,
  isViolation,
  type Verdict,
} from '../../../core/rules/invariants/verdict.ts'
import { oncePer } from './memo.ts'
import type { Model } from './model.ts'

export interface RuleFailure {
  /** Id of the rule: `SE-1`. */
  readonly id: string
  /** What was observed, as a complete sentence. */
  readonly because: string
}

interface FailedRules {
  readonly byOrder: ReadonlyMap<string, readonly RuleFailure[]>
  readonly byExchange: ReadonlyMap<number, readonly RuleFailure[]>
}

/** The verdicts change rarely, and every row of every frame asks. */
const failedRulesIn = oncePer((verdicts: readonly Verdict[]): FailedRules => {
  const byOrder = new Map<string, RuleFailure[]>()
  const byExchange = new Map<number, RuleFailure[]>()
  const add = <Key>(map: Map<Key, RuleFailure[]>, key: Key, rule: RuleFailure): void => {
    const list = map.get(key)
    // The latest finding may be one of those before, which say how often they came.
    const isKnown = list?.some(
      ({ id, because }) => id === rule.id && because.startsWith(rule.because),
    )
    if (isKnown) return
    if (list) list.push(rule)
    else map.set(key, [rule])
  }
  for (const { id, findings, latest = [] } of verdicts.filter(isFailedVerdict))
    for (const { because, orderId, evidence } of [...findings, ...latest].filter(isViolation)) {
      const rule = { id, because }
      if (orderId !== undefined) add(byOrder, orderId, rule)
      for (const { seq } of evidence) add(byExchange, seq, rule)
    }
  return { byOrder, byExchange }
})

export const failedRulesOfOrder = (
  { snapshot }: Pick<Model, 'snapshot'>,
  orderId: string | undefined,
): readonly RuleFailure[] =>
  snapshot && orderId !== undefined
    ? (failedRulesIn(snapshot.verdicts).byOrder.get(orderId) ?? [])
    : []

export const failedRulesOfExchange = (
  { snapshot }: Pick<Model, 'snapshot'>,
  seq: number,
): readonly RuleFailure[] =>
  snapshot ? (failedRulesIn(snapshot.verdicts).byExchange.get(seq) ?? []) : []

/** The ids of rules, each once: `SE-1 AK-3`. */
export const ruleIdsText = (rules: readonly RuleFailure[]): string =>
  [...new Set(rules.map(({ id }) => id))].join(' ')
