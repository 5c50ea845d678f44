/** What the rows of Customer share: who hosts and calls, which scope opens, which area they need, what bodies look like. */
import type { FineScope } from '../auth/scopes.ts'
import type { Conduct } from '../conduct.ts'
import type { Shape } from '../operation.ts'
import { Identified, pageOf } from './answers.ts'
import { batchKeys, batchOf, type RecordKind, shownBatchOf } from './batch.ts'
import { type Area, hasArea } from './conduct.ts'
import { CustomerEvent, ShownEvent } from './event.ts'

const access = <const Fine extends FineScope>(fine: Fine) => ({ scope: 'crm', fine }) as const

/** A shape that is put together: at the first question, and for all that come. */
function once(make: Shape): Shape {
  let made: ReturnType<Shape> | undefined
  return () => (made ??= make())
}

const areaOf =
  (area: Area) =>
  ({ customer }: Conduct): boolean =>
    hasArea(customer, area)

/** The body of an ingest: what is read, and how that is documented. */
export const records = (kind: RecordKind, record: Shape, shown: Shape = record) => ({
  request: once(() => batchOf(record(), batchKeys[kind])),
  shown: once(() => shownBatchOf(shown(), batchKeys[kind])),
})

export const page = (kind: RecordKind, record: Shape = () => Identified) => ({
  response: once(() => pageOf(record(), batchKeys[kind].many)),
})

/** The CRM takes what the Ordering Application pushes, in the modes that know pushing (CUS-GEN-10). */
export const pushed = {
  capability: 'customer',
  hosts: ['crm'],
  callers: ['ordering-application'],
  modes: { crm: ['push', 'hybrid'] },
  method: 'POST',
  success: 202,
} as const

/** The CRM answers queries always, the Ordering Application where it is pulled from (CUS-FLW-08). */
export const queried = {
  capability: 'customer',
  hosts: ['crm', 'ordering-application'],
  callers: ['ordering-application', 'crm'],
  modes: { 'ordering-application': ['pull', 'hybrid'] },
  // Its own base: POST and GET /orders mean something else under the base of Orders (CUS-TEN-02).
  basePath: { 'ordering-application': '/customer' },
  method: 'GET',
  success: 200,
} as const

/** Both sides hear of facts (CUS-MAP-04). */
export const heard = {
  capability: 'customer',
  hosts: ['crm', 'ordering-application'],
  callers: ['ordering-application', 'crm'],
  method: 'POST',
  access: access('customer.events.write'),
  request: () => CustomerEvent,
  shown: () => ShownEvent,
  when: areaOf('events'),
  declaredAs: 'receiveCustomerEvent',
} as const

export const customers = { access: access('customer.read'), when: areaOf('customers') } as const
export const customersIn = { access: access('customer.write'), when: areaOf('customers') } as const
export const leads = { access: access('customer.read'), when: areaOf('leads') } as const
export const leadsIn = { access: access('lead.write'), when: areaOf('leads') } as const
export const orders = { access: access('orders.crm.read'), when: areaOf('orders') } as const
export const ordersIn = { access: access('orders.crm.write'), when: areaOf('orders') } as const
export const reviews = { access: access('customer.read'), module: 'reviews' } as const
export const reviewsIn = { access: access('review.write'), module: 'reviews' } as const
