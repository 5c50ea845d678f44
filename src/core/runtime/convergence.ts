/** Observes whether a session has converged: nothing is due, both sides agree about every order, and no rule is open. */
import type { OrderRow, SessionApi } from '../session-api/session-api.ts'
import { disagreementText, dueWorkText, openRuleTexts } from '../views/convergence.ts'

/** Orders that are compared, newest first. */
const maxOrders = 1000
/** Reasons that are listed. */
const maxReasons = 10
/** Agenda items that are read. */
const maxItems = 200

/** Answers what has not converged, one sentence each; an empty list when everything has. */
export type ConvergenceCheck = () => Promise<readonly string[]>

/**
 * A check that can be repeated: an order whose views agreed is compared again only after its status has changed. Without
 * an order nothing has converged, unless the service itself hosts the orders.
 */
export function createConvergenceCheck(session: Pick<SessionApi, 'look'>): ConvergenceCheck {
  /** The status at which the views of an order agreed, and since when: after a reset the id of the order may come again. */
  const agreed = new Map<string, string>()

  async function disagreements(
    orders: readonly Pick<OrderRow, 'orderId' | 'status' | 'since'>[],
    hasStatus: boolean,
  ): Promise<readonly string[]> {
    const reasons: string[] = []
    for (const { orderId, status, since } of orders) {
      const state = `${status} since ${since}`
      if (agreed.get(orderId) === state) continue
      const { explanation } = await session.look({ explain: orderId })
      const text = explanation && disagreementText(explanation, hasStatus)
      if (text === undefined) agreed.set(orderId, state)
      else reasons.push(text)
      if (reasons.length === maxReasons) break
    }
    return reasons
  }

  return async () => {
    const snapshot = await session.look({
      orders: { limit: maxOrders },
      agenda: { limit: maxItems, background: false },
      verdicts: true,
    })
    const { orders, info, verdicts } = snapshot
    if (orders.length === 0 && info.subject?.role !== 'ordering-application')
      return ['there is no order yet']
    const due = dueWorkText(snapshot)
    const reasons = [
      ...(due === undefined ? [] : [due]),
      ...openRuleTexts(verdicts),
      ...(await disagreements(orders, info.protocol.version !== 'v1')),
    ]
    return reasons.slice(0, maxReasons)
  }
}
