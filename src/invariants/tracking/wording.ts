/** Texts of findings: orders by slot, times of day, durations, actions and replies. */
import { clockOf, type Instant } from '../../engine/instant.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { SeenExchange } from '../judge/observations.ts'
import type { Cited } from '../verdict.ts'
import type { Knowledge } from './status-history.ts'
import type { Watch } from './tracker-state.ts'

/** An order by its slot, or by its id. */
export const nameOf = ({ orders }: Watch, orderId: string): string =>
  orders.get(orderId)?.slot ?? `order ${orderId}`

/** `340 ms`, `3.2 s`, `125 s`. */
export function lasting(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return `${(ms / 1000).toFixed(ms < 60_000 ? 1 : 0).replace(/\.0$/, '')} s`
}

export const atClock = (instant: Instant): string => `at ${clockOf(instant)}`

const actionTexts: Partial<Record<OperationId, (order: string) => string>> = {
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

/** What a call did, as a verb phrase: `confirmed o2`. */
export const did = ({ operation }: Pick<SeenExchange, 'operation'>, order: string): string =>
  (operation && actionTexts[operation]?.(order)) ??
  `called ${operation ?? 'something'} for ${order}`

const knowledgeTexts: Readonly<Record<Knowledge['how'], (knowledge: Knowledge) => string>> = {
  read: ({ status, cite: evidence }) => `had read ${status} (GET ${atClock(evidence.at)})`,
  acknowledged: ({ status, cite: evidence }) =>
    `had acknowledged ${status} (${atClock(evidence.at)})`,
  webhook: ({ status, cite: evidence }) =>
    `had taken the webhook of ${status} (${atClock(evidence.at)})`,
}

/** How the service learned a status, as the end of a sentence. */
export const howKnown = (knowledge: Knowledge): string => knowledgeTexts[knowledge.how](knowledge)

/** The reply to a call: `answered 503`, `not answered`. */
export const outcomeOf = ({ status, exchange }: SeenExchange): string =>
  status > 0 ? `answered ${status}` : `not answered (${exchange.failure?.code ?? 'no reply'})`

/** Evidence without gaps and duplicates. */
export function cites(...all: readonly (Cited | undefined)[]): readonly Cited[] {
  const bySeq = new Map<number, Cited>()
  for (const each of all) if (each) bySeq.set(each.seq, each)
  return [...bySeq.values()]
}
