/**
 * CV-3: an event that never comes is made up for. Sooner or later the service reads the order, or goes on with it, and
 * knows what the event would have told. Only what is lost for good counts: not what still waits to be polled or sent.
 */
import { isForeign } from './every-order-comes-to-its-end.ts'
import { defineInvariant, type Tell } from './invariant.ts'
import type { SeenExchange } from './seen.ts'
import { createNote } from './watch/notes.ts'
import { isOver, progressions, progressOf, projected } from './watch/progress.ts'
import { atClock, cites, lasting, nameOf } from './watch/say.ts'
import type { EventWatch, OrderWatch } from './watch/watch.ts'

/** News of an order that has not reached the service. */
const missingOf = createNote<readonly EventWatch[]>()

/** It lies nowhere where the service could get it, and nothing will bring it. */
const isLost = ({ handovers, underWay, mailed, waiting }: EventWatch): boolean =>
  handovers === 0 && underWay === 0 && !mailed && !waiting

function makeUp(seen: SeenExchange, tell: Tell): void {
  const { order } = seen
  const missing = seen.by === 'subject' && order ? missingOf.of(order) : undefined
  if (!order || !missing) return
  const isReading = seen.operation === 'getOrder' && seen.ok
  const step = progressOf(seen)
  if (!isReading && !step) return
  const left = missing.filter((news) => {
    const status = projected(news.eventType)
    const isKnown =
      seen.began >= news.emitted &&
      (isReading || (status !== undefined && step?.from.includes(status) === true))
    if (isKnown && isLost(news)) tell.premise()
    return !isKnown
  })
  keep(order, left)
}

const keep = (order: OrderWatch, news: readonly EventWatch[]): void =>
  missingOf.keep(order, news.length === 0 ? undefined : news)

/** CREATED reveals an order, and CONCLUDED asks for nothing any more. */
function isNews({ eventType }: EventWatch): boolean {
  const status = projected(eventType)
  return status !== undefined && status !== 'CREATED' && status !== 'CONCLUDED'
}

export const lostNewsIsMadeUpFor = defineInvariant<undefined>({
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
  start: () => undefined,
  shown: {
    exchange: (_state, exchange, _watch, tell) => makeUp(exchange, tell),
    handover(_state, { order, event }) {
      const missing = order && missingOf.of(order)
      if (!missing || !event || !missing.includes(event)) return
      keep(
        order,
        missing.filter((news) => news !== event),
      )
    },
    fact(_state, { fact }, { orders, events }) {
      if (fact.kind !== 'event.emitted') return
      const news = events.get(fact.event.eventId)
      const order = orders.get(fact.event.orderId)
      if (!order || !news || !isNews(news)) return
      keep(order, (missingOf.of(order) ?? []).concat(news))
    },
  },
  end(_state, watch, tell) {
    for (const order of watch.orders.values()) {
      const { orderId, told } = order
      if (!told || isForeign(order, watch)) continue
      for (const news of missingOf.of(order) ?? []) {
        // Another event of its end has come: there is nothing left to find out.
        if (!isLost(news) || hasHeardTheEnd(order)) continue
        tell.premise()
        if (!watch.overdue(news.emitted)) tell.open()
        else
          tell.broken({
            because: `The event ${news.eventType} of ${nameOf(watch, orderId)} (${atClock(news.emitted)}) never reached the service, and in the ${lasting(watch.now - news.emitted)} since it has neither read the order nor gone on with it.`,
            evidence: cites(told.cite(), order.lastCall?.()),
            orderId,
            once: orderId,
          })
      }
    }
  },
})

const hasHeardTheEnd = ({ shown }: OrderWatch): boolean => shown.statuses().some(isOver)
