/**
 * Finds the recorded exchange that answers a live call: by operation, entity, entity version, unused first; never by
 * URL alone. Each result names its match strategy and the reason.
 */
import { compact } from '../../compact.ts'
import type { Binding } from '../correlation/binding.ts'
import type { Correlation } from '../correlation/correlation.ts'
import { type Answer, createClimb } from './match-strategies.ts'
import { createAcknowledgments, type Acknowledgments } from './acknowledgments.ts'
import type { Difference } from '../difference/difference.ts'
import type { Exchange, Party } from '../exchange.ts'
import { isAcknowledgment } from '../polling.ts'
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import {
  bringsNews,
  createEpochs,
  type Entities,
  isPoll,
  newsOf,
  type NewsIn,
} from './entity-versions.ts'
import { explain, type Explanation } from './explain.ts'
import { createPolls, type Polls } from './polls.ts'
import type { Rung } from './match-strategy.ts'
import { createSlots } from './candidates.ts'

export interface LadderOptions {
  /** All exchanges of the recording, in the order in which requests began. */
  readonly exchanges: readonly RecordedExchange[]
  /** Whether we play this party: only calls to it can be answered. */
  readonly ours: (party: Party) => boolean
  readonly binding: Pick<Binding, 'renamed' | 'oldName' | 'newName' | 'bind'>
  readonly correlation: Pick<Correlation, 'in'>
  readonly causes: (recordId: string) => readonly Cause[]
  readonly entities: Entities
  /** The events that an exchange hands over, with their entities; derived from `eventIds` when absent. */
  readonly newsIn?: NewsIn
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

export interface Found {
  readonly rung: Rung
  /** The recorded exchange that answers; none on a miss, or for an idle poll when no idle poll was recorded. */
  readonly recorded?: RecordedExchange
  /** A poll without events. */
  readonly idle?: true
  readonly differences: readonly Difference[]
  readonly explanation?: Explanation
  /** One sentence, where differences and explanation do not say it. */
  readonly because?: string
  /** The live call with recorded identifiers. */
  readonly renamed: Exchange
  /** Recorded calls that are completed by this one. */
  readonly completed: readonly RecordedExchange[]
}

export interface Ladder {
  /**
   * `now`: milliseconds on the replay's clock since it began; `shiftMs`: offset of live times against recorded ones.
   */
  readonly find: (live: Exchange, now: number, shiftMs: number) => Found
  /** An exchange that we sent has happened: its dependants may be released. */
  readonly sent: (recorded: RecordedExchange, now: number) => void
  /** Unused calls and batches of the recording, by `recordId`. */
  readonly unused: () => readonly string[]
  /** Number of these. */
  readonly left: () => number
  readonly counts: () => Readonly<Partial<Record<Rung, number>>>
}

/** Strategies whose result needs an explanation. */
const explainedStrategies: ReadonlySet<Rung> = new Set(['body', 'ahead', 'miss'])

export function createLadder(options: LadderOptions): Ladder {
  const { exchanges, ours, binding, compare, entities, causes } = options
  const { speed = 1, t0, faithfulFailures = false, happens = () => true } = options
  const newsIn = options.newsIn ?? newsOf(entities)
  const candidates = createSlots({ exchanges, ours, epochs: createEpochs(entities, newsIn) })
  let unusedCount = candidates.count
  const polls = pollsOf()
  const acknowledgments = acknowledgmentsOf()
  const doneAt = new Map<string, number>()
  const counts: Partial<Record<Rung, number>> = {}
  const now = createEpochs(entities, newsIn)
  const asked = (recorded: Exchange, live: Exchange): readonly Difference[] =>
    compare(recorded, live).filter(({ side }) => side === 'request')
  const runStrategies = createClimb({
    entities,
    asked,
    faithfulFailures,
    onUsed({ recordId }, at) {
      unusedCount--
      doneAt.set(recordId, at)
    },
  })
  const matchCall = (live: Exchange, at: number): Answer =>
    runStrategies(candidates.laneOf(live), { live, epoch: now.before(live), at })

  function pollsOf(): Polls {
    const known = new Map(exchanges.map((each) => [each.recordId, each]))
    return createPolls({
      polls: exchanges.filter(({ operation, to }) => isPoll(operation) && ours(to)),
      causes,
      exchange: (id) => known.get(id),
      entities,
      newsIn,
      happens: (each) => known.has(each.recordId) && happens(each),
      speed,
      t0,
    })
  }

  function acknowledgmentsOf(): Acknowledgments {
    const handedOver = new Set(
      exchanges.flatMap((each) => (bringsNews(each) ? (each.eventIds ?? []) : [])),
    )
    return createAcknowledgments(
      exchanges.filter((each) => isAcknowledgment(each) && ours(each.to)),
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

  const withExplanation = (answer: Answer, live: Exchange): Answer & Pick<Found, 'explanation'> => {
    if (!explainedStrategies.has(answer.rung)) return answer
    const nearbyCandidates = candidates.nearby(live, answer.recorded)
    const differences = (recorded: Exchange) => asked(recorded, live)
    return {
      ...answer,
      explanation: explain({ live, slots: nearbyCandidates, chosen: answer.recorded, differences }),
    }
  }

  function answerPoll(live: Exchange, at: number): Found {
    const pollReply = polls.next(at, (recordId) => doneAt.get(recordId))
    const common = { differences: [], renamed: live, completed: [] }
    if (!pollReply)
      return {
        ...common,
        rung: 'repeat',
        idle: true,
        ...compact({ recorded: polls.idle }),
      }
    const { recorded, whole } = pollReply
    now.passed(recorded)
    if (whole) doneAt.set(recorded.recordId, at)
    return { ...common, rung: 'exact', recorded, completed: whole ? [recorded] : [] }
  }

  function answerAcknowledgment(renamed: Exchange, at: number): Found {
    const found = acknowledgments.next(renamed)
    if (!found)
      return {
        ...withExplanation({ rung: 'miss', differences: [] }, renamed),
        ...unmatched(renamed),
      }
    const { rung, recorded, completed, unknown } = found
    for (const each of completed) doneAt.set(each.recordId, at)
    const because = `in the recording nobody acknowledges ${unknown.slice(0, 3).join(', ')}`
    return {
      rung,
      recorded,
      differences: [],
      renamed,
      completed,
      ...(unknown.length > 0 ? { because } : {}),
    }
  }

  const unmatched = (renamed: Exchange): Pick<Found, 'renamed' | 'completed'> => ({
    renamed,
    completed: [],
  })

  function findMatch(live: Exchange, at: number, shiftMs: number): Found {
    if (isPoll(live.operation)) return answerPoll(live, at)
    let renamed = binding.renamed(live, shiftMs)
    if (isAcknowledgment(live)) return answerAcknowledgment(renamed, at)
    const first = matchCall(renamed, at)
    let second = first
    if (first.rung === 'miss' && bindFromUnused(live)) {
      // The binding has changed.
      renamed = binding.renamed(live, shiftMs)
      second = withStrategy(matchCall(renamed, at), 'bound')
    }
    const { recorded, rung } = second
    const isFresh = recorded !== undefined && rung !== 'repeat'
    if (isFresh) now.passed(recorded)
    return { ...withExplanation(second, renamed), renamed, completed: isFresh ? [recorded] : [] }
  }

  const withStrategy = (answer: Answer, rung: Rung): Answer =>
    answer.rung === 'miss' ? answer : { ...answer, rung }

  return {
    find(live, at, shiftMs) {
      const answer = findMatch(live, at, shiftMs)
      counts[answer.rung] = (counts[answer.rung] ?? 0) + 1
      return answer
    },
    sent(recorded, at) {
      doneAt.set(recorded.recordId, at)
      now.passed(recorded)
    },
    unused: () => [...candidates.unused(), ...polls.unused(), ...acknowledgments.unused()],
    left: () => unusedCount + polls.left() + acknowledgments.left(),
    counts: () => counts,
  }
}
