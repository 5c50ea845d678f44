/**
 * The operations of V1, used instead of V2's with a partner who has not migrated (fields.md, 4.2). They are served under
 * the base path, /v1 unless the dialect has another one.
 */
import { AnyBody } from '../json-value.ts'
import type { Conduct } from '../conduct.ts'
import { speaksV1 } from '../dialects/settings.ts'
import { get, operationsOf, patch, post, put } from '../operation.ts'
import { orderMoves, unknownAcknowledgment, v1OrderMoves } from '../refusals.ts'
import { Acknowledgment } from '../orders/acknowledgment.ts'
import { DeliveryCodeAnswer, DeliveryCodeQuery, OrderDetails } from '../orders/details.ts'
import { OrderEvent, OrderEventList } from '../orders/event.ts'
import { PollHeaders } from '../orders/poll.ts'
import { TrackingUpdate } from '../orders/tracking.ts'
import {
  V1CancellationRequest,
  V1Confirmation,
  V1Denial,
  V1MerchantStatus,
  V1MerchantVersions,
  V1Onboarded,
  V1Onboarding,
  V1Versions,
} from './bodies.ts'
import { V1Order } from './order.ts'
import { z } from 'zod'
import { v1EventTypes } from './events.ts'
import { plainObject } from '../../base/lazy-object.ts'

/** Query parameters of V1. */
const V1PollQuery = plainObject(() => ({
  eventType: z
    .array(z.enum(v1EventTypes))
    .optional()
    .describe(
      'Only events of these types, repeated or separated by commas. All others count as acknowledged.',
    ),
}))

/** The merchant that a call is about. */
const V1MerchantQuery = plainObject(() => ({
  merchantId: z.string().optional().describe('The id of the merchant.'),
}))

const hosted = {
  capability: 'orders',
  hosts: ['ordering-application'],
  callers: ['software-service'],
  access: { scope: 'orders' },
  when: speaksV1,
  clauses: ['MIG-VER-01'],
} as const

/** What real clients begin with, and what has no effect here: menus are no part of a session. */
const merchantStub = {
  ...hosted,
  when: (conduct: Conduct): boolean => speaksV1(conduct) && conduct.v1.merchantStubs,
} as const

const cancelling = { ...hosted, clauses: ['MIG-ORD-01', 'MIG-ORD-02'] } as const

/** A step of an order, by its path and its command. */
const step = <const Name extends string>(path: string, name: Name) =>
  ({
    ...post(`/orders/{orderId}/${path}`, 202),
    request: () => AnyBody,
    refuses: v1OrderMoves,
    handler: { kind: 'command', name: `v1.${name}` },
  }) as const

export const v1Operations = operationsOf(hosted, {
  getOrderingAppVersionsV1: {
    summary: 'Read the versions of the Ordering Application',
    ...get('/versions/orderingApp'),
    access: 'token',
    response: () => V1Versions,
    handler: { kind: 'view', name: 'v1.versions' },
  },
  getMerchantVersionsV1: {
    summary: 'Read the endpoints of the merchant',
    hosts: ['software-service'],
    callers: ['ordering-application'],
    ...get('/versions/merchant'),
    access: 'token',
    response: () => V1MerchantVersions,
    handler: { kind: 'view', name: 'v1.merchant-versions' },
  },
  pollEventsV1: {
    summary: 'Poll for events of orders',
    ...get('/events:polling'),
    response: () => OrderEventList,
    query: () => V1PollQuery,
    headers: () => PollHeaders,
    answers: ({ emptyPoll }) => [
      { status: 200, response: () => OrderEventList },
      ...(emptyPoll === 204 ? [{ status: 204 } as const] : []),
    ],
    handler: { kind: 'command', name: 'events.poll' },
  },
  acknowledgeEventsV1: {
    summary: 'Acknowledge polled events',
    ...post('/events/acknowledgment', 202),
    request: () => Acknowledgment,
    refuses: unknownAcknowledgment,
    handler: { kind: 'command', name: 'events.acknowledge' },
  },
  receiveOrderEventV1: {
    summary: 'Receive an event of an order',
    hosts: ['software-service'],
    callers: ['ordering-application'],
    ...post('/v1/newEvent', 200),
    request: () => OrderEvent,
    refuses: ['EVENT_NOT_ALLOWED'],
    webhook: 'orders',
    handler: { kind: 'command', name: 'ticket.notify' },
  },
  getOrderV1: {
    summary: 'Read an order',
    ...get('/orders/{orderId}'),
    response: () => V1Order,
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'v1.order' },
    clauses: ['MIG-ORD-04', 'MIG-ORD-07', 'MIG-ORD-08'],
  },
  setOrderDetailsV1: {
    summary: 'Add details to an order',
    ...patch('/orders/{orderId}/details', 200),
    request: () => OrderDetails,
    response: () => V1Order,
    distinguishedBy: 'content',
    refuses: ['NOT_FOUND'],
    handler: { kind: 'command', name: 'v1.details' },
  },
  validateCodeV1: {
    summary: 'Check the code of the customer',
    ...post('/orders/{orderId}/validateCode', 200),
    response: () => DeliveryCodeAnswer,
    query: () => DeliveryCodeQuery,
    distinguishedBy: 'content',
    refuses: ['NOT_FOUND'],
    handler: { kind: 'view', name: 'order.validate-code' },
  },
  confirmOrderV1: {
    summary: 'Confirm an order',
    ...post('/orders/{orderId}/confirm', 202),
    request: () => V1Confirmation,
    refuses: v1OrderMoves,
    handler: { kind: 'command', name: 'v1.confirm' },
    clauses: ['MIG-ORD-05'],
  },
  setOrderPreparingV1: {
    summary: 'Report that an order is being prepared',
    ...step('preparing', 'preparing'),
    clauses: ['MIG-ORD-10'],
  },
  setOrderReadyForPickupV1: {
    summary: 'Report that an order is ready',
    ...step('readyForPickup', 'ready-for-pickup'),
    clauses: ['MIG-ORD-10'],
  },
  setOrderPickedUpV1: {
    summary: 'Report that an order was picked up',
    ...step('pickedUp', 'picked-up'),
    clauses: ['MIG-ORD-03', 'MIG-ORD-11'],
  },
  dispatchOrderV1: {
    summary: 'Report that an order is on its way',
    ...step('dispatch', 'dispatch'),
    clauses: ['MIG-ORD-10'],
  },
  setOrderDeliveredV1: {
    summary: 'Report that an order is delivered',
    ...step('delivered', 'delivered'),
    clauses: ['MIG-ORD-10'],
  },
  sendOrderTrackingV1: {
    summary: 'Report where the courier of an order is',
    ...post('/orders/{orderId}/tracking', 202),
    request: () => TrackingUpdate,
    distinguishedBy: 'content',
    refuses: v1OrderMoves,
    handler: { kind: 'command', name: 'v1.track' },
    clauses: ['MIG-ORD-10'],
  },
  requestCancellationV1: {
    ...cancelling,
    summary: 'Request the cancellation of an order',
    ...post('/orders/{orderId}/requestCancellation', 202),
    request: () => V1CancellationRequest,
    refuses: v1OrderMoves,
    handler: { kind: 'command', name: 'order.request-cancellation' },
  },
  onboardMerchantV1: {
    ...merchantStub,
    summary: 'Register a merchant',
    ...put('/merchantOnboarding', 201),
    query: () => V1MerchantQuery,
    request: () => V1Onboarding.optional(),
    response: () => V1Onboarded,
    handler: { kind: 'view', name: 'v1.merchant-onboarding' },
  },
  updateMerchantV1: {
    ...merchantStub,
    summary: 'Announce that the menu of a merchant has changed',
    ...post('/merchantUpdate', 204),
    request: () => AnyBody,
    handler: { kind: 'view', name: 'v1.merchant-update' },
  },
  getMerchantStatusV1: {
    ...merchantStub,
    summary: 'Ask what became of the last menu that was read',
    ...get('/merchantStatus'),
    query: () => V1MerchantQuery,
    response: () => V1MerchantStatus,
    handler: { kind: 'view', name: 'v1.merchant-status' },
  },
  acceptCancellationV1: {
    ...cancelling,
    summary: 'Accept the cancellation of an order',
    ...post('/orders/{orderId}/acceptCancellation', 204),
    request: () => AnyBody,
    refuses: orderMoves,
    handler: { kind: 'command', name: 'v1.accept-cancellation' },
  },
  denyCancellationV1: {
    ...cancelling,
    summary: 'Deny the cancellation of an order',
    ...post('/orders/{orderId}/denyCancellation', 204),
    request: () => V1Denial,
    refuses: orderMoves,
    handler: { kind: 'command', name: 'v1.deny-cancellation' },
  },
})
