/**
 * Open Delivery V2, the public standard that the documents are a neutral version of (fields.md, section 3): release candidate
 * 2, and of Logistics what partners of candidate 1 still answer.
 */
import { defineDialect } from './dialect.ts'
import type { z } from 'zod'
import type { BodyTranslation, WireWord } from '../translation/settings.ts'
import { customerMapNames } from '../customer/operations.ts'
import { loyaltyMapNames } from '../loyalty/operations.ts'
import type { OrderEventType } from '../orders/events.ts'
import type { DeliveryEventType } from '../logistics/events.ts'

// How the bodies of the public standard differ from the documents’ (fields.md, 2.1 to 2.3 and
// section 3).

/** How a manifest of the public standard differs from the documents’ (fields.md, 2.3: D1 to D5). */
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

const openDeliveryV2Manifest: Readonly<Record<string, z.input<typeof BodyTranslation>>> = {
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

type Translations = Readonly<Record<string, z.input<typeof BodyTranslation>>>

const chat = { CHAT: 'WHATSAPP' } as const

/** An order without the status of single items, which the standard leaves for later. */
const orders = {
  words: {
    'fulfillment.indoor.originChannel.type': chat,
    'fulfillment.indoor.fulfillment.call.type': chat,
    'context.salesChannel': chat,
  },
  fields: {
    'fulfillment.indoor.notifications.chatId': 'fulfillment.indoor.notifications.whatsAppId',
  },
  absent: ['unavailabilityPreference', 'items.status', 'items.quantityCancelled'],
} satisfies Partial<Translations[string]>

const account = {
  words: {
    status: { IN_PAYMENT: ['IN_PAYMENT', 'BLOCKED'], CLOSED: ['CLOSED', 'AVAILABLE'] },
    'orders.originChannel': chat,
  },
} satisfies Partial<Translations[string]>

/** The balance is what can be spent; what is pending or expires soon is not written. */
const loyaltyAccount = {
  absent: [
    'status',
    'merchantId',
    'balance',
    'updatedAt',
    'summary.pointsPending',
    'summary.pointsExpiringSoon',
  ],
  fields: { 'summary.pointsAvailable': 'balance' },
  assumed: { 'summary.pointsPending': 0, 'summary.pointsExpiringSoon': 0 },
} satisfies Partial<Translations[string]>

/** A price with its list, as in quotes and deliveries. */
const deliveryPrice = {
  fields: {
    'price.amount': 'deliveryPrice.price.value',
    'price.currency': 'deliveryPrice.price.currency',
  },
  added: { 'deliveryPrice.pricingList': 'NORMAL', 'deliveryPrice.additionalPricePercentual': 0 },
} as const

/** Addresses and customer of a request; the vehicle is the one that every platform has. */
const deliveryRequest = {
  absent: ['pickup.contact'],
  fields: {
    'pickup.address.neighborhood': 'pickup.address.district',
    'pickup.address.coordinates.latitude': 'pickup.address.latitude',
    'pickup.address.coordinates.longitude': 'pickup.address.longitude',
    'dropoff.address.neighborhood': 'dropoff.address.district',
    'dropoff.address.coordinates.latitude': 'dropoff.address.latitude',
    'dropoff.address.coordinates.longitude': 'dropoff.address.longitude',
    'pickup.address': 'pickupAddress',
    'dropoff.address': 'deliveryAddress',
    'dropoff.contact.name': 'customerName',
    'dropoff.contact.phone': 'customerPhone',
  },
  added: {
    returnToMerchant: false,
    canCombine: true,
    vehicle: { type: ['MOTORBIKE_BAG'], container: 'NORMAL' },
    limitTimes: {},
  },
} satisfies Partial<Translations[string]>

const openDeliveryV2Bodies: Translations = {
  ...openDeliveryV2Manifest,
  order: { operations: ['getOrder', 'patchOrderDetails', 'getOrderById'], of: 'reply', ...orders },
  customerOrder: {
    operations: ['upsertOrders', 'listOrders'],
    at: ['order', 'orders', 'items'],
    ...orders,
  },
  cancellation: {
    operations: ['requestCancellation'],
    of: 'request',
    added: {
      reason: 'sem mais informações',
      code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
      mode: 'MANUAL',
    },
  },
  account: { operations: ['getAccount', 'getAccountById'], of: 'reply', ...account },
  transfer: {
    operations: ['transferAccountContent'],
    of: 'request',
    absent: ['targetAccountId', 'items', 'target.merchantId'],
  },
  customer: { operations: ['getCustomerById'], absent: ['status', 'document'] },
  customers: {
    operations: ['upsertCustomers', 'listCustomers'],
    at: ['items'],
    absent: ['status', 'document'],
  },
  leads: {
    operations: ['upsertLeads', 'listLeads'],
    at: ['items'],
    absent: ['status', 'customerRef', 'externalIds'],
    assumed: { status: 'new' },
  },
  customerEvent: {
    operations: [
      'receiveCustomerEvent',
      'receiveCustomerEventByFlow',
      'receiveCustomerEventByBinding',
    ],
    of: 'request',
    at: ['', 'event'],
    words: {
      eventType: {
        // The first that fits is read: a customer that is new is an update as well.
        'customer.updated': 'customer.updated',
        'customer.created': 'customer.updated',
        'customer.opted_in': {
          word: 'customer.consent.updated',
          with: { 'payload.status': 'opt_in' },
        },
        'customer.opted_out': {
          word: 'customer.consent.updated',
          with: { 'payload.status': 'opt_out' },
        },
        'order.completed': 'order.delivered',
        'order.canceled': 'order.cancelled',
        'lead.created': false,
      },
    },
    absent: ['entityType'],
  },
  loyaltyEvent: {
    operations: ['receiveLoyaltyEvent', 'receiveLoyaltyEventByFlow'],
    of: 'request',
    at: ['', 'event'],
    words: {
      eventType: {
        'loyalty.account_linked': false,
        'loyalty.points_pending': false,
        'loyalty.points_accrued': 'loyalty.points.earned',
        'loyalty.points_expired': 'loyalty.points.expired',
        'loyalty.points_redeemed': 'loyalty.redemption.created',
        'loyalty.redemption_reversed': 'loyalty.points.adjusted',
        'loyalty.coupon_applied': 'loyalty.coupon.used',
        'loyalty.coupon_cancelled': 'loyalty.coupon.cancelled',
      },
    },
    absent: ['entityType'],
  },
  loyaltyAccount: { operations: ['getLoyaltyAccountById'], of: 'reply', ...loyaltyAccount },
  loyaltyAccounts: {
    operations: ['listCustomerLoyaltyAccounts'],
    of: 'reply',
    at: ['items'],
    ...loyaltyAccount,
  },
  transactions: {
    operations: ['listLoyaltyTransactions'],
    of: 'reply',
    at: ['items'],
    words: { type: { burn: 'redeem' } },
    absent: ['points', 'orderId'],
  },
  availabilityRequest: {
    operations: ['checkDeliveryAvailability'],
    of: 'request',
    ...deliveryRequest,
    absent: ['pickup.contact', 'dropoff.contact'],
  },
  availability: {
    operations: ['checkDeliveryAvailability'],
    of: 'reply',
    absent: ['available'],
    // A quote says yes: where there is none, the answer is an error.
    assumed: { available: true },
    ...deliveryPrice,
    fields: { ...deliveryPrice.fields, eta: 'ETAs.deliveryEtaDatetime' },
  },
  deliveryRequest: { operations: ['createDelivery'], of: 'request', ...deliveryRequest },
  deliveryReceipt: {
    operations: ['createDelivery'],
    of: 'reply',
    added: { event: 'PENDING', completion: {} },
  },
  delivery: {
    operations: ['getDelivery'],
    of: 'reply',
    ...deliveryPrice,
    fields: {
      id: 'deliveryId',
      'dropoff.contact.name': 'customerName',
      'dropoff.contact.phone': 'customerPhone',
      courier: 'deliveryPerson',
      trackingUrl: 'externalTrackingURL',
      eta: 'times.deliveryEtaDate',
      'problems.code': 'problems.reason',
      'problems.description': 'problems.message',
      'problems.occurredAt': 'problems.datetime',
      problems: 'problem',
      ...deliveryPrice.fields,
    },
  },
  deliveryProblem: {
    operations: ['reportDeliveryProblem'],
    of: 'request',
    fields: { problemCode: 'reason', description: 'message' },
    added: { action: 'DELIVER_PRODUCT' },
  },
  deliveryCancel: {
    operations: ['cancelDelivery'],
    of: 'request',
    words: { cancellationCode: { MERCHANT_REQUEST: 'PROBLEM_AT_MERCHANT' } },
    fields: { reason: 'message', cancellationCode: 'reason' },
  },
}

export const openDeliveryV2 = defineDialect({
  name: 'opendelivery-v2',
  summary: 'Open Delivery V2 as published: its names, manifest, bodies, paths and statuses',
  conduct: {
    errorBody: 'flat',
    bodies: 'strict',
    requestIds: false,
    emptyBodies: false,
    invalidTransition: { orders: 409, indoor: 409, logistics: 422 },
    acknowledgmentLimit: 1000,
    // Cancelling single items is for later.
    withheldOperations: ['partialItemCancellation'],
    unsupportedEvents: ['ITEM_CANCELLED'],
    furtherOperations: ['validateDeliveryCode', 'patchOrderDetails'],
    manifestNotation: 'keyed',
    manifestMaxAge: 300_000,
    participantIds: 'uuids',
    ordersEndpoint: false,
    tokenRequest: 'json',
    tokenScopes: false,
    scopesAsked: { logistics: 'domain', crm: 'domain' },
    paths: {
      setDeliveryReadyForPickup: '/logistics/readyForPickup/{orderId}',
      setDeliveryCollected: '/logistics/orderPicked/{orderId}',
      setDeliveryDelivered: '/logistics/finishDelivery/{orderId}',
      reportDeliveryProblem: '/logistics/handleProblem/{orderId}',
      cancelDelivery: '/logistics/cancel/{orderId}',
    },
    statuses: {
      setDeliveryReadyForPickup: 200,
      setDeliveryCollected: 200,
      setDeliveryDelivered: 200,
      reportDeliveryProblem: 200,
    },
    indoor: { accountPaths: 'flat', accountNaming: 'query' },
    logistics: {
      names: 'documents',
      unavailable: 'refuse',
      progressBodies: 'dated',
      errorBody: 'problem+json',
      publishedFields: true,
    },
    customer: {
      notation: 'flow',
      requiredFields: 'overview',
      customerShape: 'lists',
      orderShape: 'reduced',
      reviewShape: 'ratings',
      // An integer is one of two alternatives of the schema, a text of one alone.
      ratingValue: 'text',
      wrapper: 'batch',
      batch: 'items',
      list: 'items',
      receipt: 'accepted',
      eventEnvelope: 'flat',
      eventAnswer: { webhook: 204, binding: 204 },
    },
    loyalty: { redemptionBody: 'account', eventBody: 'flat' },
    translations: openDeliveryV2Bodies,
  },
  protocol: { name: 'opendelivery', scopePrefix: 'od', version: '2.0.0' },
  // Candidate 1 of Logistics has 409, candidate 2 does not list it.
  earlierInvalidTransition: { logistics: 409 },
  beyond: [
    'errors of discovery in a wrapper {error: …}: all our errors are flat, and none has details',
    'events cart.abandoned, loyalty.cashback.earned, loyalty.tier.changed and loyalty.coupon.expired, and transactions of the types coupon_use, tier_change and other: they are read, and nothing of ours leads to one',
    'events of leads, of linked accounts and of pending points have no name in it, so none are sent',
    'an account at a table is never AVAILABLE or BLOCKED with us; of a partner it is read as CLOSED and as IN_PAYMENT',
    'the vehicles of a quote; the weight of an order is 500 g for each of its items',
    'where no delivery is available the answer is 422, which Logistics does not list there',
    'operations concludeOrder and updateOrderStatus, which a manifest may list and no path serves',
    'scope od.indoor, which only one of its files has: Indoor takes od.orders',
    'the header x-polling-merchants of our polls, which is optional: they ask for all merchants',
    'redirects of a manifest are refused as the documents say, and it has CORS headers for all',
    'the faults that answer 503 do so in Orders too, which lists 500 alone',
  ],
})
