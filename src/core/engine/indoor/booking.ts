/**
 * Books orders on accounts: an INDOOR order that the Software Service has read is added to the open account of its
 * key, or opens one (IND-GEN-07, IND-GEN-08), at most once; a locked account takes none (IND-PRM-01). The origin
 * channel plays no part (IND-FLR-01).
 */
import { compact } from '../../base/compact.ts'
import type { IndoorBlock } from '../../protocol/orders/indoor-block.ts'
import type { OrderItem, ItemOption } from '../../protocol/orders/items.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { unitsToCents, toCents } from '../../protocol/indoor/totals.ts'
import { remainingItemUnits, remainingQuantity } from '../../protocol/orders/totals.ts'
import type { AccountItemOption } from '../../protocol/indoor/account.ts'
import { diningAccountStep } from '../../protocol/indoor/lifecycle.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { isoOf } from '../instant.ts'
import { refuse } from '../refusal.ts'
import { isManifestRead } from '../calls/manifest-answer.ts'
import { partnerOf, type OrderTicket, type World } from '../world.ts'
import { findOpenAccount } from './account-index.ts'
import { withAccountEvent } from './account-events.ts'
import {
  type AccountBooking,
  type AccountLine,
  type DiningAccountRecord,
  diningPlace,
} from './world.ts'

/** The cancelled quantity of a line of an order. */
export const cancelledQuantity = (item: OrderItem): number =>
  item.status === 'CANCELLED' ? item.quantity : (item.quantityCancelled ?? 0)

const isCancelled = (item: OrderItem): boolean =>
  item.status === 'CANCELLED' || remainingQuantity(item) === 0

const optionView = ({ name, quantity, pricing, options }: ItemOption): AccountItemOption => ({
  name,
  quantity,
  unitPrice: pricing.unitPrice.value,
  totalPrice: pricing.totalPrice.value,
  ...(options ? { options: options.map(optionView) } : {}),
})

/** A line of an order as a line of an account. It keeps the order line's id unless that id is taken. */
function accountLine(item: OrderItem, order: Order, context: DecisionContext): AccountLine {
  const { id, name, externalCode, observations, options } = item
  const taken = context.world.indoor.host.items.has(id)
  const seat = order.fulfillment.indoor?.fulfillment?.dispatch?.seat
  return {
    itemId: taken ? context.chance('indoor.items').uuid() : id,
    orderId: order.id,
    lineId: id,
    name,
    quantity: remainingQuantity(item),
    cents: unitsToCents(remainingItemUnits(item)),
    unitPrice: item.pricing.unitPrice.value,
    addedAt: isoOf(context.now),
    status: 'ACTIVE',
    ...compact({ externalCode, notes: observations }),
    ...(seat?.label === undefined ? {} : { seat: seat.label }),
    ...(options ? { options: options.map(optionView) } : {}),
  }
}

function bookingOf(order: Order, block: IndoorBlock, context: DecisionContext): AccountBooking {
  const { otherFees, discount } = order.total
  return {
    orderId: order.id,
    originChannel: block.originChannel.type,
    createdAt: order.createdAt,
    items: order.items
      .filter((item) => !isCancelled(item))
      .map((item) => accountLine(item, order, context)),
    charge: {
      orderId: order.id,
      feeCents: toCents(otherFees.value),
      discountCents: toCents(discount.value),
    },
    cancelled: Object.fromEntries(order.items.map((item) => [item.id, cancelledQuantity(item)])),
    wantsDocument: block.fiscal?.shouldIssueDocument ?? false,
  }
}

/** Indoor extends Orders: not available when the other side does not declare Orders (IND-GEN-02). */
function ordersAreActive(world: World): boolean {
  const manifest = partnerOf(world, 'software-service', 'ordering-application')?.manifest
  return !isManifestRead(manifest) || 'orders' in manifest.capabilities
}

/** Whether the order has anything left to book. */
const hasItemsToBook = ({ status }: OrderTicket, order: Order): boolean =>
  status !== 'CANCELLED' && status !== 'CONCLUDED' && !order.items.every(isCancelled)

const itemsPayload = ({ items }: AccountBooking) => ({
  items: items.map(({ itemId, name, quantity }) => ({ itemId, name, quantity })),
})

function openWithOrder(order: Order, block: IndoorBlock, context: DecisionContext): Decision {
  const { operationMode, identifier } = block
  const booking = bookingOf(order, block, context)
  const names = {
    accountId: context.chance('indoor.accounts').uuid(),
    merchantId: order.merchant.id,
    operationMode,
    identifier,
  }
  const details = { orderId: order.id, payload: itemsPayload(booking) }
  return ok(
    withAccountEvent(
      { kind: 'account.opened', ...names, orderId: order.id, booking },
      'ACCOUNT_OPENED',
      names,
      { ...context, details },
    ),
  )
}

function addOrder(
  account: DiningAccountRecord,
  order: Order,
  block: IndoorBlock,
  context: DecisionContext,
): Decision {
  const { accountId, status } = account
  const orderId = order.id
  if (diningAccountStep(status, 'add-items').kind !== 'moves')
    return context.world.indoor.host.rejected.has(orderId)
      ? ok([])
      : ok([{ kind: 'account.order-rejected', accountId, orderId, status }])
  const booking = bookingOf(order, block, context)
  const details = { orderId, payload: itemsPayload(booking) }
  return ok(
    withAccountEvent(
      { kind: 'account.items-added', accountId, orderId, booking },
      'ACCOUNT_ITEM_ADDED',
      account,
      { ...context, details },
    ),
  )
}

export function bookOrder(
  { orderId }: CommandOf<'account.book'>,
  context: DecisionContext,
): Decision {
  const { world } = context
  const ticket = world.store.tickets.get(orderId)
  const order = ticket?.order
  if (!ticket || !order)
    return refuse('NOT_FOUND', `the Software Service has read no order ${orderId}`)
  const block = order.fulfillment.indoor
  if (order.fulfillment.orderType !== 'INDOOR' || !block)
    return refuse('UNPROCESSABLE', `the order ${orderId} is no INDOOR order`)
  const { host } = world.indoor
  const known = host.orders.has(orderId)
  if (known || !ordersAreActive(world) || !hasItemsToBook(ticket, order)) return ok([])
  const place = diningPlace(block.operationMode, block.identifier)
  const account = findOpenAccount(host, place, ({ merchantId }) => merchantId === order.merchant.id)
  return account ? addOrder(account, order, block, context) : openWithOrder(order, block, context)
}
