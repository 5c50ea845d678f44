/**
 * Builds a replay report from the results of exchanges. Bounded in number and in characters: beyond that, results
 * without a difference or a failure are only counted, and the others are kept without bodies.
 */
import type {
  FailedRule,
  ReplayedExchange,
  ReplayReport,
} from '../../core/traffic/recording/replay-report.ts'
import { failureOf } from '../../core/traffic/recording/failure-comparison.ts'
import { type Standing, unremarkableStandings } from '../../core/traffic/recording/standing.ts'
import { shortText } from '../../core/engine/short-text.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import {
  type Exchange,
  type ExchangeReply,
  type ExchangeRequest,
  largeChars,
} from '../../core/traffic/exchange.ts'
import { compact } from '../../core/base/compact.ts'
import {
  contractRuleId,
  type Finding,
  isViolation,
  type Verdict,
} from '../../core/rules/invariants/verdict.ts'

/** Failed rules of the verdicts, as the report of a replay has them. */
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

/** Up to this number of results, all are kept, with or without a difference. */
export const maxFullResults = 10_000
/** Maximum number of results; above `maxFullResults` only those with a difference or a failure are kept. */
const maxHeld = 100_000

const hasFailed = ({ recorded, live }: ReplayedExchange): boolean =>
  [recorded, live].some((each) => each && failureOf(each) !== undefined)

export function createReplayReportBuilder() {
  const held: { readonly replayed: ReplayedExchange; readonly place: number }[] = []
  const counts = new Map<Standing, number>()
  const strategies = new Map<NonNullable<ReplayedExchange['strategy']>, number>()
  let chars = 0
  const answered = (strategy: NonNullable<ReplayedExchange['strategy']>): void => {
    strategies.set(strategy, (strategies.get(strategy) ?? 0) + 1)
  }
  return {
    /** Counts an answered call without a result of its own: an idle poll. */
    answered,
    add(replayed: ReplayedExchange, place: number) {
      const { standing, strategy } = replayed
      counts.set(standing, (counts.get(standing) ?? 0) + 1)
      if (strategy !== undefined) answered(strategy)
      const isPlain = unremarkableStandings.has(standing) && !hasFailed(replayed)
      const size = replayedChars(replayed)
      const isTooLarge = chars + size > maxKeptReplayChars
      if (held.length >= (isPlain ? maxFullResults : maxHeld) || (isPlain && isTooLarge)) return
      if (!isTooLarge) chars += size
      held.push({ replayed: isTooLarge ? withoutLiveBodies(replayed) : replayed, place })
    },
    report(
      rest: Omit<ReplayReport, 'exchanges' | 'first' | 'counts' | 'strategies'>,
    ): ReplayReport {
      // The sort is stable: results at one position keep their order, copies after the first.
      const exchanges = held.toSorted((a, b) => a.place - b.place).map(({ replayed }) => replayed)
      const first = exchanges.findIndex(({ standing }) => !unremarkableStandings.has(standing))
      return {
        ...rest,
        exchanges,
        ...(first === -1 ? {} : { first }),
        counts: Object.fromEntries(counts),
        strategies: Object.fromEntries(strategies),
      }
    },
  }
}

/** Maximum characters of all results that are kept in full. */
export const maxKeptReplayChars = 64_000_000

const leftOut = `its bodies are left out, since the results before it take ${maxKeptReplayChars / 1e6} MB`

/** Characters of a result, without those of the recording. Its differences hold at most both bodies once more. */
export function replayedChars({ live, renamed, differences }: ReplayedExchange): number {
  const sizes = [live, renamed].map((each) => (each ? largeChars(each) : 0))
  return sizes.reduce((sum, size) => sum + size, 0) * (differences.length > 0 ? 2 : 1)
}

function withoutBodies(live: Exchange): Exchange {
  const { body: _sent, wire: _sentWire, ...request }: ExchangeRequest = live.request
  if (!live.reply) return { ...live, request }
  const { body: _got, wire: _gotWire, ...reply }: ExchangeReply = live.reply
  return { ...live, request, reply }
}

const shortValue = (value: unknown): unknown =>
  value === undefined ? value : shortText(typeof value === 'string' ? value : JSON.stringify(value))

const shortDifference = (difference: Difference): Difference => ({
  ...difference,
  ...('recorded' in difference ? { recorded: shortValue(difference.recorded) } : {}),
  ...('live' in difference ? { live: shortValue(difference.live) } : {}),
})

/**
 * How much memory the result of a replayed exchange takes, and what of it is left out where there are too many. The
 * result without the bodies of the live exchange. It is not compared again.
 */
function withoutLiveBodies(replayed: ReplayedExchange): ReplayedExchange {
  const { live, renamed: _renamed, because, differences, ...rest } = replayed
  return {
    ...rest,
    ...(live ? { live: withoutBodies(live) } : {}),
    differences: differences.map(shortDifference),
    because: because === undefined ? leftOut : `${because}; ${leftOut}`,
  }
}
