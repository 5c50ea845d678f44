/**
 * Outcome of a run by order, comparable between runs of one story: host status, actions of the service, and the status
 * that the service itself reports. Excludes ids, instants and whatever depends on the time of a cancellation: how far
 * an order had progressed by then is chance.
 */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { OrderStatus } from '../../../protocol/orders/order.ts'
import type { ComparableOutcome } from '../invariant.ts'
import type { ObservedExchange, ObservedProbe } from '../judge/observations.ts'
import { type Evidence, toPlainEvidence } from '../verdict.ts'
import { isRefusal, requestIdOf, orderOfExchange } from './exchange-fields.ts'
import { getOrCreate } from './bounded-map.ts'
import { isCancelledAtHost, progressStepOf } from './progress.ts'
import type { TrackedOrder, TrackerState } from './tracker-state.ts'

interface Actions {
  /** Successive progress calls; repetitions are not counted. */
  readonly steps: string[]
  /** Request ids of created deliveries. */
  deliveries: readonly string[]
  /** A delivery was created and not cancelled. */
  isDeliveryActive: boolean
  /** It made progress calls after it knew of the cancellation. */
  late: boolean
  view: string | undefined
  evidence: readonly Evidence[]
}

/** Shared by all invariants that compare runs. */
const actionsOf = new WeakMap<TrackedOrder, Actions>()

const none: readonly never[] = []

const fresh = (): Actions => ({
  steps: [],
  deliveries: none,
  isDeliveryActive: false,
  late: false,
  view: undefined,
  evidence: none,
})

/** Maximum number of successive actions per order. */
const maxSteps = 1000
/** Maximum number of exchanges per order as evidence. */
const maxEvidence = 12

function cite(actions: Actions, exchange: ObservedExchange): void {
  if (actions.evidence.length < maxEvidence)
    actions.evidence = actions.evidence.concat(exchange.evidence)
}

function recordCall(
  actions: Actions,
  exchange: ObservedExchange,
  order: TrackedOrder,
  tracker: TrackerState,
): void {
  const isOk = exchange.ok
  if (!isOk && !isRefusal(exchange)) return
  const step = progressStepOf(exchange, tracker)
  if (step) {
    const name = isOk ? step.trigger : `${step.trigger} (refused)`
    const known = order.knownStatuses.get('CANCELLED')
    const { timing, limits } = tracker
    if (known && timing.atMost(known.since, exchange.began, limits.inFlightMs).outcome === 'failed')
      actions.late = true
    if (actions.steps.at(-1) === name || actions.steps.length >= maxSteps) return
    actions.steps.push(name)
    cite(actions, exchange)
  }
  if (!isOk) return
  if (exchange.operation === 'createDelivery') {
    const key = requestIdOf(exchange) ?? `${actions.deliveries.length}`
    if (!actions.deliveries.includes(key)) actions.deliveries = actions.deliveries.concat(key)
    actions.isDeliveryActive = true
    cite(actions, exchange)
  }
  if (exchange.operation === 'cancelDelivery') actions.isDeliveryActive = false
}

const ofDeliveries: ReadonlySet<OperationId | undefined> = new Set([
  'createDelivery',
  'cancelDelivery',
])

/** Records a call of the subject, if it acts on an order. */
export function recordAction(observed: ObservedExchange, tracker: TrackerState): void {
  if (!progressStepOf(observed, tracker) && !ofDeliveries.has(observed.operation)) return
  const order = orderOfExchange(observed, tracker)
  if (order) recordCall(getOrCreate(actionsOf, order, fresh), observed, order, tracker)
}

/** Records the status that the subject itself reports. */
export function recordSubjectStatus(
  _state: unknown,
  { orderId, status }: ObservedProbe,
  { orders }: TrackerState,
): void {
  const order = orders.get(orderId)
  if (order) getOrCreate(actionsOf, order, fresh).view = status
}

/** CONCLUDED is optional: a finished order counts by the status before it. */
function endOf(order: TrackedOrder): OrderStatus {
  if (order.hostStatus !== 'CONCLUDED') return order.hostStatus
  return isCancelledAtHost(order) ? 'CANCELLED' : 'DELIVERED'
}

function signature(order: TrackedOrder, actions: Actions): string {
  const end = endOf(order)
  const view = actions.view === 'CONCLUDED' ? end : actions.view
  const observedAs = view === undefined ? [] : [`the service reports ${view}`]
  if (end === 'CANCELLED')
    return [
      'CANCELLED',
      ...(actions.isDeliveryActive ? ['its delivery was not cancelled'] : []),
      ...(actions.late ? ['the service continued after that'] : []),
      ...observedAs,
    ].join('; ')
  const made = actions.deliveries.length
  return [
    end,
    `by ${actions.steps.join(', ') || 'nothing'}`,
    ...(made > 0 ? [made === 1 ? 'one delivery' : `${made} deliveries`] : []),
    ...observedAs,
  ].join('; ')
}

/** Excludes orders of foreign merchants, whose end does not depend on the service. */
export function comparableOutcomesOf(
  _state: unknown,
  tracker: TrackerState,
): readonly ComparableOutcome[] {
  const orders = tracker.orders.values().toSorted((one, other) => one.ordinal - other.ordinal)
  return orders.flatMap((order) => {
    const { slot, firstReceipt } = order
    if (slot === undefined || order.isForeign) return []
    const actions = actionsOf.get(order) ?? fresh()
    const evidence = firstReceipt ? [firstReceipt.evidence, ...actions.evidence] : actions.evidence
    return [{ slot, signature: signature(order, actions), evidence: evidence.map(toPlainEvidence) }]
  })
}
