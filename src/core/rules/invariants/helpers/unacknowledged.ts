/**
 * Polled events that are not acknowledged yet. An event named in an acknowledgment is cleared until a poll returns it
 * again: if the reply was lost the outcome is unknown, and if the acknowledgment failed the next poll shows it. One that
 * the host refuses for good acknowledges nothing, if a poll returns the event again: another application of the store may
 * have been first.
 */
import { setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { InvariantReporter } from '../invariant.ts'
import { isFinallyRefused } from './call-outcome.ts'
import type { ObservedExchange, ObservedHandover } from '../judge/observations.ts'
import type { TrackerState, UnacknowledgedEvent } from '../tracking/tracker-state.ts'
import { orderName, replyName } from '../tracking/wording.ts'
import { timesText } from '../../../protocol/count-text.ts'

export interface UnacknowledgedEvents {
  /** Property of the tracked event that holds the entry. */
  readonly place: 'owed' | 'pressing'
  /** Incremented to restart all counts. */
  generation: number
  /** For events that were never emitted: entries, and the end of the last acknowledgment that named each. */
  readonly unknownEvents: Map<string, UnacknowledgedEvent>
  readonly unknownNamedAt: Map<string, Instant>
  /** The last acknowledgment that the host refused for good. */
  refused: ObservedExchange | undefined
}

const maxEntries = 10_000

export const createUnacknowledgedEvents = (
  place: UnacknowledgedEvents['place'],
): UnacknowledgedEvents => ({
  place,
  generation: 0,
  unknownEvents: new Map(),
  unknownNamedAt: new Map(),
  refused: undefined,
})

/** What the host made of the acknowledgments: `, and 400 was the answer to its last acknowledgment`. */
export const refusalText = ({ refused }: UnacknowledgedEvents): string =>
  refused ? `; its last acknowledgment got ${replyName(refused)}` : ''

/** Records that a poll returned an event; returns its entry, if it needs an acknowledgment. */
export function recordPolledEvent(
  state: UnacknowledgedEvents,
  observed: ObservedHandover,
): UnacknowledgedEvent | undefined {
  const { event, eventId, eventType, orderId, exchange, at } = observed
  const { place: field, generation, unknownEvents, unknownNamedAt } = state
  // A poll that overlapped with the acknowledgment may still return it.
  const named = event ? event.lastNamedAt : unknownNamedAt.get(eventId)
  if (named !== undefined && exchange.began < named) return undefined
  const before = event ? event[field] : unknownEvents.get(eventId)
  if (before?.generation !== generation) {
    const again = named !== undefined
    const entry: UnacknowledgedEvent = {
      eventId,
      eventType,
      orderId,
      since: at,
      first: exchange.evidence,
      lastPoll: exchange.evidence,
      pollBefore: exchange.evidence,
      polls: 1,
      isReturned: again,
      generation,
    }
    if (event) event[field] = entry
    else setBounded(unknownEvents, eventId, entry, maxEntries)
    return entry
  }
  if (before.lastPoll !== exchange.evidence) {
    before.pollBefore = before.lastPoll
    before.lastPoll = exchange.evidence
    before.polls++
    if (exchange.began >= (before.refusedAt ?? Infinity)) before.isStillHandedOver = true
  }
  return before
}

export function clearAcknowledged(state: UnacknowledgedEvents, observed: ObservedExchange): void {
  state.refused = isFinallyRefused(observed) ? observed : undefined
  const { place: field, unknownEvents, unknownNamedAt } = state
  for (const { eventId, event } of observed.namedEvents() ?? []) {
    const entry = event ? event[field] : unknownEvents.get(eventId)
    if (state.refused && entry) entry.refusedAt ??= observed.ended
    else if (event) event[field] = undefined
    else {
      unknownEvents.delete(eventId)
      setBounded(unknownNamedAt, eventId, observed.ended, maxEntries)
    }
  }
}

/** All entries. */
const allUnacknowledged = (
  { unknownEvents }: UnacknowledgedEvents,
  { events }: TrackerState,
): readonly UnacknowledgedEvent[] => [
  ...events.values().flatMap(({ owed }) => owed ?? []),
  ...unknownEvents.values(),
]

/** Which event types a rule covers, and how it names an event. */
interface Coverage {
  readonly isMeant: (eventType: string) => boolean
  /** `CONFIRMED of o1`; ends with a comma after an insertion. */
  readonly wordsOf: (eventType: string, of: string) => string
}

/** A rule: every event of these types that a poll returns is eventually acknowledged. */
export const eventuallyAcknowledged = ({ isMeant, wordsOf }: Coverage) => ({
  calls: ['acknowledgeEvents'] as const,
  start: () => createUnacknowledgedEvents('owed'),
  handover(
    state: UnacknowledgedEvents,
    handover: ObservedHandover,
    _tracker: TrackerState,
    report: InvariantReporter,
  ) {
    if (handover.channel === 'webhook' || !isMeant(handover.eventType)) return
    report.premise()
    recordPolledEvent(state, handover)
  },
  call: clearAcknowledged,
  end(state: UnacknowledgedEvents, tracker: TrackerState, report: InvariantReporter) {
    for (const owed of allUnacknowledged(state, tracker)) {
      const {
        eventId,
        eventType,
        orderId,
        since,
        first: firstPoll,
        lastPoll,
        polls,
        isReturned,
        refusedAt,
        isStillHandedOver,
      } = owed
      if (!isMeant(eventType) || (refusedAt !== undefined && !isStillHandedOver)) continue
      const of = orderId === undefined ? '' : ` of ${orderName(tracker, orderId)}`
      const missing = isReturned
        ? ' after it was acknowledged, and the service did not acknowledge it again'
        : refusedAt === undefined
          ? ', and the service never acknowledged it'
          : ', and no acknowledgment of it was accepted'
      report.due(tracker.deadline(since), () => ({
        because: `Polls returned ${wordsOf(eventType, of)} ${timesText(polls)}${missing}${refusalText(state)} (event ${eventId}).`,
        evidence: [firstPoll, lastPoll],
        orderId,
        deduplicationKey: eventId,
      }))
    }
  },
})
