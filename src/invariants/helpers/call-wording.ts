/** Texts for calls and replies in findings. */
import type { ObservedExchange } from '../judge/observations.ts'
import type { TrackerState } from '../tracking/tracker-state.ts'
import { orderName } from '../tracking/wording.ts'
import { orderIdOfCall } from './call-outcome.ts'

const plain: Readonly<Record<string, string>> = {
  pollingEvents: 'a poll',
  acknowledgeEvents: 'an acknowledgment',
  issueToken: 'the request for a token',
  getOrder: 'the GET',
}

/** `confirmOrder of o2`, `the GET of o1`, `a poll`. */
export function callName(seen: ObservedExchange, tracker: TrackerState): string {
  const { operation, exchange } = seen
  const name = operation === undefined ? exchange.request.method : (plain[operation] ?? operation)
  const orderId = orderIdOfCall(seen)
  return orderId === undefined ? name : `${name} of ${orderName(tracker, orderId)}`
}

/** The reply: `a 429 with Retry-After: 5`, `a 503`, `no reply`. */
export function replyName(seen: ObservedExchange): string {
  const { status, exchange } = seen
  if (status === 0) return 'no reply'
  if (exchange.failure) return 'an incomplete reply'
  const after = status >= 400 ? seen.responseHeader('retry-after') : undefined
  return `a ${status}${after === undefined ? '' : ` with Retry-After: ${after}`}`
}

/** `once`, `twice`, `3 times`. */
export const countName = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
