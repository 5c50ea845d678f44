/**
 * Copies cancellations from Orders to the accounts that hold the items (IND-TEN-04), never the other way. A locked
 * account is updated after its unlock, a closed one never.
 */
import { diningAccountStep } from '../../protocol/indoor/lifecycle.ts'
import { unitsToCents } from '../../protocol/indoor/totals.ts'
import type { OrderItem } from '../../protocol/orders/items.ts'
import type { Order, OrderStatus } from '../../protocol/orders/order.ts'
import { remainingItemUnits } from '../../protocol/orders/totals.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { World } from '../world.ts'
import { withAccountEvent } from './account-events.ts'
import { reduceLine } from './account-facts.ts'
import { cancelledQuantity } from './booking.ts'
import type { AccountLine, DiningAccountRecord, BookedOrder } from './world.ts'

interface Holding {
  readonly account: DiningAccountRecord
  readonly line: AccountLine
}

/** The active lines of accounts that stem from this order line. */
function activeHoldings(
  lineId: string,
  { itemIds }: BookedOrder,
  world: World,
): readonly Holding[] {
  const { items, accounts } = world.indoor.host
  return itemIds.flatMap((itemId) => {
    const account = accounts.get(items.get(itemId) ?? '')
    const line = account?.items.find((each) => each.itemId === itemId)
    return account && line?.lineId === lineId && line.status === 'ACTIVE' ? [{ account, line }] : []
  })
}

const mayCancel = ({ account }: Holding): boolean =>
  diningAccountStep(account.status, 'cancel-item').kind === 'moves'

interface Change {
  readonly facts: readonly Fact[]
  /** The cancelled quantity of the line that the accounts reflect from now on. */
  readonly cancelled: number
}

/**
 * Cancels the difference on every line that stems from this order line: all or nothing, so that it can be retried.
 */
function mirrorLine(
  item: OrderItem,
  wanted: number,
  booked: BookedOrder,
  context: DecisionContext,
): Change {
  const before = booked.cancelled[item.id] ?? 0
  const holdings = activeHoldings(item.id, booked, context.world)
  if (wanted <= before || !holdings.every(mayCancel)) return { facts: [], cancelled: before }
  let left = wanted - before
  const undivided = holdings.length === 1 && holdings[0]?.line.quantity === item.quantity - before
  const facts = holdings.flatMap(({ account, line }) => {
    const quantity = Math.min(left, line.quantity)
    left -= quantity
    if (quantity <= 0) return []
    // For a line that was never split, the order's own amount is exact.
    const after = reduceLine(
      line,
      quantity,
      undivided ? unitsToCents(remainingItemUnits(item)) : undefined,
    )
    const { accountId } = account
    return withAccountEvent(
      { kind: 'account.item-cancelled', accountId, orderId: line.orderId, item: after, quantity },
      'ACCOUNT_ITEM_CANCELLED',
      account,
      {
        ...context,
        details: { orderId: line.orderId, payload: { itemId: line.itemId, quantity } },
      },
    )
  })
  return { facts, cancelled: wanted }
}

/** Whether the whole order was cancelled: CONCLUDED may follow CANCELLED too, with every line cancelled. */
const isCancelled = (status: OrderStatus | undefined): boolean => status === 'CANCELLED'

/** Whether the order has cancellations that the accounts do not reflect yet. */
export function hasUnmirroredCancellations(
  order: Order,
  status: OrderStatus | undefined,
  booked: BookedOrder,
): boolean {
  if (isCancelled(status) && !booked.over) return true
  return order.items.some((item) => cancelledQuantity(item) > (booked.cancelled[item.id] ?? 0))
}

export function mirrorCancellations(
  { orderId }: CommandOf<'account.mirror'>,
  context: DecisionContext,
): Decision {
  const { host } = context.world.indoor
  const ticket = context.world.store.tickets.get(orderId)
  const booked = host.orders.get(orderId)
  const order = ticket?.order
  if (!order || !booked || !hasUnmirroredCancellations(order, ticket.status, booked)) return ok([])
  const all = isCancelled(ticket.status)
  const changes = order.items.map((item) => {
    const wanted = all ? item.quantity : cancelledQuantity(item)
    return { item, wanted, ...mirrorLine(item, wanted, booked, context) }
  })
  const account = host.accounts.get(booked.accountId)
  const over =
    all &&
    account !== undefined &&
    account.status === 'IN_USE' &&
    changes.every(({ cancelled, wanted }) => cancelled === wanted)
  const progress = changes.some(
    ({ item, cancelled }) => cancelled > (booked.cancelled[item.id] ?? 0),
  )
  if (!progress && !over) return ok([])
  return ok([
    ...changes.flatMap(({ facts }) => facts),
    {
      kind: 'account.order-mirrored',
      orderId,
      cancelled: Object.fromEntries(changes.map(({ item, cancelled }) => [item.id, cancelled])),
      ...(over ? { over: true as const } : {}),
    },
  ])
}
