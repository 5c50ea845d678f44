/**
 * The operations of Customer with its module Reviews (document 1, Endpoints). Flow and binding have different paths and
 * names for the same operations (CUS-TEN-03, CUS-TEN-04), so each notation has rows of its own, backed by one store.
 */
import type { Conduct } from '../conduct.ts'
import { type LazySchema, operationsOf, post, type SuccessAnswer } from '../operation.ts'
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
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

/** Any record with an id: in the API documentation records are open, since their shape is configurable. */
export const IdentifiedRecord = looseObject(() => ({ id: z.string() }))

/** The body of a 202, where the session has one (CUS-PAY-01). */
export const IngestReceipt = looseObject(() => ({
  status: z.literal('ACCEPTED'),
  correlationId: z.string(),
}))

const count = z.int().min(0)
const pagination = looseObject(() => ({ page: count, pageSize: count, total: count }))

/** A page in any of the configurable shapes (CUS-UND-04). */
const customerPageOf = (record: z.ZodType, many: string): z.ZodType =>
  z.union([
    pagination.extend({ items: z.array(record) }),
    pagination.extend({ [many]: z.array(record) }),
    z.looseObject({ items: z.array(record), pagination }),
    z.array(record),
  ])

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

/** The scopes of each kind of records, and where it is served. */
const kinds = {
  customer: {
    read: 'customer.read',
    write: 'customer.write',
    served: { when: inArea('customers') },
  },
  lead: { read: 'customer.read', write: 'lead.write', served: { when: inArea('leads') } },
  order: { read: 'orders.crm.read', write: 'orders.crm.write', served: { when: inArea('orders') } },
  review: { read: 'customer.read', write: 'review.write', served: { module: 'reviews' } },
} as const

/** An ingest: the schema that reads its records, and the one for the API documentation. */
const ingest = <const Kind extends RecordKind>(
  kind: Kind,
  record: LazySchema,
  shown: LazySchema = record,
) =>
  ({
    ...pushOperation,
    ...kinds[kind].served,
    access: access(kinds[kind].write),
    request: memoise(() => batchOf(record(), batchKeys[kind])),
    shown: memoise(() => documentedBatchOf(shown(), batchKeys[kind])),
    handler: { kind: 'command', name: `customer.ingest-${kind}s` },
  }) as const

const read = (kind: RecordKind) => ({
  ...queryOperation,
  ...kinds[kind].served,
  access: access(kinds[kind].read),
})

const list = <const Kind extends RecordKind>(
  kind: Kind,
  record: LazySchema = () => IdentifiedRecord,
) =>
  ({
    ...read(kind),
    response: memoise(() => customerPageOf(record(), batchKeys[kind].many)),
    query: () => customerListQuery(kind),
    refuses: listRefusals,
    handler: { kind: 'view', name: `customer.list-${kind}s` },
  }) as const

const hosted = { capability: 'customer' } as const

export const customerOperations = operationsOf(hosted, {
  upsertCustomers: {
    ...ingest('customer', () => CustomerInput),
    summary: 'Create or update customers',
    path: '/customers',
    clauses: ['CUS-FLW-01', 'CUS-MAP-01', 'CUS-RUL-01'],
  },
  ingestCustomer: {
    ...ingest('customer', () => CustomerInput),
    summary: 'Ingest customers',
    declaredAs: 'upsertCustomers',
    path: '/v1/customer/customers:ingest',
    clauses: ['CUS-BND-02', 'CUS-PAY-01', 'CUS-ING-01'],
  },
  upsertLeads: {
    ...ingest('lead', () => AnyLead),
    summary: 'Create or update leads',
    path: '/leads',
    clauses: ['CUS-FLW-04', 'CUS-MAP-02'],
  },
  ingestLead: {
    ...ingest('lead', () => Lead),
    summary: 'Ingest leads',
    declaredAs: 'upsertLeads',
    path: '/v1/customer/leads:ingest',
    clauses: ['CUS-BND-07', 'CUS-PAY-02'],
  },
  upsertOrders: {
    ...ingest(
      'order',
      () => RelatedOrder,
      () => DocumentedOrder,
    ),
    summary: 'Create or update orders of customers',
    path: '/orders',
    clauses: ['CUS-FLW-05', 'CUS-MAP-03', 'CUS-TEN-02'],
  },
  ingestOrdersForCRM: {
    ...ingest(
      'order',
      () => RelatedOrder,
      () => DocumentedOrder,
    ),
    summary: 'Ingest orders of customers',
    declaredAs: 'upsertOrders',
    path: '/v1/customer/orders:ingest',
    clauses: ['CUS-BND-04', 'CUS-PAY-04'],
  },
  createReviews: {
    ...ingest('review', () => Review),
    summary: 'Create reviews',
    path: '/reviews',
    aliases: ['/v1/customer/reviews'],
    clauses: ['REV-MAP-01', 'REV-UND-02'],
  },
  ingestReview: {
    ...ingest('review', () => Review),
    summary: 'Ingest reviews',
    declaredAs: 'createReviews',
    path: '/v1/customer/reviews:ingest',
    when: ({ customer }: Conduct) => customer.draftReviews,
    clauses: ['REV-BND-01'],
  },
  listCustomers: {
    ...list('customer'),
    summary: 'List customers',
    path: '/customers',
    clauses: ['CUS-FLW-02', 'CUS-MAP-01', 'CUS-PAY-05', 'CUS-UND-04'],
  },
  getCustomers: {
    ...list('customer'),
    summary: 'List customers, by the binding',
    declaredAs: 'listCustomers',
    path: '/v1/customer/customers',
    clauses: ['CUS-BND-03', 'CUS-PAY-05'],
  },
  getCustomerById: {
    ...read('customer'),
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
    ...list('lead'),
    summary: 'List leads',
    path: '/leads',
    clauses: ['CUS-MAP-02', 'CUS-UND-06'],
  },
  getLeads: {
    ...list('lead'),
    summary: 'List leads, by the binding',
    declaredAs: 'listLeads',
    path: '/v1/customer/leads',
    clauses: ['CUS-UND-06'],
  },
  listOrders: {
    ...list('order', () => DocumentedOrder),
    summary: 'List orders of customers',
    path: '/orders',
    clauses: ['CUS-FLW-06', 'CUS-MAP-03'],
  },
  getOrdersForCRM: {
    ...list('order', () => DocumentedOrder),
    summary: 'List orders of customers, by the binding',
    declaredAs: 'listOrders',
    path: '/v1/customer/orders',
    clauses: ['CUS-BND-05'],
  },
  getOrderById: {
    ...read('order'),
    summary: 'Read an order of a customer',
    path: '/orders/{orderId}',
    aliases: ['/v1/customer/orders/{orderId}'],
    response: () => DocumentedOrder,
    refuses: ['ORDER_NOT_FOUND'],
    handler: { kind: 'view', name: 'customer.order' },
    clauses: ['CUS-MAP-03', 'CUS-UND-06'],
  },
  listReviews: {
    ...list('review'),
    summary: 'List reviews',
    path: '/reviews',
    clauses: ['REV-MAP-01', 'REV-UND-02'],
  },
  getReviews: {
    ...list('review'),
    summary: 'List reviews, by the binding',
    declaredAs: 'listReviews',
    path: '/v1/customer/reviews',
    clauses: ['REV-UND-02'],
  },
  getReviewById: {
    ...read('review'),
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
