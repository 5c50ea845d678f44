/**
 * A Delivery Platform written from the documents alone: quotes, deliveries, couriers who ride by themselves, and events by
 * push. `MUTANT=1` to `23` plants one mistake each, which platform.mutants.json lists.
 *
 * PORT, SPARRING_ORDERING_APPLICATION_URL, SPARRING_SOFTWARE_SERVICE_URL, ASSIGN, RIDE (ms), SPEED, MUTANT
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
  webhookHeaders,
  without,
  wrong,
} from './wire.mjs'

const { env } = process
const assignMs = Number(env.ASSIGN ?? 1000)
const rideMs = Number(env.RIDE ?? 20_000)
// MUTANT 7 breaks LOG-EVT-04: events are sent with a token of another scope.
const scope = wrong(7) ? 'logistics.read' : 'logistics.events.write'
const consumers = new Map()
for (const [client, url] of [
  ['sparring-ordering-application', env.SPARRING_ORDERING_APPLICATION_URL],
  ['sparring-software-service', env.SPARRING_SOFTWARE_SERVICE_URL],
]) {
  if (!url) continue
  const consumer = new Client(url, scope, { attempts: 7 })
  consumers.set(client, { consumer, active: consumer.activate('logistics') })
}

const deliveries = new Map()
const eventTypes = {
  PENDING: 'PENDING',
  ASSIGNED: 'ACCEPTED',
  IN_TRANSIT: 'ORDER_PICKED',
  DELIVERED: 'ORDER_DELIVERED',
  CANCELLED: 'CANCELLED',
  FAILED: 'RETURNED_TO_MERCHANT',
}

/** Events of one delivery are sent one after the other. */
function announce(delivery, status = delivery.status) {
  const target = consumers.get(delivery.consumer)
  if (!target) return
  const at = new Date().toISOString()
  const { deliveryId, merchant, problems } = delivery
  // MUTANT 13 breaks LOG-EVT-03: from the pick-up on, events have lost the order.
  const isLost = wrong(13) && !['PENDING', 'ASSIGNED'].includes(status)
  // MUTANT 6 breaks LOG-EVT-03: an event names the delivery in place of the order.
  const orderId = isLost ? undefined : wrong(6) ? deliveryId : delivery.orderId
  const body = {
    eventId: randomUUID(),
    eventType: eventTypes[status],
    deliveryId,
    orderId,
    orderDisplayId: delivery.orderDisplayId,
    status,
    occurredAt: at,
    merchant: { id: merchant?.id ?? 'merchant-1', name: merchant?.name ?? 'Restaurante' },
    customerName: 'Ana',
    event: { type: eventTypes[status], datetime: at },
    problem: problems,
  }
  delivery.sending = (delivery.sending ?? target.active)
    .then(() =>
      target.consumer.call('event', 'POST', '/webhooks/delivery', {
        body,
        headers: webhookHeaders(body, body.merchant.id),
      }),
    )
    .catch(() => {})
}

function become(delivery, status) {
  delivery.status = status
  const isDelivered = status === 'DELIVERED'
  // MUTANT 15 breaks LOG-EVT-02: that it is delivered is not announced.
  if (wrong(15) && isDelivered) return
  // MUTANT 16 breaks LOG-TRA-04: what the courier has collected is announced as delivered.
  announce(delivery, wrong(16) && status === 'IN_TRANSIT' ? 'DELIVERED' : status)
  // MUTANT 17 breaks LOG-STA-01: it is delivered twice, by another event of the same.
  if (wrong(17) && isDelivered) announce(delivery)
}

/** After a pause the courier goes on, unless the delivery went on without them. */
async function ride(delivery, from, to, ms) {
  await sleep(ms)
  if (delivery.status !== from) return
  become(delivery, to)
  if (to === 'IN_TRANSIT') void ride(delivery, to, 'DELIVERED', rideMs)
}

// ---- operations ------------------------------------------------------------------------------------------------------

const isAddress = (each) => each !== null && typeof each === 'object' && !Array.isArray(each)

function quote({ body }) {
  const { origin, destination, pickup = origin, dropoff = destination } = body()
  if (!isAddress(pickup) || !isAddress(dropoff))
    throw new Refusal(400, 'INVALID_PAYLOAD', 'origin and destination are missing')
  return [
    200,
    {
      available: true,
      estimatedDeliveryMinutes: 30,
      eta: eta(),
      deliveryFee: { value: 890, currency: 'BRL' },
      price: { amount: 8.9, currency: 'BRL' },
    },
  ]
}

const eta = () => new Date(Date.now() + 1_800_000).toISOString()
const isEnded = ({ status }) => ['DELIVERED', 'CANCELLED', 'FAILED'].includes(status)

function create({ body, client }) {
  const order = body()
  const {
    orderId,
    orderDisplayId,
    merchant,
    merchantId,
    origin,
    destination,
    pickup = { address: origin },
    dropoff = { address: destination },
  } = order
  if (typeof orderId !== 'string' || !isAddress(pickup) || !isAddress(dropoff))
    throw new Refusal(400, 'INVALID_PAYLOAD', 'orderId, pickup or dropoff is missing')
  const former = deliveries.get(orderId)
  // MUTANT 1 breaks LOG-RUL-05: a repeated creation makes another delivery.
  if (former && !(isEnded(former) && former.status !== 'DELIVERED') && !wrong(1))
    return [202, { deliveryId: former.deliveryId }]
  const deliveryId = randomUUID()
  const delivery = {
    id: deliveryId,
    deliveryId,
    orderId,
    orderDisplayId: orderDisplayId ?? orderId,
    status: 'PENDING',
    merchant: merchant ?? { id: merchantId },
    pickup,
    dropoff,
    price: { amount: 8.9, currency: 'BRL' },
    eta: eta(),
    problems: [],
    consumer: client,
  }
  deliveries.set(orderId, delivery)
  announce(delivery)
  void sleep(assignMs).then(() => {
    // MUTANT 19 breaks LOG-TRA-02: a courier is designated for what was cancelled.
    const isCancelled = wrong(19) && delivery.status === 'CANCELLED'
    if (delivery.status !== 'PENDING' && !isCancelled) return
    delivery.courier = { name: 'Rui', phone: '+5511988880000', vehicle: 'MOTORCYCLE' }
    // MUTANT 23 breaks LOG-FLD-01: with its courier a delivery gets another id.
    if (wrong(23)) delivery.id = delivery.deliveryId = randomUUID()
    become(delivery, 'ASSIGNED')
    // MUTANT 12 breaks LOG-OPS-04: the courier collects what was not called ready.
    if (delivery.isReady || wrong(12)) void ride(delivery, 'ASSIGNED', 'IN_TRANSIT', rideMs)
  })
  return [202, { deliveryId }]
}

// MUTANT 2 breaks LOG-RUL-06 and TRN-STA-09: an invalid transition is 409.
const invalid = (delivery, what) =>
  new Refusal(
    wrong(2) ? 409 : 422,
    'INVALID_TRANSITION',
    `${what} of a delivery that is ${delivery.status}`,
  )

function move(delivery, what, from, to) {
  // MUTANT 18 breaks LOG-RUL-05: what is repeated is invalid.
  if (delivery.status === to && !wrong(18)) return [202]
  // MUTANT 11 breaks LOG-RUL-06: whatever is under way may be delivered, collected or not.
  const jumps = wrong(11) && what === 'delivered' && !isEnded(delivery)
  if (!from.includes(delivery.status) && !jumps) {
    const refusal = invalid(delivery, what)
    // MUTANT 20 breaks LOG-RUL-06: what is refused is done nevertheless.
    if (wrong(20) && delivery.status !== to) become(delivery, to)
    throw refusal
  }
  become(delivery, to)
  if (to === 'IN_TRANSIT') void ride(delivery, to, 'DELIVERED', rideMs)
  return [202]
}

function ready(delivery) {
  if (delivery.status === 'CANCELLED' || delivery.status === 'FAILED')
    throw invalid(delivery, 'ready-for-pickup')
  // MUTANT 8 breaks LOG-OPS-04: that the order is ready takes it on its road.
  if (wrong(8) && delivery.status === 'ASSIGNED') become(delivery, 'IN_TRANSIT')
  if (!delivery.isReady && delivery.status === 'ASSIGNED')
    void ride(delivery, 'ASSIGNED', 'IN_TRANSIT', rideMs)
  delivery.isReady = true
  return [202]
}

/** What cannot be recovered ends the delivery. */
function fail(delivery) {
  become(delivery, 'FAILED')
  // MUTANT 21 breaks LOG-TRA-07: what has failed is delivered after all.
  if (wrong(21)) void sleep(assignMs).then(() => become(delivery, 'DELIVERED'))
}

function problem(delivery, report) {
  if (delivery.status !== 'IN_TRANSIT') throw invalid(delivery, 'a problem')
  const code = report.problemCode ?? report.code ?? report.reason
  if (typeof code !== 'string') throw new Refusal(400, 'INVALID_PAYLOAD', 'problemCode is missing')
  const entry = {
    code,
    reason: code,
    description: report.description ?? report.message,
    datetime: new Date().toISOString(),
    canFinishDeliver: report.recoverable !== false,
    needMerchantAction: false,
  }
  // MUTANT 5 breaks LOG-RUL-04: only the last report is kept.
  delivery.problems = wrong(5) ? [entry] : [...delivery.problems, entry]
  // MUTANT 22 breaks LOG-RUL-03: a report sends for another courier, who comes to collect.
  if (wrong(22)) delivery.status = 'ASSIGNED'
  announce(delivery)
  if (report.recoverable === false || report.action === 'RETURN_TO_STORE') fail(delivery)
  // MUTANT 4 breaks LOG-RUL-03: a report ends the delivery.
  if (wrong(4)) become(delivery, 'DELIVERED')
  return [202]
}

// MUTANT 3 breaks LOG-RUL-01: once there is a courier, nothing is cancelled.
const cancellable = wrong(3) ? ['PENDING'] : ['PENDING', 'ASSIGNED']
const calls = {
  'ready-for-pickup': ready,
  collected: (delivery) => move(delivery, 'collected', ['ASSIGNED'], 'IN_TRANSIT'),
  delivered: (delivery) => move(delivery, 'delivered', ['IN_TRANSIT'], 'DELIVERED'),
  problem,
  cancel: (delivery) => move(delivery, 'cancel', cancellable, 'CANCELLED'),
}

const write = 'logistics.write proto.logistics'
// MUTANT 9 breaks AUT-SCO-02 and TRN-STA-06: who may only read may also write.
const rows = [
  ['POST', '/logistics/availability', 'logistics.read proto.logistics', quote],
  ['POST', '/logistics/delivery', wrong(9) ? `${write} logistics.read` : write, create],
  [
    'GET',
    '/logistics/delivery/:id',
    'logistics.read proto.logistics',
    ({ id }) => [200, documentOf(deliveryOf(id))],
  ],
  ...Object.entries(calls).map(([name, call]) => [
    'POST',
    `/logistics/delivery/:id/${name}`,
    write,
    ({ id, raw, body }) =>
      // MUTANT 10 breaks TRN-STA-02: what is accepted is answered 200.
      call(deliveryOf(id), raw.length > 0 ? body() : {}).map((status) =>
        wrong(10) ? 200 : status,
      ),
  ]),
]

function deliveryOf(id) {
  const delivery = deliveries.get(id)
  if (!delivery) throw notFound('such delivery')
  return delivery
}
// MUTANT 14 breaks LOG-FLD-02: who reads a delivery is shown its own id as that of the order.
const documentOf = (delivery) => ({
  ...without(delivery, 'sending', 'consumer', 'isReady'),
  ...(wrong(14) && { orderId: delivery.deliveryId }),
})

const operations = ['availability', 'delivery', 'tracking']
const manifest = (endpoint) =>
  manifestOf('platform-from-the-documents', [
    {
      name: 'logistics',
      role: 'RECEIVER',
      version: 'v2',
      supported: true,
      endpoint,
      baseUrl: endpoint,
      operations,
      trackingMode: 'push',
      originator: {
        supported: true,
        supportedEvents: Object.values(eventTypes),
        unsupportedEvents: [],
        supportsWebhook: true,
        supportsPolling: false,
      },
    },
  ])

await serve({
  manifest,
  merchants: [{ id: 'merchant-1', name: 'Restaurante Um', status: 'OPEN' }],
  scopes: ['logistics.read', 'logistics.write', 'proto.logistics'],
  clients: {
    'sparring-ordering-application': 'secret-of-ordering-application',
    'sparring-software-service': 'secret-of-software-service',
  },
  rows: rows.map(([method, path, scopes, handler]) => [
    method,
    path,
    (request) => {
      const client = requireScope(request.request, ...scopes.split(' '))
      return handler({ ...request, client })
    },
  ]),
})
