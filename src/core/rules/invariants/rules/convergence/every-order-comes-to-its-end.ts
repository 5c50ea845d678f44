/**
 * CV-1: every order that the service knows reaches a final status. While an accepted request has not taken effect, or a
 * cancellation request is unanswered, it is Sparring's turn.
 */
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import { atTimeOfDay, durationText, orderName } from '../../tracking/wording.ts'
import type { TrackedOrder, VerdictContext } from '../../tracking/tracker-state.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'

/** When the last cancellation request was denied: from then on it is the service's turn. */
const denied = new WeakMap<TrackedOrder, Instant>()

/**
 * Value of `reopenedCount` when the service first received an event before the order's end: an order that was reopened
 * needs a new one.
 */
const heardAt = new WeakMap<TrackedOrder, number>()

const isHeard = (order: TrackedOrder): boolean => heardAt.get(order) === order.reopenedCount

/** Whether a cancellation request is unanswered or granted. */
export const isCancellationPending = ({ cancellation }: TrackedOrder): boolean =>
  cancellation !== undefined && cancellation !== 'deny'

/** Whether the order waits for Sparring. */
export const isWaitingForSparring = (
  order: TrackedOrder,
  { pendingWork }: VerdictContext,
): boolean => isCancellationPending(order) || pendingWork.affectsOrder(order.orderId)

function recordReceipt(order: TrackedOrder | undefined, report: InvariantReporter): void {
  if (!order?.firstReceipt || isHeard(order) || isFinalStatus(order.hostStatus)) return
  heardAt.set(order, order.reopenedCount)
  report.premise()
}

export const everyOrderComesToItsEnd = defineInvariant({
  id: 'CV-1',
  name: 'every-order-comes-to-its-end',
  sentence: 'Must bring every order that it received an event of to a final status.',
  remedy:
    'Retry failed calls, and check open orders with GET at intervals, so that no order waits for an event or a call that was lost.',
  kind: 'liveness',
  clauses: ['ORD-GEN-05', 'ORD-FLO-04', 'ORD-STA-01'],
  premise: 'the service received an event of an order',
  handover: (_state, { order }, _watch, report) => recordReceipt(order, report),
  acknowledgment: (_state, { order }, _watch, report) => recordReceipt(order, report),
  facts: {
    'cancellation.answered'(_state, { orderId, answer }, { orders, now }) {
      const order = answer === 'deny' ? orders.get(orderId) : undefined
      if (order) denied.set(order, now)
    },
  },
  end(_state, tracker, report) {
    for (const order of tracker.orders.values()) {
      const { orderId, firstReceipt, hostStatus, hostStatusSince, lastCall: last } = order
      if (!firstReceipt || !isHeard(order) || isFinalStatus(hostStatus) || order.isForeign) continue
      // The deadline restarts with each transition, including reverted ones.
      const since = Math.max(firstReceipt.since, hostStatusSince, denied.get(order) ?? 0)
      const timing = tracker.deadline(since)
      if (timing.outcome === 'fine' || isWaitingForSparring(order, tracker)) {
        report.open()
        continue
      }
      const silence = last
        ? `The last call of the service about it was ${last.line.slice(14)} ${atTimeOfDay(last.at)}.`
        : 'The service made no call about it.'
      report.failed({
        timing,
        because: `${orderName(tracker, orderId)} is still ${hostStatus}, ${durationText(tracker.now - hostStatusSince)} after it reached that status. ${silence}`,
        evidence: [firstReceipt.evidence, last],
        orderId,
      })
    }
  },
})
