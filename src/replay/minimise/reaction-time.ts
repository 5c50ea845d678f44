/** How long the subject takes in a recording: to make a call after what it comes of, and from poll to poll. */
import { isPollCall } from '../../core/traffic/polling.ts'
import { compact } from '../../core/base/compact.ts'
import { crashOptionsOf, isCrash } from '../from-recording/history.ts'
import { inferCauses } from '../identity/causality/causes.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { isDependency } from './part-search.ts'
import { endOf } from '../../core/traffic/exchange.ts'

/** Bounds in milliseconds of the time for which a trial waits for a call of the subject. */
const minTimeoutMs = 1000
const maxTimeoutMs = 30_000

type TimedContent = Pick<RecordingContent, 'header' | 'exchanges' | 'end'>

/** When the requests began that the subject has not answered yet while it makes a call. */
const unansweredAt = (
  { startedAt }: RecordedExchange,
  exchanges: readonly RecordedExchange[],
): readonly number[] =>
  exchanges
    .filter(
      (each) =>
        each.to.party === 'subject' && each.startedAt <= startedAt && endOf(each) >= startedAt,
    )
    .map((each) => each.startedAt)

/**
 * The longest time in milliseconds between the end of a cause and the call of the subject; 0 without such calls. A call
 * that is made again while a request waits for its answer comes of that request, which may be repeated itself.
 */
function longestReactionMs(
  exchanges: readonly RecordedExchange[],
  causes: (recordId: string) => readonly Cause[],
): number {
  const ends = new Map(exchanges.map((each) => [each.recordId, endOf(each)]))
  let longest = 0
  const made = new Set<string>()
  for (const exchange of exchanges) {
    const { recordId, from, startedAt, operation, orderId } = exchange
    // A poll brings what the partner does, at its own time.
    if (from.party !== 'subject' || isPollCall(exchange)) continue
    const known = causes(recordId)
      .map(({ id }) => ends.get(id))
      .filter((end) => end !== undefined)
    const call = `${operation} ${orderId}`
    const since = made.has(call) ? [...known, ...unansweredAt(exchange, exchanges)] : known
    made.add(call)
    if (known.length > 0) longest = Math.max(longest, startedAt - Math.max(...since))
  }
  return longest
}

/** The longest time in milliseconds from the end of its process until the one in its place called or answered. */
function longestAbsenceMs({ header, exchanges, end }: TimedContent): number {
  const { down } = crashOptionsOf({ header, ...compact({ end }) })
  const absences = exchanges.filter(isCrash).map((crash) => {
    // What was on its way then may have come a moment later.
    const startedMs = endOf(crash) + down
    const back = exchanges.find(
      ({ startedAt, from, to, reply }) =>
        startedAt >= startedMs && reply && [from.party, to.party].includes('subject'),
    )
    return (back?.startedAt ?? startedMs) - endOf(crash)
  })
  return Math.max(0, ...absences)
}

/** The median time in milliseconds from poll to poll of the subject; 0 when it does not poll. */
function pollIntervalMs(exchanges: readonly RecordedExchange[]): number {
  const starts = exchanges
    .filter((each) => each.from.party === 'subject' && isPollCall(each))
    .map(({ startedAt }) => startedAt)
  const gaps = starts.slice(1).map((startedAt, index) => startedAt - (starts[index] ?? 0))
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
}

/**
 * How long a trial waits for a call of the subject, in milliseconds: twice what it took in the recording. A recording that
 * was cut down says what the whole showed.
 */
export function trialTimeoutMs(content: TimedContent): number {
  const { header, exchanges } = content
  const { settle } = header._rec
  if (settle !== undefined) return settle
  const causes = inferCauses(exchanges)
  const reactionMs = longestReactionMs(exchanges, (recordId) =>
    (causes.get(recordId) ?? []).filter(isDependency),
  )
  const slowestMs = Math.max(reactionMs, longestAbsenceMs(content))
  const waitMs = 2 * (slowestMs + pollIntervalMs(exchanges))
  return Math.min(Math.max(minTimeoutMs, waitMs), maxTimeoutMs)
}
