/**
 * A CRM written from the documents alone: customers, leads, orders in customer context, events, and a loyalty program.
 * `MUTANT=1` to `25` plants one mistake each, which relations.mutants.json lists.
 *
 * PORT, SPARRING_ORDERING_APPLICATION_URL, SPEED, MUTANT
 */
import { randomUUID } from 'node:crypto'
import {
  Client,
  manifestOf,
  notFound,
  Refusal,
  requireScope,
  serve,
  webhookHeaders,
  wrong,
} from './wire.mjs'

const { env } = process
const url = env.SPARRING_ORDERING_APPLICATION_URL
const origin = url && new Client(url, 'proto.crm customer.events.write', { attempts: 7 })
const active = origin?.activate('customer')
const now = () => new Date().toISOString()

const customers = []
const leads = []
const orders = new Map()
const known = new Set()
const program = { id: 'club', name: 'Clube', status: 'active' }
const rewards = [
  {
    id: 'dessert',
    programId: program.id,
    type: 'product',
    name: 'Dessert',
    cost: 50,
    available: true,
  },
]
const accounts = new Map()
const transactions = []
const coupons = []
const redemptions = []
const pointsPerOrder = 100

// ---- customers -------------------------------------------------------------------------------------------------------

const externalIdsOf = ({ externalIds = [] }) =>
  externalIds.map((each) => (typeof each === 'string' ? each : `${each.source}:${each.value}`))

/** The record of the same identifier, of a shared external id, or of the same id. */
function find(customer, isIngested = false) {
  const ids = externalIdsOf(customer)
  return customers.find(
    (each) =>
      // MUTANT 17 breaks CUS-OVR-09: who is pushed is not found by the identifier.
      (customer.identifier &&
        !(wrong(17) && isIngested) &&
        each.identifier?.type === customer.identifier.type &&
        each.identifier.value === customer.identifier.value) ||
      // MUTANT 1 breaks CUS-OVR-09: external ids do not count for deduplication.
      (!wrong(1) && externalIdsOf(each).some((id) => ids.includes(id))) ||
      (customer.id !== undefined && each.id === customer.id),
  )
}

function ingestCustomer(customer) {
  const isBinding = [
    'id',
    'externalIds',
    'name',
    'contacts',
    'consent',
    'createdAt',
    'updatedAt',
  ].every((key) => key in customer)
  const { identifier } = customer
  const hasIdentifier = typeof identifier?.type === 'string' && typeof identifier.value === 'string'
  if (!hasIdentifier && !isBinding)
    throw new Refusal(
      400,
      'INVALID_PAYLOAD',
      'a customer has an identifier, or the seven fields of the binding',
    )
  const former = find(customer, true)
  if (!former) {
    const { id = randomUUID(), externalIds = [] } = customer
    customers.push({ status: 'active', ...customer, id, externalIds })
    return
  }
  // MUTANT 23 breaks CUS-EVR-01: an older push brings a withdrawn consent back.
  const isKept = !wrong(23) && isWithdrawn(former, customer.consent?.updatedAt)
  const consent = isKept ? former.consent : customer.consent
  Object.assign(
    former,
    customer,
    {
      id: former.id,
      externalIds: [...new Set([...former.externalIds, ...(customer.externalIds ?? [])])],
    },
    consent && { consent },
  )
}

/** A withdrawn consent is not undone by what is older. */
const isWithdrawn = ({ consent }, updatedAt) =>
  consent?.marketing === false && !(updatedAt > consent.updatedAt)

function ingestLead(lead) {
  for (const key of ['id', 'source', 'status'])
    if (typeof lead[key] !== 'string')
      throw new Refusal(400, 'INVALID_PAYLOAD', `lead.${key} is missing`)
  const former = leads.find(({ id }) => id === lead.id)
  if (former) Object.assign(former, lead)
  else leads.push(lead)
}

// ---- orders and points -----------------------------------------------------------------------------------------------

function ingestOrder(order) {
  if (typeof order.id !== 'string') throw new Refusal(400, 'INVALID_PAYLOAD', 'order.id is missing')
  orders.set(order.id, { ...orders.get(order.id), ...order })
  useCoupons(order)
  const status = order.status ?? ''
  accrue(
    order.id,
    ['DELIVERED', 'CONCLUDED'].includes(status)
      ? 'completed'
      : status === 'CANCELLED'
        ? 'canceled'
        : 'created',
  )
}

function emit(account, eventType, payload) {
  const body = {
    event: {
      eventId: randomUUID(),
      eventType,
      entityType: 'loyalty',
      occurredAt: now(),
      payload: {
        customerId: account.customerId,
        programId: program.id,
        accountId: account.id,
        balance: account.points,
        ...payload,
      },
    },
  }
  if (!origin) return
  const headers = webhookHeaders(body, 'merchant-1')
  account.sending = (account.sending ?? active)
    .then(() => origin.call('event', 'POST', '/webhooks/loyalty', { body, headers }))
    .catch(() => {})
}

function accountOf(order) {
  const customer = order?.customer && find(order.customer)
  if (!customer) return undefined
  const id = `account-${customer.id}`
  if (!accounts.has(id)) {
    accounts.set(id, {
      id,
      customerId: customer.id,
      points: 0,
      pending: new Map(),
      done: new Set(),
    })
    emit(accounts.get(id), 'loyalty.account_linked', {})
  }
  return accounts.get(id)
}

function book(account, type, amount, relatedOrderId) {
  account.points += amount
  transactions.push({
    id: randomUUID(),
    accountId: account.id,
    type,
    amount,
    points: amount,
    relatedOrderId,
    orderId: relatedOrderId,
    occurredAt: now(),
  })
}

/** The coupons of an order are applied with it, and used when it is completed. */
function useCoupons({ id, customer, status, discounts }) {
  const codes = JSON.stringify(discounts ?? []).matchAll(/"discountCode":"([^"]+)"/g)
  for (const [, code] of status === 'CANCELLED' ? [] : codes) {
    const redemption = redemptions.find(({ coupon }) => coupon.code === code)
    const account = redemption && accounts.get(redemption.accountId)
    // MUTANT 15 breaks LOY-PRM-04: who is suspended may use coupons.
    if (!account || (account.isSuspended && !wrong(15))) continue
    if (customer && find(customer)?.id !== account.customerId) continue
    const { coupon, orderId } = redemption
    // MUTANT 20 breaks LOY-REC-06: a coupon that is applied or used is applied again.
    const isFree = coupon.status === 'available' || (wrong(20) && coupon.status !== 'cancelled')
    if (!isFree || orderId === id) continue
    redemption.orderId = id
    coupon.status = 'applied'
    emit(account, 'loyalty.coupon_applied', detailsOf(redemption))
  }
}

/** What becomes of an order's points, each once: pending while it is open, confirmed when it is completed, none when cancelled. */
function accrue(orderId, fact) {
  const account = accountOf(orders.get(orderId))
  if (!account || account.done.has(orderId)) return
  // MUTANT 13 breaks LOY-PRM-02: who is suspended earns points.
  const earns = !account.isSuspended || wrong(13)
  const details = { points: pointsPerOrder, orderId, relatedOrderId: orderId }
  const isPending = account.pending.has(orderId)
  // MUTANT 4 breaks LOY-EVR-01: points are confirmed while the order is open.
  if (fact === 'created' && !isPending && !wrong(4)) {
    if (!earns) return
    account.pending.set(orderId, pointsPerOrder)
    emit(account, 'loyalty.points_pending', details)
  } else if (fact === 'completed' || (fact === 'created' && wrong(4))) {
    account.pending.delete(orderId)
    // MUTANT 7 breaks CUS-EVT-02: what is completed twice earns twice.
    if (!wrong(7)) account.done.add(orderId)
    for (const redemption of redemptions)
      if (redemption.orderId === orderId && redemption.coupon.status === 'applied')
        redemption.coupon.status = 'used'
    if (!earns) return
    book(account, 'earn', pointsPerOrder, orderId)
    // MUTANT 24 breaks LOY-EVT-02: points are listed and announced, and the balance lacks them.
    if (wrong(24)) account.points -= pointsPerOrder
    // MUTANT 21 breaks LOY-EVR-03: that points are confirmed is not announced.
    if (!wrong(21)) emit(account, 'loyalty.points_accrued', details)
  } else if (fact === 'canceled') {
    account.pending.delete(orderId)
    account.done.add(orderId)
    // MUTANT 5 breaks LOY-EVR-02: what the order used is not rolled back.
    if (!wrong(5)) rollBack(account, orderId)
  }
}

function rollBack(account, orderId) {
  for (const redemption of redemptions.filter(
    (each) => each.orderId === orderId && !each.isReversed,
  )) {
    redemption.isReversed = true
    // MUTANT 22 breaks LOY-EVR-02: the event tells that a coupon is cancelled, which stays applied.
    if (!wrong(22)) redemption.coupon.status = 'cancelled'
    // MUTANT 12 breaks LOY-EVR-02: the event tells of points that are back, and they are not.
    if (!wrong(12)) book(account, 'adjust', redemption.points, orderId)
    emit(account, 'loyalty.redemption_reversed', detailsOf(redemption))
    emit(account, 'loyalty.coupon_cancelled', detailsOf(redemption))
  }
}

const detailsOf = ({ id, points, orderId, coupon }) => ({
  points,
  orderId,
  relatedOrderId: orderId,
  redemptionId: id,
  couponId: coupon.id,
  couponCode: coupon.code,
})

/** A suspended account does not move. */
function requireMovable({ isSuspended }) {
  if (isSuspended) throw new Refusal(409, 'ACCOUNT_SUSPENDED', 'the account is suspended')
}

function redeem({ body }) {
  const {
    accountId,
    customerId,
    rewardId,
    quantity = 1,
    relatedOrderId,
    orderId = relatedOrderId,
  } = body()
  if (typeof rewardId !== 'string' || (accountId ?? customerId) === undefined)
    throw new Refusal(400, 'INVALID_PAYLOAD', 'accountId or rewardId is missing')
  const account =
    accounts.get(accountId) ?? [...accounts.values()].find((each) => each.customerId === customerId)
  const reward = rewards.find(({ id }) => id === rewardId)
  if (!account || !reward) throw notFound('such account or reward')
  // MUTANT 14 breaks LOY-PRM-03: who is suspended redeems points.
  if (!wrong(14)) requireMovable(account)
  const points = reward.cost * quantity
  // MUTANT 3 breaks LOY-RUL-01: the balance is not looked at.
  if (account.points < points && !wrong(3))
    throw new Refusal(
      409,
      'INSUFFICIENT_BALANCE',
      `${account.points} points are less than ${points}`,
    )
  const coupon = {
    id: randomUUID(),
    programId: program.id,
    customerId: account.customerId,
    code: `C-${coupons.length + 1}`,
    type: 'free_item',
    status: orderId ? 'applied' : 'available',
  }
  const redemption = { id: randomUUID(), accountId: account.id, points, orderId, coupon }
  coupons.push(coupon)
  redemptions.push(redemption)
  book(account, 'burn', -points, orderId)
  // MUTANT 11 breaks LOY-EVT-05: points are gone from the balance, and no transaction says so.
  if (wrong(11)) transactions.pop()
  const details = detailsOf(redemption)
  // MUTANT 8 breaks LOY-EVR-03: a redemption is not announced.
  if (!wrong(8)) emit(account, 'loyalty.points_redeemed', details)
  if (orderId) emit(account, 'loyalty.coupon_applied', details)
  const answer = { status: 'ACCEPTED', correlationId: redemption.id, redemptionId: redemption.id }
  // MUTANT 19 breaks LOY-FLW-03: a redemption is answered 200.
  return [wrong(19) ? 200 : 202, answer]
}

function receive({ body }) {
  const raw = body()
  const event = raw.event ?? raw
  const { eventType, occurredAt, payload = {} } = event
  if (typeof eventType !== 'string' || typeof occurredAt !== 'string')
    throw new Refusal(400, 'INVALID_PAYLOAD', 'eventType or occurredAt is missing')
  const key =
    event.eventId ??
    event.id ??
    `${eventType} ${payload.customerId ?? payload.orderId} ${occurredAt}`
  if (known.has(key) && !wrong(7)) return [204]
  known.add(key)
  const customer = customers.find(
    ({ id, externalIds }) => id === payload.customerId || externalIds.includes(payload.customerId),
  )
  const consent = { 'customer.opted_in': true, 'customer.opted_out': false }[eventType]
  // MUTANT 6 breaks CUS-EVR-01: a withdrawn consent is not applied.
  if (
    consent !== undefined &&
    customer &&
    !(wrong(6) && !consent) &&
    // MUTANT 16 breaks CUS-EVR-01: a consent that is older than its withdrawal undoes it.
    !(consent && !wrong(16) && isWithdrawn(customer, occurredAt))
  )
    customer.consent = { ...customer.consent, marketing: consent, updatedAt: occurredAt }
  const [entity, fact] = eventType.split('.')
  if (entity === 'order') accrue(payload.orderId ?? payload.id ?? event.orderId, fact)
  return [204]
}

/** What the house does with an account by itself: it gives points, lets them expire, suspends and reactivates. */
const ofTheHouse = {
  'loyalty.adjust'(account, { points }) {
    book(account, 'adjust', points)
    emit(account, 'loyalty.points_accrued', { points })
  },
  'loyalty.expire'(account) {
    const { points } = account
    if (points === 0) return
    book(account, 'expire', -points)
    // MUTANT 25 breaks LOY-EVT-04: that points expire is not announced.
    if (!wrong(25)) emit(account, 'loyalty.points_expired', { points })
  },
  'loyalty.move-account'(account, { trigger }) {
    account.isSuspended = trigger === 'suspension'
  },
}

function command({ body }) {
  const { kind, accountId, ...details } = body()
  // Who has moved most, if none is named.
  const moves = ({ id }) => transactions.filter((each) => each.accountId === id).length
  const [busiest] = [...accounts.values()].toSorted((a, b) => moves(b) - moves(a))
  const account = accountId === undefined ? busiest : accounts.get(accountId)
  const run = ofTheHouse[kind]
  if (!account || !run) throw notFound('such account or command')
  if (kind !== 'loyalty.move-account') requireMovable(account)
  run(account, details)
  return [202]
}

// ---- what it serves --------------------------------------------------------------------------------------------------

function page(list, query) {
  const number = Number(query.get('page') ?? 1)
  const pageSize = Number(query.get('pageSize') ?? 50)
  if (!(number >= 1 && pageSize >= 1))
    throw new Refusal(400, 'INVALID_PARAMETER', 'page and pageSize are integers from 1')
  return [
    200,
    {
      items: list.slice((number - 1) * pageSize, number * pageSize),
      page: number,
      pageSize,
      total: list.length,
    },
  ]
}

const viewOf = ({ id, customerId, points, pending, isSuspended }) => {
  const pointsPending = [...pending.values()].reduce((all, each) => all + each, 0)
  // MUTANT 9 breaks LOY-REC-02: an account does not say what is pending.
  const summary = {
    pointsAvailable: points,
    ...(!wrong(9) && { pointsPending }),
    pointsExpiringSoon: 0,
  }
  return {
    id,
    customerId,
    programId: program.id,
    summary,
    status: isSuspended
      ? 'SUSPENDED'
      : transactions.some(({ accountId }) => accountId === id)
        ? 'ACTIVE'
        : 'ENROLLED',
  }
}
const first = (list, id) => {
  const item = list.find((each) => each.id === id)
  // MUTANT 2 breaks CUS-FLW-03 and CUS-ERR-04: what there is not is an empty object.
  if (!item && !wrong(2)) throw notFound('such record')
  return item ?? {}
}
const ingest =
  (key, plural, take) =>
  ({ body }) => {
    const raw = body()
    const list = raw[key] ? [raw[key]] : (raw[plural] ?? raw.items ?? raw)
    for (const each of Array.isArray(list) ? list : [list]) take(each)
    // MUTANT 18 breaks CUS-RUL-01: what is pushed is answered 200.
    return [wrong(18) ? 200 : 202, { status: 'ACCEPTED', correlationId: randomUUID() }]
  }
const filtered = (list, query, ...keys) =>
  list.filter((each) => keys.every((key) => !query.has(key) || each[key] === query.get(key)))
const accountList = () => [...accounts.values()].map(viewOf)
const ingestCustomers = ingest('customer', 'customers', ingestCustomer)
const ingestOrders = ingest('order', 'orders', ingestOrder)
const ingestLeads = ingest('lead', 'leads', ingestLead)

/** Each row with its scope; the loyalty rows are under both notations of the base. */
const table = [
  ['POST', '/customers', 'customer.write', ingestCustomers],
  ['POST', '/customers:ingest', 'customer.write', ingestCustomers],
  ['GET', '/customers', 'customer.read', ({ query }) => page(customers, query)],
  ['GET', '/customers/:id', 'customer.read', ({ id }) => [200, first(customers, id)]],
  ['POST', '/leads', 'lead.write', ingestLeads],
  ['POST', '/leads:ingest', 'lead.write', ingestLeads],
  ['GET', '/leads', 'customer.read', ({ query }) => page(leads, query)],
  ['POST', '/orders', 'orders.crm.write', ingestOrders],
  ['POST', '/orders:ingest', 'orders.crm.write', ingestOrders],
  ['GET', '/orders', 'orders.crm.read', ({ query }) => page([...orders.values()], query)],
  ['GET', '/orders/:id', 'orders.crm.read', ({ id }) => [200, first([...orders.values()], id)]],
  ['POST', '/events', 'customer.events.write', receive],
  ['GET', '/loyalty/programs', 'customer.read', ({ query }) => page([program], query)],
  [
    'GET',
    '/customers/:id/loyalty-accounts',
    'customer.read',
    ({ id }) => {
      first(customers, id)
      return [200, { items: accountList().filter(({ customerId }) => customerId === id) }]
    },
  ],
  ['GET', '/loyalty/accounts/:id', 'customer.read', ({ id }) => [200, first(accountList(), id)]],
  [
    'GET',
    '/loyalty/accounts/:id/transactions',
    'customer.read',
    ({ id, query }) => {
      first(accountList(), id)
      return page(
        transactions.filter(({ accountId }) => accountId === id),
        query,
      )
    },
  ],
  [
    'GET',
    '/loyalty/rewards',
    'customer.read',
    ({ query }) => page(filtered(rewards, query, 'programId'), query),
  ],
  ['POST', '/loyalty/redemptions', 'customer.write', redeem],
  [
    'GET',
    '/loyalty/coupons',
    'customer.read',
    ({ query }) => page(filtered(coupons, query, 'programId', 'customerId'), query),
  ],
]
// MUTANT 10 breaks CUS-BND-02 and CUS-ERR-03: any scope of Customer opens every operation.
const anyScope = wrong(10)
  ? [
      'customer.read',
      'customer.write',
      'lead.write',
      'orders.crm.read',
      'orders.crm.write',
      'customer.events.write',
    ]
  : []
const webhooks = ['customer', 'loyalty'].map((each) => [
  'POST',
  `/webhooks/${each}`,
  ({ request, body }) => {
    requireScope(request, 'customer.events.write', 'proto.crm', ...anyScope)
    return each === 'customer' ? receive({ body }) : [204]
  },
])
const rows = ['/v1/customer', ''].flatMap((base) =>
  table.map(([method, path, scope, handler]) => [
    method,
    base + path,
    (request) => {
      requireScope(request.request, scope, 'proto.crm', ...anyScope)
      return handler(request)
    },
  ]),
)

const supportedOperations =
  'upsertCustomers listCustomers upsertLeads listLeads upsertOrders listOrders getOrderById receiveCustomerEvent receiveLoyaltyEvent listLoyaltyPrograms listCustomerLoyaltyAccounts getLoyaltyAccountById listLoyaltyTransactions listLoyaltyRewards createLoyaltyRedemption listLoyaltyCoupons'.split(
    ' ',
  )
const supportedEvents = [
  'account_linked',
  'points_pending',
  'points_accrued',
  'points_redeemed',
  'points_expired',
  'redemption_reversed',
  'coupon_applied',
  'coupon_cancelled',
].map((each) => `loyalty.${each}`)
const manifest = (endpoint) =>
  manifestOf('crm-from-the-documents', [
    {
      name: 'customer',
      role: 'RECEIVER',
      version: 'v2',
      supported: true,
      endpoint,
      operations: supportedOperations,
      supportedOperations,
      integrationModes: ['push'],
      supportsBatchGet: true,
      supportsBatchPost: true,
      maxBatchSize: 100,
      maxGetPeriodDays: 30,
      requestsPerSecond: 100,
      originator: {
        supported: true,
        supportedEvents,
        unsupportedEvents: [],
        supportsWebhook: true,
        supportsPolling: false,
      },
    },
  ])

await serve({
  manifest,
  merchants: [{ id: 'merchant-1', name: 'Restaurante Um', status: 'OPEN' }],
  scopes: ['customer.read', 'customer.write', 'proto.crm'],
  clients: { 'sparring-ordering-application': 'secret-of-ordering-application' },
  rows: [...rows, ...webhooks, ['POST', '/probe/commands', command]],
})
