/** Resolves what was typed to an order id: a full id, the id prefix that screens show, or a display number. */
import { problem } from '../problem.ts'
import type { SessionApi } from '../session-api/session-api.ts'

/** Help text of the arguments and flags that take an order. */
export const orderArgumentSummary = 'the order: its id, the beginning of that, or its number'

/** Number of orders searched for a prefix or number; beyond it only the full id works. */
const maxOrders = 1000
/** In characters; a shorter prefix matches too many orders. */
const minPrefixLength = 4

/** The full id; the typed text where no order matches, so that the session reports the unknown order itself. */
export async function resolveOrderId(face: SessionApi, typed: string): Promise<string> {
  const { order, orders } = await face.look({ orderId: typed, orders: { limit: maxOrders } })
  if (order) return typed
  const matching = orders.filter(
    ({ orderId, displayId }) =>
      displayId === typed || (typed.length >= minPrefixLength && orderId.startsWith(typed)),
  )
  const [only] = matching
  if (matching.length < 2) return only?.orderId ?? typed
  throw problem(
    'finding the order',
    `"${typed}" fits ${matching.map(({ orderId }) => orderId).join(' and ')}`,
    'Write the whole id.',
  )
}
