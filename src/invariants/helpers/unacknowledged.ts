/**
 * Polled events that are still to be acknowledged. One that was named in an acknowledgment owes nothing until a poll
 * brings it again: when the answer was lost nobody knows, and when it came in vain the next poll says so.
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
  /** Where it lies on an event: whoever has the event has it at hand. */
  readonly place: 'owed' | 'pressing'
  /** Goes up when all are counted anew from there on. */
  count: number
  /** Of events that nobody emitted: what is owed, and when the last acknowledgment that named one came to its end. */
  readonly strangers: Map<string, Owed>
  readonly named: Map<string, Instant>
}

const most = 10_000

export const createOwedEvents = (place: OwedEvents['place']): OwedEvents => ({
  place,
  count: 0,
  strangers: new Map(),
  named: new Map(),
})

/** A poll brought an event; answers what is owed since, if anything. */
export function owe(state: OwedEvents, seen: SeenHandover): Owed | undefined {
  const { event, eventId, eventType, orderId, exchange, at } = seen
  const { place, count, strangers, named: strangersNamed } = state
  // A poll that was under way together with the acknowledgment may still bring it.
  const named = event ? event.named : strangersNamed.get(eventId)
  if (named !== undefined && exchange.began < named) return undefined
  const before = event ? event[place] : strangers.get(eventId)
  if (before?.count !== count) {
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
      count,
    }
    if (event) event[place] = entry
    else setBounded(strangers, eventId, entry, most)
    return entry
  }
  if (before.last !== exchange.cite) {
    before.last = exchange.cite
    before.polls++
  }
  return before
}

export function settle({ place, strangers, named }: OwedEvents, seen: SeenExchange): void {
  if (!isAcknowledgment(seen)) return
  for (const { eventId, event } of seen.named() ?? [])
    if (event) event[place] = undefined
    else {
      strangers.delete(eventId)
      setBounded(named, eventId, seen.ended, most)
    }
}

/** All that is owed now. */
const owedNow = ({ strangers }: OwedEvents, { events }: Watch): readonly Owed[] => [
  ...events.values().flatMap(({ owed }) => owed ?? []),
  ...strangers.values(),
]

/** Whose business it is, of all that is owed, and how a sentence speaks of it. */
interface Business {
  readonly isMeant: (eventType: string) => boolean
  /** `CONFIRMED of o1`, with a comma at its end where something was put in. */
  readonly wordsOf: (owed: Owed, of: string) => string
}

/** What is owed has its time in calm weather; then it is missing. */
export function tellOwed(
  state: OwedEvents,
  watch: Watch,
  tell: Tell,
  { isMeant, wordsOf }: Business,
): void {
  for (const owed of owedNow(state, watch)) {
    const { eventId, eventType, orderId, since, first, last, polls, again } = owed
    if (!isMeant(eventType)) continue
    if (!watch.overdue(since)) {
      tell.open()
      continue
    }
    const of = orderId === undefined ? '' : ` of ${nameOf(watch, orderId)}`
    const missing = again
      ? ' after an acknowledgment had named it, and none did so again'
      : ', and no acknowledgment of it came'
    tell.broken({
      because: `Polls brought ${wordsOf(owed, of)} to the service ${timesName(polls)}${missing} (event ${eventId}).`,
      evidence: first === last ? [first] : [first, last],
      orderId,
      once: eventId,
    })
  }
}
