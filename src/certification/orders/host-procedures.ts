/** Procedures with an Ordering Application: lives of orders that it creates. */
import type { OperationId } from '../../protocol/catalogue.ts'
import { type OrderType, orderTypes } from '../../protocol/orders/order.ts'
import { defineProcedure } from '../procedure.ts'
import { callForOrder, newOrder, readOrder, untilStatus } from './host-orders.ts'

/** The calls that take an order to its end, and the status that each leads to. */
const steps: Readonly<Record<OrderType, readonly (readonly [OperationId, string])[]>> = {
  DELIVERY: [
    ['confirmOrder', 'CONFIRMED'],
    ['setOrderPreparing', 'PREPARING'],
    ['setOrderReadyForPickup', 'READY'],
    ['dispatchOrder', 'IN_DELIVERY'],
    ['setOrderDelivered', 'DELIVERED'],
  ],
  TAKEOUT: [
    ['confirmOrder', 'CONFIRMED'],
    ['setOrderReadyForPickup', 'READY'],
    ['setOrderDelivered', 'DELIVERED'],
  ],
  INDOOR: [
    ['confirmOrder', 'CONFIRMED'],
    ['setOrderPreparing', 'PREPARING'],
    ['setOrderReadyForPickup', 'READY'],
    ['setOrderDelivered', 'DELIVERED'],
  ],
}

/** Each profile from CREATED to DELIVERED, with a read after each call. */
export const orderLife = defineProcedure({
  name: 'order-life',
  about: 'takes an order of each profile to its end, step by step, and repeats each call',
  roles: ['ordering-application'],
  needs: ['orders'],
  wishes: ['an order of each profile'],
  changes: 'one order of each profile, which ends as DELIVERED',
  async run(context) {
    for (const type of orderTypes) {
      const orderId = await newOrder(context, type)
      await readOrder(context, 'read-new', orderId)
      for (const [operation, status] of steps[type]) {
        await callForOrder(context, operation, orderId)
        if (!(await untilStatus(context, orderId, status))) break
        await callForOrder(context, operation, orderId, { step: `repeat-${operation}` })
      }
      await readOrder(context, 'read-end', orderId)
    }
  },
})

/** Every operation about an order, for one that does not exist. */
export const unknownOrder = defineProcedure({
  name: 'unknown-order',
  about: 'calls every operation about an order with an id that no order has',
  roles: ['ordering-application'],
  needs: ['orders'],
  async run(context) {
    await readOrder(context, 'read', context.unknownId())
    for (const [operation] of steps.DELIVERY)
      await callForOrder(context, operation, context.unknownId())
  },
})
