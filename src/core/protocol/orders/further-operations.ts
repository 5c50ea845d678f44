/**
 * Operations on an order that the public standard has beside those of the documents (fields.md, O21); a session serves those
 * that `conduct.furtherOperations` names.
 */
import type { Conduct } from '../conduct.ts'
import { defineOperation } from '../operation.ts'
import {
  DeliveryCodeAnswer,
  DeliveryCodeQuery,
  type FurtherOperationName,
  OrderDetails,
} from './details.ts'
import { Order } from './order.ts'

const hosted = <const Id extends FurtherOperationName>(id: Id) =>
  ({
    id,
    capability: 'orders',
    hosts: ['ordering-application'],
    callers: ['software-service'],
    access: { scope: 'orders' },
    success: 200,
    when: ({ furtherOperations }: Conduct): boolean => furtherOperations.includes(id),
    clauses: ['ORD-UND-01'],
  }) as const

export const furtherOrdersOperations = [
  defineOperation({
    ...hosted('validateDeliveryCode'),
    summary: 'Check the code of the customer',
    method: 'POST',
    path: '/orders/{orderId}/validateCode',
    response: () => DeliveryCodeAnswer,
    query: () => DeliveryCodeQuery,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'order.validate-code' },
  }),
  defineOperation({
    ...hosted('patchOrderDetails'),
    summary: 'Add details to an order',
    method: 'PATCH',
    path: '/orders/{orderId}/details',
    request: () => OrderDetails,
    response: () => Order,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'command', name: 'order.amend' },
  }),
] as const
