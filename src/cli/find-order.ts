/** Resolves what was typed to an order id: a full id, the id prefix that screens show, or a display number. */
import { problem } from '../problem.ts'
import type { SessionApi } from '../session-api/session-api.ts'

/** Help text of the arguments and flags that take an order. */
export const orderSummary = 'the order: its id, the beginning of that, or its number'

/** Number of orders searched for a prefix or number; beyond it only the full id works. */
const mostLookedAt = 1000
/** In characters; a shorter prefix matches too many orders. */
const shortest = 4

/** The full id; the typed text where no order matches, so that the session reports the unknown order itself. */
export async function orderIdOf(face: SessionApi, typed: string): Promise<string> {
  const { order, orders } = await face.look({ orderId: typed, orders: { limit: mostLookedAt } })
  if (order) return typed
  const fitting = orders.filter(
    ({ orderId, displayId }) =>
      displayId === typed || (typed.length >= shortest && orderId.startsWith(typed)),
  )
  const [only] = fitting
  if (fitting.length < 2) return only?.orderId ?? typed
  throw problem(
    'finding the order',
    `"${typed}" fits ${fitting.map(({ orderId }) => orderId).join(' and ')}`,
    'Write the whole id.',
  )
}
