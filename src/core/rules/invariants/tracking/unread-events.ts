/**
 * Events that must lead to a read. A subject that accepts an event must learn the order's state: by GET, or by a next
 * progress call. An order whose end was announced need not be read.
 */
import type { Instant } from '../../../engine/instant.ts'
import type { InvariantReporter } from '../invariant.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import type { Evidence } from '../verdict.ts'
import { progressOperations, progressRank } from './progress.ts'
import { occurredStatuses } from './status-history.ts'
import type { TrackedOrder, TrackerState } from './tracker-state.ts'
import { isFinalStatus } from './status-rank.ts'

export interface UnreadEvent {
  readonly eventType: string
  /** The read must not have begun before this instant. */
  readonly emittedAt: Instant
  /** When the subject accepted the event. */
  readonly since: Instant
  readonly evidence: Evidence
}

/** By order: one read covers all earlier events. */
export interface UnreadEvents {
  /** Returns whether the event was added: an order with an unread event gets no second one. */
  readonly add: (order: TrackedOrder, unread: UnreadEvent) => boolean
  /** Clears the event on a read, or on a progress call that follows it. */
  readonly clearOnRead: (observed: ObservedExchange) => void
  /** Reports unread events: failed when overdue, otherwise open. */
  readonly reportOverdue: (
    tracker: TrackerState,
    report: InvariantReporter,
    because: (unread: UnreadEvent, order: TrackedOrder) => string,
  ) => void
}

/** Operations that clear an event. */
export const readAndProgressOperations = ['getOrder', ...progressOperations] as const

/** Whether the order was read since the event was emitted. */
export const hasReadSince = ({ lastSnapshot }: TrackedOrder, emitted: Instant): boolean =>
  lastSnapshot !== undefined && lastSnapshot.began >= emitted

const isExcused = ({ shownStatuses }: TrackedOrder): boolean =>
  occurredStatuses(shownStatuses).some(isFinalStatus)

/** Call once per invariant, at module level: the events are stored on the orders. */
export function createUnreadEvents(): UnreadEvents {
  const unreadOf = new WeakMap<TrackedOrder, UnreadEvent>()
  return {
    add(order, unread) {
      if (unreadOf.get(order)) return false
      unreadOf.set(order, unread)
      return true
    },
    clearOnRead(observed) {
      const { order } = observed
      const unread = order && observed.caller === 'subject' ? unreadOf.get(order) : undefined
      if (!order || !unread || observed.began < unread.emittedAt) return
      const isReading = observed.operation === 'getOrder' && observed.ok
      if (isReading || (progressRank(observed) >= 0 && observed.began >= unread.since))
        unreadOf.delete(order)
    },
    reportOverdue(tracker, report, because) {
      for (const order of tracker.orders.values()) {
        const unread = unreadOf.get(order)
        if (!unread || isExcused(order)) continue
        report.due(tracker.deadline(unread.since), () => ({
          because: because(unread, order),
          evidence: [unread.evidence, order.lastCall],
          orderId: order.orderId,
        }))
      }
    },
  }
}
