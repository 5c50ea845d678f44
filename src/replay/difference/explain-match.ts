/**
 * Explains a doubtful match or a miss: the nearest candidates, why they did not match, and which rule would accept
 * them.
 */
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { jsonPathOf, pointerKeys } from '../../core/traffic/json/json-pointer.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { calledOperation, callLane, type MatchCandidate } from './candidate-index.ts'

export interface ExplainedCandidate {
  readonly recorded: RecordedExchange
  readonly differences: readonly Difference[]
  /** One sentence: why it did not match. */
  readonly because: string
}

export interface MatchExplanation {
  /** Nearest first; three at most. */
  readonly candidates: readonly ExplainedCandidate[]
  /** One sentence: what would make it match. */
  readonly help: string
}

const maxCandidates = 3

export interface ExplainMatchOptions {
  /** With recorded identifiers. */
  readonly live: Exchange
  /** Recorded calls of the same operation. */
  readonly slots: readonly MatchCandidate[]
  /** The candidate that was chosen nevertheless. */
  readonly chosen?: RecordedExchange | undefined
  readonly differences: (recorded: RecordedExchange) => readonly Difference[]
}

const rejected = (differences: readonly Difference[]): readonly Difference[] =>
  differences.filter(({ accepted }) => !accepted)

function rejectionReason(
  { recorded, used }: MatchCandidate,
  live: Exchange,
  found: readonly Difference[],
): string {
  if (callLane(recorded) !== callLane(live))
    return `it is about ${parametersText(recorded)}, and this one about ${parametersText(live)}`
  if (used) return 'it has answered already, and something was changed since'
  return differenceReason(found)
}

function differenceReason(found: readonly Difference[]): string {
  const [first] = rejected(found)
  return first
    ? `${first.where} was ${shortText(first.recorded)} and is ${shortText(first.live)}`
    : 'it comes later, after changes that were not made yet'
}

const parametersText = (exchange: Exchange): string =>
  Object.entries(exchange.params ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || requestText(exchange)

const requestText = ({ request }: Exchange): string => `${request.method} ${request.url}`

const shortText = (value: unknown): string => {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? 'absent')
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}

function helpOf(live: Exchange, best: ExplainedCandidate | undefined): string {
  if (!best)
    return `the recording has no ${calledOperation(live)}; let the state machine answer with --synth, or record it`
  const [first] = rejected(best.differences)
  if (callLane(best.recorded) !== callLane(live))
    return `map the one to the other, if they are the same: ${parametersText(best.recorded)} = ${parametersText(live)}`
  if (first)
    return `ignore it, if it means nothing: { "at": ${JSON.stringify(jsonPathOf(pointerKeys(first.where), 'each'))}, "compare": { "as": "ignore" } }`
  return 'make the calls that came before it in the recording first'
}

export function explainMatch({
  live,
  slots,
  chosen,
  differences,
}: ExplainMatchOptions): MatchExplanation {
  const distance = (slot: MatchCandidate): number =>
    slot.recorded === chosen
      ? -1
      : (callLane(slot.recorded) === callLane(live) ? 0 : 2) + (slot.used ? 1 : 0)
  const nearest = [...slots].sort((a, b) => distance(a) - distance(b)).slice(0, 20)
  const candidates = nearest
    .map((slot) => ({ slot, found: differences(slot.recorded) }))
    .sort(
      (a, b) =>
        distance(a.slot) - distance(b.slot) || rejected(a.found).length - rejected(b.found).length,
    )
    .slice(0, maxCandidates)
    .map(({ slot, found }) => ({
      recorded: slot.recorded,
      differences: found,
      because:
        slot.recorded === chosen ? differenceReason(found) : rejectionReason(slot, live, found),
    }))
  return { candidates, help: helpOf(live, candidates[0]) }
}
