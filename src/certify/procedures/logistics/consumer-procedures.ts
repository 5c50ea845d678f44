/** Procedures with a consumer of Logistics: orders that it has delivered by our Delivery Platform. */
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { isAcceptedCall } from '../../../core/rules/checks/assertion.ts'
import { emittedEvents, type Observed } from '../../../core/rules/checks/trace.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { callForOrder, newOrder, untilOrderRead } from '../orders/host-orders.ts'
import { orderOf } from '../../../core/rules/checks/logistics/consumer-assertions.ts'

/** How long a consumer may take from an order to its next call: it may have to poll first. */
const reactionMs = 120_000
/** How long it may take from a creation that is refused to the next. */
const correctionMs = 15_000

/** Calls of the service about the order, so far. */
const callsAbout = (
  context: ProcedureContext,
  operation: OperationId,
  orderId: string,
): readonly Observed[] =>
  context
    .observed()
    .filter((each) => each.isCall && each.operation === operation && orderOf(each) === orderId)

const untilConsumerCalls = (
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
async function orderToDeliver(context: ProcedureContext): Promise<string> {
  if (context.role === 'software-service') {
    const { orderId } = await context.createOrder({ type: 'DELIVERY' })
    return orderId
  }
  const { orderId } = await newOrder(context, 'DELIVERY')
  await callForOrder(context, 'confirmOrder', orderId)
  await untilOrderRead(context, orderId, 'CONFIRMED')
  return orderId
}

/** Has the consumer create the delivery; ends the procedure when our platform takes none. */
async function deliveryOf(context: ProcedureContext): Promise<string> {
  const orderId = await orderToDeliver(context)
  const first = await untilConsumerCalls(context, 'createDelivery', orderId)
  if (!first)
    return context.skip(
      'the service created no delivery of a confirmed DELIVERY order within 120 s',
    )
  const creations = () => callsAbout(context, 'createDelivery', orderId)
  const isRefused = [400, 403, 404, 409, 422].includes(first.status)
  await context.until(() => creations().some(isAcceptedCall), {
    within: isRefused ? correctionMs : reactionMs,
    what: `a creation of the delivery of order ${orderId} that our platform takes`,
  })
  return creations().some(isAcceptedCall)
    ? orderId
    : context.skip(`our platform took no creation of the delivery: it answered ${first.status}`)
}

/** Makes the food ready: a Software Service does that itself. */
async function makeReady(context: ProcedureContext, orderId: string): Promise<void> {
  if (context.role === 'software-service') return
  await callForOrder(context, 'setOrderPreparing', orderId)
  await untilOrderRead(context, orderId, 'PREPARING')
  await callForOrder(context, 'setOrderReadyForPickup', orderId)
  await untilOrderRead(context, orderId, 'READY')
}

/** Has the service cancel the order of its own accord. */
const haveCancelled = (context: ProcedureContext, orderId: string): Promise<void> =>
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
const isCancelledBy = (observed: Observed, orderId: string): boolean =>
  observed.isCall &&
  observed.operation === 'requestCancellation' &&
  observed.exchange.orderId === orderId

const consumer = {
  roles: ['software-service', 'ordering-application'],
  needs: ['orders', 'logistics'],
} as const

const isOver = (request: unknown): boolean => /"status":"DELIVERED"/.test(JSON.stringify(request))

export const consumerProcedures = defineProcedures(
  {},
  {
    /** From the demand to DELIVERED. */
    'consumed-delivery': {
      ...consumer,
      about: 'has an order delivered by our Delivery Platform',
      actions: ['a DELIVERY order, where the service is the Ordering Application'],
      changes: 'one DELIVERY order, and its delivery at our Delivery Platform',
      async run(context) {
        const orderId = await deliveryOf(context)
        context.note('delivered order', orderId)
        await makeReady(context, orderId)
        // Either party may tell the platform that the food is ready; without, the courier would wait for long.
        if (!(await untilConsumerCalls(context, 'setDeliveryReadyForPickup', orderId, 60_000)))
          await context.submit({ kind: 'delivery.ready', orderId })
        await context.until(
          () =>
            context
              .observed()
              .some(
                ({ operation, exchange, request, reply }) =>
                  exchange.orderId === orderId &&
                  (operation === 'receiveDeliveryEvent' ? isOver(request) : isOver(reply)),
              ),
          { within: 120_000, what: `DELIVERED of the delivery of order ${orderId}` },
        )
      },
    },
    /** The platform has no courier. */
    'declined-delivery': {
      ...consumer,
      about: 'answers a question for availability with false',
      actions: ['a DELIVERY order, where the service is the Ordering Application'],
      changes: 'one DELIVERY order, which is not delivered',
      async run(context) {
        await context.configure([{ path: ['conduct', 'logistics', 'mostKm'], value: 0.001 }])
        const orderId = await orderToDeliver(context)
        context.note('declined order', orderId)
        await untilConsumerCalls(context, 'checkDeliveryAvailability', orderId)
        context.watch(10_000)
      },
    },
    /** The order is cancelled while its delivery is open. */
    'cancelled-delivery': {
      ...consumer,
      about: 'has an order cancelled at the service while its delivery is open',
      actions: ['the cancellation of a DELIVERY order'],
      changes: 'one DELIVERY order, which ends as CANCELLED',
      async run(context) {
        const orderId = await deliveryOf(context)
        context.note('cancelled order', orderId)
        await haveCancelled(context, orderId)
        await context.until(
          () =>
            context.observed().some((each) => isCancelledBy(each, orderId)) ||
            emittedEvents(context.observed()).some(
              (event) => event.eventType === 'CANCELLED' && event.orderId === orderId,
            ),
          { within: 180_000, what: `requestCancellation of order ${orderId}` },
        )
      },
    },
    /** The courier cannot be recalled: our platform refuses the cancel with 422. */
    'refused-delivery-cancel': {
      ...consumer,
      about: 'refuses the cancel of a delivery that is IN_TRANSIT',
      actions: ['the cancellation of a DELIVERY order'],
      changes: 'one DELIVERY order, whose delivery cannot be cancelled any more',
      async run(context) {
        const orderId = await deliveryOf(context)
        context.note('refused order', orderId)
        await context.submit({ kind: 'delivery.apply', orderId, trigger: 'assign' })
        await context.submit({ kind: 'delivery.apply', orderId, trigger: 'collected' })
        await haveCancelled(context, orderId)
        await untilConsumerCalls(context, 'cancelDelivery', orderId)
        context.watch(15_000)
      },
    },
  },
)
