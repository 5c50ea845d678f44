/** Checks of the operations of Orders: ORD-OPS. */
import { Order } from '../../protocol/orders/order.ts'
import { defineChecks } from '../check.ts'
import { ignoredRequest, wrongReply } from '../defect.ts'
import { each, every, fits, hasStatus, allTests, replyIs, atSteps } from '../look.ts'

export const orderOperationChecks = defineChecks([
  {
    clauses: ['ORD-OPS-04'],
    roles: ['ordering-application'],
    procedures: ['order-life', 'unknown-order'],
    look: every(
      each(atSteps('order-life/read-new'), allTests(hasStatus(200), replyIs(fits(() => Order)))),
      each(atSteps('unknown-order/read'), hasStatus(404)),
    ),
    remedy:
      'Answer GET /orders/{orderId} with 200 and the whole order, and with 404 for an id that no order has.',
    defect: wrongReply('answers 200 for an order that it does not know', 'getOrder', (reply) => {
      if (reply.status !== 404) return
      reply.status = 200
      reply.body = {}
    }),
  },
  {
    clauses: ['ORD-OPS-05'],
    roles: ['ordering-application'],
    procedures: ['order-life', 'unknown-order'],
    look: every(
      each(atSteps('order-life/confirmOrder'), hasStatus(202)),
      each(atSteps('unknown-order/confirmOrder'), hasStatus(404)),
    ),
    remedy: 'Answer confirm with 202, and with 404 for an order that you do not know.',
    defect: ignoredRequest('answers confirm with 200', 'confirmOrder', 200),
  },
])
