/**
 * Finds the recorded exchange that answers a live call: by operation, entity, entity version, unused first; never by
 * URL alone. Each result names its match strategy and the reason.
 */
import { compact } from '../../core/base/compact.ts'
import { appendTo } from '../../core/traffic/append-to.ts'
import { editJson } from '../../core/traffic/entities/edit-json.ts'
import { meaningAt } from '../../core/traffic/entities/field-meaning.ts'
import type { Exchange, Party } from '../../core/traffic/exchange.ts'
import { isAcknowledgmentCall, isPollCall } from '../../core/traffic/polling.ts'
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { Correlation } from '../../core/traffic/recording/correlation.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { MatchStrategy } from '../../core/traffic/recording/match-strategy.ts'
import type { RecordedExchange, Cause } from '../../core/traffic/recording/recorded-exchange.ts'
import { isFailedExchange, type MatchCandidate, createCandidateIndex } from './candidate-index.ts'
import {
  type EntityKeysOf,
  type EntityVersion,
  isSafeMethod,
  handsOverEvents,
  createEntityVersions,
  defaultHandoverEvents,
  type HandoverEventsOf,
} from './entity-versions.ts'
import { explainMatch, type MatchExplanation } from './explain-match.ts'
import { createPollReplies, type PollReplies } from './poll-replies.ts'

/**
 * Matches live acknowledgments with recorded ones by their event ids: a subject that polls at another pace groups
 * events differently, and only that each event is acknowledged counts.
 */

/** The event ids in an acknowledgment. */
function extractAcknowledgedIds({
  operation,
  request,
  eventIds,
}: Pick<Exchange, 'operation' | 'request' | 'eventIds'>): readonly string[] {
  const ids = new Set<string>()
  editJson(request.body ?? '', (frames, value) => {
    if (meaningAt(frames, operation).kind === 'event') ids.add(value)
    return undefined
  })
  return ids.size > 0 ? [...ids] : (eventIds ?? [])
}

interface MatchedAcknowledgment {
  readonly strategy: MatchStrategy
  readonly recorded: RecordedExchange
  /** Recorded acknowledgments that are now complete. */
  readonly completed: readonly RecordedExchange[]
  /** Events without an acknowledgment in the recording. */
  readonly unknown: readonly string[]
}

type AcknowledgmentMatcher = ReturnType<typeof createAcknowledgmentMatcher>

interface PendingAcknowledgment {
  readonly recorded: RecordedExchange
  readonly open: Set<string>
}

/** `handed` says whether the recording hands over an event. */
function createAcknowledgmentMatcher(
  exchanges: readonly RecordedExchange[],
  handed: (eventId: string) => boolean,
) {
  const byEvent = new Map<string, PendingAcknowledgment[]>()
  const all = exchanges.map((recorded): PendingAcknowledgment => ({
    recorded,
    open: new Set(extractAcknowledgedIds(recorded)),
  }))
  for (const each of all) for (const id of each.open) appendTo(byEvent, id, each)
  let unusedCount = all.filter(({ open }) => open.size > 0).length
  const defaultAcknowledgment = all.find(({ recorded: { reply } }) => reply && reply.status < 300)

  return {
    /** `live` with recorded identifiers. Undefined for events that are not in the recording. */
    next(live: Exchange): MatchedAcknowledgment | undefined {
      const ids = extractAcknowledgedIds(live)
      const unknown = ids.filter((id) => !byEvent.has(id))
      if (ids.length > 0 && unknown.length === ids.length && !ids.some(handed)) return undefined
      const votes = new Map<PendingAcknowledgment, number>()
      const completed: RecordedExchange[] = []
      let fresh = false
      for (const id of ids) {
        const candidates = byEvent.get(id)
        const pending = candidates?.find(({ open }) => open.has(id))
        const voted = pending ?? candidates?.at(-1)
        if (voted) votes.set(voted, (votes.get(voted) ?? 0) + (pending ? 2 : 1))
        if (!pending) continue
        fresh = true
        pending.open.delete(id)
        if (pending.open.size > 0) continue
        completed.push(pending.recorded)
        unusedCount--
      }
      const [best] = [...votes].toSorted(([, a], [, b]) => b - a)
      const chosen = best?.[0] ?? defaultAcknowledgment
      if (!chosen) return undefined
      const strategy = unknown.length > 0 ? 'body' : fresh ? 'exact' : 'repeat'
      return { strategy, recorded: chosen.recorded, completed, unknown }
    },
    unused: (): readonly string[] =>
      all.flatMap(({ open, recorded }) => (open.size > 0 ? [recorded.recordId] : [])),
    unusedCount: () => unusedCount,
  }
}

/**
 * The match strategies for calls, best first: each searches the lane of a live call for the recorded call that answers
 * it.
 */

/** Result of a strategy. */
type StrategyResult = Pick<MatchResult, 'strategy' | 'recorded' | 'differences' | 'because'>

interface StrategyOptions {
  readonly entities: EntityKeysOf
  /** Differences of the request; `live` with recorded identifiers. */
  readonly asked: (recorded: Exchange, live: Exchange) => readonly Difference[]
  readonly faithfulFailures: boolean
  /** Called when a recorded call has been matched for the first time. */
  readonly onUsed: (recorded: RecordedExchange, at: number) => void
}

/** Maximum number of recorded calls that are compared with one live call. */
const maxCompared = 20

interface MatchContext {
  /** With recorded identifiers. */
  readonly live: Exchange
  readonly version: EntityVersion
  /** In milliseconds of the replay's clock since it began. */
  readonly at: number
}

function createStrategyChain({ entities, asked, faithfulFailures, onUsed }: StrategyOptions) {
  /** A read must have the same version in changes and handovers, a change only in changes. */
  const isSameVersion = (slot: MatchCandidate, live: Exchange, version: EntityVersion): boolean =>
    slot.version.changes === version.changes &&
    (!isSafeMethod(live) || slot.version.handovers === version.handovers)

  const rejects = (differences: readonly Difference[]): boolean =>
    differences.some(({ side, accepted }) => side === 'request' && !accepted)

  function markUsed(
    slot: MatchCandidate,
    strategy: MatchStrategy,
    differences: readonly Difference[],
    at: number,
  ): StrategyResult {
    slot.used = true
    onUsed(slot.recorded, at)
    return { strategy, recorded: slot.recorded, differences }
  }

  /** Successful replies first, unless failures are to be reproduced. */
  function successesFirst(lane: readonly MatchCandidate[]): readonly MatchCandidate[] {
    if (faithfulFailures || !lane.some(({ recorded }) => isFailedExchange(recorded))) return lane
    return [
      ...lane.filter(({ recorded }) => !isFailedExchange(recorded)),
      ...lane.filter(({ recorded }) => isFailedExchange(recorded)),
    ]
  }

  function matchSameVersion(
    lane: readonly MatchCandidate[],
    live: Exchange,
    epoch: EntityVersion,
    at: number,
  ) {
    let next: { slot: MatchCandidate; differences: readonly Difference[] } | undefined
    let compared = 0
    for (const slot of successesFirst(lane)) {
      if (slot.used || !isSameVersion(slot, live, epoch)) continue
      const differences = asked(slot.recorded, live)
      if (!rejects(differences)) return markUsed(slot, 'exact', differences, at)
      next ??= { slot, differences }
      if (++compared >= maxCompared) break
    }
    return next && markUsed(next.slot, 'body', next.differences, at)
  }

  function repeatLast(
    lane: readonly MatchCandidate[],
    live: Exchange,
    epoch: EntityVersion,
  ): StrategyResult | undefined {
    if (!isSafeMethod(live)) return undefined
    const last = lane.findLast((slot) => slot.used && isSameVersion(slot, live, epoch))
    return last && { strategy: 'repeat', recorded: last.recorded, differences: [] }
  }

  /** The next unused call at a later version: the subject has skipped a call, or an event is still in flight. */
  function matchAhead(
    lane: readonly MatchCandidate[],
    live: Exchange,
    epoch: EntityVersion,
    at: number,
  ) {
    const slot = successesFirst(lane).find(
      ({ used, version: recordedVersion }) =>
        !used &&
        (recordedVersion.changes > epoch.changes ||
          (isSafeMethod(live) && recordedVersion.handovers > epoch.handovers)),
    )
    return slot && markUsed(slot, 'ahead', asked(slot.recorded, live), at)
  }

  /** An unused call at an earlier version: a change that comes late is still that change. */
  function matchLate(
    lane: readonly MatchCandidate[],
    live: Exchange,
    at: number,
  ): StrategyResult | undefined {
    if (isSafeMethod(live)) return undefined
    const slot = successesFirst(lane).find(({ used }) => !used)
    return slot && markUsed(slot, 'ahead', asked(slot.recorded, live), at)
  }

  /**
   * The last read of the same change version; for lists the last of all, since they may or may not include the changes.
   */
  function matchBehind(
    lane: readonly MatchCandidate[],
    live: Exchange,
    { changes }: EntityVersion,
  ): StrategyResult | undefined {
    if (!isSafeMethod(live)) return undefined
    const isOfAll = entities(live).length === 0
    const slot = lane.findLast(
      ({ version: recordedVersion }) => isOfAll || recordedVersion.changes === changes,
    )
    return (
      slot && {
        strategy: 'repeat',
        recorded: slot.recorded,
        differences: [],
        because: 'it is the last that the recording knows of it',
      }
    )
  }

  return function matchCall(
    lane: readonly MatchCandidate[],
    { live, version: epoch, at }: MatchContext,
  ): StrategyResult {
    return (
      matchSameVersion(lane, live, epoch, at) ??
      repeatLast(lane, live, epoch) ??
      matchAhead(lane, live, epoch, at) ??
      matchLate(lane, live, at) ??
      matchBehind(lane, live, epoch) ?? { strategy: 'miss', differences: [] }
    )
  }
}

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

export type ExchangeMatcher = ReturnType<typeof createExchangeMatcher>

/** Strategies whose result needs an explanation. */
const explainedStrategies: ReadonlySet<MatchStrategy> = new Set(['body', 'ahead', 'miss'])

export function createExchangeMatcher(options: MatcherOptions) {
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
    /**
     * `now`: milliseconds on the replay's clock since it began; `shiftMs`: offset of live times against recorded ones.
     */
    find(live: Exchange, at: number, shiftMs: number): MatchResult {
      const answer = findMatch(live, at, shiftMs)
      counts[answer.strategy] = (counts[answer.strategy] ?? 0) + 1
      return answer
    },
    /** An exchange that we sent has happened: its dependants may be released. */
    sent(recorded: RecordedExchange, at: number) {
      doneAt.set(recorded.recordId, at)
      now.record(recorded)
    },
    /** Unused calls and batches of the recording, by `recordId`. */
    unused: (): readonly string[] => [
      ...candidates.unused(),
      ...polls.unused(),
      ...acknowledgments.unused(),
    ],
    /** Number of these. */
    unusedCount: () => unusedCount + polls.unusedCount() + acknowledgments.unusedCount(),
    counts: (): Readonly<Partial<Record<MatchStrategy, number>>> => counts,
  }
}
