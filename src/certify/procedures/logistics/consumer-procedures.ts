/** Procedures with a consumer of Logistics: orders that it has delivered by our Delivery Platform. */
import { defineProcedures } from '../../judge/procedure.ts'
import { emittedEvents } from '../../../core/rules/checks/trace.ts'
import {
  deliveryOf,
  haveCancelled,
  isCancelledBy,
  makeReady,
  orderToDeliver,
  untilConsumerCalls,
} from './consumer-orders.ts'

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
