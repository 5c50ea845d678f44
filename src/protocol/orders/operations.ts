/**
 * The operations of Orders (document 2, Endpoints). No operation creates an order (ORD-GEN-03): it originates inside the
 * Ordering Application and is announced by CREATED.
 */
import { AnyBody } from '../any-body.ts'
import { defineOperation } from '../operation.ts'
import { Acknowledgment } from './acknowledgment.ts'
import { CancellationRequest, ItemCancellation } from './cancellation.ts'
import { OrderEvent, OrderEventList } from './event.ts'
import { Order } from './order.ts'
import { TrackingUpdate } from './tracking.ts'

const hosted = {
  capability: 'orders',
  hosts: ['ordering-application'],
  callers: ['software-service'],
  access: { scope: 'orders' },
} as const

export const ordersOperations = [
  defineOperation({
    ...hosted,
    id: 'pollingEvents',
    method: 'GET',
    path: '/events:polling',
    success: 200,
    response: () => OrderEventList,
    handler: { kind: 'command', name: 'events.poll' },
    clauses: ['ORD-OPS-01', 'ORD-UND-09'],
  }),
  defineOperation({
    ...hosted,
    id: 'acknowledgeEvents',
    method: 'POST',
    path: '/events/acknowledgment',
    success: 202,
    request: () => Acknowledgment,
    handler: { kind: 'command', name: 'events.acknowledge' },
    clauses: ['ORD-OPS-02', 'ORD-UND-09'],
  }),
  defineOperation({
    ...hosted,
    id: 'receiveOrderEvent',
    hosts: ['software-service'],
    callers: ['ordering-application'],
    method: 'POST',
    path: '/webhooks/orders',
    success: 204,
    request: () => OrderEvent,
    webhook: 'orders',
    handler: { kind: 'command', name: 'ticket.notify' },
    clauses: ['ORD-OPS-03', 'ORD-EVR-07', 'ORD-UND-10'],
  }),
  defineOperation({
    ...hosted,
    id: 'getOrder',
    method: 'GET',
    path: '/orders/{orderId}',
    success: 200,
    response: () => Order,
    handler: { kind: 'view', name: 'order' },
    clauses: ['ORD-OPS-04'],
  }),
  defineOperation({
    ...hosted,
    id: 'confirmOrder',
    method: 'POST',
    path: '/orders/{orderId}/confirm',
    success: 202,
    request: () => AnyBody,
    handler: { kind: 'command', name: 'order.confirm' },
    clauses: ['ORD-OPS-05', 'ORD-RUL-01', 'ORD-RUL-02'],
  }),
  defineOperation({
    ...hosted,
    id: 'setOrderPreparing',
    method: 'POST',
    path: '/orders/{orderId}/preparing',
    success: 202,
    request: () => AnyBody,
    handler: { kind: 'command', name: 'order.preparing' },
    clauses: ['ORD-OPS-06'],
  }),
  defineOperation({
    ...hosted,
    id: 'setOrderReadyForPickup',
    method: 'POST',
    path: '/orders/{orderId}/ready-for-pickup',
    success: 202,
    request: () => AnyBody,
    handler: { kind: 'command', name: 'order.ready-for-pickup' },
    clauses: ['ORD-OPS-07'],
  }),
  defineOperation({
    ...hosted,
    id: 'dispatchOrder',
    method: 'POST',
    path: '/orders/{orderId}/dispatch',
    success: 202,
    request: () => AnyBody,
    handler: { kind: 'command', name: 'order.dispatch' },
    clauses: ['ORD-OPS-08'],
  }),
  defineOperation({
    ...hosted,
    id: 'setOrderDelivered',
    method: 'POST',
    path: '/orders/{orderId}/delivered',
    success: 202,
    request: () => AnyBody,
    handler: { kind: 'command', name: 'order.delivered' },
    clauses: ['ORD-OPS-09'],
  }),
  defineOperation({
    ...hosted,
    id: 'sendOrderTracking',
    method: 'POST',
    path: '/orders/{orderId}/tracking',
    success: 202,
    request: () => TrackingUpdate,
    optional: true,
    handler: { kind: 'command', name: 'order.track' },
    clauses: ['ORD-UND-07'],
  }),
  defineOperation({
    ...hosted,
    id: 'requestCancellation',
    method: 'POST',
    path: '/orders/{orderId}/requestCancellation',
    success: 202,
    request: () => CancellationRequest,
    handler: { kind: 'command', name: 'order.request-cancellation' },
    clauses: ['ORD-OPS-10', 'ORD-CAN-04'],
  }),
  defineOperation({
    ...hosted,
    id: 'cancelOrderItem',
    declaredAs: 'partialItemCancellation',
    method: 'POST',
    path: '/orders/{orderId}/items/{itemId}/cancel',
    success: 202,
    request: () => ItemCancellation,
    optional: true,
    handler: { kind: 'command', name: 'order.cancel-item' },
    clauses: ['ORD-OPS-11', 'ORD-BOD-05'],
  }),
] as const

/** The operations that a receiver calls, by the names that it declares in its manifest (DIS-ORD-04). */
export const receiverOperationNames = [
  'confirmOrder',
  'requestCancellation',
  'getOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
  'sendOrderTracking',
  'partialItemCancellation',
] as const
