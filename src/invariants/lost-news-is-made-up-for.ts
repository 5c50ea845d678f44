/**
 * CV-3: an event that never comes is made up for. Sooner or later the service reads the order, or goes on with it, and
 * knows what the event would have told. Only what is lost for good counts: not what still waits to be polled or sent.
 */
import type { Instant } from '../engine/instant.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import { isForeign } from './every-order-comes-to-its-end.ts'
import { setBounded } from '../engine/bounded.ts'
import { defineInvariant, type Tell } from './invariant.ts'
import type { SeenExchange } from './seen.ts'
import { mostKept } from './watch/kept.ts'
import { isOver, progressions, progressOf, projected } from './watch/progress.ts'
import { atClock, cites, lasting, nameOf } from './watch/say.ts'
import type { OrderWatch, Watch } from './watch/watch.ts'

interface News {
  readonly eventId: string
  readonly eventType: string
  readonly status: OrderStatus
  readonly emitted: Instant
}

/** News that has not reached the service, by order. */
type State = Map<string, readonly News[]>

/** It lies nowhere where the service could get it, and nothing will bring it. */
function isLost({ eventId }: News, { events }: Watch): boolean {
  const event = events.get(eventId)
  if (!event) return false
  return event.handovers === 0 && event.underWay === 0 && !event.mailed && !event.waiting
}

function makeUp(state: State, seen: SeenExchange, watch: Watch, tell: Tell): void {
  if (seen.by !== 'subject' || seen.orderId === undefined) return
  const missing = state.size === 0 ? undefined : state.get(seen.orderId)
  if (!missing) return
  const isReading = seen.operation === 'getOrder' && seen.ok
  const step = progressOf(seen)
  if (!isReading && !step) return
  const left = missing.filter((news) => {
    const isKnown =
      seen.began >= news.emitted && (isReading || step?.from.includes(news.status) === true)
    if (isKnown && isLost(news, watch)) tell.premise()
    return !isKnown
  })
  keepNews(state, seen.orderId, left)
}

function keepNews(state: State, orderId: string, news: readonly News[]): void {
  if (news.length === 0) state.delete(orderId)
  else setBounded(state, orderId, news, mostKept)
}

export const lostNewsIsMadeUpFor = defineInvariant<State>({
  id: 'CV-3',
  name: 'lost-news-is-made-up-for',
  sentence: 'What an event would have told that never came, the service finds out by itself.',
  kind: 'liveness',
  clauses: ['ORD-EVR-06', 'ORD-EVR-01'],
  premise: 'an event about a new status of an order was lost',
  binds: ['software-service'],
  sees: {
    exchanges: ['getOrder', ...progressions],
    facts: ['event.emitted'],
  },
  start: () => new Map(),
  shown: {
    exchange: (state, exchange, watch, tell) => makeUp(state, exchange, watch, tell),
    handover(state, { orderId, eventId }) {
      const missing = orderId === undefined ? undefined : state.get(orderId)
      if (!missing || orderId === undefined) return
      const left = missing.filter((news) => news.eventId !== eventId)
      if (left.length < missing.length) keepNews(state, orderId, left)
    },
    fact(state, { fact, at }) {
      if (fact.kind !== 'event.emitted') return
      const { eventId, eventType, orderId } = fact.event
      const status = projected(eventType)
      // CREATED reveals an order, and CONCLUDED asks for nothing any more.
      if (!status || status === 'CREATED' || status === 'CONCLUDED') return
      const news = { eventId, eventType, status, emitted: at }
      const missing = state.get(orderId)
      keepNews(state, orderId, missing ? missing.concat(news) : [news])
    },
  },
  end(state, watch, tell) {
    for (const [orderId, missing] of state) {
      const order = watch.orders.get(orderId)
      if (!order?.told || isForeign(order, watch)) continue
      for (const news of missing) {
        // Another event of its end has come: there is nothing left to find out.
        if (!isLost(news, watch) || hasHeardTheEnd(order)) continue
        tell.premise()
        if (!watch.overdue(news.emitted)) tell.open()
        else
          tell.broken({
            because: `The event ${news.eventType} of ${nameOf(watch, orderId)} (${atClock(news.emitted)}) never reached the service, and in the ${lasting(watch.now - news.emitted)} since it has neither read the order nor gone on with it.`,
            evidence: cites(order.told.cite(), order.lastCall?.()),
            orderId,
            once: orderId,
          })
      }
    }
  },
})

const hasHeardTheEnd = ({ shown }: OrderWatch): boolean => shown.statuses().some(isOver)
