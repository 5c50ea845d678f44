/** Texts for calls and replies in findings. */
import type { SeenExchange } from '../judge/observations.ts'
import type { Watch } from '../tracking/tracker-state.ts'
import { nameOf } from '../tracking/wording.ts'
import { orderOf } from './call-outcome.ts'

const plain: Readonly<Record<string, string>> = {
  pollingEvents: 'a poll',
  pollEventsV1: 'a poll',
  acknowledgeEvents: 'an acknowledgment',
  acknowledgeEventsV1: 'an acknowledgment',
  issueToken: 'the request for a token',
  getOrder: 'the GET',
  getOrderV1: 'the GET',
}

/** `confirmOrder of o2`, `the GET of o1`, `a poll`. */
export function callName(seen: SeenExchange, tracker: Watch): string {
  const { operation, exchange } = seen
  const name = operation === undefined ? exchange.request.method : (plain[operation] ?? operation)
  const orderId = orderOf(seen)
  return orderId === undefined ? name : `${name} of ${nameOf(tracker, orderId)}`
}

/** The reply: `a 429 that said Retry-After: 5`, `a 503`, `no answer`. */
export function answerName(seen: SeenExchange): string {
  const { status, exchange } = seen
  if (status === 0) return 'no answer'
  if (exchange.failure) return 'half an answer'
  const after = status >= 400 ? seen.answerHeader('retry-after') : undefined
  return `a ${status}${after === undefined ? '' : ` that said Retry-After: ${after}`}`
}

/** `once`, `twice`, `3 times`. */
export const timesName = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
