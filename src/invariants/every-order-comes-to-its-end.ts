/**
 * CV-1: an order that the service has in its hands comes to its end, whatever happened on the way. As long as something
 * that we accepted has still to take effect, or nobody has answered its request to cancel, it is not its turn.
 */
import { setBounded } from '../engine/bounded.ts'
import type { Instant } from '../engine/instant.ts'
import { defineInvariant, type Tell } from './invariant.ts'
import { mostKept } from './watch/kept.ts'
import { createNote } from './watch/notes.ts'
import { isOver } from './watch/progress.ts'
import { atClock, cites, lasting, nameOf } from './watch/say.ts'
import type { OrderWatch, Watch } from './watch/watch.ts'

interface State {
  readonly open: Map<string, OrderWatch>
}

/** When somebody said no to the service's last request to cancel it: from then on it is the service's turn again. */
const denied = createNote<Instant>()

/** It is among those that are open. */
const isHeard = createNote<boolean>()

/** Orders of merchants that are not the service's own are not for it to bring to an end. */
export const isForeign = ({ merchantId }: OrderWatch, { merchants }: Watch): boolean =>
  !merchants.has(merchantId)

/** Somebody waits for us. */
export const isOurTurn = ({ underWay, cancellation }: OrderWatch): boolean =>
  underWay > 0 || (cancellation !== undefined && cancellation !== 'deny')

function hear(open: State['open'], order: OrderWatch | undefined, tell: Tell): void {
  if (!order?.told || isHeard.of(order) || isOver(order.truth)) return
  isHeard.keep(order, true)
  setBounded(open, order.orderId, order, mostKept)
  tell.premise()
}

function close(open: State['open'], order: OrderWatch | undefined): void {
  if (!order || !isHeard.of(order)) return
  isHeard.keep(order, false)
  open.delete(order.orderId)
}

export const everyOrderComesToItsEnd = defineInvariant<State>({
  id: 'CV-1',
  name: 'every-order-comes-to-its-end',
  sentence: 'Every order that the service has heard of comes to its end.',
  kind: 'liveness',
  clauses: ['ORD-GEN-05', 'ORD-FLO-04', 'ORD-STA-01'],
  premise: 'the service heard of an order',
  binds: ['software-service'],
  sees: { facts: ['order.moved', 'cancellation.answered'] },
  start: () => ({ open: new Map() }),
  shown: {
    handover: ({ open }, { order }, _watch, tell) => hear(open, order, tell),
    acknowledgment: ({ open }, { order }, _watch, tell) => hear(open, order, tell),
    fact({ open }, { fact, at }, { orders }) {
      if (fact.kind === 'order.moved' && isOver(fact.to)) close(open, orders.get(fact.orderId))
      const isDenial = fact.kind === 'cancellation.answered' && fact.answer === 'deny'
      const order = isDenial ? orders.get(fact.orderId) : undefined
      if (order) denied.keep(order, at)
    },
  },
  end({ open }, watch, tell) {
    for (const order of open.values()) {
      const { orderId, told, truth, truthSince, lastCall } = order
      if (!told || isForeign(order, watch)) continue
      // What has moved on is not stuck: each step has its time, and one that somebody took back is to be done again.
      const since = Math.max(told.since, truthSince, denied.of(order) ?? 0)
      if (!watch.overdue(since) || isOurTurn(order)) {
        tell.open()
        continue
      }
      const last = lastCall?.()
      const silence = last
        ? `The last thing that the service did about it was ${last.line.slice(14)} ${atClock(last.at)}.`
        : 'The service has done nothing about it.'
      tell.broken({
        because: `${nameOf(watch, orderId)} is still ${truth}, ${lasting(watch.now - truthSince)} after it got there. ${silence}`,
        evidence: cites(told.cite(), last),
        orderId,
      })
    }
  },
})
