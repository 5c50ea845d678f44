/**
 * CV-1: every order that the service knows reaches a final status. While an accepted request has not taken effect, or a
 * cancellation request is unanswered, it is Sparring's turn.
 */
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant, type Tell } from '../../invariant.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { isOver } from '../../tracking/progress.ts'
import { atClock, cites, lasting, nameOf } from '../../tracking/wording.ts'
import type { OrderWatch, Present } from '../../tracking/tracker-state.ts'

/** When the last cancellation request was denied: from then on it is the service's turn. */
const denied = createNote<Instant>()

/**
 * Value of `reopenedCount` when the service first received an event before the order's end: an order that was reopened
 * needs a new one.
 */
const heardAt = createNote<number>()

const isHeard = (order: OrderWatch): boolean => heardAt.of(order) === order.reopened

/** Whether a cancellation request is unanswered or granted. */
export const isAsked = ({ cancellation }: OrderWatch): boolean =>
  cancellation !== undefined && cancellation !== 'deny'

/** Whether the order waits for Sparring. */
export const isOurTurn = (order: OrderWatch, { coming: pendingWork }: Present): boolean =>
  isAsked(order) || pendingWork.forOrder(order.orderId)

function recordReceipt(order: OrderWatch | undefined, report: Tell): void {
  if (!order?.told || isHeard(order) || isOver(order.truth)) return
  heardAt.keep(order, order.reopened)
  report.premise()
}

export const everyOrderComesToItsEnd = defineInvariant<undefined>({
  id: 'CV-1',
  name: 'every-order-comes-to-its-end',
  sentence: 'Every order that the service has heard of comes to its end.',
  kind: 'liveness',
  clauses: ['ORD-GEN-05', 'ORD-FLO-04', 'ORD-STA-01'],
  premise: 'the service heard of an order',
  binds: ['software-service'],
  sees: { facts: ['cancellation.answered'] },
  start: () => undefined,
  shown: {
    handover: (_state, { order }, _watch, report) => recordReceipt(order, report),
    acknowledgment: (_state, { order }, _watch, report) => recordReceipt(order, report),
    fact(_state, { fact, at }, { orders }) {
      const isDenial = fact.kind === 'cancellation.answered' && fact.answer === 'deny'
      const order = isDenial ? orders.get(fact.orderId) : undefined
      if (order) denied.keep(order, at)
    },
  },
  end(_state, tracker, report) {
    for (const order of tracker.orders.values()) {
      const {
        orderId,
        told: firstReceipt,
        truth: hostStatus,
        truthSince: hostStatusSince,
        lastCall: last,
      } = order
      if (!firstReceipt || !isHeard(order) || isOver(hostStatus) || order.isForeign) continue
      // The deadline restarts with each transition, including reverted ones.
      const since = Math.max(firstReceipt.since, hostStatusSince, denied.of(order) ?? 0)
      if (!tracker.overdue(since) || isOurTurn(order, tracker)) {
        report.open()
        continue
      }
      const silence = last
        ? `The last thing that the service did about it was ${last.line.slice(14)} ${atClock(last.at)}.`
        : 'The service has done nothing about it.'
      report.broken({
        because: `${nameOf(tracker, orderId)} is still ${hostStatus}, ${lasting(tracker.now - hostStatusSince)} after it got there. ${silence}`,
        evidence: cites(firstReceipt.cite, last),
        orderId,
      })
    }
  },
})
