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

interface Deeds {
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
const deedsOf = createNote<Deeds>()

const none: readonly never[] = []

const fresh = (): Deeds => ({
  steps: nowhere,
  deliveries: none,
  standing: false,
  late: false,
  view: undefined,
  evidence: none,
})

/** Maximum number of exchanges per order as evidence. */
const mostEvidence = 12

function cite(deeds: Deeds, exchange: SeenExchange): void {
  if (deeds.evidence.length < mostEvidence) deeds.evidence = deeds.evidence.concat(exchange.cite)
}

function act(deeds: Deeds, exchange: SeenExchange, order: OrderWatch, tracker: Watch): void {
  const isOk = exchange.ok
  if (!isOk && !isRefusal(exchange)) return
  const step = progressOf(exchange)
  if (step) {
    const name = isOk ? step.trigger : `${step.trigger} (refused)`
    const known = order.known.get('CANCELLED')
    if (known && exchange.began > known.since + tracker.patience.inFlightMs) deeds.late = true
    if (deeds.steps.last === name) return
    deeds.steps = goOn(deeds.steps, name)
    cite(deeds, exchange)
  }
  if (!isOk) return
  if (exchange.operation === 'createDelivery') {
    const key = keyOf(exchange) ?? `${deeds.deliveries.length}`
    if (!deeds.deliveries.includes(key)) deeds.deliveries = deeds.deliveries.concat(key)
    deeds.standing = true
    cite(deeds, exchange)
  }
  if (exchange.operation === 'cancelDelivery') deeds.standing = false
}

const ofDeliveries: ReadonlySet<OperationId | undefined> = new Set([
  'createDelivery',
  'cancelDelivery',
])

/** Records a call of the subject, if it acts on an order. */
export function seeDeed(seen: SeenExchange, tracker: Watch): void {
  if (!progressOf(seen) && !ofDeliveries.has(seen.operation)) return
  const order = orderIn(seen, tracker)
  if (order) act(deedsOf.or(order, fresh), seen, order, tracker)
}

/** Records the status that the subject itself reports. */
export function seeView(_state: unknown, { orderId, status }: SeenProbe, { orders }: Watch): void {
  const order = orders.get(orderId)
  if (order) deedsOf.or(order, fresh).view = status
}

/** CONCLUDED is optional: a finished order counts by the status before it. */
function endOf(order: OrderWatch): OrderStatus {
  if (order.truth !== 'CONCLUDED') return order.truth
  return isCancelled(order) ? 'CANCELLED' : 'DELIVERED'
}

function signature(order: OrderWatch, deeds: Deeds): string {
  const end = endOf(order)
  const view = deeds.view === 'CONCLUDED' ? end : deeds.view
  const seenAs = view === undefined ? [] : [`the service has it as ${view}`]
  if (end === 'CANCELLED')
    return [
      'CANCELLED',
      ...(deeds.standing ? ['its delivery stands'] : []),
      ...(deeds.late ? ['the service went on after that'] : []),
      ...seenAs,
    ].join('; ')
  const made = deeds.deliveries.length
  return [
    end,
    `by ${deeds.steps.text || 'nothing'}`,
    ...(made > 0 ? [made === 1 ? 'one delivery' : `${made} deliveries`] : []),
    ...seenAs,
  ].join('; ')
}

/** Excludes orders of foreign merchants, whose end does not depend on the service. */
export function endingsOf(_state: unknown, tracker: Watch): readonly Ending[] {
  const orders = tracker.orders.values().toSorted((one, other) => one.nth - other.nth)
  return orders.flatMap((order) => {
    const { slot, told } = order
    if (slot === undefined || order.isForeign) return []
    const deeds = deedsOf.of(order) ?? fresh()
    const evidence = told ? [told.cite, ...deeds.evidence] : deeds.evidence
    return [{ slot, signature: signature(order, deeds), evidence: evidence.map(written) }]
  })
}
