/** Texts of findings: orders by slot, times of day, durations, calls, actions and replies. */
import { clockOf, type Instant } from '../../../engine/instant.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import type { KnownStatus } from './status-history.ts'
import { orderIdOfCall } from '../helpers/call-outcome.ts'
import type { TrackerState } from './tracker-state.ts'

/** An order by its slot, or by its id. */
export const orderName = ({ orders }: TrackerState, orderId: string): string =>
  orders.get(orderId)?.slot ?? `order ${orderId}`

/** `340 ms`, `3.2 s`, `125 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return `${(ms / 1000).toFixed(ms < 60_000 ? 1 : 0).replace(/\.0$/, '')} s`
}

export const atTimeOfDay = (instant: Instant): string => `at ${clockOf(instant)}`

const actionTexts: Partial<Record<OperationId, (order: string) => string>> = {
  confirmOrder: (order) => `confirmed ${order}`,
  setOrderPreparing: (order) => `reported ${order} as being prepared`,
  setOrderReadyForPickup: (order) => `reported ${order} as ready`,
  dispatchOrder: (order) => `dispatched ${order}`,
  setOrderDelivered: (order) => `reported ${order} as delivered`,
  cancelOrderItem: (order) => `cancelled an item of ${order}`,
  requestCancellation: (order) => `requested the cancellation of ${order}`,
  createDelivery: (order) => `requested a delivery for ${order}`,
  cancelDelivery: (order) => `cancelled the delivery of ${order}`,
}

/** What a call did, as a verb phrase: `confirmed o2`. */
export const actionText = (
  { operation }: Pick<ObservedExchange, 'operation'>,
  order: string,
): string =>
  (operation && actionTexts[operation]?.(order)) ??
  `called ${operation ?? 'something'} for ${order}`

const knowledgeTexts: Readonly<Record<KnownStatus['source'], (knowledge: KnownStatus) => string>> =
  {
    read: ({ status, evidence }) => `had read ${status} (GET ${atTimeOfDay(evidence.at)})`,
    acknowledged: ({ status, evidence }) =>
      `had acknowledged ${status} (${atTimeOfDay(evidence.at)})`,
    webhook: ({ status, evidence }) =>
      `had accepted the webhook of ${status} (${atTimeOfDay(evidence.at)})`,
  }

/** How the service learned a status, as the end of a sentence. */
export const knowledgeText = (knowledge: KnownStatus): string =>
  knowledgeTexts[knowledge.source](knowledge)

/** The idempotency key of a call: `with X-Request-Id a1`. */
export const requestIdText = (key: string | undefined): string =>
  key === undefined ? 'without X-Request-Id' : `with X-Request-Id ${key}`

/** The reply to a call: `answered 503`, `not answered`. */
export const replyText = ({ status, exchange }: ObservedExchange): string =>
  status > 0 ? `answered ${status}` : `not answered (${exchange.failure?.code ?? 'no reply'})`

const plain: Readonly<Record<string, string>> = {
  pollingEvents: 'a poll',
  acknowledgeEvents: 'an acknowledgment',
  issueToken: 'the request for a token',
  getOrder: 'the GET',
}

/** `confirmOrder of o2`, `the GET of o1`, `a poll`. */
export function callName(observed: ObservedExchange, tracker: TrackerState): string {
  const { operation, exchange } = observed
  const name = operation === undefined ? exchange.request.method : (plain[operation] ?? operation)
  const orderId = orderIdOfCall(observed)
  return orderId === undefined ? name : `${name} of ${orderName(tracker, orderId)}`
}

/** The reply: `a 429 with Retry-After: 5`, `a 503`, `no reply`. */
export function replyName(observed: ObservedExchange): string {
  const { status, exchange } = observed
  if (status === 0) return 'no reply'
  if (exchange.failure) return 'an incomplete reply'
  const after = status >= 400 ? observed.responseHeader('retry-after') : undefined
  return `a ${status}${after === undefined ? '' : ` with Retry-After: ${after}`}`
}
