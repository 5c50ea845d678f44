/**
 * Orders that the subject accepted but has not read yet: it accepted the event that reveals them, which will not come
 * again. Exempt are orders for which GET is refused for good, and orders known to be over.
 */
import { addBounded, setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Tell } from '../invariant.ts'
import type { SeenExchange } from '../judge/observations.ts'
import { cites, nameOf } from '../tracking/wording.ts'
import type { Watch } from '../tracking/tracker-state.ts'
import { told } from './call-outcome.ts'
import { isRead } from './order-reads.ts'

interface AcceptedOrder {
  readonly at: Instant
  readonly by: SeenExchange
  /** Last failed GET since then. */
  failed?: SeenExchange
}

export interface Responsibility {
  readonly orders: Map<string, AcceptedOrder>
  readonly unreadable: Set<string>
}

const maxEntries = 10_000

export const createResponsibility = (): Responsibility => ({
  orders: new Map(),
  unreadable: new Set(),
})

/** Records that the subject accepted the event; returns whether the order is the subject's to read. */
export function answerFor(
  { orders: unread, unreadable }: Responsibility,
  orderId: string,
  by: SeenExchange,
  tracker: Watch,
): boolean {
  const order = tracker.orders.get(orderId)
  if (order && order.isForeign) return false
  if (!unread.has(orderId) && !unreadable.has(orderId) && !order?.read)
    setBounded(unread, orderId, { at: by.ended, by }, maxEntries)
  return true
}

/** Clears an order on a successful or refused GET; returns whether the exchange was a GET of an order. */
export function hearOfRead(
  { orders: unread, unreadable }: Responsibility,
  seen: SeenExchange,
): boolean {
  if (!isRead(seen)) return false
  const { orderId, ok } = seen
  if (orderId === undefined) return true
  const isRefused = !ok && told(seen) === 'refused'
  if (isRefused) addBounded(unreadable, orderId, maxEntries)
  const entry = unread.get(orderId)
  if (ok || isRefused) unread.delete(orderId)
  else if (entry) entry.failed = seen
  return true
}

/** Whether no read is needed: known to be over, or evicted. */
function isNeedless({ orders }: Watch, orderId: string): boolean {
  const known = orders.get(orderId)?.known
  return known === undefined || known.has('CANCELLED') || known.has('CONCLUDED')
}

/** Reports orders that were not read in time; `how` describes how the subject accepted the event. */
export function tellUnread(
  { orders: unread }: Responsibility,
  tracker: Watch,
  report: Tell,
  how: (order: string, by: SeenExchange) => string,
): void {
  for (const [orderId, { at, by: acceptedBy, failed }] of unread) {
    if (isNeedless(tracker, orderId)) continue
    if (!tracker.overdue(at)) {
      report.open()
      continue
    }
    const tried = failed ? 'its GET failed, and it did not come back to it' : 'it never read it'
    report.broken({
      because: `The service ${how(nameOf(tracker, orderId), acceptedBy)}, so that does not come again; ${tried}.`,
      evidence: cites(acceptedBy.cite, failed?.cite),
      orderId,
      once: orderId,
    })
  }
}
