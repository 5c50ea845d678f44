/**
 * Polled events that are still to be acknowledged. One that was named in an acknowledgment owes nothing until a poll
 * brings it again: when the answer was lost nobody knows, and when it came in vain the next poll says so.
 */
import { setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { SeenExchange, SeenHandover } from '../seen.ts'
import { isAcknowledgment } from './acknowledged.ts'

interface Owed {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** When a poll brought it for the first time since it was last acknowledged. */
  readonly since: Instant
  readonly first: SeenExchange
  /** The last poll that brought it, and how many did. */
  last: SeenExchange
  polls: number
  /** It had been named in an acknowledgment before, and polls brought it again. */
  readonly again: boolean
}

export interface OwedEvents {
  readonly owed: Map<string, Owed>
  /** When the last acknowledgment that named an event which nobody emitted came to its end; of others the watch knows. */
  readonly strangers: Map<string, Instant>
}

const most = 10_000

export const createOwedEvents = (): OwedEvents => ({ owed: new Map(), strangers: new Map() })

export function owe({ owed, strangers }: OwedEvents, seen: SeenHandover): void {
  const { event, eventId, eventType, orderId, exchange, at } = seen
  // A poll that was under way together with the acknowledgment may still bring it.
  const named = event ? event.named : strangers.get(eventId)
  if (named !== undefined && exchange.began < named) return
  const before = owed.get(eventId)
  if (!before) {
    const entry: Owed = {
      eventId,
      eventType,
      orderId,
      since: at,
      first: exchange,
      last: exchange,
      polls: 1,
      again: named !== undefined,
    }
    setBounded(owed, eventId, entry, most)
  } else if (before.last !== exchange) {
    before.last = exchange
    before.polls++
  }
}

export function settle({ owed, strangers }: OwedEvents, seen: SeenExchange): void {
  if (!isAcknowledgment(seen)) return
  for (const { eventId, event } of seen.named() ?? []) {
    owed.delete(eventId)
    if (!event) setBounded(strangers, eventId, seen.ended, most)
  }
}
