/** Procedures with an Ordering Application: cancellations of orders, asked for or its own. */
import { orderHost } from '../../../core/rules/checks/orders/hosted-orders.ts'
import { isAcceptedCall, bodyValue } from '../../../core/rules/checks/assertion.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'

import {
  callForOrder,
  cancellationReason,
  newOrder,
  newOrders,
  type PlacedOrder,
  progress,
  quietTime,
  readOrder,
  readOrders,
  untilOrderEvents,
  untilStatus,
} from './host-orders.ts'
import { itemsIn } from '../../../core/rules/checks/orders/host-assertions.ts'

/** How long a service may take to decide about a cancellation. */
const decisionMs = 60_000

async function requestCancellation(
  context: ProcedureContext,
  { orderId, read }: PlacedOrder,
  { step, code }: { readonly step: string; readonly code: string },
): Promise<boolean> {
  const [item] = itemsIn(read)
  const itemId = bodyValue(item, '/id')
  const requested = await callForOrder(context, 'requestCancellation', orderId, {
    step,
    body: {
      reason: cancellationReason,
      code,
      mode: 'MANUAL',
      ...(code === 'UNAVAILABLE_ITEM' && itemId !== undefined ? { outOfStockItems: [itemId] } : {}),
    },
  })
  await readOrder(context, 'read-requested', orderId)
  return isAcceptedCall(requested)
}

/** Waits for the outcome of cancellation requests, and for CANCELLED where they are granted. */
async function untilDecided(
  context: ProcedureContext,
  orders: readonly PlacedOrder[],
): Promise<void> {
  await untilOrderEvents(
    context,
    orders.map(
      ({ orderId }) =>
        [orderId, 'CANCELLATION_REQUEST_ACCEPTED', 'CANCELLATION_REQUEST_DENIED'] as const,
    ),
    decisionMs,
  )
  await quietTime(context)
  await readOrders(context, 'read-decided', orders)
}

export const cancellationHostProcedures = defineProcedures(orderHost, {
  'order-cancellation': {
    about:
      'asks for the cancellation of an order before its confirmation, and of another one after it',
    actions: ['a TAKEOUT and a DELIVERY order'],
    changes: 'a TAKEOUT and a DELIVERY order, which are cancelled',
    async run(context) {
      const orders = await newOrders(context, ['TAKEOUT', 'DELIVERY'])
      const early = orders.filter(({ type }) => type === 'TAKEOUT')
      const confirmed = await progress(
        context,
        orders.filter(({ type }) => type === 'DELIVERY'),
        'CONFIRMED',
      )
      const asked: PlacedOrder[] = []
      for (const [placed, step, code] of [
        [early, 'request-early', 'UNAVAILABLE_ITEM'],
        [confirmed, 'request', 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT'],
      ] as const)
        for (const order of placed)
          if (await requestCancellation(context, order, { step, code })) asked.push(order)
      await untilDecided(context, asked)
      const cancelled = await untilStatus(context, asked, () => 'CANCELLED', 0)
      await untilOrderEvents(
        context,
        cancelled.map(({ orderId }) => [orderId, 'CANCELLED'] as const),
      )
      for (const { orderId } of cancelled)
        await callForOrder(context, 'confirmOrder', orderId, { step: 'confirm-cancelled' })
      await quietTime(context)
      await readOrders(context, 'read-end', orders)
    },
  },
  'denied-cancellation': {
    about: 'asks for the cancellation of an order, which the service is to deny',
    actions: ['a TAKEOUT order', 'the denial of a cancellation request'],
    changes: 'one TAKEOUT order, which ends as DELIVERED',
    async run(context) {
      const orders = await progress(context, [await newOrder(context, 'TAKEOUT')], 'CONFIRMED')
      for (const order of orders) {
        const { orderId } = order
        const isAsked = await requestCancellation(context, order, {
          step: 'request',
          code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
        })
        if (!isAsked) return
        try {
          await context.ask({ kind: 'deny-cancellation', orderId })
          await untilDecided(context, [order])
        } finally {
          await progress(context, [order], 'DELIVERED')
        }
      }
    },
  },
  'own-cancellation': {
    about: 'has the service cancel an order of its own accord',
    actions: ['a TAKEOUT order', 'its cancellation by the service'],
    changes: 'one TAKEOUT order, which is cancelled',
    async run(context) {
      const orders = await progress(context, [await newOrder(context, 'TAKEOUT')], 'CONFIRMED')
      for (const { orderId } of orders) {
        try {
          await context.bringAbout({ note: 'own-cancellation', text: orderId }, () =>
            context.ask({ kind: 'cancel-order', orderId }),
          )
          await untilStatus(context, orders, () => 'CANCELLED')
          await untilOrderEvents(context, [[orderId, 'CANCELLED']])
          await readOrder(context, 'read-end', orderId)
        } finally {
          await progress(context, orders, 'DELIVERED')
        }
      }
    },
  },
})
