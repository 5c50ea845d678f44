/** Cancellations of items at an Ordering Application, with the order before and after each. */
import { toUnits } from '../../../core/protocol/orders/price.ts'
import {
  isAcceptedCall,
  bodyValue,
  type Deviation,
  notice,
  observation,
} from '../../judge/assertion.ts'
import type { Observed } from '../../judge/trace.ts'
import { itemsIn } from './host-orders.ts'
import {
  distinctEvents,
  eachOrder,
  type HostedOrder,
  readBefore,
  readsAfter,
  seqNumber,
} from './hosted-orders.ts'

/** A cancellation of an item, with the order before it, and before the next call. */
export interface ItemCancelCall {
  readonly call: Observed
  readonly itemId: string
  /** The whole item when undefined. */
  readonly quantity: unknown
  readonly before: Observed
  readonly after: Observed
}

const itemOf = (read: Observed, itemId: string): unknown =>
  itemsIn(read).find((item) => bodyValue(item, '/id') === itemId)

export const itemStatus = (read: Observed, itemId: string): unknown =>
  bodyValue(itemOf(read, itemId), '/status')

export function cancellationsOf(history: HostedOrder): readonly ItemCancelCall[] {
  return history.calls.flatMap((call, index) => {
    const itemId = call.exchange.params?.['itemId']
    const before = readBefore(history, call)
    const next = history.calls[index + 1]
    const after = readsAfter(history, call).findLast(
      (read) => !next || seqNumber(read) < seqNumber(next),
    )
    return call.operation === 'cancelOrderItem' && itemId !== undefined && before && after
      ? [{ call, itemId, quantity: bodyValue(call.request, '/quantity'), before, after }]
      : []
  })
}

/** Each cancellation of an item that was accepted. */
export const eachAccepted = (judge: (found: ItemCancelCall, history: HostedOrder) => Deviation) =>
  eachOrder(function* (history) {
    for (const found of cancellationsOf(history))
      if (isAcceptedCall(found.call))
        yield observation([found.before, found.call, found.after], judge(found, history))
  })

export const hasTakenEffect = ({ after, itemId }: ItemCancelCall): boolean =>
  ['CANCELLED', 'PARTIALLY_CANCELLED'].some((status) => status === itemStatus(after, itemId))

/** The events of cancelled items that came no later than those of the next call. */
export const itemEvents = (history: HostedOrder) => distinctEvents(history, 'ITEM_CANCELLED')

export const statusFits = ({ quantity, after, itemId }: ItemCancelCall): string | undefined => {
  const status = itemStatus(after, itemId)
  const expected = quantity === undefined ? 'CANCELLED' : 'PARTIALLY_CANCELLED'
  const what = quantity === undefined ? 'without quantity' : 'of a part'
  return status === expected
    ? undefined
    : `after a cancellation ${what} its item is ${JSON.stringify(status)}, not ${expected}`
}

/** The value of what was cancelled, in units. */
function cancelledUnits({ before, itemId, quantity }: ItemCancelCall): number | undefined {
  const item = itemOf(before, itemId)
  const price = bodyValue(item, '/pricing/totalPrice/value')
  const count = bodyValue(item, '/quantity')
  if (typeof price !== 'number' || typeof count !== 'number' || count === 0) return undefined
  if (quantity === undefined)
    return bodyValue(item, '/status') === 'PARTIALLY_CANCELLED' ? undefined : toUnits(price)
  return typeof quantity === 'number' ? Math.round((toUnits(price) * quantity) / count) : undefined
}

const totalFields = ['orderAmount', 'itemsPrice'] as const

/** By how much a total is less than before, in units. */
const reductions = ({ before, after }: ItemCancelCall): readonly number[] =>
  totalFields.flatMap((field) => {
    const [first, second] = [before, after].map(({ reply }) =>
      bodyValue(reply, `/total/${field}/value`),
    )
    return typeof first === 'number' && typeof second === 'number'
      ? [toUnits(first) - toUnits(second)]
      : []
  })

export function totalsProblem(found: ItemCancelCall): Deviation {
  const expected = cancelledUnits(found)
  const less = reductions(found)
  if (expected === undefined || expected === 0 || less.length === 0) return undefined
  if (less.every((units) => units === 0))
    return 'it left the totals of an order as they were after the cancellation of an item'
  return less.some((units) => units === expected)
    ? undefined
    : notice(
        'it changed the totals of an order by another amount than the price of what was cancelled',
      )
}
