/**
 * How often something was changed, and how much news of it was handed over. A read is answered as it was answered at
 * the same point: a recording that is asked by address alone answers a read after a change with the one from before it.
 */
import { operation } from '../../protocol/catalogue.ts'
import type { Exchange } from '../exchange.ts'
import { isAcknowledgment, isPoll as isPollExchange } from '../polling.ts'

export interface Epoch {
  /** Calls that changed it. */
  readonly changes: number
  /** Events of it that were handed over. */
  readonly news: number
}

export interface Epochs {
  /** Of what an exchange is about, before it. */
  readonly before: (exchange: Exchange) => Epoch
  /** The exchange happened, or an event of it was handed over. */
  readonly passed: (exchange: Exchange) => void
}

/** To acknowledge changes no order, and a token is nobody's. */
const changesNothing = (exchange: Exchange): boolean =>
  exchange.operation === 'issueToken' || isAcknowledgment(exchange)

export const isSafe = ({ request }: Exchange): boolean =>
  request.method === 'GET' || request.method === 'HEAD'

const wasRefused = ({ reply }: Exchange): boolean => !reply || reply.status >= 400

/** Whether it changed something: a call that was taken, and is no question. */
export const isChange = (exchange: Exchange): boolean =>
  !isSafe(exchange) && !wasRefused(exchange) && !changesNothing(exchange)

/** Whether it hands events over: a poll that brought some, or a webhook. */
export const bringsNews = ({ operation: id, eventIds }: Exchange): boolean =>
  id !== undefined && (isPoll(id) ? (eventIds?.length ?? 0) > 0 : Boolean(operation(id).webhook))

export const isPoll = (id: string | undefined): boolean => isPollExchange({ operation: id })

export type Entities = (exchange: Exchange) => readonly string[]

/** An event, and what it is about. */
export interface News {
  readonly id?: string
  readonly about: readonly string[]
}
export type NewsIn = (exchange: Exchange) => readonly News[]

/** All events of an exchange are about all that it names, where nobody can tell better. */
export const newsOf =
  (entities: Entities): NewsIn =>
  (exchange) =>
    (exchange.eventIds ?? []).map((id) => ({ id, about: entities(exchange) }))

/** What stands for all that has no entity of its own: lists and searches. */
const capabilityOf = ({ operation: id }: Exchange): string =>
  id === undefined ? 'unknown' : operation(id).capability

export function createEpochs(entities: Entities, newsIn = newsOf(entities)): Epochs {
  const changes = new Map<string, number>()
  const news = new Map<string, number>()
  /** What came again is no news. */
  const heard = new Set<string>()
  const more = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return {
    before(exchange) {
      const [key = capabilityOf(exchange)] = entities(exchange)
      return { changes: changes.get(key) ?? 0, news: news.get(key) ?? 0 }
    },
    passed(exchange) {
      if (bringsNews(exchange)) return hear(exchange)
      if (!isChange(exchange)) return
      for (const key of new Set(entities(exchange))) more(changes, key)
      more(changes, capabilityOf(exchange))
    },
  }

  function hear(exchange: Exchange): void {
    for (const { id, about } of newsIn(exchange)) {
      if (id !== undefined && heard.has(id)) continue
      if (id !== undefined) heard.add(id)
      for (const key of new Set(about)) more(news, key)
      more(news, capabilityOf(exchange))
    }
  }
}
