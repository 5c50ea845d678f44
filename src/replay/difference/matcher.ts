/**
 * Finds the recorded exchange that answers a live call: by operation, entity, entity version, unused first; never by
 * URL alone. Each result names its match strategy and the reason.
 */
import type { TimeShift } from '../../core/traffic/entities/shift-times.ts'
import { compact } from '../../core/base/compact.ts'
import { appendTo } from '../../core/traffic/append-to.ts'
import { editJson } from '../../core/traffic/entities/edit-json.ts'
import { meaningAt } from '../../core/traffic/entities/field-meaning.ts'
import type { Exchange, Party } from '../../core/traffic/exchange.ts'
import { isAcknowledgmentCall, isPollCall } from '../../core/traffic/polling.ts'
import type { IdentifierBinding } from '../../core/traffic/recording/binding.ts'
import type { Correlation } from '../../core/traffic/recording/correlation.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { MatchStrategy } from '../../core/traffic/recording/replay-report.ts'
import type { RecordedExchange, Cause } from '../../core/traffic/recording/recorded-exchange.ts'
import { createCandidateIndex, isFailedExchange, type MatchCandidate } from './candidate-index.ts'
import {
  type EntityKeysOf,
  type EntityVersion,
  type EntityVersions,
  isSafeMethod,
  handsOverEvents,
  createEntityVersions,
  defaultHandoverEvents,
  type HandoverEventsOf,
} from './entity-versions.ts'
import { explainMatch, type MatchExplanation } from './explain-match.ts'
import { acceptNewIds } from './new-ids.ts'
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
  readonly asked: (recorded: RecordedExchange, live: Exchange) => readonly Difference[]
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

/** A read must have the same version in changes and handovers, a change only in changes. */
const isSameVersion = (slot: MatchCandidate, live: Exchange, version: EntityVersion): boolean =>
  slot.version.changes === version.changes &&
  (!isSafeMethod(live) || slot.version.handovers === version.handovers)

const rejects = (differences: readonly Difference[]): boolean =>
  differences.some(({ side, accepted }) => side === 'request' && !accepted)

function repeatLast(
  lane: readonly MatchCandidate[],
  { live, version }: MatchContext,
): StrategyResult | undefined {
  if (!isSafeMethod(live)) return undefined
  const last = lane.findLast((slot) => slot.used && isSameVersion(slot, live, version))
  return last && { strategy: 'repeat', recorded: last.recorded, differences: [] }
}

class StrategyChain {
  readonly #options: StrategyOptions

  constructor(options: StrategyOptions) {
    this.#options = options
  }

  match(lane: readonly MatchCandidate[], context: MatchContext): StrategyResult {
    return (
      this.#matchSameVersion(lane, context) ??
      repeatLast(lane, context) ??
      this.#matchAhead(lane, context) ??
      this.#matchLate(lane, context) ??
      this.#matchBehind(lane, context) ?? { strategy: 'miss', differences: [] }
    )
  }

  #matchSameVersion(
    lane: readonly MatchCandidate[],
    context: MatchContext,
  ): StrategyResult | undefined {
    const { live, version } = context
    let next: { slot: MatchCandidate; differences: readonly Difference[] } | undefined
    let compared = 0
    for (const slot of this.#successesFirst(lane)) {
      if (slot.used || !isSameVersion(slot, live, version)) continue
      const differences = this.#options.asked(slot.recorded, live)
      if (!rejects(differences)) return this.#use(slot, 'exact', differences, context)
      next ??= { slot, differences }
      if (++compared >= maxCompared) break
    }
    return next && this.#use(next.slot, 'body', next.differences, context)
  }

  /** The next unused call at a later version: the subject has skipped a call, or an event is still in flight. */
  #matchAhead(lane: readonly MatchCandidate[], context: MatchContext): StrategyResult | undefined {
    const { live, version } = context
    const slot = this.#successesFirst(lane).find(
      ({ used, version: recordedVersion }) =>
        !used &&
        (recordedVersion.changes > version.changes ||
          (isSafeMethod(live) && recordedVersion.handovers > version.handovers)),
    )
    return slot && this.#use(slot, 'ahead', this.#options.asked(slot.recorded, live), context)
  }

  /** An unused call at an earlier version: a change that comes late is still that change. */
  #matchLate(lane: readonly MatchCandidate[], context: MatchContext): StrategyResult | undefined {
    const { live } = context
    if (isSafeMethod(live)) return undefined
    const slot = this.#successesFirst(lane).find(({ used }) => !used)
    return slot && this.#use(slot, 'ahead', this.#options.asked(slot.recorded, live), context)
  }

  /**
   * The last read of the same change version; for lists the last of all, since they may or may not include the changes.
   */
  #matchBehind(
    lane: readonly MatchCandidate[],
    { live, version: { changes } }: MatchContext,
  ): StrategyResult | undefined {
    if (!isSafeMethod(live)) return undefined
    const isOfAll = this.#options.entities(live).length === 0
    const slot = lane.findLast(({ version }) => isOfAll || version.changes === changes)
    const because = 'it is the last that the recording knows of it'
    return slot && { strategy: 'repeat', recorded: slot.recorded, differences: [], because }
  }

  #use(
    slot: MatchCandidate,
    strategy: MatchStrategy,
    differences: readonly Difference[],
    { at }: MatchContext,
  ): StrategyResult {
    slot.used = true
    this.#options.onUsed(slot.recorded, at)
    return { strategy, recorded: slot.recorded, differences }
  }

  /** Successful replies first, unless failures are to be reproduced. */
  #successesFirst(lane: readonly MatchCandidate[]): readonly MatchCandidate[] {
    const { faithfulFailures } = this.#options
    if (faithfulFailures || !lane.some(({ recorded }) => isFailedExchange(recorded))) return lane
    return [
      ...lane.filter(({ recorded }) => !isFailedExchange(recorded)),
      ...lane.filter(({ recorded }) => isFailedExchange(recorded)),
    ]
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

/** Strategies whose result needs an explanation. */
const explainedStrategies: ReadonlySet<MatchStrategy> = new Set(['body', 'ahead', 'miss'])

const unmatched = (renamed: Exchange): Pick<MatchResult, 'renamed' | 'completed'> => ({
  renamed,
  completed: [],
})

const withStrategy = (answer: StrategyResult, strategy: MatchStrategy): StrategyResult =>
  answer.strategy === 'miss' ? answer : { ...answer, strategy }

function createPolls(
  { exchanges, ours, causes, entities, t0, speed = 1, happens = () => true }: MatcherOptions,
  newsIn: HandoverEventsOf,
): PollReplies {
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

function createAcknowledgments({ exchanges, ours }: MatcherOptions): AcknowledgmentMatcher {
  const handedOver = new Set(
    exchanges.flatMap((each) => (handsOverEvents(each) ? (each.eventIds ?? []) : [])),
  )
  return createAcknowledgmentMatcher(
    exchanges.filter((each) => isAcknowledgmentCall(each) && ours(each.to)),
    (id) => handedOver.has(id),
  )
}

export class ExchangeMatcher {
  readonly #options: MatcherOptions
  readonly #candidates: ReturnType<typeof createCandidateIndex>
  #unusedCount: number
  readonly #polls: PollReplies
  readonly #acknowledgments: AcknowledgmentMatcher
  readonly #doneAt = new Map<string, number>()
  readonly #counts: Partial<Record<MatchStrategy, number>> = {}
  readonly #now: EntityVersions
  readonly #strategies: StrategyChain

  constructor(options: MatcherOptions) {
    const { exchanges, ours, entities, faithfulFailures = false } = options
    const newsIn = options.newsIn ?? defaultHandoverEvents(entities)
    this.#options = options
    this.#candidates = createCandidateIndex({
      exchanges,
      ours,
      entities,
      epochs: createEntityVersions(entities, newsIn),
    })
    this.#unusedCount = this.#candidates.count
    this.#polls = createPolls(options, newsIn)
    this.#acknowledgments = createAcknowledgments(options)
    this.#now = createEntityVersions(entities, newsIn)
    this.#strategies = new StrategyChain({
      entities,
      asked: (recorded, live) => this.#askedAtFirst(recorded, live),
      faithfulFailures,
      onUsed: ({ recordId }, at) => {
        this.#unusedCount--
        this.#doneAt.set(recordId, at)
      },
    })
  }

  /**
   * `now`: milliseconds on the replay's clock since it began; `shift`: of live times against recorded ones.
   */
  find(live: Exchange, at: number, shift: TimeShift): MatchResult {
    const answer = this.#findMatch(live, at, shift)
    this.#counts[answer.strategy] = (this.#counts[answer.strategy] ?? 0) + 1
    return answer
  }

  /** An exchange that we sent has happened: its dependants may be released. */
  sent(recorded: RecordedExchange, at: number): void {
    this.#doneAt.set(recorded.recordId, at)
    this.#now.record(recorded)
  }

  /** Unused calls and batches of the recording, by `recordId`. */
  unused(): readonly string[] {
    return [
      ...this.#candidates.unused(),
      ...this.#polls.unused(),
      ...this.#acknowledgments.unused(),
    ]
  }

  /** Number of these. */
  unusedCount(): number {
    return this.#unusedCount + this.#polls.unusedCount() + this.#acknowledgments.unusedCount()
  }

  counts(): Readonly<Partial<Record<MatchStrategy, number>>> {
    return this.#counts
  }

  /** Differences of the request; `live` with recorded identifiers. */
  asked(recorded: Exchange, live: Exchange): readonly Difference[] {
    return this.#options.compare(recorded, live).filter(({ side }) => side === 'request')
  }

  #askedAtFirst(recorded: RecordedExchange, live: Exchange): readonly Difference[] {
    return acceptNewIds(this.asked(recorded, live), recorded.recordId, this.#options)
  }

  #matchCall(live: Exchange, at: number): StrategyResult {
    const version = this.#now.before(live)
    return this.#strategies.match(this.#candidates.laneOf(live), { live, version, at })
  }

  /** Binds an unknown live identifier to that of an unused recorded call of the same operation. */
  #bindFromUnused(live: Exchange): boolean {
    for (const lane of this.#candidates.lanesOf(live)) {
      const slot = lane.find(({ used }) => !used)
      if (slot && this.#bindTo(slot.recorded, live)) return true
    }
    return false
  }

  #bindTo(recorded: RecordedExchange, live: Exchange): boolean {
    const { binding, correlation } = this.#options
    const inPath = correlation
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

  #withExplanation(
    answer: StrategyResult,
    live: Exchange,
  ): StrategyResult & Pick<MatchResult, 'explanation'> {
    if (!explainedStrategies.has(answer.strategy)) return answer
    const { recorded: chosen } = answer
    const slots = this.#candidates.nearby(live, chosen)
    const differences = (recorded: RecordedExchange) => this.#askedAtFirst(recorded, live)
    return { ...answer, explanation: explainMatch({ live, slots, chosen, differences }) }
  }

  #answerPoll(live: Exchange, at: number): MatchResult {
    const pollReply = this.#polls.next(at, (recordId) => this.#doneAt.get(recordId))
    const common = { differences: [], renamed: live, completed: [] }
    const { idle } = this.#polls
    if (!pollReply)
      return { ...common, strategy: 'repeat', idle: true, ...compact({ recorded: idle }) }
    const { recorded, whole } = pollReply
    this.#now.record(recorded)
    if (whole) this.#doneAt.set(recorded.recordId, at)
    return { ...common, strategy: 'exact', recorded, completed: whole ? [recorded] : [] }
  }

  #answerAcknowledgment(renamed: Exchange, at: number): MatchResult {
    const found = this.#acknowledgments.next(renamed)
    if (!found)
      return {
        ...this.#withExplanation({ strategy: 'miss', differences: [] }, renamed),
        ...unmatched(renamed),
      }
    const { strategy, recorded, completed, unknown } = found
    for (const each of completed) this.#doneAt.set(each.recordId, at)
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

  #findMatch(live: Exchange, at: number, shift: TimeShift): MatchResult {
    const { binding } = this.#options
    if (isPollCall(live)) return this.#answerPoll(live, at)
    let renamed = binding.renamed(live, shift)
    if (isAcknowledgmentCall(live)) return this.#answerAcknowledgment(renamed, at)
    const first = this.#matchCall(renamed, at)
    let second = first
    if (first.strategy === 'miss' && this.#bindFromUnused(live)) {
      // The binding has changed.
      renamed = binding.renamed(live, shift)
      second = withStrategy(this.#matchCall(renamed, at), 'bound')
    }
    const { recorded, strategy } = second
    const isFresh = recorded !== undefined && strategy !== 'repeat'
    if (isFresh) this.#now.record(recorded)
    return {
      ...this.#withExplanation(second, renamed),
      renamed,
      completed: isFresh ? [recorded] : [],
    }
  }
}
