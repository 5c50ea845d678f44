/** CV-2: every order that the service took an event of is read with GET, however often reading it had failed before. */
import { addBounded } from '../engine/bounded.ts'
import { defineInvariant, type Tell } from './invariant.ts'
import { type Debts, owe, pay, settle } from './watch/debts.ts'
import { isForeign } from './every-order-comes-to-its-end.ts'
import { atClock, lasting, nameOf } from './watch/say.ts'
import { mostKept } from './watch/kept.ts'
import type { Watch } from './watch/watch.ts'

interface State {
  readonly heard: Set<string>
  readonly unread: Debts
}

function hear(
  { heard, unread }: State,
  orderId: string | undefined,
  watch: Watch,
  tell: Tell,
): void {
  if (orderId === undefined || heard.has(orderId)) return
  const order = watch.orders.get(orderId)
  if (!order?.told || isForeign(order, watch)) return
  addBounded(heard, orderId, mostKept)
  tell.premise()
  if (order.read) return
  const { since, eventType, cite } = order.told
  owe(unread, { orderId, eventType, emitted: 0, since, cite })
}

export const everyOrderIsRead = defineInvariant<State>({
  id: 'CV-2',
  name: 'every-order-is-read',
  sentence: 'Every order that the service has heard of is read.',
  kind: 'liveness',
  clauses: ['ORD-FLO-03', 'ORD-GEN-05', 'ORD-GEN-03'],
  premise: 'the service heard of an order',
  binds: ['software-service'],
  sees: { exchanges: ['getOrder'] },
  start: () => ({ heard: new Set(), unread: new Map() }),
  shown: {
    handover: (state, { orderId }, watch, tell) => hear(state, orderId, watch, tell),
    acknowledgment: (state, { orderId }, watch, tell) => hear(state, orderId, watch, tell),
    exchange: ({ unread }, exchange) => pay(unread, exchange),
  },
  end({ unread }, watch, tell) {
    settle(unread, watch, tell, ({ orderId, eventType, since }) => {
      const name = nameOf(watch, orderId)
      return `The service has never read ${name}: it heard ${eventType} ${atClock(since)}, and no GET of it was answered 200 in the ${lasting(watch.now - since)} since.`
    })
  },
})
