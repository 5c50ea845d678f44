/**
 * SE-14: the amounts that a delivery request says of an order follow from its own sums: what it costs, and what is to be
 * paid at the door. An item may be cancelled between two reads, so anything between the first and the last read is right,
 * and so is what rounding to whole cents makes of it.
 */
import { isUnknownRecord } from '../../../../protocol/unknown-record.ts'
import { fromUnits, toUnits } from '../../../../protocol/orders/price.ts'
import { defineInvariant } from '../../invariant.ts'
import { orderIdOfExchange, textAt, valueAt } from '../../tracking/exchange-fields.ts'
import type { TrackedOrder, TrackerState } from '../../tracking/tracker-state.ts'
import { atTimeOfDay, actionText, orderName } from '../../tracking/wording.ts'

/** Lowest and highest amount that was shown, in units. */
type Range = readonly [low: number, high: number]

const centUnits = toUnits(0.01)

const unitsAt = (value: unknown, ...path: readonly string[]): number | undefined => {
  const found = valueAt(value, ...path)
  return typeof found === 'number' ? toUnits(found) : undefined
}

/** What the first and the last read of the orders of one delivery showed; undefined where one of them did not. */
function shownRange(
  orders: readonly TrackedOrder[],
  ...path: readonly string[]
): Range | undefined {
  let [low, high] = [0, 0]
  for (const { firstSnapshot, lastSnapshot } of orders) {
    const first = unitsAt(firstSnapshot?.responseJson(), ...path)
    const last = unitsAt(lastSnapshot?.responseJson(), ...path)
    if (first === undefined || last === undefined) return undefined
    low += Math.min(first, last)
    high += Math.max(first, last)
  }
  return [low, high]
}

const isBelow = (units: number, [low]: Range): boolean => units <= low - centUnits
const isAbove = (units: number, [, high]: Range): boolean => units >= high + centUnits

const rangeText = ([low, high]: Range): string =>
  low === high ? String(fromUnits(low)) : `${fromUnits(low)} to ${fromUnits(high)}`

/** What the courier is to collect, in units; undefined where it is not said. `some` is no amount, but not nothing. */
function collectedUnits(body: unknown): number | 'some' | undefined {
  const method = textAt(body, 'payments', 'method')
  if (method === 'ONLINE') return 0
  const parts = valueAt(body, 'payments', 'offlineMethod')
  const amounts = Array.isArray(parts) ? parts.map((part) => unitsAt(part, 'amount', 'value')) : []
  const known = amounts.filter((amount) => amount !== undefined)
  if (known.length > 0 && known.length === amounts.length)
    return known.reduce((sum, amount) => sum + amount, 0)
  return method === 'OFFLINE' ? 'some' : undefined
}

interface Mismatch {
  readonly text: string
  readonly advice?: true
}

/** What comes of a comparison; undefined where one of the amounts is not said. */
type Comparison = Mismatch | 'equal' | undefined

/** With several orders in one delivery the price is that of one of them, or of all. */
function priceMismatch(
  body: unknown,
  [order, ...combined]: readonly [TrackedOrder, ...TrackedOrder[]],
): Comparison {
  const units = unitsAt(body, 'totalOrderPrice', 'value')
  const path = ['total', 'orderAmount', 'value'] as const
  const [own, all] = [shownRange([order], ...path), shownRange([order, ...combined], ...path)]
  if (units === undefined || !own || !all) return undefined
  if ([own, all].every((range) => isBelow(units, range) || isAbove(units, range)))
    return { text: `the price ${fromUnits(units)} instead of ${rangeText(own)}` }
  const currency = textAt(body, 'totalOrderPrice', 'currency')
  const shown = textAt(order.lastSnapshot?.responseJson(), 'total', 'orderAmount', 'currency')
  return currency === undefined || shown === undefined || currency === shown
    ? 'equal'
    : { text: `the currency ${currency} instead of ${shown}` }
}

function collectionMismatch(body: unknown, orders: readonly TrackedOrder[]): Comparison {
  const collected = collectedUnits(body)
  const pending = shownRange(orders, 'payments', 'pending')
  if (collected === undefined || !pending) return undefined
  const due = pending[1] === 0 ? 'all of it is paid' : `${rangeText(pending)} is pending`
  if (collected === 'some')
    return pending[1] === 0 ? { text: `a payment at the door, and ${due}` } : 'equal'
  const text = `${fromUnits(collected)} to collect at the door, and ${due}`
  if (isAbove(collected, pending)) return { text }
  // The rest may have been paid in another way meanwhile.
  return isBelow(collected, pending) ? { text, advice: true } : 'equal'
}

/** The order and the others that the same delivery brings; undefined where one of them is not known. */
function ordersOf(
  body: unknown,
  order: TrackedOrder,
  { orders }: TrackerState,
): readonly [TrackedOrder, ...TrackedOrder[]] | undefined {
  const ids = valueAt(body, 'combinedOrdersIds')
  const others = Array.isArray(ids) ? ids.filter((id) => id !== order.orderId) : []
  const known = others.flatMap((id) => orders.get(String(id)) ?? [])
  return known.length === others.length ? [order, ...known] : undefined
}

export const amountsMatchTheOrder = defineInvariant({
  id: 'SE-14',
  name: 'amounts-match-the-order',
  sentence:
    'Must say of an order what it costs, and have collected at the door what is pending, as GET returned it.',
  remedy:
    'Copy total.orderAmount and payments.pending from the last GET instead of adding up items, options and fees again.',
  adviceMeaning: 'what is pending may have been paid in another way meanwhile',
  kind: 'safety',
  clauses: ['ORD-EVR-01', 'ORD-ITM-03', 'ORD-FLD-17'],
  premise: 'the service said an amount of an order that it had read',
  calls: ['createDelivery', 'checkDeliveryAvailability'],
  call(_state, observed, tracker, report) {
    const orderId = orderIdOfExchange(observed)
    const order = orderId === undefined ? undefined : tracker.orders.get(orderId)
    const body = observed.requestJson()
    if (!order?.lastSnapshot || order.lastSnapshot.ended > observed.began) return
    if (!isUnknownRecord(body) || !('totalOrderPrice' in body || 'payments' in body)) return
    const orders = ordersOf(body, order, tracker)
    if (!orders) return
    const compared = [priceMismatch(body, orders), collectionMismatch(body, orders)]
    if (compared.some((each) => each !== undefined)) report.premise()
    for (const mismatch of compared)
      if (mismatch !== undefined && mismatch !== 'equal')
        report.failed({
          because: `The service ${actionText(observed, orderName(tracker, order.orderId))} ${atTimeOfDay(observed.began)} with other amounts than GET had returned (${atTimeOfDay(order.lastSnapshot.began)}): ${mismatch.text}.`,
          evidence: [order.lastSnapshot.evidence, observed.evidence],
          orderId: order.orderId,
          deduplicationKey: `${order.orderId} ${mismatch.text}`,
          advice: mismatch.advice === true,
        })
  },
})
