/**
 * Outcome of a run by order, comparable between runs of one story: host status, actions of the service, and the status
 * that the service itself reports. Excludes ids, instants and whatever depends on the time of a cancellation: how far
 * an order had progressed by then is chance.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Ending } from '../invariant.ts'
import type { SeenExchange, SeenProbe } from '../judge/observations.ts'
import { type Cited, written } from '../verdict.ts'
import { isRefusal, keyOf, orderIn } from './subject-order.ts'
import { createNote } from './per-order-state.ts'
import { isCancelled, progressOf } from './progress.ts'
import type { OrderWatch, Watch } from './tracker-state.ts'
import { goOn, nowhere, type Way } from './action-sequence.ts'

interface Actions {
  /** Successive progress calls; repetitions are not counted. */
  steps: Way
  /** Request ids of created deliveries. */
  deliveries: readonly string[]
  /** A delivery was created and not cancelled. */
  standing: boolean
  /** It made progress calls after it knew of the cancellation. */
  late: boolean
  view: string | undefined
  evidence: readonly Cited[]
}

/** Shared by all invariants that compare runs. */
const actionsOf = createNote<Actions>()

const none: readonly never[] = []

const fresh = (): Actions => ({
  steps: nowhere,
  deliveries: none,
  standing: false,
  late: false,
  view: undefined,
  evidence: none,
})

/** Maximum number of exchanges per order as evidence. */
const maxEvidence = 12

function cite(actions: Actions, exchange: SeenExchange): void {
  if (actions.evidence.length < maxEvidence)
    actions.evidence = actions.evidence.concat(exchange.cite)
}

function recordCall(
  actions: Actions,
  exchange: SeenExchange,
  order: OrderWatch,
  tracker: Watch,
): void {
  const isOk = exchange.ok
  if (!isOk && !isRefusal(exchange)) return
  const step = progressOf(exchange)
  if (step) {
    const name = isOk ? step.trigger : `${step.trigger} (refused)`
    const known = order.known.get('CANCELLED')
    if (known && exchange.began > known.since + tracker.patience.inFlightMs) actions.late = true
    if (actions.steps.last === name) return
    actions.steps = goOn(actions.steps, name)
    cite(actions, exchange)
  }
  if (!isOk) return
  if (exchange.operation === 'createDelivery') {
    const key = keyOf(exchange) ?? `${actions.deliveries.length}`
    if (!actions.deliveries.includes(key)) actions.deliveries = actions.deliveries.concat(key)
    actions.standing = true
    cite(actions, exchange)
  }
  if (exchange.operation === 'cancelDelivery') actions.standing = false
}

const ofDeliveries: ReadonlySet<OperationId | undefined> = new Set([
  'createDelivery',
  'cancelDelivery',
])

/** Records a call of the subject, if it acts on an order. */
export function seeDeed(seen: SeenExchange, tracker: Watch): void {
  if (!progressOf(seen) && !ofDeliveries.has(seen.operation)) return
  const order = orderIn(seen, tracker)
  if (order) recordCall(actionsOf.or(order, fresh), seen, order, tracker)
}

/** Records the status that the subject itself reports. */
export function seeView(_state: unknown, { orderId, status }: SeenProbe, { orders }: Watch): void {
  const order = orders.get(orderId)
  if (order) actionsOf.or(order, fresh).view = status
}

/** CONCLUDED is optional: a finished order counts by the status before it. */
function endOf(order: OrderWatch): OrderStatus {
  if (order.truth !== 'CONCLUDED') return order.truth
  return isCancelled(order) ? 'CANCELLED' : 'DELIVERED'
}

function signature(order: OrderWatch, actions: Actions): string {
  const end = endOf(order)
  const view = actions.view === 'CONCLUDED' ? end : actions.view
  const seenAs = view === undefined ? [] : [`the service has it as ${view}`]
  if (end === 'CANCELLED')
    return [
      'CANCELLED',
      ...(actions.standing ? ['its delivery stands'] : []),
      ...(actions.late ? ['the service went on after that'] : []),
      ...seenAs,
    ].join('; ')
  const made = actions.deliveries.length
  return [
    end,
    `by ${actions.steps.text || 'nothing'}`,
    ...(made > 0 ? [made === 1 ? 'one delivery' : `${made} deliveries`] : []),
    ...seenAs,
  ].join('; ')
}

/** Excludes orders of foreign merchants, whose end does not depend on the service. */
export function endingsOf(_state: unknown, tracker: Watch): readonly Ending[] {
  const orders = tracker.orders.values().toSorted((one, other) => one.nth - other.nth)
  return orders.flatMap((order) => {
    const { slot, told: firstReceipt } = order
    if (slot === undefined || order.isForeign) return []
    const actions = actionsOf.of(order) ?? fresh()
    const evidence = firstReceipt ? [firstReceipt.cite, ...actions.evidence] : actions.evidence
    return [{ slot, signature: signature(order, actions), evidence: evidence.map(written) }]
  })
}
