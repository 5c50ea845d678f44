/** Procedures with an Ordering Application about the items of an order, and about what happens to it besides. */
import type { OrderEventType } from '../../../core/protocol/orders/events.ts'
import { isAcceptedCall, bodyValue } from '../../../core/rules/checks/assertion.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { orderHost, statusOf } from '../../../core/rules/checks/orders/hosted-orders.ts'
import {
  callForOrder,
  cancellationReason,
  ifPossible,
  newOrder,
  type PlacedOrder,
  progress,
  quietTime,
  readOrder,
  untilOrderEvents,
  untilReads,
  untilStatus,
} from './host-orders.ts'
import { itemsIn } from '../../../core/rules/checks/orders/host-assertions.ts'

/** An item of a read, by its id. */
const itemWith = (read: Observed, id: unknown): unknown =>
  itemsIn(read).find((item) => bodyValue(item, '/id') === id)

const quantityOf = (item: unknown): number => {
  const quantity = bodyValue(item, '/quantity')
  return typeof quantity === 'number' ? quantity : 1
}

interface ItemCancel {
  readonly step: string
  readonly itemId: string
  readonly mode: 'AUTO' | 'MANUAL'
  /** The whole item when absent. */
  readonly quantity?: number
}

/** Cancels an item, and reads the order until the item has another status. */
async function cancelItem(
  context: ProcedureContext,
  order: PlacedOrder,
  { step, itemId, mode, quantity }: ItemCancel,
): Promise<boolean> {
  const { orderId } = order
  const before = await readOrder(context, 'read-before', orderId)
  const statusBefore = bodyValue(itemWith(before, itemId), '/status')
  const reply = await callForOrder(context, 'cancelOrderItem', orderId, {
    step,
    itemId,
    body: {
      reason: cancellationReason,
      code: 'UNAVAILABLE_ITEM',
      mode,
      ...(quantity === undefined ? {} : { quantity }),
    },
  })
  const isTaken = isAcceptedCall(reply)
  if (isTaken)
    await untilReads(
      context,
      [order],
      (read) => bodyValue(itemWith(read, itemId), '/status') !== statusBefore,
      { step: `${step}-effect` },
    )
  await quietTime(context)
  await readOrder(context, `${step}-effect`, orderId)
  return isTaken
}

export const itemHostProcedures = defineProcedures(orderHost, {
  /** An order that holds everything optional, of which the items are cancelled one after the other. */
  'full-order': {
    about: 'reads an order that holds everything optional, and cancels its items',
    actions: [
      'a DELIVERY order with several items, options within options, remarks and a scheduled time',
    ],
    changes: 'one DELIVERY order, which ends as CANCELLED',
    async run(context) {
      const order = await newOrder(context, 'DELIVERY', { isFull: true })
      const [confirmed] = await progress(context, [order], 'CONFIRMED')
      if (!confirmed) return
      const items = itemsIn(order.read).flatMap((item) => {
        const id = bodyValue(item, '/id')
        return typeof id === 'string' ? [{ id, quantity: quantityOf(item) }] : []
      })
      const several = items.find(({ quantity }) => quantity > 1)
      const whole = items.find((item) => item !== several)
      if (
        several &&
        !(await cancelItem(context, order, {
          step: 'cancel-part',
          itemId: several.id,
          mode: 'MANUAL',
          quantity: 1,
        }))
      )
        return
      if (whole && items.length > 1)
        await cancelItem(context, order, { step: 'cancel-item', itemId: whole.id, mode: 'AUTO' })
      for (const { id } of items)
        if (id !== whole?.id || items.length === 1)
          await cancelItem(context, order, { step: 'cancel-rest', itemId: id, mode: 'AUTO' })
      await untilStatus(context, [order], () => 'CANCELLED')
      await untilOrderEvents(context, [[order.orderId, 'CANCELLED']])
      const end = await readOrder(context, 'read-end', order.orderId)
      if (statusOf(end) !== 'CANCELLED') context.leaves(`the order ${order.orderId}`)
    },
  },
  /** What the courier and the kitchen do on their own, which moves no order. */
  'courier-events': {
    about: 'has the service emit the events of kitchen and courier for a DELIVERY order',
    actions: ['a DELIVERY order', 'what its kitchen and its courier report'],
    changes: 'one DELIVERY order, which ends as DELIVERED',
    async run(context) {
      const order = await newOrder(context, 'DELIVERY')
      const { orderId } = order
      /** Has an event emitted, where the service has it. */
      const have = (eventType: OrderEventType): Promise<unknown> =>
        ifPossible(async () => {
          await readOrder(context, 'read-quiet', orderId)
          await context.ask({ kind: 'emit-events', orderId, eventTypes: [eventType] })
          await untilOrderEvents(context, [[orderId, eventType]], 5000)
          await readOrder(context, 'read-quiet', orderId)
        })
      await progress(context, [order], 'CONFIRMED')
      await have('PREPARATION_REQUESTED')
      await progress(context, [order], 'READY')
      await have('PICKUP_ONGOING')
      await have('RIDER_ARRIVED_AT_STORE')
      await progress(context, [order], 'IN_DELIVERY')
      await have('ORDER_COLLECTED')
      await have('DELIVERY_ONGOING')
      await have('ARRIVED_AT_CUSTOMER')
      await progress(context, [order], 'DELIVERED')
    },
  },
})
