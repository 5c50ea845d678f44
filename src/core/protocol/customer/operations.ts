/**
 * The operations of Customer with its module Reviews (document 1, Endpoints). Flow and binding have different paths and
 * names for the same operations (CUS-TEN-03, CUS-TEN-04), so each notation has rows of its own, backed by one store.
 */
import type { Conduct } from '../conduct.ts'
import { type LazySchema, operationsOf, post, type SuccessAnswer } from '../operation.ts'
import { customerPageOf, IdentifiedRecord, IngestReceipt } from './responses.ts'
import { CustomerInput } from './customer.ts'
import { AnyLead, Lead } from './lead.ts'
import { DocumentedOrder, RelatedOrder } from './related-order.ts'
import { Review } from './review.ts'
import type { FineScope } from '../auth/scopes.ts'
import { ingestRefusals, listRefusals } from '../refusals.ts'
import { batchKeys, batchOf, documentedBatchOf, type RecordKind } from './batch.ts'
import { type CustomerArea, hasArea } from './conduct.ts'
import { CustomerEvent, DocumentedEvent } from './event.ts'
import { customerListQuery } from './queries.ts'

/** Shared parts of the Customer operations: hosts and callers, scopes, areas, body schemas. */
const access = <const Fine extends FineScope>(fine: Fine) => ({ scope: 'crm', fine }) as const

/** Memoises a schema, built at first use. */
function memoise(make: LazySchema): LazySchema {
  let schema: ReturnType<LazySchema> | undefined
  return () => (schema ??= make())
}

const inArea =
  (area: CustomerArea) =>
  ({ customer }: Conduct): boolean =>
    hasArea(customer, area)

/** Request body of an ingest: the schema that reads it, and the one for the API documentation. */
const ingestBodies = (kind: RecordKind, record: LazySchema, shown: LazySchema = record) => ({
  request: memoise(() => batchOf(record(), batchKeys[kind])),
  shown: memoise(() => documentedBatchOf(shown(), batchKeys[kind])),
})

const pageResponse = (kind: RecordKind, record: LazySchema = () => IdentifiedRecord) => ({
  response: memoise(() => customerPageOf(record(), batchKeys[kind].many)),
  query: () => customerListQuery(kind),
  refuses: listRefusals,
})

/** Ingests: the Ordering Application pushes to the CRM, in push and hybrid mode (CUS-GEN-10). */
const pushOperation = {
  hosts: ['crm'],
  callers: ['ordering-application'],
  modes: { crm: ['push', 'hybrid'] },
  method: 'POST',
  success: 202,
  answers: ({ customer }: Conduct): readonly SuccessAnswer[] => [
    { status: 202, ...(customer.receipt === 'accepted' ? { response: () => IngestReceipt } : {}) },
  ],
  refuses: ingestRefusals,
} as const

/** Queries: answered by the CRM always, by the Ordering Application in pull and hybrid mode (CUS-FLW-08). */
const queryOperation = {
  hosts: ['crm', 'ordering-application'],
  callers: ['ordering-application', 'crm'],
  modes: { 'ordering-application': ['pull', 'hybrid'] },
  // A base path of its own: POST and GET /orders mean something else under the base of Orders (CUS-TEN-02).
  basePath: { 'ordering-application': '/customer' },
  method: 'GET',
  success: 200,
} as const

/** Events: received by both sides (CUS-MAP-04). */
const eventOperation = {
  hosts: ['crm', 'ordering-application'],
  callers: ['ordering-application', 'crm'],
  access: access('customer.events.write'),
  request: () => CustomerEvent,
  shown: () => DocumentedEvent,
  when: inArea('events'),
  declaredAs: 'receiveCustomerEvent',
} as const

const reads = (fine: FineScope, area: CustomerArea) => ({
  ...queryOperation,
  access: access(fine),
  when: inArea(area),
})
const writes = (fine: FineScope, area: CustomerArea) => ({
  ...pushOperation,
  access: access(fine),
  when: inArea(area),
})

const customersRead = reads('customer.read', 'customers')
const customersWrite = writes('customer.write', 'customers')
const leadsRead = reads('customer.read', 'leads')
const leadsWrite = writes('lead.write', 'leads')
const ordersRead = reads('orders.crm.read', 'orders')
const ordersWrite = writes('orders.crm.write', 'orders')
const reviewsRead = {
  ...queryOperation,
  access: access('customer.read'),
  module: 'reviews',
} as const
const reviewsWrite = {
  ...pushOperation,
  access: access('review.write'),
  module: 'reviews',
} as const

const hosted = { capability: 'customer' } as const

export const customerOperations = operationsOf(hosted, {
  upsertCustomers: {
    ...customersWrite,
    summary: 'Create or update customers',
    path: '/customers',
    ...ingestBodies('customer', () => CustomerInput),
    handler: { kind: 'command', name: 'customer.ingest-customers' },
    clauses: ['CUS-FLW-01', 'CUS-MAP-01', 'CUS-RUL-01'],
  },
  ingestCustomer: {
    ...customersWrite,
    summary: 'Ingest customers',
    declaredAs: 'upsertCustomers',
    path: '/v1/customer/customers:ingest',
    ...ingestBodies('customer', () => CustomerInput),
    handler: { kind: 'command', name: 'customer.ingest-customers' },
    clauses: ['CUS-BND-02', 'CUS-PAY-01', 'CUS-ING-01'],
  },
  upsertLeads: {
    ...leadsWrite,
    summary: 'Create or update leads',
    path: '/leads',
    ...ingestBodies('lead', () => AnyLead),
    handler: { kind: 'command', name: 'customer.ingest-leads' },
    clauses: ['CUS-FLW-04', 'CUS-MAP-02'],
  },
  ingestLead: {
    ...leadsWrite,
    summary: 'Ingest leads',
    declaredAs: 'upsertLeads',
    path: '/v1/customer/leads:ingest',
    ...ingestBodies('lead', () => Lead),
    handler: { kind: 'command', name: 'customer.ingest-leads' },
    clauses: ['CUS-BND-07', 'CUS-PAY-02'],
  },
  upsertOrders: {
    ...ordersWrite,
    summary: 'Create or update orders of customers',
    path: '/orders',
    ...ingestBodies(
      'order',
      () => RelatedOrder,
      () => DocumentedOrder,
    ),
    handler: { kind: 'command', name: 'customer.ingest-orders' },
    clauses: ['CUS-FLW-05', 'CUS-MAP-03', 'CUS-TEN-02'],
  },
  ingestOrdersForCRM: {
    ...ordersWrite,
    summary: 'Ingest orders of customers',
    declaredAs: 'upsertOrders',
    path: '/v1/customer/orders:ingest',
    ...ingestBodies(
      'order',
      () => RelatedOrder,
      () => DocumentedOrder,
    ),
    handler: { kind: 'command', name: 'customer.ingest-orders' },
    clauses: ['CUS-BND-04', 'CUS-PAY-04'],
  },
  createReviews: {
    ...reviewsWrite,
    summary: 'Create reviews',
    path: '/reviews',
    aliases: ['/v1/customer/reviews'],
    ...ingestBodies('review', () => Review),
    handler: { kind: 'command', name: 'customer.ingest-reviews' },
    clauses: ['REV-MAP-01', 'REV-UND-02'],
  },
  ingestReview: {
    ...reviewsWrite,
    summary: 'Ingest reviews',
    declaredAs: 'createReviews',
    path: '/v1/customer/reviews:ingest',
    ...ingestBodies('review', () => Review),
    when: ({ customer }: Conduct) => customer.draftReviews,
    handler: { kind: 'command', name: 'customer.ingest-reviews' },
    clauses: ['REV-BND-01'],
  },
  listCustomers: {
    ...customersRead,
    summary: 'List customers',
    path: '/customers',
    ...pageResponse('customer'),
    handler: { kind: 'view', name: 'customer.list-customers' },
    clauses: ['CUS-FLW-02', 'CUS-MAP-01', 'CUS-PAY-05', 'CUS-UND-04'],
  },
  getCustomers: {
    ...customersRead,
    summary: 'List customers, by the binding',
    declaredAs: 'listCustomers',
    path: '/v1/customer/customers',
    ...pageResponse('customer'),
    handler: { kind: 'view', name: 'customer.list-customers' },
    clauses: ['CUS-BND-03', 'CUS-PAY-05'],
  },
  getCustomerById: {
    ...customersRead,
    summary: 'Read a customer',
    declaredAs: 'listCustomers',
    path: '/customers/{id}',
    aliases: ['/v1/customer/customers/{id}'],
    response: () => IdentifiedRecord,
    refuses: ['CUSTOMER_NOT_FOUND'],
    handler: { kind: 'view', name: 'customer.customer' },
    clauses: ['CUS-FLW-03'],
  },
  listLeads: {
    ...leadsRead,
    summary: 'List leads',
    path: '/leads',
    ...pageResponse('lead'),
    handler: { kind: 'view', name: 'customer.list-leads' },
    clauses: ['CUS-MAP-02', 'CUS-UND-06'],
  },
  getLeads: {
    ...leadsRead,
    summary: 'List leads, by the binding',
    declaredAs: 'listLeads',
    path: '/v1/customer/leads',
    ...pageResponse('lead'),
    handler: { kind: 'view', name: 'customer.list-leads' },
    clauses: ['CUS-UND-06'],
  },
  listOrders: {
    ...ordersRead,
    summary: 'List orders of customers',
    path: '/orders',
    ...pageResponse('order', () => DocumentedOrder),
    handler: { kind: 'view', name: 'customer.list-orders' },
    clauses: ['CUS-FLW-06', 'CUS-MAP-03'],
  },
  getOrdersForCRM: {
    ...ordersRead,
    summary: 'List orders of customers, by the binding',
    declaredAs: 'listOrders',
    path: '/v1/customer/orders',
    ...pageResponse('order', () => DocumentedOrder),
    handler: { kind: 'view', name: 'customer.list-orders' },
    clauses: ['CUS-BND-05'],
  },
  getOrderById: {
    ...ordersRead,
    summary: 'Read an order of a customer',
    path: '/orders/{orderId}',
    aliases: ['/v1/customer/orders/{orderId}'],
    response: () => DocumentedOrder,
    refuses: ['ORDER_NOT_FOUND'],
    handler: { kind: 'view', name: 'customer.order' },
    clauses: ['CUS-MAP-03', 'CUS-UND-06'],
  },
  listReviews: {
    ...reviewsRead,
    summary: 'List reviews',
    path: '/reviews',
    ...pageResponse('review'),
    handler: { kind: 'view', name: 'customer.list-reviews' },
    clauses: ['REV-MAP-01', 'REV-UND-02'],
  },
  getReviews: {
    ...reviewsRead,
    summary: 'List reviews, by the binding',
    declaredAs: 'listReviews',
    path: '/v1/customer/reviews',
    ...pageResponse('review'),
    handler: { kind: 'view', name: 'customer.list-reviews' },
    clauses: ['REV-UND-02'],
  },
  getReviewById: {
    ...reviewsRead,
    summary: 'Read a review',
    path: '/reviews/{id}',
    aliases: ['/v1/customer/reviews/{id}'],
    response: () => IdentifiedRecord,
    refuses: ['REVIEW_NOT_FOUND'],
    handler: { kind: 'view', name: 'customer.review' },
    clauses: ['REV-MAP-01', 'REV-UND-02'],
  },
  receiveCustomerEvent: {
    ...eventOperation,
    summary: 'Receive an event of a customer',
    ...post('/webhooks/customer', 204),
    webhook: 'customer',
    answers: ({ customer }: Conduct) => [{ status: customer.eventAnswer.webhook }],
    handler: { kind: 'command', name: 'customer.hear' },
    clauses: ['CUS-MAP-04', 'CUS-FLW-07', 'CUS-EVT-02'],
  },
  receiveCustomerEventByFlow: {
    ...eventOperation,
    summary: 'Receive an event of a customer, by the flow',
    ...post('/events', 204),
    basePath: { 'ordering-application': '/customer' },
    answers: ({ customer }: Conduct) => [{ status: customer.eventAnswer.webhook }],
    handler: { kind: 'command', name: 'customer.hear' },
    clauses: ['CUS-FLW-07', 'CUS-UND-06'],
  },
  receiveCustomerEventByBinding: {
    ...eventOperation,
    summary: 'Receive an event of a customer, by the binding',
    ...post('/v1/customer/events', 202),
    basePath: { 'ordering-application': '/customer' },
    answers: ({ customer }: Conduct) => [{ status: customer.eventAnswer.binding }],
    handler: { kind: 'command', name: 'customer.hear-by-binding' },
    clauses: ['CUS-BND-06', 'CUS-PAY-03', 'CUS-TEN-05'],
  },
})

/** The names of the operation map for core customer data and Reviews (CUS-MAP-01 to 04, REV-MAP-01). */
export const customerMapNames = [
  'listCustomers',
  'upsertCustomers',
  'listLeads',
  'upsertLeads',
  'listOrders',
  'upsertOrders',
  'getOrderById',
  'listReviews',
  'createReviews',
  'getReviewById',
  'receiveCustomerEvent',
] as const satisfies readonly (typeof customerOperations)[number]['id'][]
