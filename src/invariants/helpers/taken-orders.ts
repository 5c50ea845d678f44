/**
 * Orders that the subject answers for: it took the event that reveals them, so that event will not come again, and it has
 * not read them yet. One that GET refuses for good cannot be read, and one that was heard to be over need not be.
 */
import { addBounded, setBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Tell } from '../invariant.ts'
import type { SeenExchange } from '../judge/observations.ts'
import { cites, nameOf } from '../tracking/wording.ts'
import type { Watch } from '../tracking/tracker-state.ts'
import { told } from './call-outcome.ts'
import { isRead } from './order-reads.ts'

interface AnsweredFor {
  readonly at: Instant
  readonly by: SeenExchange
  /** The last GET that failed since then. */
  failed?: SeenExchange
}

export interface Responsibility {
  readonly orders: Map<string, AnsweredFor>
  readonly unreadable: Set<string>
}

const most = 10_000

export const createResponsibility = (): Responsibility => ({
  orders: new Map(),
  unreadable: new Set(),
})

/** The subject took the event with this exchange; answers whether that order is for it to read at all. */
export function answerFor(
  { orders, unreadable }: Responsibility,
  orderId: string,
  by: SeenExchange,
  watch: Watch,
): boolean {
  const order = watch.orders.get(orderId)
  if (order && order.isForeign) return false
  if (!orders.has(orderId) && !unreadable.has(orderId) && !order?.read)
    setBounded(orders, orderId, { at: by.ended, by }, most)
  return true
}

/** Answers whether it was a GET of an order. */
export function hearOfRead({ orders, unreadable }: Responsibility, seen: SeenExchange): boolean {
  if (!isRead(seen)) return false
  const { orderId, ok } = seen
  if (orderId === undefined) return true
  const isRefused = !ok && told(seen) === 'refused'
  if (isRefused) addBounded(unreadable, orderId, most)
  const entry = orders.get(orderId)
  if (ok || isRefused) orders.delete(orderId)
  else if (entry) entry.failed = seen
  return true
}

/** Whether it need not be read any more, because it was heard to be over, or because nobody remembers it. */
function isNeedless({ orders }: Watch, orderId: string): boolean {
  const known = orders.get(orderId)?.known
  return known === undefined || known.has('CANCELLED') || known.has('CONCLUDED')
}

/** What has not been read in time; `how` says how the subject took the event of an order. */
export function tellUnread(
  { orders }: Responsibility,
  watch: Watch,
  tell: Tell,
  how: (order: string, by: SeenExchange) => string,
): void {
  for (const [orderId, { at, by, failed }] of orders) {
    if (isNeedless(watch, orderId)) continue
    if (!watch.overdue(at)) {
      tell.open()
      continue
    }
    const tried = failed ? 'its GET failed, and it did not come back to it' : 'it never read it'
    tell.broken({
      because: `The service ${how(nameOf(watch, orderId), by)}, so that does not come again; ${tried}.`,
      evidence: cites(by.cite, failed?.cite),
      orderId,
      once: orderId,
    })
  }
}
