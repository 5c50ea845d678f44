/**
 * What is cancelled in Orders is cancelled on the accounts that have it (IND-TEN-04), never the other way. A locked
 * account keeps what it has until it is unlocked, a closed one for good.
 */
import { accountStep } from '../../protocol/indoor/lifecycle.ts'
import { centsOf } from '../../protocol/indoor/money.ts'
import { shareOf } from '../../protocol/indoor/totals.ts'
import type { Item } from '../../protocol/orders/items.ts'
import type { Order, OrderStatus } from '../../protocol/orders/order.ts'
import { itemUnits } from '../../protocol/orders/totals.ts'
import { ok } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { World } from '../world.ts'
import { told } from './account-events.ts'
import { cancelledOf } from './booking.ts'
import type { AccountCommand } from './command.ts'
import type { AccountLine, AccountRecord, BookedOrder } from './world.ts'

/** A line with so much of it cancelled. */
export function lessened(line: AccountLine, quantity: number, cents?: number): AccountLine {
  const left = line.quantity - quantity
  return left <= 0
    ? { ...line, status: 'CANCELLED' }
    : { ...line, quantity: left, cents: cents ?? shareOf(line.cents, left, line.quantity) }
}

interface Holding {
  readonly account: AccountRecord
  readonly line: AccountLine
}

/** Where what is left of a line of an order is. */
function holdingsOf(lineId: string, { itemIds }: BookedOrder, world: World): readonly Holding[] {
  const { items, accounts } = world.indoor.host
  return itemIds.flatMap((itemId) => {
    const account = accounts.get(items.get(itemId) ?? '')
    const line = account?.items.find((each) => each.itemId === itemId)
    return account && line?.lineId === lineId && line.status === 'ACTIVE' ? [{ account, line }] : []
  })
}

const mayCancel = ({ account }: Holding): boolean =>
  accountStep(account.status, 'cancel-item').kind === 'moves'

interface Change {
  readonly facts: readonly Fact[]
  /** How much of the line is cancelled, as far as accounts know from now on. */
  readonly cancelled: number
}

/** Cancels so much more of a line wherever it is; all or nothing, so that it can be tried again. */
function mirrorLine(item: Item, wanted: number, booked: BookedOrder, context: Context): Change {
  const before = booked.cancelled[item.id] ?? 0
  const holdings = holdingsOf(item.id, booked, context.world)
  if (wanted <= before || !holdings.every(mayCancel)) return { facts: [], cancelled: before }
  let left = wanted - before
  const undivided = holdings.length === 1 && holdings[0]?.line.quantity === item.quantity - before
  const facts = holdings.flatMap(({ account, line }) => {
    const quantity = Math.min(left, line.quantity)
    left -= quantity
    if (quantity <= 0) return []
    // An order's own sums are the truth about a line that nobody divided.
    const after = lessened(line, quantity, undivided ? centsOf(itemUnits(item)) : undefined)
    const { accountId } = account
    return told(
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

/** Whether an order was cancelled as a whole: CONCLUDED lies at the end of that way too, with every line cancelled. */
const isCancelled = (status: OrderStatus | undefined): boolean => status === 'CANCELLED'

/** What is cancelled in the order and not yet on its accounts. */
export function isBehind(
  order: Order,
  status: OrderStatus | undefined,
  booked: BookedOrder,
): boolean {
  if (isCancelled(status) && !booked.over) return true
  return order.items.some((item) => cancelledOf(item) > (booked.cancelled[item.id] ?? 0))
}

export function mirror(
  { orderId }: Extract<AccountCommand, { kind: 'account.mirror' }>,
  context: Context,
): Decision {
  const { host } = context.world.indoor
  const ticket = context.world.store.tickets.get(orderId)
  const booked = host.orders.get(orderId)
  const order = ticket?.order
  if (!order || !booked || !isBehind(order, ticket.status, booked)) return ok([])
  const all = isCancelled(ticket.status)
  const changes = order.items.map((item) => {
    const wanted = all ? item.quantity : cancelledOf(item)
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
