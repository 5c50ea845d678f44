/**
 * CV-3: a lost event is compensated: the service reads the order, or makes the next progress call, and so learns its
 * content. Only permanently lost events count, not those waiting for a poll or a webhook.
 */
import { addBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { isOver, progressions, progressOf, projected } from '../../tracking/progress.ts'
import { atClock, cites, lasting, nameOf } from '../../tracking/wording.ts'
import type { EventWatch, OrderWatch } from '../../tracking/tracker-state.ts'

interface State {
  /** Events whose content the service learned before any handover; the last ones. */
  readonly foundOut: Set<EventWatch>
}

const maxEntries = 10_000

function recordLearned({ foundOut }: State, seen: SeenExchange): void {
  const { order } = seen
  if (seen.by !== 'subject' || !order || hasEverything(order)) return
  const isReading = seen.operation === 'getOrder' && seen.ok
  const step = progressOf(seen)
  if (!isReading && !step) return
  for (const event of order.events) {
    if (!isMissing(event) || seen.began < event.emitted) continue
    const status = projected(event.eventType)
    if (!isReading && (status === undefined || step?.from.includes(status) !== true)) continue
    event.foundOut = true
    addBounded(foundOut, event, maxEntries)
  }
}

/** Fast path: most orders have no undelivered events. */
const hasEverything = ({ unheard: undeliveredCount }: OrderWatch): boolean => undeliveredCount === 0

/** Excludes CREATED, which only reveals the order, and CONCLUDED, which requires nothing. */
function isNews({ eventType, isOfOrders }: EventWatch): boolean {
  if (!isOfOrders) return false
  const status = projected(eventType)
  return status !== undefined && status !== 'CREATED' && status !== 'CONCLUDED'
}

/** Events whose content the service does not know. */
const isMissing = (event: EventWatch): boolean =>
  event.handovers === 0 && !event.foundOut && isNews(event)

export const lostNewsIsMadeUpFor = defineInvariant<State>({
  id: 'CV-3',
  name: 'lost-news-is-made-up-for',
  sentence: 'What an event would have told that never came, the service finds out by itself.',
  kind: 'liveness',
  clauses: ['ORD-EVR-06', 'ORD-EVR-01'],
  premise: 'an event about a new status of an order was lost',
  binds: ['software-service'],
  sees: { exchanges: ['getOrder', ...progressions] },
  start: () => ({ foundOut: new Set() }),
  shown: { exchange: recordLearned },
  end({ foundOut }, tracker, report) {
    const { coming: pendingWork } = tracker
    // Permanently lost: neither pending nor in flight.
    const isLost = ({ eventId, handovers: handoverCount }: EventWatch): boolean =>
      handoverCount === 0 && !pendingWork.event(eventId)
    for (const event of foundOut) if (isLost(event)) report.premise()
    for (const order of tracker.orders.values()) {
      const { orderId, told: firstReceipt } = order
      if (!firstReceipt || hasEverything(order) || order.isForeign) continue
      for (const event of order.events) {
        // Another final event arrived: nothing is left to learn.
        if (!isMissing(event) || !isLost(event) || hasHeardTheEnd(order)) continue
        report.premise()
        if (!tracker.overdue(event.emitted)) report.open()
        else
          report.broken({
            because: `The event ${event.eventType} of ${nameOf(tracker, orderId)} (${atClock(event.emitted)}) never reached the service, and in the ${lasting(tracker.now - event.emitted)} since it has neither read the order nor gone on with it.`,
            evidence: cites(firstReceipt.cite, order.lastCall),
            orderId,
            once: orderId,
          })
      }
    }
  },
})

const hasHeardTheEnd = ({ shown: shownStatuses }: OrderWatch): boolean =>
  shownStatuses.statuses().some(isOver)
