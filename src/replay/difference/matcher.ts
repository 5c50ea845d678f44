/**
 * Finds the recorded exchange that answers a live call: by operation, entity, entity version, unused first; never by
 * URL alone. Each result names its match strategy and the reason.
 */
import { compact } from '../../core/base/compact.ts'
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { Correlation } from '../../core/traffic/recording/correlation.ts'
import { type StrategyResult, createStrategyChain } from './match-strategies.ts'
import {
  createAcknowledgmentMatcher,
  type AcknowledgmentMatcher,
} from './acknowledgment-matcher.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { Exchange, Party } from '../../core/traffic/exchange.ts'
import { isAcknowledgmentCall, isPollCall } from '../../core/traffic/polling.ts'
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import {
  handsOverEvents,
  createEntityVersions,
  type EntityKeysOf,
  defaultHandoverEvents,
  type HandoverEventsOf,
} from './entity-versions.ts'
import { explainMatch, type MatchExplanation } from './explain-match.ts'
import { createPollReplies, type PollReplies } from './poll-replies.ts'
import type { MatchStrategy } from '../../core/traffic/recording/match-strategy.ts'
import { createCandidateIndex } from './candidate-index.ts'

export interface MatcherOptions {
  /** All exchanges of the recording, in the order in which requests began. */
  readonly exchanges: readonly RecordedExchange[]
  /** Whether we play this party: only calls to it can be answered. */
  readonly ours: (party: Party) => boolean
  readonly binding: Pick<IdentifierBinding, 'renamed' | 'oldName' | 'newName' | 'bind'>
  readonly correlation: Pick<Correlation, 'in'>
  readonly causes: (recordId: string) => readonly Cause[]
  readonly entities: EntityKeysOf
  /** The events that an exchange hands over, with their entities; derived from `eventIds` when absent. */
  readonly newsIn?: HandoverEventsOf
  /** Differences; `live` with recorded identifiers. */
  readonly compare: (recorded: Exchange, live: Exchange) => readonly Difference[]
  /** Whether an exchange can happen in this replay: not without a sender. Default: all can. */
  readonly happens?: (recorded: RecordedExchange) => boolean
  /** Speed of recorded time; with `asap` only causes are awaited, no time. */
  readonly speed?: number | 'asap'
  /** Start of the recording, in milliseconds since 1970. */
  readonly t0: number
  /** Failed attempts are reproduced, before the successful reply that came after them. */
  readonly faithfulFailures?: boolean
}

export interface MatchResult {
  readonly strategy: MatchStrategy
  /** The recorded exchange that answers; none on a miss, or for an idle poll when no idle poll was recorded. */
  readonly recorded?: RecordedExchange
  /** A poll without events. */
  readonly idle?: true
  readonly differences: readonly Difference[]
  readonly explanation?: MatchExplanation
  /** One sentence, where differences and explanation do not say it. */
  readonly because?: string
  /** The live call with recorded identifiers. */
  readonly renamed: Exchange
  /** Recorded calls that are completed by this one. */
  readonly completed: readonly RecordedExchange[]
}

export interface ExchangeMatcher {
  /**
   * `now`: milliseconds on the replay's clock since it began; `shiftMs`: offset of live times against recorded ones.
   */
  readonly find: (live: Exchange, now: number, shiftMs: number) => MatchResult
  /** An exchange that we sent has happened: its dependants may be released. */
  readonly sent: (recorded: RecordedExchange, now: number) => void
  /** Unused calls and batches of the recording, by `recordId`. */
  readonly unused: () => readonly string[]
  /** Number of these. */
  readonly unusedCount: () => number
  readonly counts: () => Readonly<Partial<Record<MatchStrategy, number>>>
}

/** Strategies whose result needs an explanation. */
const explainedStrategies: ReadonlySet<MatchStrategy> = new Set(['body', 'ahead', 'miss'])

export function createExchangeMatcher(options: MatcherOptions): ExchangeMatcher {
  const { exchanges, ours, binding, compare, entities, causes } = options
  const { speed = 1, t0, faithfulFailures = false, happens = () => true } = options
  const newsIn = options.newsIn ?? defaultHandoverEvents(entities)
  const candidates = createCandidateIndex({
    exchanges,
    ours,
    epochs: createEntityVersions(entities, newsIn),
  })
  let unusedCount = candidates.count
  const polls = pollsOf()
  const acknowledgments = acknowledgmentsOf()
  const doneAt = new Map<string, number>()
  const counts: Partial<Record<MatchStrategy, number>> = {}
  const now = createEntityVersions(entities, newsIn)
  const asked = (recorded: Exchange, live: Exchange): readonly Difference[] =>
    compare(recorded, live).filter(({ side }) => side === 'request')
  const runStrategies = createStrategyChain({
    entities,
    asked,
    faithfulFailures,
    onUsed({ recordId }, at) {
      unusedCount--
      doneAt.set(recordId, at)
    },
  })
  const matchCall = (live: Exchange, at: number): StrategyResult =>
    runStrategies(candidates.laneOf(live), { live, version: now.before(live), at })

  function pollsOf(): PollReplies {
    const known = new Map(exchanges.map((each) => [each.recordId, each]))
    return createPollReplies({
      polls: exchanges.filter(({ operation, to }) => isPollCall({ operation }) && ours(to)),
      causes,
      exchange: (id) => known.get(id),
      entities,
      newsIn,
      happens: (each) => known.has(each.recordId) && happens(each),
      speed,
      t0,
    })
  }

  function acknowledgmentsOf(): AcknowledgmentMatcher {
    const handedOver = new Set(
      exchanges.flatMap((each) => (handsOverEvents(each) ? (each.eventIds ?? []) : [])),
    )
    return createAcknowledgmentMatcher(
      exchanges.filter((each) => isAcknowledgmentCall(each) && ours(each.to)),
      (id) => handedOver.has(id),
    )
  }

  /** Binds an unknown live identifier to that of an unused recorded call of the same operation. */
  function bindFromUnused(live: Exchange): boolean {
    for (const lane of candidates.lanesOf(live)) {
      const slot = lane.find(({ used }) => !used)
      if (slot && bindTo(slot.recorded, live)) return true
    }
    return false
  }

  function bindTo(recorded: RecordedExchange, live: Exchange): boolean {
    const inPath = options.correlation
      .in(recorded.recordId)
      .filter(({ site }) => site.side === 'request' && site.at.startsWith('/path/'))
    const news = inPath.flatMap(({ identifier: { kind, value }, site }) => {
      const name = live.params?.[site.at.slice('/path/'.length)]
      const isFree =
        name !== undefined &&
        binding.newName(kind, value) === undefined &&
        binding.oldName(kind, name) === undefined
      return isFree ? [{ kind, value, name, site }] : []
    })
    if (news.length === 0 || news.length < inPath.length) return false
    return news.every(({ kind, value, name, site }) => !binding.bind(kind, value, name, site))
  }

  const withExplanation = (
    answer: StrategyResult,
    live: Exchange,
  ): StrategyResult & Pick<MatchResult, 'explanation'> => {
    if (!explainedStrategies.has(answer.strategy)) return answer
    const nearbyCandidates = candidates.nearby(live, answer.recorded)
    const differences = (recorded: Exchange) => asked(recorded, live)
    return {
      ...answer,
      explanation: explainMatch({
        live,
        slots: nearbyCandidates,
        chosen: answer.recorded,
        differences,
      }),
    }
  }

  function answerPoll(live: Exchange, at: number): MatchResult {
    const pollReply = polls.next(at, (recordId) => doneAt.get(recordId))
    const common = { differences: [], renamed: live, completed: [] }
    if (!pollReply)
      return {
        ...common,
        strategy: 'repeat',
        idle: true,
        ...compact({ recorded: polls.idle }),
      }
    const { recorded, whole } = pollReply
    now.record(recorded)
    if (whole) doneAt.set(recorded.recordId, at)
    return { ...common, strategy: 'exact', recorded, completed: whole ? [recorded] : [] }
  }

  function answerAcknowledgment(renamed: Exchange, at: number): MatchResult {
    const found = acknowledgments.next(renamed)
    if (!found)
      return {
        ...withExplanation({ strategy: 'miss', differences: [] }, renamed),
        ...unmatched(renamed),
      }
    const { strategy, recorded, completed, unknown } = found
    for (const each of completed) doneAt.set(each.recordId, at)
    const because = `in the recording your service does not acknowledge ${unknown.slice(0, 3).join(', ')}`
    return {
      strategy,
      recorded,
      differences: [],
      renamed,
      completed,
      ...(unknown.length > 0 ? { because } : {}),
    }
  }

  const unmatched = (renamed: Exchange): Pick<MatchResult, 'renamed' | 'completed'> => ({
    renamed,
    completed: [],
  })

  function findMatch(live: Exchange, at: number, shiftMs: number): MatchResult {
    if (isPollCall(live)) return answerPoll(live, at)
    let renamed = binding.renamed(live, shiftMs)
    if (isAcknowledgmentCall(live)) return answerAcknowledgment(renamed, at)
    const first = matchCall(renamed, at)
    let second = first
    if (first.strategy === 'miss' && bindFromUnused(live)) {
      // The binding has changed.
      renamed = binding.renamed(live, shiftMs)
      second = withStrategy(matchCall(renamed, at), 'bound')
    }
    const { recorded, strategy } = second
    const isFresh = recorded !== undefined && strategy !== 'repeat'
    if (isFresh) now.record(recorded)
    return { ...withExplanation(second, renamed), renamed, completed: isFresh ? [recorded] : [] }
  }

  const withStrategy = (answer: StrategyResult, strategy: MatchStrategy): StrategyResult =>
    answer.strategy === 'miss' ? answer : { ...answer, strategy }

  return {
    find(live, at, shiftMs) {
      const answer = findMatch(live, at, shiftMs)
      counts[answer.strategy] = (counts[answer.strategy] ?? 0) + 1
      return answer
    },
    sent(recorded, at) {
      doneAt.set(recorded.recordId, at)
      now.record(recorded)
    },
    unused: () => [...candidates.unused(), ...polls.unused(), ...acknowledgments.unused()],
    unusedCount: () => unusedCount + polls.unusedCount() + acknowledgments.unusedCount(),
    counts: () => counts,
  }
}
