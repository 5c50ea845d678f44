/**
 * An Ordering Application written from the documents alone: it hosts orders and their events by polling, and has DELIVERY
 * orders delivered by the Delivery Platform. `POST /probe/orders` places an order, `POST /probe/orders/{id}/request-cancellation`
 * cancels it for its customer. `MUTANT=1` to `18` plants one mistake each, which marketplace.mutants.json lists.
 *
 * PORT, SPARRING_DELIVERY_PLATFORM_URL, SPEED, MUTANT
 */
import { randomUUID } from 'node:crypto'
import {
  Client,
  manifestOf,
  notFound,
  Refusal,
  requireScope,
  serve,
  sleep,
  without,
  wrong,
} from './wire.mjs'

const { env } = process
const merchant = { id: 'merchant-1', name: 'Restaurante Um' }
const platform = env.SPARRING_DELIVERY_PLATFORM_URL
const couriers = platform && new Client(platform, 'logistics.read logistics.write')
const active = couriers?.activate('logistics')
const orders = new Map()
let events = []
const decisionMs = 3000
const concludeMs = 5000

// ---- orders ----------------------------------------------------------------------------------------------------------

const price = (value) => ({ value: Math.round(value * 100) / 100, currency: 'BRL' })
const address = {
  street: 'Rua Dois, 22',
  city: 'São Paulo',
  state: 'SP',
  country: 'BR',
  postalCode: '01000-001',
}
const indoor = {
  operationMode: 'TABLE',
  identifier: '7',
  originChannel: { type: 'QR_CODE' },
  consumptionType: 'DINE_IN',
}
const blocks = {
  DELIVERY: { delivery: { address } },
  TAKEOUT: { takeout: { pickupCode: '4711' } },
  INDOOR: { indoor },
}

function line(name, quantity, unit, options = 0) {
  const option = {
    id: randomUUID(),
    name: 'Extra cheese',
    quantity: 1,
    // MUTANT 11 breaks ORD-FLD-17: what an option costs has no currency.
    pricing: {
      unitPrice: wrong(11) ? without(price(options), 'currency') : price(options),
      totalPrice: price(options),
    },
  }
  const pricing = {
    unitPrice: price(unit),
    optionsPrice: price(options),
    totalPrice: price(quantity * (unit + options)),
  }
  return { id: randomUUID(), name, quantity, unit: 'UN', pricing, options: options ? [option] : [] }
}

/** Totals of what is not cancelled. */
function total(order) {
  const sum = order.items.reduce((all, { pricing }) => all + pricing.totalPrice.value, 0)
  order.total = {
    itemsPrice: price(sum),
    otherFees: price(0),
    discount: price(0),
    orderAmount: price(sum),
  }
  const method = { type: 'PREPAID', method: 'PIX', value: price(sum).value, currency: 'BRL' }
  order.payments = { prepaid: method.value, pending: 0, methods: [method] }
}

function place(orderType, extras = {}) {
  if (!(orderType in blocks))
    throw new Refusal(400, 'INVALID_PAYLOAD', `no order type ${orderType}`)
  const order = {
    id: randomUUID(),
    displayId: String(1000 + orders.size),
    createdAt: new Date().toISOString(),
    merchant,
    status: 'CREATED',
    fulfillment: { orderType, ...blocks[orderType] },
    customer: {
      id: randomUUID(),
      name: 'Ana Souza',
      phone: { number: '+5511999990000' },
      ordersCountOnMerchant: 1,
    },
    timing: { orderTiming: 'INSTANT' },
    items: [line('Pizza Margherita', 2, 39.9, 4.5), line('Guaraná', 3, 6)],
    ...extras,
  }
  total(order)
  // MUTANT 13 breaks ORD-FLO-01 and ORD-EVF-03: the order is not there yet when it is announced.
  if (wrong(13)) void sleep(8000).then(() => orders.set(order.id, order))
  else orders.set(order.id, order)
  emit(order, 'CREATED', undefined, { orderURL: `${base}/orders/${order.id}` })
  return order
}

function emit(order, eventType, metadata, more) {
  // MUTANT 17 breaks ORD-FLD-03: lastEvent stays what it was at first.
  if (!wrong(17) || order.lastEvent === undefined) order.lastEvent = eventType
  const event = {
    eventId: randomUUID(),
    eventType,
    orderId: order.id,
    createdAt: new Date().toISOString(),
    ...more,
  }
  events.push({ ...event, ...(metadata && { metadata }) })
}

const ranks = ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY', 'DELIVERED']
const moves = {
  confirm: ['CREATED', 'CONFIRMED', 'CONFIRMED'],
  preparing: ['CONFIRMED', 'PREPARING', 'PREPARING'],
  'ready-for-pickup': ['CONFIRMED PREPARING', 'READY', 'READY_FOR_PICKUP'],
  dispatch: ['READY', 'IN_DELIVERY', 'DISPATCHED'],
  delivered: ['READY IN_DELIVERY', 'DELIVERED', 'DELIVERED'],
}
const conflict = (order, what) =>
  new Refusal(409, 'INVALID_ORDER_STATE_TRANSITION', `${what} of an order that is ${order.status}`)
const isClosed = ({ status }) => ['CANCELLED', 'CONCLUDED', 'DELIVERED'].includes(status)

function move(order, action) {
  const [from, to, eventType] = moves[action]
  // MUTANT 1 breaks ORD-RUL-01: a call whose target is applied already is refused.
  if (order.status === to && wrong(1)) throw conflict(order, action)
  // MUTANT 7 breaks ORD-TRA-06: an order that is not delivered is dispatched all the same.
  if (action === 'dispatch' && order.fulfillment.orderType !== 'DELIVERY' && !wrong(7))
    throw conflict(order, action)
  const isConcluded = order.status === 'CONCLUDED' && !order.wasCancelled
  if (isConcluded || ranks.indexOf(order.status) >= ranks.indexOf(to)) return [202]
  if (!from.split(' ').includes(order.status)) throw conflict(order, action)
  // MUTANT 12 breaks ORD-TRA-02 and ORD-FLO-05: what is confirmed is ready.
  order.status = wrong(12) && to === 'CONFIRMED' ? 'READY' : to
  // MUTANT 15 breaks ORD-EVT-12 and ORD-EVR-05: DELIVERED comes with the courier, before DISPATCHED.
  if (wrong(15) && to === 'IN_DELIVERY') emit(order, 'DELIVERED')
  // MUTANT 14 breaks ORD-EVT-02 and ORD-FLO-05: nothing tells that an order is confirmed.
  if (!(wrong(14) && to === 'CONFIRMED') && !(wrong(15) && to === 'DELIVERED'))
    emit(order, eventType)
  // MUTANT 16 breaks ORD-EVT-08 and ORD-EVR-07: a TAKEOUT order is dispatched when it is ready.
  if (wrong(16) && to === 'READY' && order.fulfillment.orderType === 'TAKEOUT')
    emit(order, 'DISPATCHED')
  // MUTANT 18 breaks ORD-TRA-10: an order is concluded that was not delivered.
  if (to === 'READY' && wrong(18)) conclude(order, 0)
  if (to === 'DELIVERED') conclude(order, concludeMs)
  if (couriers && order.fulfillment.orderType === 'DELIVERY') void deliver(order, to)
  return [202]
}

const conclude = (order, afterMs) =>
  void sleep(afterMs).then(() => {
    order.status = 'CONCLUDED'
    emit(order, 'CONCLUDED')
  })

async function cancel(order, code) {
  order.wasCancelled = true
  if (order.delivery) await dismiss(order)
  order.status = 'CANCELLED'
  emit(order, 'CANCELLED', { code, reason: 'cancelled' })
  conclude(order, concludeMs)
}

function requestCancellation(order) {
  if (order.status === 'CANCELLED' || order.isDeciding) return [202]
  if (isClosed(order)) throw conflict(order, 'cancellation')
  order.isDeciding = true
  void sleep(decisionMs).then(() => decide(order))
  return [202]
}

/** What is ready is not cancelled any more, nor what the operator denied meanwhile. */
function decide(order) {
  order.isDeciding = false
  if (isClosed(order)) return
  if (order.denies || ['READY', 'IN_DELIVERY'].includes(order.status)) {
    // MUTANT 3 breaks ORD-CAN-06: a request that is refused gets no answer.
    if (!wrong(3)) emit(order, 'CANCELLATION_REQUEST_DENIED')
    return
  }
  emit(order, 'CANCELLATION_REQUEST_ACCEPTED')
  // MUTANT 4 breaks ORD-CAN-05: CANCELLED does not follow.
  if (!wrong(4)) void cancel(order, 'OTHER_CANCELLATION_REASON')
}

function cancelItem(order, itemId, { quantity, code = '', reason = '' }) {
  const item = order.items.find(({ id }) => id === itemId)
  if (!item) throw notFound('such item')
  if (item.status === 'CANCELLED') return [202]
  if (isClosed(order)) throw conflict(order, 'cancellation of an item')
  if (order.status === 'CREATED')
    throw new Refusal(422, 'INVALID_TRANSITION', 'the order is not confirmed')
  const left = item.quantity - (item.quantityCancelled ?? 0)
  if (quantity !== undefined && !(Number.isInteger(quantity) && quantity > 0 && quantity <= left))
    throw new Refusal(400, 'INVALID_PAYLOAD', `quantity is no integer from 1 to ${left}`)
  const cancelled = quantity ?? left
  item.quantityCancelled = (item.quantityCancelled ?? 0) + cancelled
  item.status = cancelled === left ? 'CANCELLED' : 'PARTIALLY_CANCELLED'
  const { unitPrice, optionsPrice } = item.pricing
  // MUTANT 5 breaks ORD-ITM-03: totals stay as they were.
  if (!wrong(5))
    item.pricing.totalPrice = price(
      (left - cancelled) * (unitPrice.value + (optionsPrice?.value ?? 0)),
    )
  total(order)
  emit(order, 'ITEM_CANCELLED', {
    itemId,
    quantityCancelled: cancelled,
    quantityRemaining: left - cancelled,
    code,
    reason,
  })
  // MUTANT 10 breaks ORD-RUL-04: an order without items goes on.
  if (order.items.every(({ status }) => status === 'CANCELLED') && !wrong(10))
    void cancel(order, 'UNAVAILABLE_ITEM')
  return [202]
}

// ---- deliveries ------------------------------------------------------------------------------------------------------

const trip = { merchantId: merchant.id, origin: address, destination: address }
const contexts = Object.fromEntries(
  ['merchant', 'pickup', 'dropoff'].map((each) => [
    each,
    { ...merchant, address, contact: { name: 'Ana Souza', phone: '+5511999990000' } },
  ]),
)
const deliveryPath = (order, rest = '') => `/logistics/delivery/${order.id}${rest}`

/** A quote and a delivery for a confirmed order; the platform hears when it is ready. */
async function deliver(order, status) {
  await active
  if (status === 'CONFIRMED' && !order.wasCancelled)
    order.delivery = engage(order).catch(() => false)
  if (status === 'READY' && (await order.delivery))
    await couriers.call('ready', 'POST', deliveryPath(order, '/ready-for-pickup')).catch(() => {})
}

async function engage(order) {
  const wanted = () => !order.wasCancelled
  const quote = await couriers.call('quote', 'POST', '/logistics/availability', {
    body: { orderId: order.id, ...trip, ...contexts },
    wanted,
  })
  if (quote.status !== 200 || !quote.json.available) return false
  const body = { orderId: order.id, ...trip, ...contexts, orderDisplayId: order.displayId }
  order.isRequested = true
  return (
    (await couriers.call('deliver', 'POST', '/logistics/delivery', { body, wanted })).status === 202
  )
}

async function dismiss(order) {
  await order.delivery
  const body = { cancellationCode: 'CONSUMER_CANCELLATION_REQUESTED' }
  if (order.isRequested)
    await couriers.call('dismiss', 'POST', deliveryPath(order, '/cancel'), { body }).catch(() => {})
}

// ---- what it serves --------------------------------------------------------------------------------------------------

const types =
  'CREATED CONFIRMED PREPARING READY_FOR_PICKUP DISPATCHED DELIVERED CANCELLATION_REQUEST_ACCEPTED CANCELLATION_REQUEST_DENIED CANCELLED CONCLUDED ITEM_CANCELLED'.split(
    ' ',
  )
const operations =
  'pollingEvents acknowledgeEvents getOrder confirmOrder setOrderPreparing setOrderReadyForPickup dispatchOrder setOrderDelivered requestCancellation partialItemCancellation'.split(
    ' ',
  )
const originator = {
  supported: true,
  supportedOperations: operations,
  unsupportedOperations: [],
  supportedEvents: types,
  unsupportedEvents: [],
  supportsWebhook: false,
  supportsPolling: true,
}

const manifest = (endpoint) =>
  manifestOf('marketplace-from-the-documents', [
    {
      name: 'orders',
      role: 'ORIGINATOR',
      version: 'v2',
      supported: true,
      endpoint,
      operations,
      originator,
    },
    ...(couriers
      ? [
          {
            name: 'logistics',
            role: 'ORIGINATOR',
            operations: ['availability', 'delivery', 'tracking'],
            endpoint,
          },
        ]
      : []),
  ])

function poll({ query }) {
  const wanted = query.getAll('eventType')
  const list = events
    .filter(({ eventType }) => wanted.length === 0 || wanted.includes(eventType))
    .slice(0, 100)
  // MUTANT 6 breaks ORD-EVF-01: an event has another id in each poll.
  if (wrong(6)) for (const each of list) each.eventId = randomUUID()
  return list.length === 0 ? [204] : [200, list]
}

function acknowledge({ body }) {
  const raw = body()
  const ids = new Set((raw.eventIds ?? raw).map((each) => each.eventId ?? each.id ?? each))
  // MUTANT 2 breaks ORD-OPS-02: CONFIRMED comes again although it was acknowledged.
  events = events.filter(
    ({ eventId, eventType }) => !ids.has(eventId) || (wrong(2) && eventType === 'CONFIRMED'),
  )
  return [202]
}

const protectedRow = ([method, path, handler]) => [
  method,
  path,
  (request) => {
    // MUTANT 8 breaks AUT-GEN-02 and TRN-STA-05: an order is read without a token.
    if (!(wrong(8) && path === '/orders/:id')) requireScope(request.request, 'proto.orders')
    return handler(request)
  },
]
const ofOrder =
  (handle) =>
  ({ id, itemId, body, raw }) => {
    const order = orders.get(id)
    if (!order) throw notFound('such order')
    return handle(order, raw.length > 0 ? body() : {}, itemId)
  }
const documentOf = (order) =>
  without(order, 'delivery', 'isRequested', 'wasCancelled', 'denies', 'isDeciding')

const protectedRows = [
  ['GET', '/events:polling', poll],
  ['POST', '/events/acknowledgment', acknowledge],
  ['GET', '/orders/:id', ofOrder((order) => [200, documentOf(order)])],
  ...Object.keys(moves).map((action) => [
    'POST',
    `/orders/:id/${action}`,
    ofOrder((order) => move(order, action)),
  ]),
  ['POST', '/orders/:id/requestCancellation', ofOrder(requestCancellation)],
  [
    'POST',
    '/orders/:id/items/:itemId/cancel',
    ofOrder((order, body, itemId) => cancelItem(order, itemId, body)),
  ],
].map(protectedRow)

const base = await serve({
  manifest,
  merchants: [{ ...merchant, status: 'OPEN' }],
  scopes: ['proto.orders'],
  clients: {
    'sparring-software-service': 'secret-of-software-service',
    'sparring-delivery-platform': 'secret-of-delivery-platform',
  },
  // MUTANT 9 breaks TRN-ERB-01: errors have no object error.
  isFlat: wrong(9),
  rows: [
    ...protectedRows,
    [
      'POST',
      '/webhooks/delivery',
      ({ request, body }) => {
        requireScope(request, 'logistics.events.write', 'proto.logistics')
        if (couriers && orders.has(body().orderId))
          void couriers.call('follow', 'GET', deliveryPath({ id: body().orderId })).catch(() => {})
        return [204]
      },
    ],
    ['POST', '/probe/orders', ({ body }) => [201, documentOf(place(body().type, body().order))]],
    [
      'POST',
      '/probe/orders/:id/deny-cancellation',
      ofOrder((order) => {
        order.denies = true
        return [202]
      }),
    ],
    [
      'POST',
      '/probe/orders/:id/request-cancellation',
      ofOrder((order) => {
        if (isClosed(order)) throw conflict(order, 'cancellation')
        void cancel(order, 'CONSUMER_CANCELLATION_REQUESTED')
        return [202]
      }),
    ],
  ],
})
