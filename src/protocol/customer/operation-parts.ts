/** Shared parts of the Customer operations: hosts and callers, scopes, areas, body schemas. */
import type { FineScope } from '../auth/scopes.ts'
import type { Conduct } from '../conduct.ts'
import type { Shape } from '../operation.ts'
import { Identified, pageOf } from './answers.ts'
import { batchKeys, batchOf, type RecordKind, shownBatchOf } from './batch.ts'
import { type Area, hasArea } from './conduct.ts'
import { CustomerEvent, ShownEvent } from './event.ts'

const access = <const Fine extends FineScope>(fine: Fine) => ({ scope: 'crm', fine }) as const

/** Memoises a schema, built at first use. */
function memoise(make: Shape): Shape {
  let schema: ReturnType<Shape> | undefined
  return () => (schema ??= make())
}

const inArea =
  (area: Area) =>
  ({ customer }: Conduct): boolean =>
    hasArea(customer, area)

/** Request body of an ingest: the schema that reads it, and the one for the API documentation. */
export const records = (kind: RecordKind, record: Shape, shown: Shape = record) => ({
  request: memoise(() => batchOf(record(), batchKeys[kind])),
  shown: memoise(() => shownBatchOf(shown(), batchKeys[kind])),
})

export const page = (kind: RecordKind, record: Shape = () => Identified) => ({
  response: memoise(() => pageOf(record(), batchKeys[kind].many)),
})

/** Ingests: the Ordering Application pushes to the CRM, in push and hybrid mode (CUS-GEN-10). */
export const pushed = {
  capability: 'customer',
  hosts: ['crm'],
  callers: ['ordering-application'],
  modes: { crm: ['push', 'hybrid'] },
  method: 'POST',
  success: 202,
} as const

/** Queries: answered by the CRM always, by the Ordering Application in pull and hybrid mode (CUS-FLW-08). */
export const queried = {
  capability: 'customer',
  hosts: ['crm', 'ordering-application'],
  callers: ['ordering-application', 'crm'],
  modes: { 'ordering-application': ['pull', 'hybrid'] },
  // A base path of its own: POST and GET /orders mean something else under the base of Orders (CUS-TEN-02).
  basePath: { 'ordering-application': '/customer' },
  method: 'GET',
  success: 200,
} as const

/** Events: received by both sides (CUS-MAP-04). */
export const heard = {
  capability: 'customer',
  hosts: ['crm', 'ordering-application'],
  callers: ['ordering-application', 'crm'],
  method: 'POST',
  access: access('customer.events.write'),
  request: () => CustomerEvent,
  shown: () => ShownEvent,
  when: inArea('events'),
  declaredAs: 'receiveCustomerEvent',
} as const

export const customers = { access: access('customer.read'), when: inArea('customers') } as const
export const customersIn = { access: access('customer.write'), when: inArea('customers') } as const
export const leads = { access: access('customer.read'), when: inArea('leads') } as const
export const leadsIn = { access: access('lead.write'), when: inArea('leads') } as const
export const orders = { access: access('orders.crm.read'), when: inArea('orders') } as const
export const ordersIn = { access: access('orders.crm.write'), when: inArea('orders') } as const
export const reviews = { access: access('customer.read'), module: 'reviews' } as const
export const reviewsIn = { access: access('review.write'), module: 'reviews' } as const
