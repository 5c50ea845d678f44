/**
 * A restaurant POS written from the documents alone, without a framework: events by polling, webhook or both, orders read
 * again before each step, couriers of its own or of the Delivery Platform. `MUTANT=1` to `20` plants one mistake each,
 * which restaurant.mutants.json lists.
 *
 * PORT, SPARRING_ORDERING_APPLICATION_URL, SPARRING_DELIVERY_PLATFORM_URL, CHANNEL (polling, webhook, both), COURIERS
 * (platform, own; by whether there is a platform), STATE (a file), POLL_EVERY, KITCHEN (ms), SPEED, MUTANT
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import {
  Client,
  correctPolicy,
  Failed,
  manifestOf,
  notFound,
  Refusal,
  requireScope,
  requireSignature,
  serve,
  sleep,
  speed,
  Withdrawn,
  without,
  wrong,
} from './wire.mjs'

const { env } = process
const market = env.SPARRING_ORDERING_APPLICATION_URL ?? 'http://127.0.0.1:7101'
const platform = env.SPARRING_DELIVERY_PLATFORM_URL ?? ''
const channel = env.CHANNEL ?? 'both'
const hasPlatform = platform !== '' && env.COURIERS !== 'own'
const pollEvery = Number(env.POLL_EVERY ?? 1000)
const kitchenMs = Number(env.KITCHEN ?? 300)

// ---- the partners ----------------------------------------------------------------------------------------------------

const policy = {
  ...correctPolicy,
  // MUTANT 8 breaks TRN-STA-12 and TRN-STA-11: a call that failed once is not made again.
  ...(wrong(8) && { attempts: 1 }),
  // MUTANT 9 breaks TRN-STA-12: the pauses between its attempts do not grow.
  ...(wrong(9) && { attempts: 12, pause: () => 150 }),
  // MUTANT 10 breaks TRN-STA-10: it does not wait for as long as Retry-After says.
  ...(wrong(10) && { obeysRetryAfter: false }),
  // MUTANT 11 breaks TRN-STA-08 and TRN-ERB-01: what was refused for good is tried for ever.
  ...(wrong(11) && { attempts: Infinity, isTemporary: (status) => status === 0 || status >= 400 }),
  // MUTANT 12 breaks AUT-TOK-03: it gets a token for every call.
  ...(wrong(12) && { keepsToken: false }),
  // MUTANT 13 breaks AUT-TOK-04: a token that was turned away is used again, and the call is lost.
  ...(wrong(13) && { renews: false }),
}
const store = new Client(market, 'proto.orders', policy, () => void readMerchants())
const couriers = new Client(platform, 'logistics.read logistics.write', policy, () => {})

const merchants = new Set()
let merchantsReadAt = 0

async function readMerchants() {
  merchantsReadAt = Date.now()
  const { status, json } = await store.call('merchants', 'GET', '/merchants').catch(() => ({}))
  if (status === 200) for (const each of json.merchants ?? json) merchants.add(each.id)
}

/** Whether it is a store of ours, as far as the partner tells. */
async function isOurs(merchantId) {
  const isOld = Date.now() - merchantsReadAt > 2000 / speed
  if (!merchants.has(merchantId) && merchants.size > 0 && isOld) await readMerchants()
  return merchants.size === 0 || merchants.has(merchantId)
}

// ---- what is stored --------------------------------------------------------------------------------------------------

const orders = new Map()
const known = new Set()
// MUTANT 1 breaks ORD-EVR-03: no event is known again. MUTANT 2 breaks it later: only the last three are.
const maxKnown = wrong(1) ? 0 : wrong(2) ? 3 : 10_000
let lastTicket = 1000

function save() {
  if (!env.STATE) return
  const list = [...orders.values()].map((order) => without(order, 'wakeUp', 'runs'))
  writeFileSync(`${env.STATE}.new`, JSON.stringify({ orders: list, known: [...known], lastTicket }))
  renameSync(`${env.STATE}.new`, env.STATE)
}

function load() {
  if (!env.STATE || !existsSync(env.STATE)) return
  const kept = JSON.parse(readFileSync(env.STATE, 'utf8'))
  for (const each of kept.known) known.add(each)
  lastTicket = kept.lastTicket
  // MUTANT 17 breaks ORD-EVR-06 and ORD-GEN-05: it knows the events after a restart, and no order.
  if (wrong(17)) return
  for (const order of kept.orders) orders.set(order.id, order)
}

function orderOf(orderId) {
  const order = orders.get(orderId) ?? {
    id: orderId,
    ticket: ++lastTicket,
    status: '',
    calls: {},
    taken: [],
    readAt: 0,
    readsWhenOver: 0,
  }
  orders.set(orderId, order)
  return order
}

const isOver = ({ status }) => ['DELIVERED', 'CANCELLED', 'CONCLUDED'].includes(status)
const isDelivery = ({ type }) => type === 'DELIVERY'
const pathOf = (order) => `/orders/${encodeURIComponent(order.id)}`

// ---- events ----------------------------------------------------------------------------------------------------------

const courierEvents = new Set([
  'PICKUP_ONGOING',
  'RIDER_ARRIVED_AT_STORE',
  'DISPATCHED',
  'ORDER_COLLECTED',
  'DELIVERY_ONGOING',
  'ARRIVED_AT_CUSTOMER',
])
const callAfter = { CREATED: 'confirm', CONFIRMED: 'preparing', PREPARING: 'ready-for-pickup' }

/** Stores an event, once. What comes of it is read from the order. */
function take({ eventId, eventType, orderId }) {
  if (known.has(eventId) || typeof orderId !== 'string') return
  known.add(eventId)
  while (known.size > maxKnown) known.delete(known.values().next().value)
  const order = orderOf(orderId)
  const before = callAfter[eventType]
  if ((wrong(1) || wrong(2)) && order.taken.includes(eventType)) order.again = before
  order.taken.push(eventType)
  // MUTANT 3 breaks ORD-EVR-04 and ORD-CAN-02: a CREATED that comes after CANCELLED brings the order back.
  if (wrong(3) && eventType === 'CREATED' && order.cancelled) order.again = 'confirm'
  // MUTANT 4 breaks ORD-EVR-01 and ORD-EVR-04: a late event counts for more than the status of GET.
  if (wrong(4) && order.calls[before]?.done && order.status !== eventType) order.again = before
  if (eventType === 'CANCELLED') order.cancelled = true
  if (eventType === 'CONCLUDED' && isOver(order)) order.status = 'CONCLUDED'
  if (eventType === 'CANCELLATION_REQUEST_ACCEPTED' && order.asks) order.asks.accepted = true
  // MUTANT 7 breaks ORD-CAN-04 and ORD-CAN-06: after a denied request nothing goes on.
  if (eventType === 'CANCELLATION_REQUEST_DENIED' && !wrong(7)) order.asks = undefined
  for (const [name, call] of Object.entries(order.calls)) if (call.refused) delete order.calls[name]
  wake(order)
}

const toAcknowledge = new Set()
let acknowledges = false

/** Apart from the polls, which go on while acknowledgments fail. */
async function acknowledge(ids) {
  for (const each of ids) toAcknowledge.add(each)
  if (acknowledges) return
  acknowledges = true
  for (let size = 1000; toAcknowledge.size > 0;) {
    const eventIds = [...toAcknowledge].slice(0, size)
    try {
      const { status } = await store.call('acknowledge', 'POST', '/events/acknowledgment', {
        body: { eventIds },
      })
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
      const { status, json } = await store.call('poll', 'GET', '/events:polling', { attempts: 1 })
      failures = status < 300 ? 0 : failures + 1
      const events =
        status === 200 && Array.isArray(json) ? json.filter((each) => each?.eventId) : []
      const ids = events.map(({ eventId }) => eventId)
      // MUTANT 15 breaks ORD-OPS-02: of several events only the first is acknowledged.
      if (wrong(15)) ids.splice(1)
      // MUTANT 16 breaks ORD-OPS-02: it acknowledges ids of orders, which are no events.
      if (wrong(16)) ids.push(...events.map(({ orderId }) => orderId))
      // MUTANT 14 breaks ORD-FLO-03 and ORD-GEN-05: acknowledged before it is stored, and lost when the order is not there.
      if (wrong(14)) await takeUnsafely(events, ids)
      else {
        for (const event of events) take(event)
        save()
        if (ids.length > 0) void acknowledge(ids)
      }
    } catch {
      failures++
    }
    await sleep(failures === 0 ? pollEvery : Math.min(1000 * 2 ** failures, 30_000))
  }
}

async function takeUnsafely(events, ids) {
  if (ids.length > 0) void acknowledge(ids)
  for (const event of events) {
    const { status } = await store
      .call('getOrder', 'GET', pathOf({ id: event.orderId }), { attempts: 1 })
      .catch(() => ({}))
    if (status === 200) take(event)
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
  for (
    let tries = 0;
    courierEvents.has(event.eventType) && order && !order.type && tries < 20;
    tries++
  )
    await sleep(100)
  if (courierEvents.has(event.eventType) && order?.type && !isDelivery(order))
    throw new Refusal(422, 'EVENT_NOT_ALLOWED', `${event.eventType} of an order without delivery`)
  take(event)
  save()
  return [204]
}

// ---- orders ----------------------------------------------------------------------------------------------------------

/** No call before the manifests of the partners are valid. */
let isActive = false

function wake(order) {
  order.news = true
  order.wakeUp?.()
  if (isActive && !order.runs) void run(order)
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
      if (wrong(8) && error instanceof Failed) break
    }
    save()
    if (order.news) continue
    if (isOver(order) && order.isClosed) break
    if (idle > 0) await nap(order, Math.min(2000 * 2 ** (idle - 1), 30_000))
  }
  order.runs = false
}

async function nap(order, ms) {
  const woken = new Promise((resolve) => (order.wakeUp = resolve))
  await Promise.race([woken, sleep(ms)])
  order.wakeUp = undefined
}

/** Whether anything was done. */
async function step(order) {
  if (order.again && (order.calls[order.again]?.done || wrong(3))) {
    const action = order.again
    order.again = undefined
    order.calls[action] = undefined
    await act(order, action)
  }
  if (!(await read(order))) return false
  if (!(await isOurs(order.merchantId))) return false
  // A cancelled order may be CONCLUDED before its courier is known to be called off.
  if (order.cancelled && isOver(order) && !isStillCooked(order)) {
    order.isClosed = await dismissCourier(order)
    return order.isClosed
  }
  if (isOver(order) && !isStillCooked(order)) return (order.isClosed = true)
  if (order.asks) return await ask(order)
  return await advance(order)
}

// MUTANT 5 breaks ORD-CAN-02: what is already in the oven is finished although the order was cancelled.
const isStillCooked = (order) =>
  wrong(5) && order.calls.preparing?.done && !order.calls['ready-for-pickup']?.done

async function read(order) {
  // Known to be over: read once more at most.
  if (isOver(order) && order.type && ++order.readsWhenOver > 1) return true
  const since = Date.now() - order.readAt
  if (since < 500 / speed) await sleep(500 - since * speed)
  order.readAt = Date.now()
  const { status, json } = await store.call('getOrder', 'GET', pathOf(order))
  if (status !== 200) return false
  order.type = json.fulfillment.orderType
  order.merchantId = json.merchant.id
  order.displayId = json.displayId
  order.lines = json.items.map(({ id: itemId, name, quantity, options = [], pricing }) => ({
    id: itemId,
    name,
    quantity,
    options: options.map((each) => ({ name: each.name, quantity: each.quantity })),
    total: pricing.totalPrice,
  }))
  order.total = json.total.orderAmount
  order.address = json.fulfillment.delivery?.address
  order.customer = json.customer && { name: json.customer.name, phone: json.customer.phone.number }
  // MUTANT 20 breaks ORD-EVR-01 and LOG-FLD-04: only the first line of an order is taken over, with its price.
  if (wrong(20)) order.total = order.lines.splice(1) && order.lines[0].total
  order.lastEvent = json.lastEvent
  order.cancelled ||= json.status === 'CANCELLED'
  order.status = order.cancelled && json.status !== 'CONCLUDED' ? 'CANCELLED' : json.status
  return true
}

const nextOf = { ...callAfter, READY: 'delivered', IN_DELIVERY: 'delivered' }
const operations = {
  confirm: 'confirmOrder',
  preparing: 'setOrderPreparing',
  'ready-for-pickup': 'setOrderReadyForPickup',
  dispatch: 'dispatchOrder',
  delivered: 'setOrderDelivered',
}

/** The next call that the status asks for, where it was not made and not refused. */
async function advance(order) {
  let action = nextOf[order.status]
  if (order.cancelled && wrong(5)) action = 'ready-for-pickup'
  if (order.status === 'READY' && isDelivery(order)) action = 'dispatch'
  if (hasPlatform && isDelivery(order) && !order.courier?.isOwn) {
    if (order.status === 'PREPARING' && !(await engageCourier(order))) return false
    if (order.status === 'READY' && !(await followCourier(order, 'IN_TRANSIT'))) return false
    if (order.status === 'IN_DELIVERY' && !(await followCourier(order, 'DELIVERED'))) return false
  }
  if (order.calls[action]?.done || order.calls[action]?.refused) return false
  if (action === 'ready-for-pickup') await sleep(kitchenMs)
  await act(order, action)
  return true
}

async function act(order, action) {
  const call = (order.calls[action] ??= { requestId: randomUUID() })
  const body = action === 'confirm' ? { estimatedPreparationTimeMinutes: 15 } : undefined
  const { status } = await store.call(operations[action], 'POST', `${pathOf(order)}/${action}`, {
    body,
    requestId: call.requestId,
    // MUTANT 6 breaks ORD-CAN-02: a call that is tried again goes on after CANCELLED.
    wanted: () => wrong(6) || wrong(5) || wrong(3) || (!order.cancelled && !order.asks),
  })
  if (status < 300) call.done = true
  else call.refused = true
}

/** Asks for the cancellation, and does nothing else about the order until the answer is known. */
async function ask(order) {
  const { asks } = order
  if (asks.sentAt === undefined) {
    if (!(await dismissCourier(order))) return false
    asks.lastEvent = order.lastEvent
    const { status } = await store.call('cancel', 'POST', `${pathOf(order)}/requestCancellation`, {
      body: { reason: asks.reason, code: asks.code, mode: 'MANUAL' },
      requestId: asks.requestId,
      wanted: () => !order.cancelled,
    })
    if (status >= 300) order.asks = undefined
    asks.sentAt = Date.now()
    return true
  }
  const wasDenied =
    order.lastEvent === 'CANCELLATION_REQUEST_DENIED' && asks.lastEvent !== order.lastEvent
  const isLate = !asks.accepted && Date.now() - asks.sentAt > 60_000 / speed
  if ((wasDenied || (isLate && order.status !== 'CREATED')) && !wrong(7)) order.asks = undefined
  return order.asks === undefined
}

function wantCancellation(order, code, reason) {
  if (isOver(order)) throw new Refusal(409, 'CONFLICT', `the order is ${order.status}`)
  order.asks ??= { code, reason, requestId: randomUUID() }
  wake(order)
  return [202]
}

// ---- couriers of the Delivery Platform -------------------------------------------------------------------------------

const kitchen = {
  street: 'Rua Um, 1',
  city: 'São Paulo',
  state: 'SP',
  country: 'BR',
  postalCode: '01000-000',
}
const deliveryPath = (order, rest = '') =>
  `/logistics/delivery/${encodeURIComponent(order.id)}${rest}`

function tripOf(order) {
  const destination = { country: 'BR', ...order.address }
  const contact = order.customer
  return {
    merchantId: order.merchantId,
    origin: kitchen,
    destination,
    merchant: { id: order.merchantId, address: kitchen, contact: { name: 'Restaurante' } },
    pickup: { address: kitchen, contact: { name: 'Restaurante' } },
    dropoff: { address: destination, contact },
  }
}

/** Whether a delivery was requested: a quote first, then the delivery, each once. */
async function engageCourier(order) {
  const courier = (order.courier ??= { requestId: randomUUID(), quotes: 0, orders: 0 })
  const wanted = () => !order.cancelled && !order.asks
  if (!courier.isAvailable) {
    const { status, json } = await couriers.call('quote', 'POST', '/logistics/availability', {
      body: { orderId: order.id, ...tripOf(order) },
      wanted,
    })
    courier.isAvailable = status === 200 && json?.available === true
    if (!courier.isAvailable && ++courier.quotes >= 4) return giveUpCourier(order)
    if (!courier.isAvailable) return false
  }
  // MUTANT 18 breaks LOG-RUL-05's caller, ORD-EVR-06: each reading of the order requests another delivery.
  if (courier.isCreated && !wrong(18)) return true
  courier.isSent = true
  courier.body ??= {
    orderId: order.id,
    orderDisplayId: order.displayId,
    ...tripOf(order),
    customer: order.customer,
    totalOrderPrice: order.total,
    items: order.lines.map(({ name, quantity }) => ({ name, quantity })),
  }
  // A process that dies before the answer leaves the key and the body to the next one.
  save()
  const { status } = await couriers.call('deliver', 'POST', '/logistics/delivery', {
    body: courier.body,
    requestId: wrong(18) ? randomUUID() : courier.requestId,
    wanted,
  })
  if (status >= 300) return giveUpCourier(order)
  courier.isCreated = true
  return true
}

function giveUpCourier(order) {
  order.courier = { ...order.courier, isOwn: true, isSent: false }
  const code = 'RESTAURANT_WITHOUT_DELIVERY_PERSON'
  order.asks ??= { code, reason: 'no courier is available', requestId: randomUUID() }
  return true
}

/** Whether the delivery has this status, or a later one; another is requested for one that ended before it began. */
async function followCourier(order, wantedStatus) {
  if (!order.courier?.isCreated) {
    await engageCourier(order)
    return false
  }
  const { courier } = order
  if (wrong(18)) await engageCourier(order)
  if (!courier.isReady) {
    const { status } = await couriers.call(
      'ready',
      'POST',
      deliveryPath(order, '/ready-for-pickup'),
    )
    courier.isReady = status < 300
  }
  const { status, json } = await couriers.call('follow', 'GET', deliveryPath(order))
  if (status !== 200) return false
  courier.status = json.status
  if (['CANCELLED', 'FAILED'].includes(json.status)) {
    if (json.status === 'FAILED' || courier.orders >= 2) giveUpCourier(order)
    else order.courier = { requestId: randomUUID(), quotes: 0, orders: courier.orders + 1 }
    return false
  }
  return json.status === wantedStatus || json.status === 'DELIVERED'
}

/** Whether it is shown that no courier is under way for the order any more, or that this one cannot be called back. */
async function dismissCourier(order) {
  const { courier } = order
  // MUTANT 19 breaks LOG-CON-04: the courier of a cancelled order is not sent away.
  if (!courier?.isSent || courier.isKept || wrong(19)) return true
  if (!courier.isDismissed) {
    const { status } = await couriers.call('dismiss', 'POST', deliveryPath(order, '/cancel'), {
      body: { cancellationCode: 'MERCHANT_REQUEST', reason: 'the order is cancelled' },
      requestId: (courier.dismissalId ??= randomUUID()),
    })
    courier.isDismissed = status < 300
    // Refused in transit, or unknown there: a person has to see to it, and it is not tried again.
    courier.isKept = status >= 400
    if (!courier.isDismissed) return true
  }
  const { status, json } = await couriers.call('follow', 'GET', deliveryPath(order))
  if (status === 200 && ['PENDING', 'ASSIGNED', 'IN_TRANSIT'].includes(json.status)) return false
  order.courier = undefined
  return true
}

function receiveDelivery({ request, raw, body }) {
  requireScope(request, 'logistics.events.write', 'proto.logistics')
  if (request.headers['x-app-signature'] !== undefined) requireSignature(request, raw)
  const order = orders.get(body().orderId)
  if (order !== undefined && !isOver(order)) wake(order)
  return [204]
}

// ---- what it serves --------------------------------------------------------------------------------------------------

const unsupportedOperations = ['sendOrderTracking', 'partialItemCancellation']
const supportedOperations = [...Object.values(operations), 'getOrder', 'requestCancellation']
const manifest = (endpoint) =>
  manifestOf('restaurant-from-the-documents', [
    {
      name: 'orders',
      role: 'RECEIVER',
      version: 'v2',
      supported: true,
      endpoint,
      operations: supportedOperations,
      receiver: {
        supported: true,
        supportedOperations,
        unsupportedOperations,
        supportsWebhook: channel !== 'polling',
        supportsPolling: channel !== 'webhook',
      },
    },
    ...(hasPlatform
      ? [
          {
            name: 'logistics',
            role: 'RECEIVER',
            operations: ['availability', 'delivery'],
            endpoint,
          },
        ]
      : []),
  ])

const viewOf = ({ id: orderId, status, ticket, type, lines, total }) => ({
  id: orderId,
  status,
  ticket,
  type,
  items: lines,
  total,
})

function orderNamed(orderId) {
  const order = orders.get(orderId)
  if (order === undefined) throw notFound('such order')
  return order
}

await serve({
  manifest,
  clients: {
    'sparring-ordering-application': 'secret-of-ordering-application',
    'sparring-delivery-platform': 'secret-of-delivery-platform',
  },
  scopes: ['proto.orders', 'proto.logistics', 'logistics.events.write'],
  merchants: [],
  rows: [
    ['POST', '/webhooks/orders', receive],
    ['POST', '/webhooks/delivery', receiveDelivery],
    ['GET', '/orders/:orderId', ({ orderId }) => [200, viewOf(orderNamed(orderId))]],
    [
      'POST',
      '/probe/orders/:orderId/request-cancellation',
      ({ orderId }) => {
        const order = orderNamed(orderId)
        const code = order.calls.confirm
          ? 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT'
          : 'UNAVAILABLE_ITEM'
        return wantCancellation(order, code, 'the kitchen cannot make it')
      },
    ],
  ],
})

load()
const { originator } = await store.activate('orders')
if (hasPlatform) await couriers.activate('logistics')
isActive = true
for (const order of orders.values()) if (!isOver(order) || !order.isClosed) wake(order)
if (channel !== 'webhook' && originator?.supportsPolling !== false) void poll()
