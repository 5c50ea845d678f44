/**
 * SE-11: a call names its own order, of a merchant of the service. An order that was never handed over, a merchant that
 * GET /merchants does not list, and a request id that names another order have one cause: shared state.
 */
import { defineInvariant } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { requestIdOf, orderIdOfExchange, orderOfExchange } from '../../tracking/exchange-fields.ts'
import { progressOperations } from '../../tracking/progress.ts'
import { atTimeOfDay, actionText, orderName } from '../../tracking/wording.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'
import type { Evidence } from '../../verdict.ts'

interface State {
  /** The last successful read of the service's merchants. */
  merchants: Evidence | undefined
}

/** Texts of missing ids. */
const missingIds: ReadonlySet<string> = new Set(['undefined', 'null', 'NaN', '[object Object]'])

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

interface Reason {
  readonly why: string
  readonly evidence?: Evidence | undefined
}

/** Another tracked order whose id is part of a request id. */
const otherIn = (key: string, orderId: string, { orders }: TrackerState): string | undefined =>
  key.match(uuid)?.find((id) => id !== orderId && orders.get(id) !== undefined)

function findViolation(
  observed: ObservedExchange,
  orderId: string,
  state: State,
  tracker: TrackerState,
): Reason | undefined {
  if (missingIds.has(orderId)) return { why: `there is no order ${orderId}` }
  const order = orderOfExchange(observed, tracker)
  // An order unknown to this session may be left from an earlier one.
  if (!order) return undefined
  const isNew = order.firstReceipt === undefined && order.firstSnapshot === undefined
  if (isNew && order.shownStatuses.size === 0)
    return { why: 'no event or reply had shown that order to it' }
  if (state.merchants && order.isForeign)
    return {
      why: `that order belongs to the merchant ${order.merchantId}, which GET /merchants had not listed`,
      evidence: state.merchants,
    }
  const key = requestIdOf(observed)
  const other = key === undefined ? undefined : otherIn(key, orderId, tracker)
  return other === undefined
    ? undefined
    : {
        why: `its X-Request-Id ${key} contains the id of another order, ${orderName(tracker, other)}`,
        evidence: tracker.orders.get(other)?.lastCall,
      }
}

export const ownOrdersOnly = defineInvariant<State>({
  id: 'SE-11',
  name: 'own-orders-only',
  sentence:
    'Must act only on orders that were sent to it, of its own merchants, and must not mix orders up.',
  remedy:
    'Take order ids only from events and GET replies, skip orders of other merchants, and give each order an X-Request-Id of its own.',
  kind: 'safety',
  clauses: ['AUT-MER-01', 'ORD-GEN-03', 'TRN-HDR-04'],
  premise: 'the service made a call about an order',
  calls: [
    ...progressOperations,
    'cancelOrderItem',
    'createDelivery',
    'cancelDelivery',
    'listMerchants',
  ],
  start: () => ({ merchants: undefined }),
  call(state, observed, tracker, report) {
    if (observed.operation === 'listMerchants') {
      if (observed.ok) state.merchants = observed.evidence
      return
    }
    const orderId = orderIdOfExchange(observed)
    if (orderId === undefined) return
    report.premise()
    const found = findViolation(observed, orderId, state, tracker)
    if (!found) return
    report.failed({
      because: `The service ${actionText(observed, orderName(tracker, orderId))} ${atTimeOfDay(observed.began)}, but ${found.why}.`,
      evidence: [found.evidence, observed.evidence],
      orderId,
      deduplicationKey: `${orderId} ${found.why}`,
    })
  },
})
