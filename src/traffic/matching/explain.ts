/** Why a live call was answered as it was, or not at all: what came nearest, what was in the way, which rule would help. */
import type { Difference } from '../difference/difference.ts'
import type { Exchange } from '../exchange.ts'
import { jsonPathOf, keysIn } from '../json/json-pointer.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { calledOf, laneOf, type Slot } from './candidate.ts'

export interface Candidate {
  readonly recorded: RecordedExchange
  readonly differences: readonly Difference[]
  /** One sentence: what was in the way. */
  readonly because: string
}

export interface Explanation {
  /** The nearest first; three at most. */
  readonly candidates: readonly Candidate[]
  /** One sentence: what would make it match. */
  readonly help: string
}

const mostCandidates = 3

export interface ExplainOptions {
  /** In the names of the recording. */
  readonly live: Exchange
  /** Recorded calls of the same operation. */
  readonly slots: readonly Slot[]
  /** What answers nevertheless. */
  readonly chosen?: RecordedExchange | undefined
  readonly differences: (recorded: Exchange) => readonly Difference[]
}

const rejected = (differences: readonly Difference[]): readonly Difference[] =>
  differences.filter(({ accepted }) => !accepted)

function becauseOf({ recorded, used }: Slot, live: Exchange, found: readonly Difference[]): string {
  if (laneOf(recorded) !== laneOf(live))
    return `it is about ${lettered(recorded)}, and this one about ${lettered(live)}`
  if (used) return 'it has answered already, and something was changed since'
  return inTheWay(found)
}

function inTheWay(found: readonly Difference[]): string {
  const [first] = rejected(found)
  return first
    ? `${first.where} was ${short(first.recorded)} and is ${short(first.live)}`
    : 'it comes later, after changes that were not made yet'
}

const lettered = (exchange: Exchange): string =>
  Object.entries(exchange.params ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || pathWords(exchange)

const pathWords = ({ request }: Exchange): string => `${request.method} ${request.url}`

const short = (value: unknown): string => {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? 'absent')
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}

function helpOf(live: Exchange, best: Candidate | undefined): string {
  if (!best)
    return `the recording has no ${calledOf(live)}; let the state machine answer with --synth, or record it`
  const [first] = rejected(best.differences)
  if (laneOf(best.recorded) !== laneOf(live))
    return `map the one to the other, if they are the same: ${lettered(best.recorded)} = ${lettered(live)}`
  if (first)
    return `ignore it, if it means nothing: { "at": ${JSON.stringify(jsonPathOf(keysIn(first.where), 'each'))}, "compare": { "as": "ignore" } }`
  return 'make the calls that came before it in the recording first'
}

export function explain({ live, slots, chosen, differences }: ExplainOptions): Explanation {
  const near = (slot: Slot): number =>
    slot.recorded === chosen
      ? -1
      : (laneOf(slot.recorded) === laneOf(live) ? 0 : 2) + (slot.used ? 1 : 0)
  const nearest = [...slots].sort((a, b) => near(a) - near(b)).slice(0, 20)
  const candidates = nearest
    .map((slot) => ({ slot, found: differences(slot.recorded) }))
    .sort(
      (a, b) => near(a.slot) - near(b.slot) || rejected(a.found).length - rejected(b.found).length,
    )
    .slice(0, mostCandidates)
    .map(({ slot, found }) => ({
      recorded: slot.recorded,
      differences: found,
      because: slot.recorded === chosen ? inTheWay(found) : becauseOf(slot, live, found),
    }))
  return { candidates, help: helpOf(live, candidates[0]) }
}
