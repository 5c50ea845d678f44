/**
 * HO-2. A V1 Ordering Application takes the calls that take its orders on, and shows the orders that it announced. A
 * refusal may be right, or come too early: it counts when the same call is refused again and again, and neither is it
 * taken in the end, nor does an event say why (fields.md, 4.3; I#5).
 */
import { progressOperations, progressRank, projectedStatus } from '../../tracking/progress.ts'
import { setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import type { OperationId } from '../../../../protocol/catalogue.ts'
import type { OrderStatus } from '../../../../protocol/orders/order.ts'
import { defineInvariant } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { textAt } from '../../tracking/exchange-fields.ts'
import { statusRank } from '../../tracking/status-rank.ts'
import { actionText, atTimeOfDay } from '../../tracking/wording.ts'
import type { CallEvidence } from '../../tracking/tracker-state.ts'

interface Refused {
  readonly orderId: string
  readonly operation: OperationId | undefined
  /** What the call is for, in the past. */
  readonly action: string
  readonly since: Instant
  readonly first: CallEvidence
  last: CallEvidence
  status: number
  times: number
}

/** By order, then by operation: what was refused and not taken since. */
type State = Map<string, Map<string, Refused>>

/** Answers that say nothing of the order: the token, the pace. */
const ofTheClient: ReadonlySet<number> = new Set([401, 403, 429])

/** An order that is at this status waits for no call that leads to it. */
function forget(state: State, orderId: string | undefined, status: OrderStatus | undefined): void {
  const refused = orderId === undefined ? undefined : state.get(orderId)
  if (!refused || status === undefined) return
  for (const [operation, each] of refused)
    if (each.operation !== 'getOrder' && progressRank(each) <= statusRank(status))
      refused.delete(operation)
  if (statusRank(status) >= statusRank('DELIVERED')) refused.delete('getOrder')
}

function forgetByEvent(state: State, event: unknown): void {
  const eventType = textAt(event, 'eventType')
  if (eventType !== undefined) forget(state, textAt(event, 'orderId'), projectedStatus(eventType))
}

function note(state: State, exchange: ObservedExchange): void {
  const { orderId, operation = 'getOrder', status, evidence, ended } = exchange
  if (orderId === undefined) return
  const refused = state.get(orderId) ?? new Map<string, Refused>()
  const known = refused.get(operation)
  if (known) Object.assign(known, { last: evidence, status, times: known.times + 1 })
  else
    refused.set(operation, {
      orderId,
      operation,
      action: actionText(exchange, `order ${orderId}`),
      since: ended,
      first: evidence,
      last: evidence,
      status,
      times: 1,
    })
  setBounded(state, orderId, refused, maxTrackedKeys)
}

export const ordersCanGoOn = defineInvariant<State>({
  id: 'HO-2',
  name: 'orders-can-go-on',
  sentence: 'Must show the orders that it announced, and take the calls that take them on.',
  remedy:
    'Keep each announced order under its id, answer 202 to the calls of its steps, or send the event that says why not.',
  kind: 'liveness',
  clauses: ['ORD-GEN-05', 'MIG-ORD-05', 'MIG-ORD-10'],
  premise: 'the service answered a call about an order that it had announced',
  binds: ['ordering-application'],
  speaks: 'v1',
  start: () => new Map(),
  calls: ['receiveOrderEvent'],
  call: (state, exchange) => forgetByEvent(state, exchange.requestJson()),
  answers: ['pollingEvents', 'getOrder', ...progressOperations],
  answer(state, exchange, _tracker, report) {
    const { operation, orderId, ok, status } = exchange
    if (operation === 'pollingEvents') {
      const events = ok ? exchange.responseJson() : undefined
      for (const event of Array.isArray(events) ? events : []) forgetByEvent(state, event)
      return
    }
    if (exchange.isFaulted || status === 0 || ofTheClient.has(status)) return
    report.premise()
    if (!ok) note(state, exchange)
    else state.get(orderId ?? '')?.delete(operation ?? '')
    if (ok && operation === 'getOrder') forget(state, orderId, exchange.orderStatus)
  },
  end(state, tracker, report) {
    for (const refused of state.values())
      for (const { orderId, action, since, first, last, status, times } of refused.values()) {
        // Once is no habit, and may have been too early.
        if (times < 2) continue
        report.due(tracker.deadline(since), () => ({
          because: `Sparring ${action} ${times} times, first ${atTimeOfDay(first.at)} and last ${atTimeOfDay(last.at)}, and the service answered ${status} at last, took none of them, and no event said why.`,
          evidence: [first, last],
          orderId,
          deduplicationKey: `${orderId} ${first.operation}`,
        }))
      }
  },
})
