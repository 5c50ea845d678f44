/**
 * CV-1: an order that the service has in its hands comes to its end, whatever happened on the way. As long as something
 * that we accepted has still to take effect, or nobody has answered its request to cancel, it is not its turn.
 */
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant, type Tell } from '../../invariant.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { isOver } from '../../tracking/progress.ts'
import { atClock, cites, lasting, nameOf } from '../../tracking/wording.ts'
import type { OrderWatch, Present } from '../../tracking/tracker-state.ts'

/** When somebody said no to the service's last request to cancel it: from then on it is the service's turn again. */
const denied = createNote<Instant>()

/** The service has heard of it before its end; of one that was taken back from its end, since then. */
const heardAt = createNote<number>()

const isHeard = (order: OrderWatch): boolean => heardAt.of(order) === order.reopened

/** Whoever asked to cancel it waits for our answer, or has it. */
export const isAsked = ({ cancellation }: OrderWatch): boolean =>
  cancellation !== undefined && cancellation !== 'deny'

/** Somebody waits for us. */
export const isOurTurn = (order: OrderWatch, { coming }: Present): boolean =>
  isAsked(order) || coming.forOrder(order.orderId)

function hear(order: OrderWatch | undefined, tell: Tell): void {
  if (!order?.told || isHeard(order) || isOver(order.truth)) return
  heardAt.keep(order, order.reopened)
  tell.premise()
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
    handover: (_state, { order }, _watch, tell) => hear(order, tell),
    acknowledgment: (_state, { order }, _watch, tell) => hear(order, tell),
    fact(_state, { fact, at }, { orders }) {
      const isDenial = fact.kind === 'cancellation.answered' && fact.answer === 'deny'
      const order = isDenial ? orders.get(fact.orderId) : undefined
      if (order) denied.keep(order, at)
    },
  },
  end(_state, watch, tell) {
    for (const order of watch.orders.values()) {
      const { orderId, told, truth, truthSince, lastCall: last } = order
      if (!told || !isHeard(order) || isOver(truth) || order.isForeign) continue
      // What has moved on is not stuck: each step has its time, and one that somebody took back is to be done again.
      const since = Math.max(told.since, truthSince, denied.of(order) ?? 0)
      if (!watch.overdue(since) || isOurTurn(order, watch)) {
        tell.open()
        continue
      }
      const silence = last
        ? `The last thing that the service did about it was ${last.line.slice(14)} ${atClock(last.at)}.`
        : 'The service has done nothing about it.'
      tell.broken({
        because: `${nameOf(watch, orderId)} is still ${truth}, ${lasting(watch.now - truthSince)} after it got there. ${silence}`,
        evidence: cites(told.cite, last),
        orderId,
      })
    }
  },
})
