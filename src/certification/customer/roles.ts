/** Checks of who does what in Customer: CUS-GEN, CUS-FLW-08, CUS-TEN-02, CUS-BND-01. */
import type { OperationId } from '../../protocol/catalogue.ts'
import { operation as operationRow } from '../../protocol/catalogue.ts'
import { recordKinds, type RecordKind } from '../../protocol/customer/batch.ts'
import { Order } from '../../protocol/orders/order.ts'
import { pullOperations, pushOperations } from '../../engine/customer/partner.ts'
import { defineChecks, type Look } from '../check.ts'
import { furtherCall, missingCall, removeMember, wrongCall, wrongReply } from '../defect.ts'
import { each, every, fits, sighting, type Test } from '../look.ts'
import type { Observed, Trace } from '../trace.ts'
import { loyaltyEventsOf } from './emitted.ts'
import { application, crm, customerRoles, isOfCustomer, notFound, wrongManifest } from './looks.ts'
import { customerBlockIn, integrationModes, manifestsAt, operationNamesIn } from './manifest.ts'
import { containsText, sharedRecords } from './records.ts'
import { wrongRecords } from './wrong-records.ts'

const allPushes: readonly OperationId[] = recordKinds.flatMap((kind) =>
  Object.values(pushOperations[kind]),
)
const allPulls: readonly OperationId[] = recordKinds.flatMap((kind) =>
  Object.values(pullOperations[kind]),
)

/** What moves orders, accounts and deliveries, which is none of a CRM's business. */
const isOperational = ({ operation, exchange }: Observed): boolean => {
  if (operation === undefined || exchange.request.method === 'GET') return false
  const { capability } = operationRow(operation)
  return capability === 'orders' || capability === 'indoor' || capability === 'logistics'
}

/** It makes no such call; each order that it was told of is an occasion. */
const movesNoOrders: Look = function* look(trace) {
  for (const told of trace.answers(...Object.values(pushOperations.order)))
    if (told.status === 202) yield sighting([told], undefined)
  for (const call of trace.calls().filter(isOperational))
    yield sighting([call], `it calls ${call.operation ?? ''}, which moves an order`)
}

/** Confirms an order whenever it accrues points for one. */
const confirmsOrders = furtherCall(
  'confirms orders of which it learns',
  'receiveLoyaltyEvent',
  (request) =>
    new Request(new URL('/orders/of-a-customer/confirm', request.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }),
)

const orderProblem = fits(() => Order)

const ordersHaveShape: Look = function* look(trace) {
  for (const { observed, record } of sharedRecords(trace, 'order')) {
    const problem = orderProblem(record)
    yield sighting(
      [observed],
      problem === undefined ? undefined : `an order in relationship context is wrong: ${problem}`,
    )
  }
}

/** Push and pull, as declared, or as the declared operations say. */
function modesOf(
  trace: Trace,
): { readonly manifest: Observed; readonly modes: readonly string[] } | undefined {
  const [manifest] = manifestsAt(trace, 'customer-operations/manifest')
  const block = customerBlockIn(manifest?.reply)
  if (!manifest || !block) return undefined
  const names = operationNamesIn(block)
  const [prefix, mode] =
    trace.role === 'crm' ? [/^(upsert|ingest)/, 'push'] : [/^(list|get)/, 'pull']
  const derived = names.some((name) => prefix.test(name)) ? [mode] : []
  return { manifest, modes: integrationModes(manifest.reply) ?? derived }
}

const notFoundAnywhere = (calls: readonly Observed[]): boolean =>
  calls.length > 0 && calls.every(({ status }) => status === 404)

/** Each mode that is declared is used: by the Ordering Application as the one that pushes, by the CRM as the one that pulls. */
const modesAreUsed: Look = function* look(trace) {
  const declared = modesOf(trace)
  if (!declared) return
  const { manifest, modes } = declared
  const isCrm = trace.role === 'crm'
  for (const mode of ['push', 'pull'].filter((each) => modes.includes(each))) {
    const isHost = (mode === 'push') === isCrm
    const operations = mode === 'push' ? allPushes : allPulls
    if (isHost) {
      const calls = operations.flatMap((id) => trace.at(`customer-operations/${id}`))
      yield sighting(
        [manifest, ...calls.slice(0, 2)],
        notFoundAnywhere(calls)
          ? `it declares ${mode} and serves none of its operations`
          : undefined,
      )
      continue
    }
    const wasThere = isCrm
      ? trace.at('customer-pulls').length > 0
      : trace.notes('order-created').length > 0
    const calls = trace.calls(...operations)
    if (wasThere)
      yield sighting(
        [manifest, ...calls.slice(0, 2)],
        calls.length > 0 ? undefined : `it declares ${mode} and makes none of its calls`,
      )
  }
}

/** Profiles, leads and reviews come to a partner that declares no Orders: our CRM. */
const sharesWithoutOrders: Look = function* look(trace) {
  const rows: readonly (readonly [string, RecordKind])[] = [
    ['customer-created', 'customer'],
    ['lead-created', 'lead'],
    ['review-created', 'review'],
  ]
  for (const [name, kind] of rows)
    for (const note of trace.notes(name)) {
      const found = sharedRecords(trace, kind).find(({ record }) => containsText(record, note.text))
      yield sighting(
        found ? [found.observed] : [],
        found
          ? undefined
          : `it neither pushes nor lists a ${kind} for a partner that declares no Orders`,
      )
    }
}

const noLeads = wrongReply('', ['listLeads', 'getLeads'], (reply) => {
  reply.body = { items: [] }
})

/** HTTPS, but for a service on a network of the one who certifies it. */
const isLocal = (host: string): boolean =>
  !host.includes('.') ||
  /\.(test|local|localhost|internal)$/.test(host) ||
  /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host)

const declaresHttps: Look = function* look(trace) {
  for (const manifest of manifestsAt(trace, 'customer-operations/manifest')) {
    const { endpoint } = customerBlockIn(manifest.reply) ?? {}
    if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) continue
    const { protocol, hostname } = new URL(endpoint)
    yield sighting(
      [manifest],
      protocol === 'https:' || isLocal(hostname)
        ? undefined
        : `it declares ${endpoint} as the endpoint of Customer, which is no https`,
    )
  }
}

const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^application\/(json|[\w.+-]+\+json)\b/i.test(type)

/** Bodies of its requests and of its replies are JSON by their headers. */
const bodiesAreJson: Test<Observed> = ({ isCall, exchange, requestHeader, replyHeader }) => {
  const body = isCall ? exchange.request.body : exchange.reply?.body
  const type = isCall ? requestHeader('content-type') : replyHeader('content-type')
  const isNowhere = !isCall && (exchange.reply?.status === 404 || exchange.reply?.status === 405)
  if (body === undefined || body === '' || isJson(type) || isNowhere) return undefined
  return `it ${isCall ? 'sends' : 'answers'} a body of Customer as ${type ?? 'nothing'}, not application/json`
}

/** In pull mode, each query that it declares has its path. */
const queriesAreExposed: Look = function* look(trace) {
  const declared = modesOf(trace)
  if (!declared?.modes.includes('pull')) return
  const names = operationNamesIn(customerBlockIn(declared.manifest.reply) ?? {})
  for (const { flow, binding } of [pullOperations.customer, pullOperations.order]) {
    const calls = [flow, binding].flatMap((id) => trace.at(`customer-operations/${id}`))
    if (calls.length > 0 && [flow, binding].some((name) => names.includes(name)))
      yield sighting(
        calls,
        notFoundAnywhere(calls) ? `it declares pull and ${flow}, and does not find it` : undefined,
      )
  }
}

const noPostOrders: Look = function* look(trace) {
  for (const call of trace.calls()) {
    const { method } = call.exchange.request
    const isPostOrders = method === 'POST' && call.url.pathname.endsWith('/orders')
    if (isPostOrders) yield sighting([call], 'it calls POST /orders, which Orders does not have')
    else if (call.url.pathname.includes('/orders')) yield sighting([call], undefined)
  }
}

export const roleChecks = defineChecks([
  {
    clauses: ['CUS-GEN-06'],
    roles: application,
    needs: ['customer'],
    procedures: ['own-leads'],
    look: sharesWithoutOrders,
    remedy: 'Share profiles, leads and reviews with a partner that declares no Orders as well.',
    defect: {
      ...missingCall('shares leads with partners of Orders only', ['ingestLead', 'upsertLeads']),
      ...(noLeads.answer ? { answer: noLeads.answer } : {}),
    },
  },
  {
    clauses: ['CUS-GEN-07'],
    roles: customerRoles,
    needs: ['customer'],
    procedures: ['customer-orders', 'related-ingest'],
    look: every(ordersHaveShape, (trace) => (trace.role === 'crm' ? movesNoOrders(trace) : [])),
    remedy:
      'Send and return orders in relationship context in the shape of Orders, and only use them for that.',
    defect: wrongRecords('has orders without a total', 'order', (record) =>
      removeMember(record, 'total'),
    ),
  },
  {
    clauses: ['CUS-GEN-10'],
    roles: application,
    needs: ['customer'],
    procedures: ['customer-operations', 'customer-orders'],
    look: modesAreUsed,
    remedy: 'Push where you declare push, and serve queries where you declare pull.',
    defect: missingCall('declares push and never pushes', allPushes),
  },
  {
    clauses: ['CUS-GEN-10'],
    roles: crm,
    needs: ['customer'],
    procedures: ['customer-operations', 'customer-pulls'],
    look: modesAreUsed,
    remedy: 'Serve ingests where you declare push, and query where you declare pull.',
    defect: missingCall('declares pull and never pulls', allPulls, 200),
  },
  {
    clauses: ['CUS-GEN-11', 'CUS-GEN-12'],
    roles: crm,
    needs: ['customer'],
    procedures: ['related-ingest'],
    look: movesNoOrders,
    remedy: 'Leave the status of orders to those who prepare and deliver them.',
    defect: confirmsOrders,
  },
  {
    clauses: ['CUS-FLW-08'],
    roles: customerRoles,
    needs: ['customer'],
    procedures: ['customer-operations'],
    look: queriesAreExposed,
    remedy: 'Serve each query that you declare, where you declare pull.',
    defect: wrongReply(
      'does not find its customers in pull mode',
      ['getCustomers', 'listCustomers'],
      notFound,
    ),
  },
  {
    clauses: ['CUS-TEN-02'],
    roles: ['software-service'],
    needs: ['orders'],
    procedures: ['served-orders'],
    look: noPostOrders,
    remedy: 'Do not create orders with POST /orders: Orders has no such operation.',
    defect: wrongCall('creates an order in place of confirming one', 'confirmOrder', (call) => {
      call.url = new URL('/orders', call.url).href
    }),
  },
  {
    clauses: ['CUS-TEN-02'],
    roles: crm,
    needs: ['customer'],
    procedures: ['customer-pulls'],
    look: noPostOrders,
    remedy: 'Query orders with GET; only your own base of Customer has POST /orders.',
    defect: wrongCall(
      'posts orders to the Ordering Application',
      ['getOrdersForCRM', 'listOrders'],
      (call) => {
        call.method = 'POST'
        call.url = new URL('/customer/orders', call.url).href
        call.body = {}
      },
    ),
  },
  {
    clauses: ['CUS-BND-01'],
    roles: application,
    needs: ['customer'],
    procedures: ['customer-operations', 'own-leads'],
    look: every(
      each((trace) => trace.all.filter(isOfCustomer), bodiesAreJson),
      declaresHttps,
    ),
    remedy: 'Declare an https endpoint of Customer, and label each body as application/json.',
    defect: wrongCall(
      'sends leads as text',
      ['ingestLead', 'receiveCustomerEvent'],
      ({ headers }) => headers.set('content-type', 'text/plain'),
    ),
  },
  {
    clauses: ['CUS-BND-01'],
    roles: crm,
    needs: ['customer'],
    procedures: ['customer-operations'],
    look: every(
      each((trace) => trace.all.filter(isOfCustomer), bodiesAreJson),
      declaresHttps,
    ),
    remedy: 'Declare an https endpoint of Customer, and label each body as application/json.',
    defect: wrongManifest('declares an endpoint without TLS', (text) =>
      text.replace(/"endpoint":"[^"]*"/, '"endpoint":"http://crm.example.com"'),
    ),
  },
  {
    clauses: ['LOY-GEN-01'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-accrual'],
    look: function* look(trace) {
      const reads = trace
        .at('loyalty-accrual')
        .filter(
          ({ operation, status }) => operation?.includes('Loyalty') === true && status === 200,
        )
      const events = loyaltyEventsOf(trace)
      if (reads.length > 0 && trace.notes('order-completed').length > 0)
        yield sighting(
          [...reads.slice(0, 2), ...events.slice(0, 2).map(({ observed }) => observed)],
          events.length > 0 ? undefined : 'it moves points and emits no loyalty event',
        )
    },
    remedy: 'Serve the Loyalty operations that you declare, and emit events on each movement.',
    defect: missingCall('emits no loyalty events', 'receiveLoyaltyEvent', 204),
  },
])
