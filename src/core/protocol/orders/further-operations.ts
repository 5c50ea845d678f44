/**
 * Operations on an order that the public standard has beside those of the documents (fields.md, O21); a session serves those
 * that `conduct.furtherOperations` names.
 */
import type { Conduct } from '../conduct.ts'
import { operationsOf, patch, post } from '../operation.ts'
import {
  DeliveryCodeAnswer,
  DeliveryCodeQuery,
  type FurtherOperationName,
  OrderDetails,
} from './details.ts'
import { Order } from './order.ts'

/** Served where `conduct` names it. */
const isServed =
  (id: FurtherOperationName) =>
  ({ furtherOperations }: Conduct): boolean =>
    furtherOperations.includes(id)

const hosted = {
  capability: 'orders',
  hosts: ['ordering-application'],
  callers: ['software-service'],
  access: { scope: 'orders' },
  refuses: ['NOT_FOUND'],
  clauses: ['ORD-UND-01'],
} as const

export const furtherOrdersOperations = operationsOf(hosted, {
  validateDeliveryCode: {
    summary: 'Check the code of the customer',
    ...post('/orders/{orderId}/validateCode'),
    response: () => DeliveryCodeAnswer,
    query: () => DeliveryCodeQuery,
    distinguishedBy: 'content',
    when: isServed('validateDeliveryCode'),
    handler: { kind: 'view', name: 'order.validate-code' },
  },
  patchOrderDetails: {
    summary: 'Add details to an order',
    ...patch('/orders/{orderId}/details'),
    request: () => OrderDetails,
    response: () => Order,
    distinguishedBy: 'content',
    when: isServed('patchOrderDetails'),
    handler: { kind: 'command', name: 'order.amend' },
  },
})
