/**
 * Finds the recorded exchange that answers a live call of the subject: by operation, by what it is about in the names of
 * the recording, by how much was changed before, and by what of all that has not been used yet; never by its address
 * alone. Every decision says which rung it stands on and why.
 */
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
  /** All of the recording, in the order in which requests began. */
  readonly exchanges: readonly RecordedExchange[]
  /** Whether we play this party: what it was asked is what can be answered. */
  readonly ours: (party: Party) => boolean
  readonly binding: Pick<Binding, 'renamed' | 'oldName' | 'newName' | 'bind'>
  readonly correlation: Pick<Correlation, 'in'>
  readonly causes: (recordId: string) => readonly Cause[]
  readonly entities: Entities
  /** The events that an exchange hands over, each with what it is about; by `eventIds` when absent. */
  readonly newsIn?: NewsIn
  /** What differs, `live` in the names of the recording. */
  readonly compare: (recorded: Exchange, live: Exchange) => readonly Difference[]
  /** Whether it can happen again at all: what is sent by nobody now cannot. All can, when absent. */
  readonly happens?: (recorded: RecordedExchange) => boolean
  /** How fast the recording's time runs; with `asap` nothing waits for time, only for causes. */
  readonly speed?: number | 'asap'
  /** The recording's times count from here, in milliseconds since 1970. */
  readonly t0: number
  /** Failed attempts answer as they did, in place of the good answer that came after. */
  readonly faithfulFailures?: boolean
}

export interface Found {
  readonly rung: Rung
  /** What answers; none on a miss, or where a poll has nothing to bring and no recorded one had. */
  readonly recorded?: RecordedExchange
  /** A poll that brings nothing. */
  readonly idle?: true
  readonly differences: readonly Difference[]
  readonly explanation?: Explanation
  /** One sentence, where neither differences nor explanation say it. */
  readonly because?: string
  /** The live call in the names of the recording. */
  readonly renamed: Exchange
  /** Recorded calls that have happened with this one. */
  readonly completed: readonly RecordedExchange[]
}

export interface Ladder {
  /** `now` in milliseconds of the replay's clock since it began, `shiftMs` what its times are moved by. */
  readonly find: (live: Exchange, now: number, shiftMs: number) => Found
  /** An exchange that we sent ourselves has happened: what waited for it may go on. */
  readonly sent: (recorded: RecordedExchange, now: number) => void
  /** Calls and batches of the recording that nobody asked for. */
  readonly unused: () => readonly string[]
  /** How many those are. */
  readonly left: () => number
  readonly counts: () => Readonly<Partial<Record<Rung, number>>>
}

/** Whoever is answered from here should know why. */
const doubtful: ReadonlySet<Rung> = new Set(['body', 'ahead', 'miss'])

export function createLadder(options: LadderOptions): Ladder {
  const { exchanges, ours, binding, compare, entities, causes } = options
  const { speed = 1, t0, faithfulFailures = false, happens = () => true } = options
  const newsIn = options.newsIn ?? newsOf(entities)
  const slots = createSlots({ exchanges, ours, epochs: createEpochs(entities, newsIn) })
  let left = slots.count
  const polls = pollsOf()
  const acknowledgments = acknowledgmentsOf()
  const doneAt = new Map<string, number>()
  const counts: Partial<Record<Rung, number>> = {}
  const now = createEpochs(entities, newsIn)
  const asked = (recorded: Exchange, live: Exchange): readonly Difference[] =>
    compare(recorded, live).filter(({ side }) => side === 'request')
  const climbLane = createClimb({
    entities,
    asked,
    faithfulFailures,
    onUsed({ recordId }, at) {
      left--
      doneAt.set(recordId, at)
    },
  })
  const climb = (live: Exchange, at: number): Answer =>
    climbLane(slots.laneOf(live), { live, epoch: now.before(live), at })

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
    const handed = new Set(
      exchanges.flatMap((each) => (bringsNews(each) ? (each.eventIds ?? []) : [])),
    )
    return createAcknowledgments(
      exchanges.filter((each) => isAcknowledgment(each) && ours(each.to)),
      (id) => handed.has(id),
    )
  }

  /** The live call names something new where the recording has something that nobody has named yet: that is it. */
  function bound(live: Exchange): boolean {
    for (const lane of slots.lanesOf(live)) {
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

  const explained = (answer: Answer, live: Exchange): Answer & Pick<Found, 'explanation'> => {
    if (!doubtful.has(answer.rung)) return answer
    const those = slots.nearby(live, answer.recorded)
    const differences = (recorded: Exchange) => asked(recorded, live)
    return {
      ...answer,
      explanation: explain({ live, slots: those, chosen: answer.recorded, differences }),
    }
  }

  function poll(live: Exchange, at: number): Found {
    const brought = polls.next(at, (recordId) => doneAt.get(recordId))
    const told = { differences: [], renamed: live, completed: [] }
    if (!brought)
      return {
        ...told,
        rung: 'repeat',
        idle: true,
        ...(polls.idle ? { recorded: polls.idle } : {}),
      }
    const { recorded, whole } = brought
    now.passed(recorded)
    if (whole) doneAt.set(recorded.recordId, at)
    return { ...told, rung: 'exact', recorded, completed: whole ? [recorded] : [] }
  }

  function acknowledged(renamed: Exchange, at: number): Found {
    const found = acknowledgments.next(renamed)
    if (!found)
      return { ...explained({ rung: 'miss', differences: [] }, renamed), ...alone(renamed) }
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

  const alone = (renamed: Exchange): Pick<Found, 'renamed' | 'completed'> => ({
    renamed,
    completed: [],
  })

  function look(live: Exchange, at: number, shiftMs: number): Found {
    if (isPoll(live.operation)) return poll(live, at)
    let renamed = binding.renamed(live, shiftMs)
    if (isAcknowledgment(live)) return acknowledged(renamed, at)
    const first = climb(renamed, at)
    let second = first
    if (first.rung === 'miss' && bound(live)) {
      // Something has a name now that it had not before.
      renamed = binding.renamed(live, shiftMs)
      second = withRung(climb(renamed, at), 'bound')
    }
    const { recorded, rung } = second
    const isFresh = recorded !== undefined && rung !== 'repeat'
    if (isFresh) now.passed(recorded)
    return { ...explained(second, renamed), renamed, completed: isFresh ? [recorded] : [] }
  }

  const withRung = (answer: Answer, rung: Rung): Answer =>
    answer.rung === 'miss' ? answer : { ...answer, rung }

  return {
    find(live, at, shiftMs) {
      const answer = look(live, at, shiftMs)
      counts[answer.rung] = (counts[answer.rung] ?? 0) + 1
      return answer
    },
    sent(recorded, at) {
      doneAt.set(recorded.recordId, at)
      now.passed(recorded)
    },
    unused: () => [...slots.unused(), ...polls.unused(), ...acknowledgments.unused()],
    left: () => left + polls.left() + acknowledgments.left(),
    counts: () => counts,
  }
}
