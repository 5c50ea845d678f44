/**
 * Open Delivery V2, the public standard that the documents are a neutral version of (fields.md, section 3): release candidate
 * 2, and of Logistics what partners answer from candidate 1.
 */
import { defineDialect } from './dialect.ts'
import { openDeliveryV2Bodies } from './opendelivery-v2-bodies.ts'

export const openDeliveryV2 = defineDialect({
  name: 'opendelivery-v2',
  summary: 'Open Delivery V2 as published: its names, manifest, bodies, paths and statuses',
  conduct: {
    errorBody: 'flat',
    bodies: 'strict',
    requestIds: false,
    invalidTransition: { orders: 409, indoor: 409, logistics: 409 },
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
    logistics: { names: 'documents', unavailable: 'refuse', progressBodies: 'dated' },
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
  beyond: [
    'errors of discovery in a wrapper {error: …}: all our errors are flat, and none has details',
    'events cart.abandoned, loyalty.cashback.earned, loyalty.tier.changed and loyalty.coupon.expired, and transactions of the types coupon_use, tier_change and other: they are read, and nothing of ours leads to one',
    'events of leads, of linked accounts and of pending points have no name in it, so none are sent',
    'an account at a table is never AVAILABLE or BLOCKED with us; of a partner it is read as CLOSED and as IN_PAYMENT',
    'totalOrderPrice, totalWeight and payments in requests for deliveries; the vehicles of a quote and its times of pickup',
    'the history of a delivery as events in the answer to GET: it has its status there',
    'operations concludeOrder and updateOrderStatus, which a manifest may list and no path serves',
    'scope od.indoor, which only one of its files has: Indoor takes od.orders',
    'the header x-polling-merchants of our polls, which is optional: they ask for all merchants',
    'redirects of a manifest are refused as the documents say, and it has CORS headers for all',
    'the faults that answer 503 do so in Orders too, which lists 500 alone',
  ],
})
