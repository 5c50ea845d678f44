/** How the bodies of the public standard differ from the documents’ (fields.md, 2.1 to 2.3 and section 3). */
import type { z } from 'zod'
import type { BodyTranslation } from '../translation/settings.ts'
import { openDeliveryV2Manifest } from './opendelivery-v2-manifest.ts'

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

/** The balance is what can be spent; what is pending or expires soon is not told. */
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

export const openDeliveryV2Bodies: Translations = {
  ...openDeliveryV2Manifest,
  order: { operations: ['getOrder', 'patchOrderDetails'], of: 'reply', ...orders },
  customerOrder: {
    operations: ['upsertOrders', 'listOrders', 'getOrderById'],
    at: ['', 'order', 'orders', 'items'],
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
