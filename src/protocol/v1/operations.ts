/**
 * The operations of V1 that a partner who has not migrated speaks in place of V2's (fields.md, 4.2). They stand under
 * the base path, /v1 unless a dialect has another one.
 */
import { z } from 'zod'
import { speaksV1 } from '../dialects/settings.ts'
import { defineOperation } from '../operation.ts'
import { Acknowledgment } from '../orders/acknowledgment.ts'
import { OrderEvent, OrderEventList } from '../orders/event.ts'
import { TrackingUpdate } from '../orders/tracking.ts'
import { V1CancellationRequest, V1Confirmation, V1Denial, V1Versions } from './bodies.ts'
import { V1Order } from './order.ts'

const hosted = {
  capability: 'orders',
  hosts: ['ordering-application'],
  callers: ['software-service'],
  access: { scope: 'orders' },
  when: speaksV1,
  clauses: ['MIG-VER-01'],
} as const

const cancelling = { ...hosted, clauses: ['MIG-ORD-01', 'MIG-ORD-02'] } as const

/** Calls that take a body, which says nothing that we need. */
const AnyBody = z.unknown()

export const v1Operations = [
  defineOperation({
    ...hosted,
    id: 'getOrderingAppVersionsV1',
    method: 'GET',
    path: '/versions/orderingApp',
    access: 'token',
    success: 200,
    response: V1Versions,
    behind: { kind: 'view', name: 'v1.versions' },
  }),
  defineOperation({
    ...hosted,
    id: 'pollEventsV1',
    method: 'GET',
    path: '/events:polling',
    success: 200,
    response: OrderEventList,
    behind: { kind: 'command', name: 'events.poll' },
  }),
  defineOperation({
    ...hosted,
    id: 'acknowledgeEventsV1',
    method: 'POST',
    path: '/events/acknowledgment',
    success: 202,
    request: Acknowledgment,
    behind: { kind: 'command', name: 'events.acknowledge' },
  }),
  defineOperation({
    ...hosted,
    id: 'receiveOrderEventV1',
    hosts: ['software-service'],
    callers: ['ordering-application'],
    method: 'POST',
    path: '/v1/newEvent',
    success: 200,
    request: OrderEvent,
    webhook: 'orders',
    behind: { kind: 'command', name: 'ticket.notify' },
  }),
  defineOperation({
    ...hosted,
    id: 'getOrderV1',
    method: 'GET',
    path: '/orders/{orderId}',
    success: 200,
    response: V1Order,
    behind: { kind: 'view', name: 'v1.order' },
    clauses: ['MIG-ORD-04', 'MIG-ORD-07', 'MIG-ORD-08'],
  }),
  defineOperation({
    ...hosted,
    id: 'confirmOrderV1',
    method: 'POST',
    path: '/orders/{orderId}/confirm',
    success: 202,
    request: V1Confirmation,
    behind: { kind: 'command', name: 'v1.confirm' },
    clauses: ['MIG-ORD-05'],
  }),
  defineOperation({
    ...hosted,
    id: 'setOrderPreparingV1',
    method: 'POST',
    path: '/orders/{orderId}/preparing',
    success: 202,
    request: AnyBody,
    behind: { kind: 'command', name: 'v1.preparing' },
    clauses: ['MIG-ORD-10'],
  }),
  defineOperation({
    ...hosted,
    id: 'setOrderReadyForPickupV1',
    method: 'POST',
    path: '/orders/{orderId}/readyForPickup',
    success: 202,
    request: AnyBody,
    behind: { kind: 'command', name: 'v1.ready-for-pickup' },
    clauses: ['MIG-ORD-10'],
  }),
  defineOperation({
    ...hosted,
    id: 'setOrderPickedUpV1',
    method: 'POST',
    path: '/orders/{orderId}/pickedUp',
    success: 202,
    request: AnyBody,
    behind: { kind: 'command', name: 'v1.picked-up' },
    clauses: ['MIG-ORD-03', 'MIG-ORD-11'],
  }),
  defineOperation({
    ...hosted,
    id: 'dispatchOrderV1',
    method: 'POST',
    path: '/orders/{orderId}/dispatch',
    success: 202,
    request: AnyBody,
    behind: { kind: 'command', name: 'v1.dispatch' },
    clauses: ['MIG-ORD-10'],
  }),
  defineOperation({
    ...hosted,
    id: 'setOrderDeliveredV1',
    method: 'POST',
    path: '/orders/{orderId}/delivered',
    success: 202,
    request: AnyBody,
    behind: { kind: 'command', name: 'v1.delivered' },
    clauses: ['MIG-ORD-10'],
  }),
  defineOperation({
    ...hosted,
    id: 'sendOrderTrackingV1',
    method: 'POST',
    path: '/orders/{orderId}/tracking',
    success: 202,
    request: TrackingUpdate,
    behind: { kind: 'command', name: 'v1.track' },
    clauses: ['MIG-ORD-10'],
  }),
  defineOperation({
    ...cancelling,
    id: 'requestCancellationV1',
    method: 'POST',
    path: '/orders/{orderId}/requestCancellation',
    success: 202,
    request: V1CancellationRequest,
    behind: { kind: 'command', name: 'order.request-cancellation' },
  }),
  defineOperation({
    ...cancelling,
    id: 'acceptCancellationV1',
    method: 'POST',
    path: '/orders/{orderId}/acceptCancellation',
    success: 204,
    request: AnyBody,
    behind: { kind: 'command', name: 'v1.accept-cancellation' },
  }),
  defineOperation({
    ...cancelling,
    id: 'denyCancellationV1',
    method: 'POST',
    path: '/orders/{orderId}/denyCancellation',
    success: 204,
    request: V1Denial,
    behind: { kind: 'command', name: 'v1.deny-cancellation' },
  }),
] as const
