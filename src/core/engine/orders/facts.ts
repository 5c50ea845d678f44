/** Facts of orders at the Ordering Application. */
import { compact } from '../../base/compact.ts'
import { formatDuration } from '../../protocol/duration.ts'
import type { ItemCancellation } from '../../protocol/orders/cancellation.ts'
import type { OrderItem } from '../../protocol/orders/items.ts'
import type { OrderTrigger, ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { Order, OrderStatus } from '../../protocol/orders/order.ts'
import type { OrderTotal } from '../../protocol/orders/payments.ts'
import { addBounded } from '../bounded.ts'
import { factRow } from '../fact-row.ts'
import { assignOrderSlot } from '../faults/slots.ts'
import { type OrderingWorld, type OrderRecord, worldBounds } from '../world.ts'
import type { Amendment, CancellationAnswer } from './commands.ts'

export interface OrderMoved {
  readonly orderId: string
  readonly trigger: OrderTrigger
  readonly from: OrderStatus
  readonly to: OrderStatus
  /** Against the lifecycle, by force. */
  readonly forced?: true
  /** It was cancelled because it had not been confirmed within so many milliseconds. */
  readonly unconfirmedMs?: number
}

export interface ItemCancelled {
  readonly orderId: string
  readonly itemId: string
  readonly quantity: number
  /** The new values of the order. */
  readonly items: readonly OrderItem[]
  readonly total: OrderTotal
  readonly payments: Order['payments']
}

function change(
  { orders }: OrderingWorld,
  orderId: string,
  changes: (record: OrderRecord) => Partial<OrderRecord>,
): void {
  const record = orders.get(orderId)
  if (record) orders.set(orderId, { ...record, ...changes(record) })
}

/** Marks an order as finished, and evicts the oldest finished one with its events when there are too many. */
function retire(world: OrderingWorld, orderId: string): void {
  const forgotten = addBounded(world.over, orderId, worldBounds.ordersOver)
  if (forgotten === undefined) return
  for (const eventId of world.orders.get(forgotten)?.eventIds ?? []) {
    world.events.delete(eventId)
    world.mailbox.delete(eventId)
    world.waiting.delete(eventId)
  }
  world.orders.delete(forgotten)
}

export const orderFacts = {
  /** An order was created at the Ordering Application; `arrival` counts those that it created by itself, from 1. */
  'order.created': factRow<{ order: Order; arrival?: number; outside?: true }>({
    text: ({ order }) => `${order.fulfillment.orderType} order ${order.displayId} created`,
    orderId: ({ order }) => order.id,
    apply({ ordering, faults }, { order, arrival }, at) {
      assignOrderSlot(faults, order.id)
      ordering.arrivals = arrival ?? ordering.arrivals
      ordering.orders.set(order.id, {
        order,
        status: 'CREATED',
        since: at,
        way: [{ status: 'CREATED', at }],
        eventIds: [],
      })
    },
  }),
  /** A lifecycle call was accepted; it takes effect later. */
  'order.requested': factRow<{ orderId: string; trigger: ProgressionTrigger }>({
    text: ({ trigger }) => `${trigger} accepted for later`,
  }),
  /** An order changed its status. */
  'order.moved': factRow<OrderMoved>({
    text: ({ from, to, forced, unconfirmedMs: ms }) =>
      `${from} > ${to}${forced ? ' (forced)' : ''}${ms === undefined ? '' : ` (not confirmed within ${formatDuration(ms)})`}`,
    apply({ ordering }, { orderId, to, trigger }, at) {
      change(ordering, orderId, ({ way }) => ({
        status: to,
        since: at,
        // A spread leaves spare capacity that is never used: over many orders that adds up.
        way: way.concat({ status: to, at, trigger }),
      }))
      if (to === 'CONCLUDED' && ordering.orders.has(orderId)) retire(ordering, orderId)
    },
  }),
  /** An accepted call had no effect: the order had moved on meanwhile. */
  'order.lapsed': factRow<{ orderId: string; trigger: OrderTrigger; status: OrderStatus }>({
    text: ({ trigger, status }) => `${trigger} had no effect in ${status}`,
  }),
  /** A tracking update of the courier was recorded. */
  'order.tracked': factRow<{ orderId: string; update: unknown }>({
    text: () => 'courier update applied',
  }),
  /** The merchant added details to the order. */
  'order.amended': factRow<{ orderId: string; details: Amendment }>({
    text: ({ details }) => `details added: ${Object.keys(details).join(', ')}`,
    apply: ({ ordering }, { orderId, details: { preparationStartDateTime, observations } }) =>
      change(ordering, orderId, ({ order }) => ({
        order: {
          ...order,
          ...compact({ observations }),
          ...(preparationStartDateTime === undefined
            ? {}
            : { timing: { ...order.timing, preparationStartDateTime } }),
        },
      })),
  }),
  /** The merchant requested cancellation of the order. */
  'cancellation.requested': factRow<{ orderId: string; code?: string; reason?: string }>({
    text: ({ code }) => `cancellation asked for${code === undefined ? '' : `: ${code}`}`,
    apply: ({ ordering }, { orderId }) =>
      change(ordering, orderId, () => ({ cancellation: 'asked' })),
  }),
  /** The Ordering Application answered a cancellation request. */
  'cancellation.answered': factRow<{ orderId: string; answer: CancellationAnswer }>({
    text: ({ answer }) => `cancellation request: ${answer}`,
    apply: ({ ordering }, { orderId, answer }) =>
      change(ordering, orderId, () => ({ cancellation: answer })),
  }),
  /** A cancellation of an order line was accepted; it takes effect later. */
  'item.cancel-requested': factRow<{
    orderId: string
    itemId: string
    cancellation: ItemCancellation
  }>({
    text: ({ itemId }) => `cancel of item ${itemId} accepted for later`,
  }),
  /** An order line, or a part of it, was cancelled. */
  'item.cancelled': factRow<ItemCancelled>({
    text: ({ quantity, itemId }) => `${quantity} of item ${itemId} cancelled`,
    apply: ({ ordering }, { orderId, items, total, payments }) =>
      change(ordering, orderId, ({ order }) => ({
        order: { ...order, items: [...items], total, payments },
      })),
  }),
}
