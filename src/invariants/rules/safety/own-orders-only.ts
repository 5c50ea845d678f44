/**
 * SE-11: a call names its own order, of a merchant of the service. An order that was never handed over, a merchant that
 * GET /merchants does not list, and a request id that names another order have one cause: shared state.
 */
import { defineInvariant } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { keyOf, orderIdOf, orderIn } from '../../tracking/subject-order.ts'
import { progressions } from '../../tracking/progress.ts'
import { atClock, cites, did, nameOf } from '../../tracking/wording.ts'
import type { Watch } from '../../tracking/tracker-state.ts'
import type { Cited } from '../../verdict.ts'

interface State {
  /** The last successful read of the service's merchants. */
  merchants: Cited | undefined
}

/** Texts of missing ids. */
const missingIds: ReadonlySet<string> = new Set(['undefined', 'null', 'NaN', '[object Object]'])

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

interface Reason {
  readonly why: string
  readonly evidence?: Cited | undefined
}

/** Another tracked order whose id is part of a request id. */
const otherIn = (key: string, orderId: string, { orders }: Watch): string | undefined =>
  key.match(uuid)?.find((id) => id !== orderId && orders.get(id) !== undefined)

function findViolation(
  seen: SeenExchange,
  orderId: string,
  state: State,
  tracker: Watch,
): Reason | undefined {
  if (missingIds.has(orderId)) return { why: `there is no order ${orderId}` }
  const order = orderIn(seen, tracker)
  // An order unknown to this session may be left from an earlier one.
  if (!order) return undefined
  const isNew = order.told === undefined && order.read === undefined
  if (isNew && order.shown.statuses().length === 0)
    return { why: 'nothing of that order had been handed over to it' }
  if (state.merchants && order.isForeign)
    return {
      why: `that order is of the merchant ${order.merchantId}, and GET /merchants had not named it`,
      evidence: state.merchants,
    }
  const key = keyOf(seen)
  const other = key === undefined ? undefined : otherIn(key, orderId, tracker)
  return other === undefined
    ? undefined
    : {
        why: `its X-Request-Id ${key} names another order, ${nameOf(tracker, other)}`,
        evidence: tracker.orders.get(other)?.lastCall,
      }
}

export const ownOrdersOnly = defineInvariant<State>({
  id: 'SE-11',
  name: 'own-orders-only',
  sentence:
    'The service works on orders that were handed over to it, of merchants that are its own, and never takes one for another.',
  kind: 'safety',
  clauses: ['AUT-MER-01', 'ORD-GEN-03', 'TRN-HDR-04'],
  premise: 'the service made a call about an order',
  binds: ['software-service'],
  sees: {
    exchanges: [
      ...progressions,
      'cancelOrderItem',
      'createDelivery',
      'cancelDelivery',
      'listMerchants',
    ],
  },
  start: () => ({ merchants: undefined }),
  shown: {
    exchange(state, seen, tracker, report) {
      if (seen.by !== 'subject') return
      if (seen.operation === 'listMerchants') {
        if (seen.ok) state.merchants = seen.cite
        return
      }
      const orderId = orderIdOf(seen)
      if (orderId === undefined) return
      report.premise()
      const found = findViolation(seen, orderId, state, tracker)
      if (!found) return
      report.broken({
        because: `The service ${did(seen, nameOf(tracker, orderId))} ${atClock(seen.began)}, but ${found.why}.`,
        evidence: cites(found.evidence, seen.cite),
        orderId,
        once: `${orderId} ${found.why}`,
      })
    },
  },
})
