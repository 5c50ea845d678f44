/**
 * Orders that the subject accepted but has not read yet: it accepted the event that reveals them, which will not come
 * again. Exempt are orders for which GET is refused for good, and orders known to be over.
 */
import { addBounded, setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { InvariantReporter } from '../invariant.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import { orderName } from '../tracking/wording.ts'
import type { TrackerState } from '../tracking/tracker-state.ts'
import { callResultOf } from './call-outcome.ts'

/** No list of orders exists, so an order becomes known only by this event (ORD-GEN-03). */
export const revealingEventType = 'CREATED'

interface AcceptedOrder {
  readonly at: Instant
  readonly acceptedBy: ObservedExchange
  /** Last failed GET since then. */
  failed?: ObservedExchange
}

export interface AcceptedOrders {
  readonly unread: Map<string, AcceptedOrder>
  readonly unreadable: Set<string>
}

const maxEntries = 10_000

/** Records that the subject accepted the event; returns whether the order is the subject's to read. */
export function acceptOrder(
  { unread, unreadable }: AcceptedOrders,
  orderId: string,
  by: ObservedExchange,
  tracker: TrackerState,
): boolean {
  const order = tracker.orders.get(orderId)
  if (order && order.isForeign) return false
  if (!unread.has(orderId) && !unreadable.has(orderId) && !order?.firstSnapshot)
    setBounded(unread, orderId, { at: by.ended, acceptedBy: by }, maxEntries)
  return true
}

/** Clears an order on a successful or refused GET. */
export function recordOrderRead(
  { unread, unreadable }: AcceptedOrders,
  observed: ObservedExchange,
): void {
  const { orderId, ok } = observed
  if (orderId === undefined) return
  const isRefused = !ok && callResultOf(observed) === 'refused'
  if (isRefused) addBounded(unreadable, orderId, maxEntries)
  const entry = unread.get(orderId)
  if (ok || isRefused) unread.delete(orderId)
  else if (entry) entry.failed = observed
}

/** Whether no read is needed: known to be over, or evicted. */
function isNeedless({ orders }: TrackerState, orderId: string): boolean {
  const known = orders.get(orderId)?.knownStatuses
  return known === undefined || known.has('CANCELLED') || known.has('CONCLUDED')
}

/** A rule: every accepted order is eventually read; `how` describes how the subject accepted the event. */
export const eventuallyRead = (how: (order: string, by: ObservedExchange) => string) => ({
  start: (): AcceptedOrders => ({ unread: new Map(), unreadable: new Set() }),
  end({ unread }: AcceptedOrders, tracker: TrackerState, report: InvariantReporter) {
    for (const [orderId, { at, acceptedBy, failed }] of unread) {
      if (isNeedless(tracker, orderId)) continue
      const tried = failed
        ? 'its GET failed and was not retried'
        : 'the service never read the order'
      report.due(tracker.deadline(at), () => ({
        because: `The service ${how(orderName(tracker, orderId), acceptedBy)}, so the event will not come again; ${tried}.`,
        evidence: [acceptedBy.evidence, failed?.evidence],
        orderId,
      }))
    }
  },
})
