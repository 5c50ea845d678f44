/** DELIVERY orders that a consumer under test has delivered by our Delivery Platform, and waiting for its calls. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { callForOrder, newOrder, untilOrderRead } from '../orders/host-orders.ts'
import type { ProcedureContext } from '../../judge/procedure.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { orderOf } from '../../../core/rules/checks/logistics/consumer-assertions.ts'

/** How long a consumer may take from an order to its next call: it may have to poll first. */
const reactionMs = 120_000

/** Calls of the service about the order, so far. */
const callsAbout = (
  context: ProcedureContext,
  operation: OperationId,
  orderId: string,
): readonly Observed[] =>
  context
    .observed()
    .filter((each) => each.isCall && each.operation === operation && orderOf(each) === orderId)

export const untilConsumerCalls = (
  context: ProcedureContext,
  operation: OperationId,
  orderId: string,
  within = reactionMs,
): Promise<Observed | undefined> =>
  context.until(() => callsAbout(context, operation, orderId)[0], {
    within,
    what: `${operation} of order ${orderId}`,
  })

/**
 * An order that is to be delivered: ours for a Software Service, which has to serve it, or one of the Ordering
 * Application, which is confirmed by our Software Service.
 */
export async function orderToDeliver(context: ProcedureContext): Promise<string> {
  if (context.role === 'software-service') {
    const { orderId } = await context.createOrder({ type: 'DELIVERY' })
    return orderId
  }
  const { orderId } = await newOrder(context, 'DELIVERY')
  await callForOrder(context, 'confirmOrder', orderId)
  await untilOrderRead(context, orderId, 'CONFIRMED')
  return orderId
}

/** Has the consumer create the delivery; ends the procedure when it creates none. */
export async function deliveryOf(context: ProcedureContext): Promise<string> {
  const orderId = await orderToDeliver(context)
  const created = await untilConsumerCalls(context, 'createDelivery', orderId)
  return created
    ? orderId
    : context.skip('the service created no delivery of a confirmed DELIVERY order within 120 s')
}

/** Makes the food ready: a Software Service does that itself. */
export async function makeReady(context: ProcedureContext, orderId: string): Promise<void> {
  if (context.role === 'software-service') return
  await callForOrder(context, 'setOrderPreparing', orderId)
  await untilOrderRead(context, orderId, 'PREPARING')
  await callForOrder(context, 'setOrderReadyForPickup', orderId)
  await untilOrderRead(context, orderId, 'READY')
}

/** Has the service cancel the order of its own accord. */
export const haveCancelled = (context: ProcedureContext, orderId: string): Promise<void> =>
  context.ask(
    context.role === 'software-service'
      ? {
          kind: 'cancel-order',
          orderId,
          instruction: `Have the order ${orderId} cancelled by your store.`,
          command: {
            kind: 'ticket.cancel',
            orderId,
            request: { reason: 'falta de insumos', code: 'UNAVAILABLE_ITEM', mode: 'MANUAL' },
          },
        }
      : { kind: 'cancel-order', orderId },
  )

/** Whether the service has cancelled the order, or asked for that. */
export const isCancelledBy = (observed: Observed, orderId: string): boolean =>
  observed.isCall &&
  observed.operation === 'requestCancellation' &&
  observed.exchange.orderId === orderId
