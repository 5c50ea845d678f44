/**
 * Double replay: what differs between two replays of one build is no change of the build. What could be explained becomes
 * a rule of the second report; what could not makes it unstable.
 */
import { compareExchanges, createGrowth } from '../../traffic/difference/compare-exchanges.ts'
import { inferRules, type Twice, type Unstable } from '../../traffic/difference/infer-rules.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import { ruleBook } from '../../traffic/difference/protocol-rules.ts'
import { createGathering } from '../../traffic/replay/gather.ts'
import type { Replayed, ReplayReport } from '../../traffic/replay/standing.ts'

export interface Compared {
  readonly report: ReplayReport
  readonly unstable: readonly Unstable[]
  readonly inferred: readonly Rule[]
}

/** Standings that only say what a comparison found. */
const ofComparison = new Set<Replayed['standing']>(['same', 'noise', 'changed'])

export function comparedTwice(
  first: ReplayReport,
  second: ReplayReport,
  rules: readonly Rule[],
): Compared {
  const before = new Map(first.exchanges.map((each) => [each.recorded?.recordId, each]))
  const pairs = second.exchanges.flatMap(({ recorded, renamed }): readonly Twice[] => {
    const other = before.get(recorded?.recordId)?.renamed
    return recorded && renamed && other ? [{ recorded, first: other, second: renamed }] : []
  })
  const { rules: inferred, unstable } = inferRules(pairs, ruleBook(rules))
  const book = ruleBook([...rules, ...inferred])
  const growth = createGrowth()
  const gathering = createGathering()
  for (const [place, replayed] of second.exchanges.entries()) {
    const { recorded, renamed, standing } = replayed
    if (!recorded || !renamed || !ofComparison.has(standing)) {
      gathering.add(replayed, place)
      continue
    }
    const differences = compareExchanges(recorded, renamed, book, growth)
    const changed = differences.some(({ accepted }) => !accepted)
    const now = changed ? 'changed' : differences.length > 0 ? 'noise' : 'same'
    gathering.add({ ...replayed, differences, standing: now }, place)
  }
  const { exchanges: _exchanges, first: _first, counts: _counts, rungs: _rungs, ...rest } = second
  return { report: gathering.report(rest), unstable, inferred }
}
