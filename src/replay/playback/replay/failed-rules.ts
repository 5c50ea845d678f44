/** Failed rules of the verdicts, as the report of a replay has them. */
import { compact } from '../../../core/base/compact.ts'
import {
  contractRuleId,
  type Finding,
  isViolation,
  type Verdict,
} from '../../../core/rules/invariants/verdict.ts'
import type { FailedRule } from '../../../core/traffic/recording/replay-report.ts'

function rulesOf(
  verdicts: readonly Verdict[],
  wanted: (finding: Finding) => boolean,
): readonly FailedRule[] {
  const failed = new Map<string, FailedRule>()
  for (const { id: invariant, kind, outcome, findings } of verdicts) {
    if (outcome !== 'failed') continue
    for (const { because, orderId } of findings.filter(wanted)) {
      // What differs from a contract is one failure each, whatever the order.
      const key = `${invariant} ${(invariant === contractRuleId ? because : orderId) ?? ''}`
      const isTiming = kind === 'timing' ? true : undefined
      if (!failed.has(key))
        failed.set(key, { invariant, because, ...compact({ orderId, isTiming }) })
    }
  }
  return [...failed.values()]
}

/** Each order for which a rule fails: which of them comes first is chance. */
export const failedRulesOf = (verdicts: readonly Verdict[]): readonly FailedRule[] =>
  rulesOf(verdicts, isViolation)

/** What the contracts say of a replay, which has no verdicts else. */
export function contractRulesOf(verdicts: readonly Verdict[]) {
  const own = verdicts.filter(({ id }) => id === contractRuleId)
  const advice = rulesOf(own, (finding) => finding.advice === true)
  return { failedRules: failedRulesOf(own), ...(advice.length > 0 ? { advice } : {}) }
}
