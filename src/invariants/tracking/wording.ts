/** The words of a finding: a sentence that one person sends to another says o2, a time of day, and how long it took. */
import { clockOf, type Instant } from '../../engine/instant.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { SeenExchange } from '../judge/observations.ts'
import type { Cited } from '../verdict.ts'
import type { Knowledge } from './status-history.ts'
import type { Watch } from './tracker-state.ts'

/** An order as people name it: by its slot. */
export const nameOf = ({ orders }: Watch, orderId: string): string =>
  orders.get(orderId)?.slot ?? `order ${orderId}`

/** `340 ms`, `3.2 s`, `125 s`. */
export function lasting(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return `${(ms / 1000).toFixed(ms < 60_000 ? 1 : 0).replace(/\.0$/, '')} s`
}

export const atClock = (instant: Instant): string => `at ${clockOf(instant)}`

const deeds: Partial<Record<OperationId, (order: string) => string>> = {
  confirmOrder: (order) => `confirmed ${order}`,
  setOrderPreparing: (order) => `told that ${order} is being prepared`,
  setOrderReadyForPickup: (order) => `told that ${order} is ready`,
  dispatchOrder: (order) => `dispatched ${order}`,
  setOrderDelivered: (order) => `told that ${order} was delivered`,
  cancelOrderItem: (order) => `cancelled an item of ${order}`,
  requestCancellation: (order) => `asked to cancel ${order}`,
  createDelivery: (order) => `asked for a delivery of ${order}`,
  cancelDelivery: (order) => `cancelled the delivery of ${order}`,
}

/** What the service did with a call: `confirmed o2`. */
export const did = ({ operation }: Pick<SeenExchange, 'operation'>, order: string): string =>
  (operation && deeds[operation]?.(order)) ?? `called ${operation ?? 'something'} for ${order}`

const ways: Readonly<Record<Knowledge['how'], (knowledge: Knowledge) => string>> = {
  read: ({ status, cite }) => `had read ${status} (GET ${atClock(cite.at)})`,
  acknowledged: ({ status, cite }) => `had acknowledged ${status} (${atClock(cite.at)})`,
  webhook: ({ status, cite }) => `had taken the webhook of ${status} (${atClock(cite.at)})`,
}

/** How the service came to know a status, as the end of a sentence. */
export const howKnown = (knowledge: Knowledge): string => ways[knowledge.how](knowledge)

/** What a call came to: `answered 503`, `not answered`. */
export const outcomeOf = ({ status, exchange }: SeenExchange): string =>
  status > 0 ? `answered ${status}` : `not answered (${exchange.failure?.code ?? 'no reply'})`

/** Evidence without what is missing and without repetitions. */
export function cites(...all: readonly (Cited | undefined)[]): readonly Cited[] {
  const bySeq = new Map<number, Cited>()
  for (const each of all) if (each) bySeq.set(each.seq, each)
  return [...bySeq.values()]
}
