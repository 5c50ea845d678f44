/** A request of each operation that has partner requirements, which meets all of them. */
import type { OperationId } from '../../src/core/protocol/catalogue.ts'
import type { Needs, StageName } from './request-stages.ts'

const at = '2026-01-05T15:00:00.000Z'

export interface RequestPlan {
  readonly stage: StageName
  readonly method?: 'GET'
  readonly path: string
  readonly needs?: Needs
  /** Bodies that meet all requirements: each form of one that has several. */
  readonly bodies: readonly unknown[]
  readonly query?: Readonly<Record<string, string>>
}

const tracking = {
  deliveryTrackingInfo: {
    event: { type: 'DELIVERY_ONGOING', datetime: at },
    problem: { reason: 'ORDER_DELAYED', datetime: at },
    vehicle: { type: ['BICYCLE'] },
    eta: { pickupEtaDatetime: at, deliveryEtaDatetime: at, maxDeliveryTime: at },
    deliveryPerson: { pictureURL: 'https://a.example/p.png' },
    externalTrackingURL: 'https://a.example/t',
  },
}

const cancellation = { reason: 'sem luz', code: 'SYSTEMIC_ISSUES', mode: 'AUTO' }

const publicAddress = {
  street: 'Rua Augusta, 100',
  city: 'São Paulo',
  state: 'SP',
  country: 'BR',
  postalCode: '01305-000',
}
const publicRoute = { merchantId: 'loja-1', origin: publicAddress, destination: publicAddress }

const orderEvent = {
  eventId: 'e-1',
  eventType: 'CONFIRMED',
  orderId: 'o-1',
  orderURL: 'http://127.0.0.1/orders/o-1',
  createdAt: at,
  sourceAppId: '7b2897cf-5f1e-4c5b-9a39-2f4d7f0a11ce',
  metadata: {},
}

const customer = {
  identifier: { type: 'email', value: 'ana@example.com' },
  contacts: [{ type: 'email', value: 'ana@example.com' }],
  birthDate: '1990-01-05',
}
const lead = { id: 'l-1', source: 'app', status: 'new', contact: { type: 'phone', value: '1' } }
const review = {
  id: 'r-1',
  customerIdentifier: { type: 'phone', value: '1' },
  ratings: [{ method: 'stars', value: 5 }],
  createdAt: at,
}
const customerEvent = {
  eventType: 'customer.updated',
  entityType: 'customer',
  occurredAt: at,
  payload: { customerId: 'c-1' },
}
const loyaltyEvent = { eventType: 'loyalty.points_accrued', occurredAt: at }

export const requestPlans: Readonly<Partial<Record<OperationId, RequestPlan>>> = {
  issueToken: {
    stage: 'ordering',
    path: '/oauth/token',
    bodies: [{ grant_type: 'client_credentials', client_id: 'subject', client_secret: 'secret' }],
  },
  listMerchants: {
    stage: 'ordering',
    method: 'GET',
    path: '/merchants',
    bodies: [],
    query: { status: 'OPEN' },
  },
  acknowledgeEvents: {
    stage: 'ordering',
    path: '/events/acknowledgment',
    needs: 'polled event',
    bodies: [{ eventIds: ['{eventId}'] }],
  },
  confirmOrder: {
    stage: 'ordering',
    path: '/orders/{orderId}/confirm',
    needs: 'order',
    bodies: [{ estimatedPreparationTimeMinutes: 20 }],
  },
  setOrderReadyForPickup: {
    stage: 'ordering',
    path: '/orders/{orderId}/ready-for-pickup',
    needs: 'confirmed order',
    bodies: [{ pickupCode: '77' }],
  },
  requestCancellation: {
    stage: 'ordering',
    path: '/orders/{orderId}/requestCancellation',
    needs: 'order',
    bodies: [cancellation],
  },
  cancelOrderItem: {
    stage: 'ordering',
    path: '/orders/{orderId}/items/{itemId}/cancel',
    needs: 'confirmed order',
    bodies: [cancellation],
  },
  sendOrderTracking: {
    stage: 'ordering',
    path: '/orders/{orderId}/tracking',
    needs: 'order',
    bodies: [tracking],
  },
  receiveOrderEvent: { stage: 'ticket', path: '/webhooks/orders', bodies: [orderEvent] },
  createPayment: {
    stage: 'store',
    path: '/accounts/payments?operationMode=TABLE&identifier={table}',
    bodies: [{ amount: 0.01, method: 'PIX', methodInfo: { method: 'PIX' } }],
  },
  transferAccountContent: {
    stage: 'store',
    path: '/accounts/transfers?operationMode=TABLE&identifier={table}',
    bodies: [
      {
        transferType: 'ITEMS',
        itemIds: ['{item}'],
        target: { accountId: '{otherAccount}', operationMode: 'TABLE', identifier: '{otherTable}' },
      },
    ],
  },
  receiveAccountEvent: {
    stage: 'ordering',
    path: '/webhooks/accounts',
    bodies: [
      { eventId: 'e-2', eventType: 'ACCOUNT_OPENED', occurredAt: at, accountId: 'a', payload: {} },
    ],
  },
  checkDeliveryAvailability: {
    stage: 'platform',
    path: '/logistics/availability',
    bodies: [publicRoute],
  },
  createDelivery: {
    stage: 'platform',
    path: '/logistics/delivery',
    bodies: [{ orderId: '{orderId}', ...publicRoute, customer: { name: 'Ana', phone: '1' } }],
  },
  reportDeliveryProblem: {
    stage: 'platform',
    path: '/logistics/delivery/{orderId}/problem',
    needs: 'delivery on its way',
    bodies: [
      { problemCode: 'CUSTOMER_UNREACHABLE', code: 'OTHER' },
      { reason: 'OTHER', action: 'DELIVER_PRODUCT' },
    ],
  },
  cancelDelivery: {
    stage: 'platform',
    path: '/logistics/delivery/{orderId}/cancel',
    needs: 'delivery',
    bodies: [{ cancellationCode: 'MERCHANT_REQUEST' }, { reason: 'NO_SHOW' }],
  },
  receiveDeliveryEvent: {
    stage: 'delivery',
    path: '/webhooks/delivery',
    bodies: [
      { orderId: 'o-3', eventType: 'PENDING', occurredAt: at, status: 'PENDING' },
      { orderId: 'o-3', event: { type: 'PENDING', datetime: at } },
    ],
  },
  upsertCustomers: { stage: 'crm', path: '/customers', bodies: [{ items: [customer] }] },
  ingestCustomer: { stage: 'crm', path: '/v1/customer/customers:ingest', bodies: [{ customer }] },
  upsertLeads: { stage: 'crm', path: '/leads', bodies: [[lead]] },
  ingestLead: { stage: 'crm', path: '/v1/customer/leads:ingest', bodies: [{ leads: [lead] }] },
  createReviews: { stage: 'crm', path: '/reviews', bodies: [{ reviews: [review] }] },
  ingestReview: { stage: 'crm', path: '/v1/customer/reviews:ingest', bodies: [review] },
  receiveCustomerEvent: {
    stage: 'crm',
    path: '/webhooks/customer',
    bodies: [{ event: customerEvent }],
  },
  receiveCustomerEventByFlow: { stage: 'crm', path: '/events', bodies: [customerEvent] },
  receiveCustomerEventByBinding: {
    stage: 'crm',
    path: '/v1/customer/events',
    bodies: [{ event: customerEvent }],
  },
  listOrders: {
    stage: 'crm',
    method: 'GET',
    path: '/orders',
    bodies: [],
    query: { originChannel: 'own_app' },
  },
  getOrdersForCRM: {
    stage: 'crm',
    method: 'GET',
    path: '/v1/customer/orders',
    bodies: [],
    query: { originChannel: 'qr_code' },
  },
  createLoyaltyRedemption: {
    stage: 'crm',
    path: '/loyalty/redemptions',
    bodies: [
      {
        accountId: '{accountId}',
        rewardId: '{rewardId}',
        customerId: '{customerId}',
        programId: '{programId}',
      },
    ],
  },
  receiveLoyaltyEvent: {
    stage: 'crm',
    path: '/webhooks/loyalty',
    bodies: [{ event: loyaltyEvent }],
  },
  receiveLoyaltyEventByFlow: { stage: 'crm', path: '/loyalty/events', bodies: [loyaltyEvent] },
  acknowledgeEventsV1: {
    stage: 'v1',
    path: '/v1/events/acknowledgment',
    needs: 'polled event',
    bodies: [[{ id: '{eventId}', orderId: '{orderId}', eventType: 'CREATED' }]],
  },
  dispatchOrderV1: {
    stage: 'v1',
    path: '/v1/orders/{orderId}/dispatch',
    needs: 'ready order',
    bodies: [tracking],
  },
  sendOrderTrackingV1: {
    stage: 'v1',
    path: '/v1/orders/{orderId}/tracking',
    needs: 'confirmed order',
    bodies: [tracking],
  },
  receiveOrderEventV1: { stage: 'v1 ticket', path: '/v1/newEvent', bodies: [orderEvent] },
}
