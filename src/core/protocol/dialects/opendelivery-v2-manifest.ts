/** How a manifest of the public standard differs from the documents’ (fields.md, 2.3: D1 to D5). */
import type { z } from 'zod'
import { customerMapNames } from '../customer/operations.ts'
import { loyaltyMapNames } from '../loyalty/operations.ts'
import type { OrderEventType } from '../orders/events.ts'
import type { DeliveryEventType } from '../logistics/events.ts'
import type { BodyTranslation, WireWord } from '../translation/settings.ts'

const manifest = { operations: ['getManifest'], of: 'reply' as const }

/** Five names for the events of an order; the others have none in a manifest. */
const orderEventNames: Readonly<Record<Exclude<OrderEventType, 'ITEM_CANCELLED'>, WireWord>> = {
  CREATED: 'ORDER_CREATED',
  CONFIRMED: 'ORDER_CONFIRMED',
  DISPATCHED: 'ORDER_DISPATCHED',
  CANCELLED: 'ORDER_CANCELLED',
  CONCLUDED: 'ORDER_COMPLETED',
  PREPARATION_REQUESTED: false,
  PREPARING: false,
  READY_FOR_PICKUP: false,
  PICKUP_ONGOING: false,
  RIDER_ARRIVED_AT_STORE: false,
  ORDER_COLLECTED: false,
  DELIVERY_ONGOING: false,
  ARRIVED_AT_CUSTOMER: false,
  DELIVERED: false,
  CANCELLATION_REQUESTED: false,
  CANCELLATION_REQUEST_ACCEPTED: false,
  CANCELLATION_REQUEST_DENIED: false,
}

const deliveryEventNames: Readonly<Record<DeliveryEventType, WireWord>> = {
  PENDING: 'LOGISTICS_CREATED',
  ACCEPTED: 'LOGISTICS_ASSIGNED',
  ORDER_PICKED: 'LOGISTICS_PICKED_UP',
  ORDER_DELIVERED: 'LOGISTICS_DELIVERED',
  CANCELLED: 'LOGISTICS_CANCELLED',
  REJECTED: false,
  PICKUP_ONGOING: false,
  ARRIVED_AT_MERCHANT: false,
  DELIVERY_ONGOING: false,
  ARRIVED_AT_CUSTOMER: false,
  RETURNING_TO_MERCHANT: false,
  RETURNED_TO_MERCHANT: false,
  DELIVERY_FINISHED: false,
}

const withoutItemEvents = { ...orderEventNames, ITEM_CANCELLED: false } as const

export const openDeliveryV2Manifest: Readonly<Record<string, z.input<typeof BodyTranslation>>> = {
  manifest: {
    ...manifest,
    fields: {
      participantId: 'appId',
      protocol: 'openDelivery',
      protocolVersion: 'openDelivery.currentVersion',
    },
    absent: ['compatibility'],
    added: { discovery: { version: '1.0.0' } },
  },
  manifestOrders: {
    ...manifest,
    at: ['capabilities.orders'],
    absent: [
      'role',
      'operations',
      'endpoint',
      'originator.supportedOperations',
      'originator.unsupportedOperations',
    ],
    words: {
      'originator.supportedEvents': withoutItemEvents,
      'originator.unsupportedEvents': withoutItemEvents,
      'receiver.supportedOperations': { partialItemCancellation: false },
      'receiver.unsupportedOperations': { partialItemCancellation: false },
    },
  },
  manifestIndoor: {
    ...manifest,
    at: ['capabilities.indoor'],
    absent: ['role', 'operations', 'receiver'],
  },
  manifestCustomer: {
    ...manifest,
    at: ['capabilities.customer'],
    absent: ['role', 'operations'],
    // The schema has no list of operations, the guide has one: without it, all are there.
    assumed: { supportedOperations: [...customerMapNames, ...loyaltyMapNames] },
  },
  manifestLogistics: {
    ...manifest,
    at: ['capabilities.logistics'],
    absent: [
      'role',
      'operations',
      'endpoint',
      'baseUrl',
      'trackingMode',
      'originator.supportedOperations',
      'originator.unsupportedOperations',
      'originator.supportsPolling',
      'receiver.supportsWebhook',
      'receiver.supportsPolling',
    ],
    assumed: {
      'originator.supportsPolling': false,
      'receiver.supportsWebhook': true,
      'receiver.supportsPolling': true,
    },
    words: {
      'originator.supportedEvents': deliveryEventNames,
      'originator.unsupportedEvents': deliveryEventNames,
      'receiver.supportedOperations': {
        delivery: ['createLogistics', 'cancelLogistics', 'updateLogisticsStatus'],
        availability: false,
        tracking: false,
      },
    },
  },
}
