/** Shared parts of the Customer operations: hosts and callers, scopes, areas, body schemas. */
import type { FineScope } from '../auth/scopes.ts'
import type { Conduct } from '../conduct.ts'
import type { LazySchema, SuccessAnswer } from '../operation.ts'
import { ingestRefusals, listRefusals } from '../refusals.ts'
import { IdentifiedRecord, IngestReceipt, customerPageOf } from './responses.ts'
import { batchKeys, batchOf, type RecordKind, documentedBatchOf } from './batch.ts'
import { type CustomerArea, hasArea } from './conduct.ts'
import { CustomerEvent, DocumentedEvent } from './event.ts'
import { customerListQuery } from './queries.ts'

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
export const ingestBodies = (kind: RecordKind, record: LazySchema, shown: LazySchema = record) => ({
  request: memoise(() => batchOf(record(), batchKeys[kind])),
  shown: memoise(() => documentedBatchOf(shown(), batchKeys[kind])),
})

export const pageResponse = (kind: RecordKind, record: LazySchema = () => IdentifiedRecord) => ({
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
export const eventOperation = {
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

export const customersRead = reads('customer.read', 'customers')
export const customersWrite = writes('customer.write', 'customers')
export const leadsRead = reads('customer.read', 'leads')
export const leadsWrite = writes('lead.write', 'leads')
export const ordersRead = reads('orders.crm.read', 'orders')
export const ordersWrite = writes('orders.crm.write', 'orders')
export const reviewsRead = {
  ...queryOperation,
  access: access('customer.read'),
  module: 'reviews',
} as const
export const reviewsWrite = {
  ...pushOperation,
  access: access('review.write'),
  module: 'reviews',
} as const
