/**
 * SE-8: progress calls about one order follow the lifecycle and never go back, except for calls in flight together. An
 * order that was forced back starts anew.
 */
import { defineInvariant } from '../../invariant.ts'
import { progressOperations, progressStepOf, progressRank } from '../../tracking/progress.ts'
import { atTimeOfDay, actionText, orderName } from '../../tracking/wording.ts'
import { statusRank } from '../../tracking/status-rank.ts'
import type { CallEvidence, TrackedOrder } from '../../tracking/tracker-state.ts'

/** The most advanced progress call about an order. */
const furthest = new WeakMap<TrackedOrder, CallEvidence>()

export const neverBackwards = defineInvariant({
  id: 'SE-8',
  name: 'never-backwards',
  sentence:
    'Must not make a call that belongs to an earlier status of the order than a call before it.',
  remedy:
    'Store the furthest status reported for each order, and drop calls for earlier ones, such as those left in a retry queue.',
  kind: 'safety',
  clauses: ['ORD-EVR-01', 'ORD-EVR-04', 'ORD-UND-05'],
  premise: 'the service made a second call that takes an order on',
  calls: progressOperations,
  call(_state, call, tracker, report) {
    const step = progressStepOf(call, tracker)
    const { order } = call
    if (!step || !order) return
    const { orderId } = order
    const { operation, began, evidence } = call
    const before = furthest.get(order)
    if (before) report.premise()
    const ahead = before ? statusRank(step.to) - progressRank(before) : 1
    if (!before || ahead > 0) furthest.set(order, evidence)
    if (!before || ahead >= 0) return
    const timing = tracker.timing.atMost(before.at, began, tracker.limits.inFlightMs)
    const name = orderName(tracker, orderId)
    report.failed({
      timing,
      because: `The service ${actionText(call, name)} ${atTimeOfDay(began)}, after it had ${actionText(before, 'it')} ${atTimeOfDay(before.at)}.`,
      evidence: [before, evidence],
      orderId,
      deduplicationKey: `${orderId} ${operation}`,
    })
  },
  facts: {
    'order.moved'(_state, { orderId, forced }, { orders }) {
      const order = forced ? orders.get(orderId) : undefined
      if (order) furthest.delete(order)
    },
  },
})
