/** Asks the session for the id of the order that was typed. */
import { problem } from '../../../core/base/problem.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'

/** Help text of the arguments and flags that take an order. */
export const orderArgumentSummary =
  'the order: its slot (o1), its id or the beginning of it, or its number'

/** The full id; the typed text where no order fits, so that the session reports the unknown order itself. */
export async function resolveOrderId(face: SessionApi, typed: string): Promise<string> {
  const { order, problem: ambiguous } = await face.look({ orderId: typed })
  if (ambiguous !== undefined)
    throw problem('finding the order', ambiguous, 'See sparring orders list.')
  return order?.row.orderId ?? typed
}
