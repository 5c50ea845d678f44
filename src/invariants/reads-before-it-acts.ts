/** SE-7: an event is news, not an order: before the first thing that is done about an order it is read with GET. */
import { addBounded } from '../engine/bounded.ts'
import { defineInvariant } from './invariant.ts'
import { orderIdOf } from './watch/about.ts'
import { mostKept } from './watch/kept.ts'
import { progressions } from './watch/progress.ts'
import { atClock, cites, did, nameOf } from './watch/say.ts'

interface State {
  readonly begun: Set<string>
}

export const readsBeforeItActs = defineInvariant<State>({
  id: 'SE-7',
  name: 'reads-before-it-acts',
  sentence: 'Before the service does anything about an order it has read it.',
  kind: 'safety',
  clauses: ['ORD-FLO-03', 'ORD-GEN-03', 'ORD-EVR-01'],
  premise: 'the service did something about an order for the first time',
  binds: ['software-service'],
  sees: { exchanges: [...progressions, 'createDelivery'] },
  start: () => ({ begun: new Set() }),
  shown: {
    exchange({ begun }, seen, watch, tell) {
      if (seen.by !== 'subject') return
      const orderId = orderIdOf(seen)
      const order = orderId === undefined ? undefined : watch.orders.get(orderId)
      if (!order || begun.has(order.orderId)) return
      addBounded(begun, order.orderId, mostKept)
      tell.premise()
      const { read, told } = order
      if (read && read.ended <= seen.began) return
      const name = nameOf(watch, order.orderId)
      const heard = told ? ` It had only heard ${told.eventType} (${atClock(told.cite().at)}).` : ''
      tell.broken({
        because: `The service ${did(seen, name)} ${atClock(seen.began)}, and had not read it: no GET of it had been answered 200 by then.${heard}`,
        evidence: cites(told?.cite(), seen.cite()),
        orderId: order.orderId,
      })
    },
  },
})
