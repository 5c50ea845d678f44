/** CV-2: every order that the service took an event of is read with GET, however often reading it had failed before. */
import { defineInvariant, type Tell } from './invariant.ts'
import { type Debts, owe, pay, settle } from './watch/debts.ts'
import { reads } from './pace/reads.ts'
import { atClock, lasting, nameOf } from './watch/say.ts'
import { createNote } from './watch/notes.ts'
import type { OrderWatch } from './watch/watch.ts'

/** Its first news has come, and was followed up. */
const isHeard = createNote<true>()

function hear(unread: Debts, order: OrderWatch | undefined, tell: Tell): void {
  if (!order?.told || isHeard.of(order) || order.isForeign) return
  isHeard.keep(order, true)
  tell.premise()
  if (order.read) return
  const { since, eventType, cite } = order.told
  owe(unread, { orderId: order.orderId, eventType, emitted: 0, since, cite })
}

export const everyOrderIsRead = defineInvariant<Debts>({
  id: 'CV-2',
  name: 'every-order-is-read',
  sentence: 'Every order that the service has heard of is read.',
  kind: 'liveness',
  clauses: ['ORD-FLO-03', 'ORD-GEN-05', 'ORD-GEN-03'],
  premise: 'the service heard of an order',
  binds: ['software-service'],
  sees: { exchanges: reads },
  start: () => new Map(),
  shown: {
    handover: (unread, { order }, _watch, tell) => hear(unread, order, tell),
    acknowledgment: (unread, { order }, _watch, tell) => hear(unread, order, tell),
    exchange: pay,
  },
  end(unread, watch, tell) {
    settle(unread, watch, tell, ({ orderId, eventType, since }) => {
      const name = nameOf(watch, orderId)
      return `The service has never read ${name}: it heard ${eventType} ${atClock(since)}, and no GET of it was answered 200 in the ${lasting(watch.now - since)} since.`
    })
  },
})
