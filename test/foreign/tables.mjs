/**
 * A POS with dining accounts, written from the documents alone: it takes orders to their ends, with couriers of its own, and
 * hosts the accounts of INDOOR orders: items, payments, transfers, lock, close and fiscal documents, in both path forms.
 * `MUTANT=1` to `15` plants one mistake each, which tables.mutants.json lists.
 *
 * PORT, SPARRING_ORDERING_APPLICATION_URL, CHANNEL (polling, webhook, both), STATE (a file), SPEED, MUTANT
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import {
  Client,
  Failed,
  manifestOf,
  notFound,
  Refusal,
  requireScope,
  requireSignature,
  serve,
  sleep,
  speed,
  webhookHeaders,
  Withdrawn,
  without,
  wrong,
} from './wire.mjs'

const { env } = process
const channel = env.CHANNEL ?? 'both'
const market = new Client(
  env.SPARRING_ORDERING_APPLICATION_URL ?? 'http://127.0.0.1:7101',
  'proto.orders',
  {},
  () => void readMerchants(),
)
const now = () => new Date().toISOString()
const cents = (value) => Math.round(value * 100) / 100
const bad = (message) => new Refusal(400, 'INVALID_PARAMETER', message)

// ---- what is stored --------------------------------------------------------------------------------------------------

const orders = new Map()
const known = new Set()
let accounts = []

function save() {
  if (!env.STATE) return
  const list = [...orders.values()].map((order) => without(order, 'wakeUp', 'runs'))
  const text = JSON.stringify({ orders: list, known: [...known], accounts })
  writeFileSync(`${env.STATE}.new`, text)
  renameSync(`${env.STATE}.new`, env.STATE)
}

function load() {
  if (!env.STATE || !existsSync(env.STATE)) return
  const kept = JSON.parse(readFileSync(env.STATE, 'utf8'))
  for (const each of kept.known) known.add(each)
  for (const order of kept.orders) orders.set(order.id, order)
  accounts = kept.accounts
}

const merchants = new Set()
let merchantsReadAt = 0

async function readMerchants() {
  merchantsReadAt = Date.now()
  const { status, json } = await market.call('merchants', 'GET', '/merchants').catch(() => ({}))
  if (status === 200) for (const each of json.merchants ?? json) merchants.add(each.id)
}

/** Whether it is a store of ours, as far as the partner tells. */
async function isOurs(merchantId) {
  const isOld = Date.now() - merchantsReadAt > 2000 / speed
  if (!merchants.has(merchantId) && merchants.size > 0 && isOld) await readMerchants()
  return merchants.size === 0 || merchants.has(merchantId)
}

// ---- accounts --------------------------------------------------------------------------------------------------------

const modes = ['TABLE', 'TAB', 'COUNTER']
const isActive = ({ status }) => status === 'ACTIVE'

/** The open account of a table, tab or counter, or else the one that was closed last. */
const accountAt = (operationMode, identifier) => {
  const all = accounts.filter(
    (each) => each.operationMode === operationMode && each.identifier === identifier,
  )
  return all.find(({ status }) => status !== 'CLOSED') ?? all.at(-1)
}

function totalsOf({ subtotal, payments, discount }) {
  const paid = cents(payments.reduce((all, { amount }) => all + amount, 0))
  const due = Math.max(0, cents(subtotal - discount - paid))
  return { itemsSubtotal: subtotal, discount, paid, due }
}

function viewOf(account) {
  const documentId = account.documents.at(-1)?.documentId
  return {
    ...without(account, 'outbox', 'subtotal', 'discount', 'documents', 'merchantId'),
    totals: totalsOf(account),
    fiscal: { documentIssued: documentId !== undefined, ...(documentId && { documentId }) },
  }
}

const count = (account, amount) => (account.subtotal = cents(account.subtotal + amount))

function open(operationMode, identifier, merchantId) {
  const account = {
    accountId: randomUUID(),
    operationMode,
    identifier,
    merchantId,
    status: 'IN_USE',
    openedAt: now(),
    orders: [],
    items: [],
    payments: [],
    documents: [],
    subtotal: 0,
    discount: 0,
    outbox: [],
  }
  accounts.push(account)
  return account
}

/** Every event is stored before it is sent, and sent until it is taken, one after the other. */
function emit(account, eventType, details = {}, payload = {}) {
  // MUTANT 8 breaks IND-EVR-02 and IND-EVT-07: that an account is locked is not told.
  if (wrong(8) && eventType === 'ACCOUNT_PRE_CLOSED') return
  // MUTANT 9 breaks IND-ACC-03: lastEvent is what the account was opened with.
  if (!wrong(9) || account.lastEvent === undefined) account.lastEvent = eventType
  const { accountId, operationMode, identifier } = account
  const event = { eventId: randomUUID(), eventType, occurredAt: now(), accountId, ...details }
  account.outbox.push({ ...event, operationMode, identifier, payload })
  // MUTANT 7 breaks IND-EVT-07 and IND-RUL-04: each event is sent twice, with another id.
  if (wrong(7)) account.outbox.push({ ...account.outbox.at(-1), eventId: randomUUID() })
  save()
  void send(account)
}

const sending = new Set()

async function send(account) {
  if (sending.has(account) || !isReady) return
  sending.add(account)
  while (account.outbox.length > 0) {
    // MUTANT 6 breaks IND-OPS-12 and IND-EVR-02: events have no eventId.
    const body = wrong(6) ? without(account.outbox[0], 'eventId') : account.outbox[0]
    const headers = webhookHeaders(body, account.merchantId)
    try {
      await market.call('tell', 'POST', '/webhooks/accounts', { body, headers })
      account.outbox.shift()
      save()
    } catch {
      await sleep(15_000)
    }
  }
  sending.delete(account)
}

/** What is left of a line of an order, after cancellations. */
const leftOf = ({ quantity, quantityCancelled = 0, status }) =>
  status === 'CANCELLED' ? 0 : quantity - quantityCancelled

/** Puts an order on the account of its table. False while that is locked. */
function book(order) {
  const { operationMode, identifier, originChannel, fiscal } = order.indoor
  let account = accountAt(operationMode, identifier)
  // MUTANT 13 breaks IND-PRM-01 and IND-TRA-02: a locked account takes new items.
  if (account?.status === 'IN_PAYMENT' && !wrong(13)) return false
  const isNew = account === undefined || account.status === 'CLOSED'
  if (isNew) account = open(operationMode, identifier, order.merchantId)
  const channelType = originChannel?.type
  account.orders.push({ orderId: order.id, originChannel: channelType, createdAt: order.createdAt })
  for (const line of order.lines.filter((each) => leftOf(each) > 0)) {
    const { unitPrice, optionsPrice, totalPrice } = line.pricing
    const each = optionsPrice
      ? unitPrice.value + optionsPrice.value
      : totalPrice.value / leftOf(line)
    const item = {
      itemId: randomUUID(),
      lineId: line.id,
      orderId: order.id,
      name: line.name,
      quantity: leftOf(line),
      unitPrice: cents(each),
      totalPrice: cents(each * leftOf(line)),
      origin: 'ORDERING_APPLICATION',
      addedAt: now(),
      status: 'ACTIVE',
      ...(line.externalCode && { externalCode: line.externalCode }),
      options: (line.options ?? []).map(({ name, quantity }) => ({ name, quantity })),
    }
    account.items.push(item)
    // MUTANT 11 breaks IND-RUL-08: only the order that opened the account is to be paid.
    if (!wrong(11) || isNew) count(account, item.totalPrice)
  }
  account.owesDocument ||= fiscal?.shouldIssueDocument === true
  order.isBooked = true
  emit(account, isNew ? 'ACCOUNT_OPENED' : 'ACCOUNT_ITEM_ADDED', { orderId: order.id })
  return true
}

/** Takes a quantity off an item, of what is in use only. */
function reduce(account, item, quantity) {
  const before = item.totalPrice
  const left = item.quantity - quantity
  if (left === 0) item.status = 'CANCELLED'
  else Object.assign(item, { quantity: left, totalPrice: cents(item.unitPrice * left) })
  // MUTANT 12 breaks IND-RUL-08: what was cancelled, or moved to another table, is still to be paid.
  if (!wrong(12)) count(account, left === 0 ? -before : item.totalPrice - before)
  const details = { itemId: item.itemId, quantityCancelled: quantity, quantityRemaining: left }
  emit(account, 'ACCOUNT_ITEM_CANCELLED', { orderId: item.orderId }, details)
}

/** What was cancelled in the order is not to be paid either, once its account is not locked. */
function mirror(order) {
  for (const line of order.lines) {
    const left = order.status === 'CANCELLED' ? 0 : leftOf(line)
    const places = accounts.flatMap((account) =>
      account.items
        .filter((item) => item.orderId === order.id && item.lineId === line.id && isActive(item))
        .map((item) => ({ account, item })),
    )
    let over = places.reduce((all, { item }) => all + item.quantity, 0) - left
    for (const { account, item } of places) {
      const quantity = Math.min(over, item.quantity)
      if (quantity <= 0 || account.status !== 'IN_USE') continue
      reduce(account, item, quantity)
      over -= quantity
    }
  }
}

// ---- operations of accounts ------------------------------------------------------------------------------------------

function requireStatus(account, ...statuses) {
  if (statuses.includes(account.status)) return
  const message = `the account is ${account.status}, and not ${statuses.join(' or ')}`
  throw new Refusal(409, 'INVALID_ACCOUNT_STATE', message)
}

const accepted = () => [202, { status: 'ACCEPTED', correlationId: randomUUID() }]

/** Orders of a table go on when it is not locked any more, and what was cancelled meanwhile is taken off. */
function wakeOrdersOf({ operationMode, identifier, orders: listed }) {
  for (const order of orders.values()) {
    const isHere =
      order.indoor?.operationMode === operationMode && order.indoor.identifier === identifier
    if (order.isBooked && listed.some(({ orderId }) => orderId === order.id)) mirror(order)
    if (isHere && !order.isBooked) wake(order)
  }
}

function preClose(account) {
  if (account.status === 'IN_PAYMENT') {
    // MUTANT 5 breaks IND-RUL-04 and IND-TEN-01: a repeated pre-close is refused.
    if (wrong(5)) requireStatus(account, 'IN_USE')
    return accepted()
  }
  requireStatus(account, 'IN_USE')
  account.status = 'IN_PAYMENT'
  emit(account, 'ACCOUNT_PRE_CLOSED')
  // MUTANT 15 breaks IND-GEN-05: what is ordered counts as delivered when its account is locked.
  for (const { orderId } of wrong(15) ? account.orders : []) {
    orders.get(orderId).skips = true
    wake(orders.get(orderId))
  }
  return accepted()
}

function unlock(account) {
  requireStatus(account, 'IN_USE', 'IN_PAYMENT')
  if (account.status === 'IN_USE') return accepted()
  account.status = 'IN_USE'
  emit(account, 'ACCOUNT_UNLOCKED')
  wakeOrdersOf(account)
  return accepted()
}

function close(account, { discount = 0 }) {
  if (account.status === 'CLOSED') return accepted()
  // MUTANT 4 breaks IND-PRM-07 and IND-TRA-04: an account is closed without a pre-close.
  if (!wrong(4)) requireStatus(account, 'IN_PAYMENT')
  if (!(discount >= 0)) throw bad('discount is a number from 0')
  if (totalsOf({ ...account, discount }).due > 0)
    throw new Refusal(409, 'INSUFFICIENT_PAYMENT', 'the payments do not cover the account')
  Object.assign(account, { status: 'CLOSED', closedAt: now(), discount })
  emit(account, 'ACCOUNT_CLOSED')
  if (account.owesDocument && account.documents.length === 0) void issue(account, {})
  wakeOrdersOf(account)
  return accepted()
}

function cancelItem(account, { reason }, { itemId }) {
  const item = account.items.find((each) => each.itemId === itemId)
  if (!item) throw notFound('such item')
  // MUTANT 2 breaks IND-PRM-02: an item is cancelled although its account is locked.
  if (!wrong(2) || account.status === 'CLOSED') requireStatus(account, 'IN_USE')
  if (!isActive(item)) throw new Refusal(409, 'CONFLICT', 'the item is cancelled')
  if (reason !== undefined) item.notes = String(reason)
  reduce(account, item, item.quantity)
  return [200, item]
}

/** An item list of ids, or of ids with quantities, or everything. */
function wantedItems(source, { transferType, itemIds, items = itemIds }) {
  const all = source.items.filter(isActive).map((item) => ({ item, quantity: item.quantity }))
  if (transferType === 'FULL_ACCOUNT') return all
  if (!Array.isArray(items) || items.length === 0) throw bad('a transfer has a list of items')
  return items.map((each) => {
    const { itemId = each, quantity } = Object(each)
    const item = source.items.find((one) => one.itemId === String(itemId))
    if (!item) throw notFound(`item ${itemId}`)
    if (!isActive(item)) throw new Refusal(409, 'CONFLICT', `item ${itemId} is cancelled`)
    const wanted = quantity ?? item.quantity
    if (!(wanted > 0 && wanted <= item.quantity)) throw bad(`there are ${item.quantity} of it`)
    return { item, quantity: wanted }
  })
}

function transfer(source, body) {
  const { targetAccountId = body.target?.accountId, target: at = {} } = body
  const target = targetAccountId
    ? accounts.find(({ accountId }) => accountId === targetAccountId)
    : accountAt(at.operationMode, at.identifier)
  if (!targetAccountId && !at.identifier) throw bad('a transfer names its target')
  if (!target) throw notFound('such target')
  if (target === source) throw new Refusal(409, 'CONFLICT', 'source and target are one account')
  // MUTANT 3 breaks IND-PRM-03 and IND-RUL-05: items are moved from and to locked accounts.
  const statuses = wrong(3) ? ['IN_USE', 'IN_PAYMENT'] : ['IN_USE']
  requireStatus(source, ...statuses)
  requireStatus(target, ...statuses)
  const moved = wantedItems(source, body).map(({ item, quantity }) => {
    const left = item.quantity - quantity
    const part = left > 0 && { ...item, itemId: randomUUID(), quantity }
    if (part) Object.assign(item, { quantity: left, totalPrice: cents(item.unitPrice * left) })
    if (part) part.totalPrice = cents(item.unitPrice * quantity)
    else source.items.splice(source.items.indexOf(item), 1)
    const there = part || item
    target.items.push(there)
    count(target, there.totalPrice)
    if (!wrong(12)) count(source, -there.totalPrice)
    return there.itemId
  })
  emit(source, 'ACCOUNT_ITEM_REMOVED', {}, { itemIds: moved, targetAccountId: target.accountId })
  emit(target, 'ACCOUNT_ITEM_ADDED', {}, { itemIds: moved, sourceAccountId: source.accountId })
  const ids = { sourceAccountId: source.accountId, targetAccountId: target.accountId }
  return [200, { ...ids, transferredItemIds: moved, transferredAt: now() }]
}

function pay(account, body) {
  // MUTANT 1 breaks IND-RUL-03 and IND-PRM-04: a closed account takes payments.
  if (!wrong(1)) requireStatus(account, 'IN_USE', 'IN_PAYMENT')
  const amount = body.amount?.value ?? body.amount
  const methodInfo = body.methodInfo ?? { method: body.method }
  if (!(Number.isFinite(amount) && amount > 0)) throw bad('amount is a number above 0')
  if (typeof methodInfo.method !== 'string') throw bad('a payment has a method')
  const paymentId = randomUUID()
  const details = without(body, 'method', 'operationMode', 'identifier', 'accountId')
  const payment = { ...details, paymentId, paidAt: now(), amount: cents(amount), methodInfo }
  account.payments.push(payment)
  emit(account, 'PAYMENT_CREATED', { paymentId }, { amount: payment.amount })
  return [200, payment]
}

function requestDocument(account, body) {
  void issue(account, body)
  // MUTANT 10 breaks IND-OPS-10 and IND-RUL-06: as if the document were issued already.
  return wrong(10) ? [200, { status: 'ACCEPTED' }] : accepted()
}

async function issue(account, { paymentNSURequiredForNFCE }) {
  await sleep(500)
  const documentId = randomUUID()
  const hasNsu = account.payments.some(({ methodInfo }) => methodInfo.nsu !== undefined)
  if (paymentNSURequiredForNFCE === true && !hasNsu) {
    const statusReason = 'no payment has an NSU'
    return emit(account, 'FISCAL_ERROR', {}, { statusCode: '999', statusReason })
  }
  const documentNumber = String(1 + accounts.reduce((all, each) => all + each.documents.length, 0))
  const document = { documentId, documentStatus: 'ISSUED', documentNumber, documentSeries: '1' }
  account.documents.push({ ...document, environment: '2', model: '65', issuedAt: now() })
  emit(account, 'FISCAL_ISSUED', { documentId }, { documentNumber })
}

// MUTANT 14 breaks IND-OPS-09: the first payment is not listed.
const paymentsOf = ({ payments }) => [200, { payments: payments.slice(wrong(14) ? 1 : 0) }]

/** The account that a call names: by its path, or by id or key in its query or body. */
function named({ accountId, itemId, query }, body) {
  const names = { ...body, ...Object.fromEntries(query), ...(accountId && { accountId }) }
  const { operationMode, identifier } = names
  const hasKey = operationMode !== undefined && identifier !== undefined
  if (!names.accountId && !hasKey && !itemId) throw bad('operationMode and identifier are missing')
  if (!names.accountId && hasKey && !modes.includes(operationMode))
    throw bad(`operationMode is one of ${modes.join(', ')}`)
  const account = names.accountId
    ? accounts.find((each) => each.accountId === names.accountId)
    : hasKey
      ? accountAt(operationMode, String(identifier))
      : accounts.find(({ items }) => items.some((each) => each.itemId === itemId))
  if (!account) throw new Refusal(404, 'ACCOUNT_NOT_FOUND', 'there is no such account')
  return account
}

/** What was answered to a call, for when it comes again with its X-Request-Id. */
const answers = new Map()

const ofAccount = (handle) => (call) => {
  requireScope(call.request, 'proto.orders')
  const body = call.raw.length > 0 ? call.body() : {}
  const account = named(call, body)
  const requestId = call.request.headers['x-request-id']
  const again = call.request.method === 'POST' && requestId
  const key = [requestId, call.request.url, call.raw].join(' ')
  if (again && answers.has(key)) return answers.get(key)
  const answer = handle(account, body, call)
  if (again) answers.set(key, answer)
  if (answers.size > 1000) answers.delete(answers.keys().next().value)
  return answer
}

const operationsOfAccounts = [
  ['POST', '/pre-close', preClose],
  ['POST', '/unlock', unlock],
  ['POST', '/close', close],
  ['POST', '/items/:itemId/cancel', cancelItem],
  ['POST', '/transfers', transfer],
  ['POST', '/payments', pay],
  ['GET', '/payments', paymentsOf],
  ['POST', '/fiscal', requestDocument],
  ['GET', '/fiscal', ({ documents }) => [200, { documents }]],
]
const accountRows = [
  ['GET', '/accounts', ofAccount((account) => [200, viewOf(account)])],
  ...['/accounts', '/accounts/:accountId'].flatMap((base) =>
    operationsOfAccounts.map(([method, path, handle]) => [method, base + path, ofAccount(handle)]),
  ),
  ['GET', '/accounts/:accountId', ofAccount((account) => [200, viewOf(account)])],
]

// ---- events of orders ------------------------------------------------------------------------------------------------

const isOver = ({ status }) => ['DELIVERED', 'CANCELLED', 'CONCLUDED'].includes(status)
const courierEvents = new Set(
  'PICKUP_ONGOING RIDER_ARRIVED_AT_STORE DISPATCHED ORDER_COLLECTED DELIVERY_ONGOING ARRIVED_AT_CUSTOMER'.split(
    ' ',
  ),
)

/** Stores an event, once. What comes of it is read from the order. */
function take({ eventId, eventType, orderId }) {
  if (known.has(eventId) || typeof orderId !== 'string') return
  known.add(eventId)
  if (known.size > 10_000) known.delete(known.values().next().value)
  const order = orders.get(orderId) ?? { id: orderId, status: '', calls: {}, readsWhenOver: 0 }
  orders.set(orderId, order)
  if (eventType === 'CANCELLED') order.cancelled = true
  if (eventType === 'CONCLUDED' && isOver(order)) order.status = 'CONCLUDED'
  if (eventType === 'CANCELLATION_REQUEST_ACCEPTED' && order.asks) order.asks.accepted = true
  if (eventType === 'CANCELLATION_REQUEST_DENIED') order.asks = undefined
  for (const [name, call] of Object.entries(order.calls)) if (call.refused) delete order.calls[name]
  wake(order)
}

const toAcknowledge = new Set()
let acknowledges = false

/** Apart from the polls, which go on while acknowledgments fail. */
async function acknowledge() {
  if (acknowledges) return
  acknowledges = true
  for (let size = 1000; toAcknowledge.size > 0;) {
    const eventIds = [...toAcknowledge].slice(0, size)
    const body = { eventIds }
    try {
      const { status } = await market.call('ack', 'POST', '/events/acknowledgment', { body })
      // One that is not known there must not hold up the others.
      if (status < 300 || size === 1) for (const each of eventIds) toAcknowledge.delete(each)
      else size = 1
    } catch {
      await sleep(15_000)
    }
  }
  acknowledges = false
}

async function poll() {
  for (let failures = 0; ;) {
    try {
      const { status, json } = await market.call('poll', 'GET', '/events:polling', { attempts: 1 })
      failures = status < 300 ? 0 : failures + 1
      for (const event of status === 200 && Array.isArray(json) ? json : []) {
        take(event)
        toAcknowledge.add(event.eventId)
      }
      save()
      void acknowledge()
    } catch {
      failures++
    }
    await sleep(failures === 0 ? 1000 : Math.min(1000 * 2 ** failures, 30_000))
  }
}

async function receive({ request, raw, body }) {
  requireScope(request, 'proto.orders')
  requireSignature(request, raw)
  const event = body()
  if (typeof event.eventId !== 'string' || typeof event.orderId !== 'string')
    throw new Refusal(400, 'INVALID_PAYLOAD', 'an event has eventId, eventType and orderId')
  const merchantId = request.headers['x-app-merchantid']
  const order = orders.get(event.orderId)
  const isOther = order?.merchantId !== undefined && order.merchantId !== merchantId
  if (merchantId && (isOther || !(await isOurs(merchantId))))
    throw new Refusal(403, 'FORBIDDEN', 'X-App-MerchantId names no store of ours, or another one')
  const isCourier = courierEvents.has(event.eventType)
  for (let tries = 0; isCourier && order && !order.type && tries < 20; tries++) await sleep(100)
  if (isCourier && order?.type && order.type !== 'DELIVERY')
    throw new Refusal(422, 'EVENT_NOT_ALLOWED', `${event.eventType} of an order without delivery`)
  take(event)
  save()
  return [204]
}

// ---- orders ----------------------------------------------------------------------------------------------------------

/** No call before the manifest of the partner is valid. */
let isReady = false

function wake(order) {
  order.news = true
  order.wakeUp?.()
  if (isReady && !order.runs) void run(order)
}

/** Works on one order, a step at a time, until it is over. Without news it looks again after growing pauses. */
async function run(order) {
  order.runs = true
  for (let idle = 0; ;) {
    order.news = false
    try {
      idle = (await step(order)) ? 0 : idle + 1
    } catch (error) {
      if (error instanceof Failed) idle = Math.max(idle + 1, 4)
      else if (!(error instanceof Withdrawn)) throw error
    }
    save()
    if (order.news) continue
    if (isOver(order) && order.isClosed) break
    const woken = new Promise((resolve) => (order.wakeUp = resolve))
    if (idle > 0) await Promise.race([woken, sleep(Math.min(2000 * 2 ** (idle - 1), 30_000))])
    order.wakeUp = undefined
  }
  order.runs = false
}

const operations = {
  confirm: 'confirmOrder',
  preparing: 'setOrderPreparing',
  'ready-for-pickup': 'setOrderReadyForPickup',
  dispatch: 'dispatchOrder',
  delivered: 'setOrderDelivered',
}
const nextOf = {
  CREATED: 'confirm',
  CONFIRMED: 'preparing',
  PREPARING: 'ready-for-pickup',
  READY: 'delivered',
  IN_DELIVERY: 'delivered',
}

/** Whether anything was done. */
async function step(order) {
  if (!(await read(order)) || !(await isOurs(order.merchantId))) return false
  if (order.isBooked) mirror(order)
  if (isOver(order)) return (order.isClosed = true)
  if (order.asks) return await ask(order)
  if (order.indoor && !order.isBooked && !book(order)) {
    if (order.wasDenied) return false
    want(order, 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT', 'the bill of the table is being paid')
    return true
  }
  if (wrong(15) && order.indoor && order.status === 'CONFIRMED' && !order.skips) return false
  const isDispatched = order.status === 'READY' && order.type === 'DELIVERY'
  const action = order.skips ? 'delivered' : isDispatched ? 'dispatch' : nextOf[order.status]
  if (order.calls.delivered?.refused) order.skips = false
  if (order.calls[action]?.done || order.calls[action]?.refused) return false
  if (action === 'ready-for-pickup') await sleep(300)
  await act(order, action)
  return true
}

async function act(order, action) {
  const call = (order.calls[action] ??= { requestId: randomUUID() })
  const path = `/orders/${encodeURIComponent(order.id)}/${action}`
  const { status } = await market.call(operations[action], 'POST', path, {
    body: action === 'confirm' ? { estimatedPreparationTimeMinutes: 15 } : undefined,
    requestId: call.requestId,
    wanted: () => !order.cancelled && !order.asks,
  })
  if (status < 300) call.done = true
  else call.refused = true
}

async function read(order) {
  // Known to be over: read once more at most.
  if (isOver(order) && order.type && ++order.readsWhenOver > 1) return true
  const since = Date.now() - (order.readAt ?? 0)
  if (since < 500 / speed) await sleep(500 - since * speed)
  order.readAt = Date.now()
  const path = `/orders/${encodeURIComponent(order.id)}`
  const { status, json } = await market.call('getOrder', 'GET', path)
  if (status !== 200) return false
  order.type = json.fulfillment.orderType
  order.indoor = order.type === 'INDOOR' ? json.fulfillment.indoor : undefined
  order.merchantId = json.merchant.id
  order.createdAt = json.createdAt
  order.lines = json.items
  order.total = json.total.orderAmount
  order.lastEvent = json.lastEvent
  order.cancelled ||= json.status === 'CANCELLED'
  order.status = order.cancelled && json.status !== 'CONCLUDED' ? 'CANCELLED' : json.status
  return true
}

/** Asks for the cancellation, and does nothing else about the order until the answer is known. */
async function ask(order) {
  const { asks } = order
  if (asks.sentAt === undefined) {
    asks.lastEvent = order.lastEvent
    const path = `/orders/${encodeURIComponent(order.id)}/requestCancellation`
    const { status } = await market.call('cancel', 'POST', path, {
      body: { reason: asks.reason, code: asks.code, mode: 'MANUAL' },
      requestId: asks.requestId,
      wanted: () => !order.cancelled,
    })
    asks.sentAt = Date.now()
    if (status >= 300) order.asks = undefined
    return true
  }
  const wasDenied =
    order.lastEvent === 'CANCELLATION_REQUEST_DENIED' && asks.lastEvent !== order.lastEvent
  const isLate = !asks.accepted && Date.now() - asks.sentAt > 60_000 / speed
  if (wasDenied || (isLate && order.status !== 'CREATED')) order.asks = undefined
  return order.asks === undefined
}

function want(order, code, reason) {
  if (isOver(order)) throw new Refusal(409, 'CONFLICT', `the order is ${order.status}`)
  order.asks ??= { code, reason, requestId: randomUUID() }
  order.wasDenied = true
  wake(order)
  return [202]
}

function orderNamed({ orderId }) {
  const order = orders.get(orderId)
  if (!order) throw notFound('such order')
  return order
}

// ---- what it serves --------------------------------------------------------------------------------------------------

const supportedOperations = [...Object.values(operations), 'getOrder', 'requestCancellation']
const operationsOfIndoor =
  'getAccount getAccountById preCloseAccount unlockAccount closeAccount cancelAccountItem transferAccountContent createPayment listAccountPayments requestFiscalDocument listAccountFiscalDocuments'.split(
    ' ',
  )
const eventsOfIndoor =
  'ACCOUNT_OPENED ACCOUNT_ITEM_ADDED ACCOUNT_ITEM_REMOVED ACCOUNT_ITEM_CANCELLED PAYMENT_CREATED ACCOUNT_PRE_CLOSED ACCOUNT_UNLOCKED FISCAL_ISSUED FISCAL_ERROR ACCOUNT_CLOSED'.split(
    ' ',
  )
const manifest = (endpoint) => {
  const common = { role: 'RECEIVER', version: 'v2', supported: true, endpoint }
  const receiver = {
    supported: true,
    supportedOperations,
    unsupportedOperations: ['sendOrderTracking', 'partialItemCancellation'],
    supportsWebhook: channel !== 'polling',
    supportsPolling: channel !== 'webhook',
  }
  return manifestOf('tables-from-the-documents', [
    { name: 'orders', ...common, operations: supportedOperations, receiver },
    {
      name: 'indoor',
      ...common,
      operations: operationsOfIndoor,
      supportedEvents: eventsOfIndoor,
      unsupportedEvents: ['PAYMENT_UPDATED'],
      invoiceIssuer: 'pos',
      invoiceIssueMoment: 'account_closing',
      usesAccountId: true,
    },
  ])
}

await serve({
  manifest,
  clients: { 'sparring-ordering-application': 'secret-of-ordering-application' },
  scopes: ['proto.orders'],
  rows: [
    ['POST', '/webhooks/orders', receive],
    ...accountRows,
    [
      'GET',
      '/orders/:orderId',
      (call) => {
        const { id, status, type, lines: items, total } = orderNamed(call)
        return [200, { id, status, type, items, total }]
      },
    ],
    [
      'POST',
      '/probe/orders/:orderId/request-cancellation',
      (call) => {
        const order = orderNamed(call)
        const code = order.calls.confirm
          ? 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT'
          : 'UNAVAILABLE_ITEM'
        return want(order, code, 'the kitchen cannot make it')
      },
    ],
  ],
})

load()
const { originator } = await market.activate('orders')
isReady = true
for (const order of orders.values()) if (!isOver(order) || !order.isClosed) wake(order)
for (const account of accounts) void send(account)
if (channel !== 'webhook' && originator?.supportsPolling !== false) void poll()
