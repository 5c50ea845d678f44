/** Procedures with a Software Service: orders of our Ordering Application that it has to serve. */
import { orderTypes } from '../../protocol/orders/order.ts'
import { defineProcedure } from '../procedure.ts'

/** How long a service may take from CREATED to DELIVERED. */
const lifeMs = 120_000

export const servedOrders = defineProcedure({
  name: 'served-orders',
  about: 'places an order of each profile, and lets the service take it to its end',
  roles: ['software-service'],
  needs: ['orders'],
  changes: 'one order of each profile',
  async run(context) {
    for (const type of orderTypes) {
      const { orderId } = await context.createOrder({ type })
      await context.until(
        () =>
          context
            .seen()
            .some(
              ({ operation, status, exchange }) =>
                operation === 'setOrderDelivered' && exchange.orderId === orderId && status === 202,
            ),
        { within: lifeMs },
      )
    }
  },
})
