/**
 * RC-2. Once the service knows that an order is over, it reads it a few times more at most. CONCLUDED is no reason to go
 * on: it may never come (ORD-TRA-10, ORD-EVT-17). News of the order is, and so is a GET that shows it is not over yet.
 */
import { setBounded } from '../engine/bounded.ts'
import type { Instant } from '../engine/instant.ts'
import { defineInvariant, type Tell } from './invariant.ts'
import { isRead, reads } from './pace/reads.ts'
import type { SeenExchange } from './seen.ts'
import { isOver, projected } from './watch/progress.ts'
import { cites, howKnown, lasting, nameOf } from './watch/say.ts'
import type { Watch } from './watch/watch.ts'

type Reading = Pick<SeenExchange, 'began' | 'cite'>

interface Over {
  readonly since: Instant
  /** Readings since then and since the last news. */
  after: readonly Reading[]
}

type State = Map<string, Over>

const most = 5000
const mostReads = 3

/** Since when the service knew that an order is over. */
function knewSince({ orders }: Watch, orderId: string): string {
  const known = [...(orders.get(orderId)?.known.values() ?? [])].find(({ status }) =>
    isOver(status),
  )
  return known ? `, though the service ${howKnown(known)}` : ''
}

const none: readonly Reading[] = []

function end(state: State, orderId: string, since: Instant, tell: Tell): void {
  if (state.has(orderId)) return
  tell.premise()
  setBounded(state, orderId, { since, after: none }, most)
}

export const readsStopAfterTheEnd = defineInvariant<State>({
  id: 'RC-2',
  name: 'reads-stop-after-the-end',
  sentence: 'An order that the service knows to be over is read three times more at most.',
  kind: 'timing',
  clauses: ['ORD-TRA-10', 'ORD-TRA-11', 'ORD-EVT-17'],
  premise: 'the service knew that an order is over',
  binds: ['software-service'],
  sees: { exchanges: reads },
  start: () => new Map(),
  shown: {
    handover(state, { orderId }) {
      const over = orderId === undefined ? undefined : state.get(orderId)
      if (over && over.after.length > 0) over.after = []
    },
    acknowledgment(state, { orderId, eventType, at }, _watch, tell) {
      const status = eventType === undefined ? undefined : projected(eventType)
      if (orderId !== undefined && status && isOver(status)) end(state, orderId, at, tell)
    },
    exchange(state, exchange, watch, tell) {
      const { orderId } = exchange
      if (!isRead(exchange) || !exchange.ok || orderId === undefined) return
      const status = exchange.orderStatus
      if (status && !isOver(status)) return void state.delete(orderId)
      const over = state.get(orderId)
      if (!over) return end(state, orderId, exchange.ended, tell)
      if (exchange.began < over.since) return
      over.after = over.after.concat({ began: exchange.began, cite: exchange.cite })
      const [first] = over.after
      if (over.after.length <= mostReads || !first) return
      tell.broken({
        because: `The service read ${nameOf(watch, orderId)} ${over.after.length} times within ${lasting(exchange.began - first.began)} after it was over and without any news of it${knewSince(watch, orderId)}.`,
        evidence: cites(...over.after.map(({ cite }) => cite())),
        orderId,
        once: orderId,
      })
      over.after = over.after.slice(1)
    },
  },
})
