/**
 * The operations of Orders (document 2, Endpoints). No operation creates an order (ORD-GEN-03): it originates inside the
 * Ordering Application and is announced by CREATED.
 */
import { AnyBody } from '../json-value.ts'
import { get, operationsOf, post } from '../operation.ts'
import {
  earlyItemCancellation,
  orderMoves,
  undeliveredOrder,
  unknownAcknowledgment,
} from '../refusals.ts'
import { Acknowledgment } from './acknowledgment.ts'
import { CancellationRequest, ItemCancellation } from './cancellation.ts'
import { OrderEvent, OrderEventList } from './event.ts'
import { Order } from './order.ts'
import { PollHeaders, PollQuery } from './poll.ts'
import { TrackingUpdate } from './tracking.ts'

const hosted = {
  capability: 'orders',
  hosts: ['ordering-application'],
  callers: ['software-service'],
  access: { scope: 'orders' },
} as const

/** A step of an order, by its word. */
const step = <const Word extends string>(word: Word) =>
  ({
    ...post(`/orders/{orderId}/${word}`, 202),
    request: () => AnyBody,
    refuses: orderMoves,
    handler: { kind: 'command', name: `order.${word}` },
  }) as const

export const ordersOperations = operationsOf(hosted, {
  pollingEvents: {
    summary: 'Poll for events of orders',
    ...get('/events:polling'),
    response: () => OrderEventList,
    query: () => PollQuery,
    headers: () => PollHeaders,
    answers: ({ emptyPoll }) => [
      { status: 200, response: () => OrderEventList },
      ...(emptyPoll === 204 ? [{ status: 204 } as const] : []),
    ],
    handler: { kind: 'command', name: 'events.poll' },
    clauses: ['ORD-OPS-01', 'ORD-UND-09'],
  },
  acknowledgeEvents: {
    summary: 'Acknowledge polled events',
    ...post('/events/acknowledgment', 202),
    request: () => Acknowledgment,
    refuses: unknownAcknowledgment,
    handler: { kind: 'command', name: 'events.acknowledge' },
    clauses: ['ORD-OPS-02', 'ORD-UND-09'],
  },
  receiveOrderEvent: {
    summary: 'Receive an event of an order',
    hosts: ['software-service'],
    callers: ['ordering-application'],
    ...post('/webhooks/orders', 204),
    request: () => OrderEvent,
    refuses: ['EVENT_NOT_ALLOWED'],
    webhook: 'orders',
    handler: { kind: 'command', name: 'ticket.notify' },
    clauses: ['ORD-OPS-03', 'ORD-EVR-07', 'ORD-UND-10'],
  },
  getOrder: {
    summary: 'Read an order',
    ...get('/orders/{orderId}'),
    response: () => Order,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'order' },
    clauses: ['ORD-OPS-04'],
  },
  confirmOrder: {
    summary: 'Confirm an order',
    ...step('confirm'),
    clauses: ['ORD-OPS-05', 'ORD-RUL-01', 'ORD-RUL-02'],
  },
  setOrderPreparing: {
    summary: 'Report that an order is being prepared',
    ...step('preparing'),
    clauses: ['ORD-OPS-06'],
  },
  setOrderReadyForPickup: {
    summary: 'Report that an order is ready',
    ...step('ready-for-pickup'),
    clauses: ['ORD-OPS-07'],
  },
  dispatchOrder: {
    summary: 'Report that an order is on its way',
    ...step('dispatch'),
    clauses: ['ORD-OPS-08'],
  },
  setOrderDelivered: {
    summary: 'Report that an order is delivered',
    ...step('delivered'),
    clauses: ['ORD-OPS-09'],
  },
  sendOrderTracking: {
    summary: 'Report where the courier of an order is',
    ...post('/orders/{orderId}/tracking', 202),
    request: () => TrackingUpdate,
    distinguishedBy: 'content',
    optional: true,
    refuses: ['NOT_FOUND', undeliveredOrder],
    handler: { kind: 'command', name: 'order.track' },
    clauses: ['ORD-UND-07'],
  },
  requestCancellation: {
    summary: 'Request the cancellation of an order',
    ...post('/orders/{orderId}/requestCancellation', 202),
    request: () => CancellationRequest,
    refuses: orderMoves,
    handler: { kind: 'command', name: 'order.request-cancellation' },
    clauses: ['ORD-OPS-10', 'ORD-CAN-04'],
  },
  cancelOrderItem: {
    summary: 'Cancel an item of an order',
    declaredAs: 'partialItemCancellation',
    ...post('/orders/{orderId}/items/{itemId}/cancel', 202),
    request: () => ItemCancellation,
    optional: true,
    refuses: [...orderMoves, 'UNPROCESSABLE', earlyItemCancellation],
    handler: { kind: 'command', name: 'order.cancel-item' },
    clauses: ['ORD-OPS-11', 'ORD-BOD-05'],
  },
})

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
