/**
 * How a run has ended, order by order, in words that hold for every run of the same story: the status, what the service
 * did to get there, and what it says of it. Without ids and instants, and without anything that depends on when an order
 * was cancelled: how far it had come by then is chance.
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
  /** The calls that took the order on, one after the other; a repetition is none of its own. */
  steps: Way
  /** The request ids under which deliveries were created. */
  deliveries: readonly string[]
  /** A delivery was created that has not been cancelled. */
  standing: boolean
  /** It went on when it knew that the order was cancelled. */
  late: boolean
  view: string | undefined
  evidence: readonly Cited[]
}

/** One for all invariants that compare runs. */
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

/** Exchanges of one order that are told at most. */
const mostEvidence = 12

function cite(deeds: Deeds, exchange: SeenExchange): void {
  if (deeds.evidence.length < mostEvidence) deeds.evidence = deeds.evidence.concat(exchange.cite)
}

function act(deeds: Deeds, exchange: SeenExchange, order: OrderWatch, watch: Watch): void {
  const isOk = exchange.ok
  if (!isOk && !isRefusal(exchange)) return
  const step = progressOf(exchange)
  if (step) {
    const name = isOk ? step.trigger : `${step.trigger} (refused)`
    const known = order.known.get('CANCELLED')
    if (known && exchange.began > known.since + watch.patience.inFlightMs) deeds.late = true
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

/** The subject called us: perhaps it did something about an order. */
export function seeDeed(seen: SeenExchange, watch: Watch): void {
  if (!progressOf(seen) && !ofDeliveries.has(seen.operation)) return
  const order = orderIn(seen, watch)
  if (order) act(deedsOf.or(order, fresh), seen, order, watch)
}

/** The subject says what it has an order for. */
export function seeView(_state: unknown, { orderId, status }: SeenProbe, { orders }: Watch): void {
  const order = orders.get(orderId)
  if (order) deedsOf.or(order, fresh).view = status
}

/** CONCLUDED may be told or not: an order that is over counts by the end that it came to. */
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

/** Orders of stores that are not the service's are left out: it has nothing to do with how those end. */
export function endingsOf(_state: unknown, watch: Watch): readonly Ending[] {
  const orders = watch.orders.values().toSorted((one, other) => one.nth - other.nth)
  return orders.flatMap((order) => {
    const { slot, told } = order
    if (slot === undefined || order.isForeign) return []
    const deeds = deedsOf.of(order) ?? fresh()
    const evidence = told ? [told.cite, ...deeds.evidence] : deeds.evidence
    return [{ slot, signature: signature(order, deeds), evidence: evidence.map(written) }]
  })
}
