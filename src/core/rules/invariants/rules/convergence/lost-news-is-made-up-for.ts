/**
 * CV-3: a lost event is compensated: the service reads the order, or makes the next progress call, and so learns its
 * content. Only permanently lost events count, not those waiting for a poll or a webhook.
 */
import { addBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { progressOperations, progressStepOf, projectedStatus } from '../../tracking/progress.ts'
import { atTimeOfDay, durationText, orderName } from '../../tracking/wording.ts'
import { occurredStatuses } from '../../tracking/status-history.ts'
import type { TrackedEvent, TrackedOrder, TrackerState } from '../../tracking/tracker-state.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'

interface State {
  /** Events whose content the service learned before any handover; the last ones. */
  readonly foundOut: Set<TrackedEvent>
}

const maxEntries = 10_000

function recordLearned(
  { foundOut }: State,
  observed: ObservedExchange,
  tracker: TrackerState,
): void {
  const { order } = observed
  if (!order) return
  const isReading = observed.operation === 'getOrder' && observed.ok
  const step = progressStepOf(observed, tracker)
  if (!isReading && !step) return
  for (const event of order.events) {
    if (!isMissing(event) || observed.began < event.emittedAt) continue
    const status = projectedStatus(event.eventType)
    if (!isReading && (status === undefined || step?.from.includes(status) !== true)) continue
    event.isFoundOut = true
    addBounded(foundOut, event, maxEntries)
  }
}

/** Excludes CREATED, which only reveals the order, and CONCLUDED, which requires nothing. */
function isNews({ eventType, isOfOrders }: TrackedEvent): boolean {
  if (!isOfOrders) return false
  const status = projectedStatus(eventType)
  return status !== undefined && status !== 'CREATED' && status !== 'CONCLUDED'
}

/** Events whose content the service does not know. */
const isMissing = (event: TrackedEvent): boolean =>
  event.handoverCount === 0 && !event.isFoundOut && isNews(event)

export const lostNewsIsMadeUpFor = defineInvariant<State>({
  id: 'CV-3',
  name: 'lost-news-is-made-up-for',
  sentence: 'Must recover from a lost event by reading the order.',
  remedy:
    'Read open orders with GET at intervals, and continue from the status and the lastEvent that it returns.',
  kind: 'liveness',
  clauses: ['ORD-EVR-06', 'ORD-EVR-01'],
  premise: 'an event about a new status of an order was lost',
  calls: ['getOrder', ...progressOperations],
  start: () => ({ foundOut: new Set() }),
  call: recordLearned,
  end({ foundOut }, tracker, report) {
    const { pendingWork } = tracker
    // Permanently lost: neither pending nor in flight.
    const isLost = ({ eventId, handoverCount }: TrackedEvent): boolean =>
      handoverCount === 0 && !pendingWork.event(eventId)
    for (const event of foundOut) if (isLost(event)) report.premise()
    for (const order of tracker.orders.values()) {
      const { orderId, firstReceipt } = order
      if (!firstReceipt || order.isForeign) continue
      for (const event of order.events) {
        // Another final event arrived: nothing is left to learn.
        if (!isMissing(event) || !isLost(event) || hasHeardTheEnd(order)) continue
        report.premise()
        const timing = tracker.deadline(event.emittedAt)
        if (timing.outcome === 'fine') report.open()
        else
          report.failed({
            timing,
            because: `The event ${event.eventType} of ${orderName(tracker, orderId)} (${atTimeOfDay(event.emittedAt)}) never reached the service, and in the ${durationText(tracker.now - event.emittedAt)} since it has neither read the order nor made the next call about it.`,
            evidence: [firstReceipt.evidence, order.lastCall],
            orderId,
          })
      }
    }
  },
})

const hasHeardTheEnd = ({ shownStatuses }: TrackedOrder): boolean =>
  occurredStatuses(shownStatuses).some(isFinalStatus)
