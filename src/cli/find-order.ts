/** The order that a person means: by its whole id, by the beginning of it that screens show, or by its number. */
import { problem } from '../problem.ts'
import type { SessionApi } from '../session-api/session-api.ts'

/** What the arguments and flags that take an order say of themselves. */
export const orderSummary = 'the order: its id, the beginning of that, or its number'

/** Orders that are gone through; whoever has more writes the whole id. */
const mostLookedAt = 1000
/** A beginning shorter than this fits too many. */
const shortest = 4

/** The whole id; what was typed where no order fits, so that the session says so in its own words. */
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
