/**
 * The kind of the plain `id` in the documents of an operation. One row per operation, so that the compiler demands one
 * for a new operation; ids with names of their own (`orderId`) need no row.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { IdentifierKind } from './identifier-kind.ts'

export interface PlainIdKind {
  readonly kind: IdentifierKind
  /** Names of the members that hold one record or several. */
  readonly envelopes: readonly string[]
  /** Records may also be under `items`. */
  readonly listed: boolean
  /** A bare list of strings is a list of their ids. */
  readonly bare?: true
  readonly loyalty?: true
}

const own = (kind: IdentifierKind, ...envelopes: readonly string[]): PlainIdKind => ({
  kind,
  envelopes,
  listed: false,
})
const batch = (kind: IdentifierKind, ...envelopes: readonly string[]): PlainIdKind => ({
  ...own(kind, ...envelopes),
  listed: true,
})
const loyal = (kind: IdentifierKind, ...envelopes: readonly string[]): PlainIdKind => ({
  ...batch(kind, ...envelopes),
  loyalty: true,
})

const event = own('event', 'event', 'events')
const acknowledged: PlainIdKind = { ...event, bare: true }
const order = own('order', 'order')
const delivery = own('delivery', 'delivery')
const account = own('account', 'account')
const customers = batch('customer', 'customer', 'customers')
const leads = batch('lead', 'lead', 'leads')
const orders = batch('order', 'order', 'orders')
const reviews = batch('review', 'review', 'reviews')
const loyaltyEvent: PlainIdKind = { ...event, loyalty: true }

const rows: Readonly<Record<OperationId, PlainIdKind | undefined>> = {
  getManifest: undefined,
  authorize: undefined,
  issueToken: undefined,
  listMerchants: batch('merchant', 'merchants'),
  pollingEvents: event,
  acknowledgeEvents: acknowledged,
  receiveOrderEvent: event,
  getOrder: order,
  confirmOrder: order,
  setOrderPreparing: order,
  setOrderReadyForPickup: order,
  dispatchOrder: order,
  setOrderDelivered: order,
  sendOrderTracking: order,
  requestCancellation: order,
  cancelOrderItem: own('item'),
  validateDeliveryCode: order,
  patchOrderDetails: order,
  getAccount: account,
  getAccountById: account,
  preCloseAccount: account,
  unlockAccount: account,
  closeAccount: account,
  cancelAccountItem: own('item', 'item'),
  transferAccountContent: account,
  createPayment: own('payment', 'payment'),
  listAccountPayments: batch('payment', 'payments'),
  requestFiscalDocument: own('document', 'document'),
  listAccountFiscalDocuments: batch('document', 'documents'),
  receiveAccountEvent: event,
  checkDeliveryAvailability: own('quote'),
  createDelivery: delivery,
  getDelivery: delivery,
  setDeliveryReadyForPickup: delivery,
  setDeliveryCollected: delivery,
  setDeliveryDelivered: delivery,
  reportDeliveryProblem: delivery,
  cancelDelivery: delivery,
  receiveDeliveryEvent: event,
  upsertCustomers: customers,
  ingestCustomer: customers,
  listCustomers: customers,
  getCustomers: customers,
  getCustomerById: customers,
  upsertLeads: leads,
  ingestLead: leads,
  listLeads: leads,
  getLeads: leads,
  upsertOrders: orders,
  ingestOrdersForCRM: orders,
  listOrders: orders,
  getOrdersForCRM: orders,
  getOrderById: order,
  createReviews: reviews,
  ingestReview: reviews,
  listReviews: reviews,
  getReviews: reviews,
  getReviewById: reviews,
  receiveCustomerEvent: event,
  receiveCustomerEventByFlow: event,
  receiveCustomerEventByBinding: event,
  listLoyaltyPrograms: loyal('program', 'programs'),
  upsertLoyaltyPrograms: loyal('program', 'program'),
  getLoyaltyProgramById: loyal('program', 'program'),
  listCustomerLoyaltyAccounts: loyal('loyalty-account', 'accounts'),
  getLoyaltyAccountById: loyal('loyalty-account', 'account'),
  listLoyaltyTransactions: loyal('transaction', 'transactions'),
  listLoyaltyRewards: loyal('reward', 'rewards'),
  createLoyaltyRedemption: loyal('redemption', 'redemption'),
  listLoyaltyCoupons: loyal('coupon', 'coupons'),
  useLoyaltyCoupon: loyal('coupon', 'coupon'),
  receiveLoyaltyEvent: loyaltyEvent,
  receiveLoyaltyEventByFlow: loyaltyEvent,
  getOrderingAppVersionsV1: undefined,
  getMerchantVersionsV1: undefined,
  onboardMerchantV1: undefined,
  updateMerchantV1: undefined,
  getMerchantStatusV1: undefined,
  pollEventsV1: event,
  acknowledgeEventsV1: acknowledged,
  receiveOrderEventV1: event,
  getOrderV1: order,
  setOrderDetailsV1: order,
  validateCodeV1: order,
  confirmOrderV1: order,
  setOrderPreparingV1: order,
  setOrderReadyForPickupV1: order,
  setOrderPickedUpV1: order,
  dispatchOrderV1: order,
  setOrderDeliveredV1: order,
  sendOrderTrackingV1: order,
  requestCancellationV1: order,
  acceptCancellationV1: order,
  denyCancellationV1: order,
}

export const plainIdKindOf = (operation: OperationId | undefined): PlainIdKind | undefined =>
  operation === undefined ? undefined : rows[operation]
