/**
 * Polled events that are not acknowledged yet. An event named in an acknowledgment is cleared until a poll returns it
 * again: if the reply was lost the outcome is unknown, and if the acknowledgment failed the next poll shows it.
 */
import { setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Tell } from '../invariant.ts'
import type { SeenExchange, SeenHandover } from '../judge/observations.ts'
import type { Watch } from '../tracking/tracker-state.ts'
import { nameOf } from '../tracking/wording.ts'
import { isAcknowledgment } from './polling.ts'
import { timesName } from './call-wording.ts'
import type { Owed } from '../tracking/unacknowledged-event.ts'

export interface OwedEvents {
  /** Property of the tracked event that holds the entry. */
  readonly place: 'owed' | 'pressing'
  /** Incremented to restart all counts. */
  count: number
  /** For events that were never emitted: entries, and the end of the last acknowledgment that named each. */
  readonly strangers: Map<string, Owed>
  readonly named: Map<string, Instant>
}

const maxEntries = 10_000

export const createOwedEvents = (place: OwedEvents['place']): OwedEvents => ({
  place,
  count: 0,
  strangers: new Map(),
  named: new Map(),
})

/** Records that a poll returned an event; returns its entry, if it needs an acknowledgment. */
export function owe(state: OwedEvents, seen: SeenHandover): Owed | undefined {
  const { event, eventId, eventType, orderId, exchange, at } = seen
  const { place: field, count: generation, strangers: unknownEvents, named: unknownNamedAt } = state
  // A poll that overlapped with the acknowledgment may still return it.
  const named = event ? event.named : unknownNamedAt.get(eventId)
  if (named !== undefined && exchange.began < named) return undefined
  const before = event ? event[field] : unknownEvents.get(eventId)
  if (before?.count !== generation) {
    const again = named !== undefined
    const entry: Owed = {
      eventId,
      eventType,
      orderId,
      since: at,
      first: exchange.cite,
      last: exchange.cite,
      polls: 1,
      again,
      count: generation,
    }
    if (event) event[field] = entry
    else setBounded(unknownEvents, eventId, entry, maxEntries)
    return entry
  }
  if (before.last !== exchange.cite) {
    before.last = exchange.cite
    before.polls++
  }
  return before
}

export function settle(
  { place: field, strangers: unknownEvents, named: unknownNamedAt }: OwedEvents,
  seen: SeenExchange,
): void {
  if (!isAcknowledgment(seen)) return
  for (const { eventId, event } of seen.named() ?? [])
    if (event) event[field] = undefined
    else {
      unknownEvents.delete(eventId)
      setBounded(unknownNamedAt, eventId, seen.ended, maxEntries)
    }
}

/** All entries. */
const allUnacknowledged = (
  { strangers: unknownEvents }: OwedEvents,
  { events }: Watch,
): readonly Owed[] => [
  ...events.values().flatMap(({ owed }) => owed ?? []),
  ...unknownEvents.values(),
]

/** Which event types a rule covers, and how it names an event. */
interface Coverage {
  readonly isMeant: (eventType: string) => boolean
  /** `CONFIRMED of o1`; ends with a comma after an insertion. */
  readonly wordsOf: (owed: Owed, of: string) => string
}

/** Reports entries: broken when overdue, otherwise open. */
export function tellOwed(
  state: OwedEvents,
  tracker: Watch,
  report: Tell,
  { isMeant, wordsOf }: Coverage,
): void {
  for (const owed of allUnacknowledged(state, tracker)) {
    const {
      eventId,
      eventType,
      orderId,
      since,
      first: firstPoll,
      last: lastPoll,
      polls,
      again: isReturned,
    } = owed
    if (!isMeant(eventType)) continue
    if (!tracker.overdue(since)) {
      report.open()
      continue
    }
    const of = orderId === undefined ? '' : ` of ${nameOf(tracker, orderId)}`
    const missing = isReturned
      ? ' after an acknowledgment had named it, and none did so again'
      : ', and no acknowledgment of it came'
    report.broken({
      because: `Polls brought ${wordsOf(owed, of)} to the service ${timesName(polls)}${missing} (event ${eventId}).`,
      evidence: firstPoll === lastPoll ? [firstPoll] : [firstPoll, lastPoll],
      orderId,
      once: eventId,
    })
  }
}
