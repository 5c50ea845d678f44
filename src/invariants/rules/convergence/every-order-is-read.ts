/** CV-2: every order of which the service accepted an event is read with GET, however often reads failed before. */
import { defineInvariant, type Tell } from '../../invariant.ts'
import { createDebts } from '../../tracking/unread-events.ts'
import { reads } from '../../helpers/order-reads.ts'
import { atClock, lasting, nameOf } from '../../tracking/wording.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import type { OrderWatch } from '../../tracking/tracker-state.ts'

/** The first event of the order was processed. */
const isHeard = createNote<true>()
const unread = createDebts()

function recordReceipt(order: OrderWatch | undefined, report: Tell): void {
  if (!order?.told || isHeard.of(order) || order.isForeign) return
  isHeard.keep(order, true)
  report.premise()
  if (order.read) return
  const { since, eventType, cite: evidence } = order.told
  unread.owe(order, { eventType, emitted: 0, since, cite: evidence })
}

export const everyOrderIsRead = defineInvariant<undefined>({
  id: 'CV-2',
  name: 'every-order-is-read',
  sentence: 'Every order that the service has heard of is read.',
  kind: 'liveness',
  clauses: ['ORD-FLO-03', 'ORD-GEN-05', 'ORD-GEN-03'],
  premise: 'the service heard of an order',
  binds: ['software-service'],
  sees: { exchanges: reads },
  start: () => undefined,
  shown: {
    handover: (_state, { order }, _watch, report) => recordReceipt(order, report),
    acknowledgment: (_state, { order }, _watch, report) => recordReceipt(order, report),
    exchange: (_state, exchange) => unread.pay(exchange),
  },
  end(_state, tracker, report) {
    unread.settle(tracker, report, ({ eventType, since }, { orderId }) => {
      const name = nameOf(tracker, orderId)
      return `The service has never read ${name}: it heard ${eventType} ${atClock(since)}, and no GET of it was answered 200 in the ${lasting(tracker.now - since)} since.`
    })
  },
})
