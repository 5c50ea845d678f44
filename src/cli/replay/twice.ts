/**
 * Double replay (`--twice`): differences between two replays of the same build are noise. Those with an inferable pattern
 * become rules of the second report; the others make it unstable.
 */
import { rejudgeReport } from '../../session/player/results.ts'
import {
  inferRules,
  type ReplayPair,
  type UnstablePlace,
} from '../../traffic/difference/infer-rules.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import { createRuleBook } from '../../traffic/difference/protocol-rules.ts'
import type { ReplayReport } from '../../traffic/replay/replay-report.ts'

export interface TwiceComparison {
  readonly report: ReplayReport
  readonly unstable: readonly UnstablePlace[]
  readonly inferred: readonly Rule[]
}

export function compareTwice(
  first: ReplayReport,
  second: ReplayReport,
  rules: readonly Rule[],
): TwiceComparison {
  const firstById = new Map(first.exchanges.map((each) => [each.recorded?.recordId, each]))
  const pairs = second.exchanges.flatMap(({ recorded, renamed }): readonly ReplayPair[] => {
    const other = firstById.get(recorded?.recordId)?.renamed
    return recorded && renamed && other ? [{ recorded, first: other, second: renamed }] : []
  })
  const { rules: inferred, unstable } = inferRules(pairs, createRuleBook(rules))
  return { report: rejudgeReport(second, [...rules, ...inferred]), unstable, inferred }
}
