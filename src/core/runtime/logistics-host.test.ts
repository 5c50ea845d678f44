/** The Delivery Platform as its consumers see it: availability, creation, GET, progress, problems, cancellation. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { logisticsTests } from '../../../test/support/logistics-conversation.ts'
import {
  dropoffPlace,
  type LogisticsWire,
  type LogisticsWireOptions,
  openLogisticsWire,
  pickupPlace,
} from '../../../test/support/logistics-wire.ts'

logisticsTests(`
# [LOG-UND-02] a quote accepts pickup and dropoff or origin and destination, and answers in both names
places as sent
POST /logistics/availability {pickup: $sent.pickup, dropoff: $sent.dropoff, orderId: o}
=> 200 {deliveryFee: {value: NUMBER}, estimatedDeliveryMinutes: ANY, quoteId: TEXT} as ours
POST /logistics/availability {merchantId: m, origin: $sent.pickup.address, destination: $sent.dropoff.address}
=> 200 {price: $ours.price}

# [LOG-UND-02] with <names> names a quote has <has> and not <lacks>
with {conduct: {logistics: {names: <names>}}}
places as sent
POST /logistics/availability $sent => 200 {<has>: ANY} as quote
value $quote => not {<lacks>: ANY}
| names | has | lacks
| documents | price | deliveryFee
| documents | eta | estimatedDeliveryMinutes
| standard | deliveryFee | price

# [LOG-CON-02] availability answers available false outside its areas, beyond its range, and under full load
with {conduct: {logistics: {areasWithoutService: [Vila Madalena], mostKm: 4, mostOpen: 2}}}
places as sent
POST /logistics/availability $sent => 200 is {available: false, unavailableReason: OUT_OF_COVERAGE}
POST /logistics/availability {pickup: $sent.pickup,
  dropoff: {address: {coordinates: {latitude: -23.527, longitude: -46.704}}}}
=> 200 {available: false}
POST /logistics/availability {pickup: $sent.pickup, dropoff: {address: {neighborhood: Bela Vista,
  coordinates: $sent.dropoff.address.coordinates}}} => 200 {available: true}
create one
create two
POST /logistics/availability {pickup: $sent.pickup, dropoff: {address: {neighborhood: Bela Vista,
  coordinates: $sent.dropoff.address.coordinates}}}
=> 200 is {available: false, unavailableReason: NO_DELIVERYPERSON_AVAILABLE}

# a creation where nothing is delivered is accepted all the same
with {conduct: {logistics: {areasWithoutService: [São Paulo]}}}
create o => {deliveryId: TEXT}

# a creation where nothing is delivered is refused when configured
with {conduct: {logistics: {areasWithoutService: [São Paulo], uncovered: refuse}}}
request o as body
POST /logistics/delivery $body => 422 DELIVERY_AREA_NOT_COVERED
GET /logistics/delivery/o => 404

# [LOG-FLD-04] a delivery shows merchant, pickup and dropoff, each with address and contact, whatever was sent
places as sent
create o
read o
=> {merchant: {id: loja-1, address: $sent.pickup.address, contact: $sent.pickup.contact}, pickup: $sent.pickup,
  dropoff: $sent.dropoff}
POST /logistics/delivery {orderId: bare, merchantId: m, origin: {}, destination: {}}
read bare
=> {merchant: {address: {}, contact: {}}, pickup: {address: {}, contact: {}}, dropoff: {address: {}, contact: {}}}

# [LOG-UND-05] a receipt has the id by default, and that of a cancellation is empty
create o => {deliveryId: TEXT}
POST /logistics/delivery/o/cancel => 202 NO_BODY

# [LOG-UND-05] a receipt is empty, or the delivery, as configured: <receipts>
with {conduct: {logistics: {receipts: <receipts>}}}
request o as body
POST /logistics/delivery $body => 202 <created>
POST /logistics/delivery/o/cancel => 202 <cancelled>
| receipts | created | cancelled
| empty | NO_BODY | NO_BODY
| delivery | {orderId: o, status: PENDING} | {orderId: o}

# [LOG-UND-04] a second creation is 202 without effect while the delivery is <status>
places as sent
create o
bring o, <status>
read o => {status: <status>} as before
count as facts
create o, {dropoff: $sent.pickup} => {deliveryId: $before.id}
count => $facts
read o => {id: $before.id, status: <status>, dropoff: $sent.dropoff}
| status
| PENDING
| ASSIGNED
| IN_TRANSIT
| DELIVERED

# [LOG-UND-04] a creation after a delivery has ended <status> creates a new one
create o
bring o, <status>
read o => {status: <status>} as before
create o
read o => {status: PENDING}
read o => not {id: $before.id}
| status
| CANCELLED
| FAILED

# [LOG-UND-04] it creates none when configured
with {conduct: {logistics: {renewAfterEnd: false}}}
create o
bring o, CANCELLED
create o
read o => {status: CANCELLED}

# plans for an earlier delivery of the order do not affect the next
create o
bring o, CANCELLED
create o
bring o, CANCELLED
create o
pass 60s
assigned => 1
facts delivery.lapsed => [{}, {}]

# [LOG-TEN-02] GET accepts the order’s id only
create o as receipt
GET /logistics/delivery/$receipt.deliveryId => 404
POST /logistics/delivery/$receipt.deliveryId/cancel => 404

# [LOG-TEN-02] GET accepts the delivery’s own id when configured
with {conduct: {logistics: {lookupByDeliveryId: true}}}
create o as receipt
read o => {} as delivery
GET /logistics/delivery/$receipt.deliveryId => 200 is $delivery
POST /logistics/delivery/$receipt.deliveryId/cancel => 202

# [LOG-FLD-05, LOG-FLD-06, LOG-FLD-07, LOG-FLD-08] the optional field <field> can be left out
with {conduct: {logistics: {withheldFields: [courier, price, eta, trackingUrl], names: documents}}}
create o
bring o, ASSIGNED
read o => not {<field>: ANY}
| field
| courier
| price
| eta
| trackingUrl
| deliveryId

# [LOG-FLD-05] the link of a delivery leads to it, also where the partner has it at <path>
with {conduct: {paths: {getDelivery: "<path>"}, logistics: {names: documents}}}
create o
GET <own> => 200 {trackingUrl: /<own>$/}
| path | own
| /entregas/{orderId} | /entregas/o
| /logistics/delivery/{orderId} | /logistics/delivery/o

# [LOG-UND-03] an operator can assign one, and it is announced
create o
bring o, ASSIGNED
pass 0s
read o => {status: ASSIGNED}
hooks => [{eventType: PENDING}, {eventType: ACCEPTED}]

# [LOG-OPS-04] ready-for-pickup answers 202 and leaves the status unchanged, and the courier collects the food
create o
POST /logistics/delivery/o/ready-for-pickup => 202
read o => {status: PENDING}
bring o, ASSIGNED
POST /logistics/delivery/o/ready-for-pickup {observation: balcão 2} => 202
read o => {status: ASSIGNED}
pass 12s
facts delivery.moved => [{to: ASSIGNED}, {to: IN_TRANSIT}, {to: DELIVERED}]

# a courier waits for food that is never reported ready, for a limited time
create o
pass 5m
read o => {status: ASSIGNED}
pass 10m
read o => {status: DELIVERED}

# of two accepted calls one takes effect, the other has none
create o
bring o, ASSIGNED
POST /logistics/delivery/o/cancel => 202
POST /logistics/delivery/o/collected => 202
pass 200ms
read o => {status: /CANCELLED|IN_TRANSIT/}
facts delivery.lapsed => [{}]

# [LOG-RUL-05] <call> of a delivery that is <status>, its target status: 202 without effect
create o
bring o, <status>
POST /logistics/delivery/o/<call>
count as facts
POST /logistics/delivery/o/<call> => 202
count => $facts
read o => {status: <status>}
| status | call
| ASSIGNED | ready-for-pickup
| IN_TRANSIT | collected
| DELIVERED | delivered
| CANCELLED | cancel

# [LOG-RUL-06] <call> of a delivery that is <status>, without a transition: 422 with the error body, and no change
create o
bring o, <status>
count as facts
POST /logistics/delivery/o/<call> {problemCode: OTHER}
=> 422 ~<status> {error: {code: INVALID_TRANSITION, retryable: false}}
count => $facts
read o => {status: <status>}
| status | call
| PENDING | collected
| PENDING | delivered
| PENDING | problem
| ASSIGNED | delivered
| ASSIGNED | problem
| DELIVERED | cancel
| DELIVERED | problem
| CANCELLED | collected
| CANCELLED | delivered
| CANCELLED | ready-for-pickup
| FAILED | cancel
| FAILED | delivered

# [LOG-RUL-06] a refusal names the calls that are possible now, delivered too
create o
bring o, IN_TRANSIT
POST /logistics/delivery/o/cancel {reason: OTHER} => 422 ~delivered

# a dialect may answer 409, and may refuse passed statuses
with {conduct: {invalidTransition: {logistics: 409}, passedTarget: 422}}
create o
POST /logistics/delivery/o/delivered => 409
bring o, DELIVERED
POST /logistics/delivery/o/collected => 422

# <call> of an order without a delivery: 404
POST /logistics/delivery/unknown/<call> {problemCode: OTHER} => 404
| call
| ready-for-pickup
| collected
| delivered
| cancel
| problem

# [LOG-TRA-07] an unrecoverable problem <body> ends in FAILED
create o
bring o, IN_TRANSIT
POST /logistics/delivery/o/problem <body> => 202
read o => {status: IN_TRANSIT}
pass 3s
read o => {status: FAILED}
| body
| {problemCode: FRAUD_OR_THEFT, recoverable: false}
| {reason: ORDER_DAMAGED_OR_VIOLATED, action: RETURN_TO_STORE}

# [LOG-TRA-07] a failure by an operator is final
create o
bring o, FAILED
pass 60s
read o => {status: FAILED}

# [LOG-RUL-03] the unrecoverable codes are configurable
with {conduct: {logistics: {unrecoverableProblems: [FRAUD_OR_THEFT]}}}
create o
bring o, IN_TRANSIT
POST /logistics/delivery/o/problem {problemCode: FRAUD_OR_THEFT}
pass 3s
read o => {status: FAILED}

# [LOG-UND-02] a problem needs a code
create o
bring o, IN_TRANSIT
POST /logistics/delivery/o/problem {} => 400 ~problemCode

# [LOG-UND-02] the code may be restricted to the list
with {conduct: {logistics: {problemCodes: listed, problemStatuses: [PENDING]}}}
create o
POST /logistics/delivery/o/problem {problemCode: NOBODY_TO_RECEIVE} => 202
POST /logistics/delivery/o/problem {problemCode: SUNSHINE} => 400
read o => {status: PENDING, problems: [{}]}

# [LOG-TEN-01] a cancellation in IN_TRANSIT with <cancel> in force: 202, and <status>
with {conduct: {logistics: {cancelInTransit: <cancel>}}}
create o
bring o, IN_TRANSIT
POST /logistics/delivery/o/cancel => 202
pass 200ms
read o => {status: <status>}
| cancel | status
| cancel | CANCELLED
| fail | FAILED

# [LOG-GEN-01] availability, creation, tracking, progress, problems and cancellation are all served
request o as body
POST /logistics/availability $body => 200
POST /logistics/delivery $body => 202
GET /logistics/delivery/o => 200
POST /logistics/delivery/o/ready-for-pickup $body => 202
POST /logistics/delivery/o/collected $body => 422
POST /logistics/delivery/o/delivered $body => 422
POST /logistics/delivery/o/problem {problemCode: OTHER} => 422
POST /logistics/delivery/o/cancel $body => 202

# [LOG-GEN-02] nothing of orders, menus or customers is served under Logistics: <path>
GET <path> => 404
POST <path> => 404
| path
| /orders/o
| /orders/o/confirm
| /merchants/m/menu
| /customers
`)

let wire: LogisticsWire
const open = async (options: LogisticsWireOptions = {}): Promise<LogisticsWire> => {
  await wire?.session.close()
  wire = await openLogisticsWire(options)
  await wire.pass(0)
  return wire
}
beforeEach(() => open())
afterEach(() => wire.session.close())

const quote = async (body: object): Promise<Record<string, unknown>> => {
  const answer = await wire.send('POST', '/logistics/availability', { body })
  expect(answer.status).toBe(200)
  return answer.json as Record<string, unknown>
}

test('the price and the estimate grow with distance and load', async () => {
  const far = {
    ...dropoffPlace,
    address: { ...dropoffPlace.address, coordinates: { latitude: -23.62, longitude: -46.7 } },
  }
  const near = await quote({ pickup: pickupPlace, dropoff: dropoffPlace })
  const away = await quote({ pickup: pickupPlace, dropoff: far })
  const amount = (answer: Record<string, unknown>) => (answer['price'] as { amount: number }).amount
  expect(amount(away)).toBeGreaterThan(amount(near))
  expect(String(away['eta']) > String(near['eta'])).toBe(true)
  for (let count = 0; count < 20; count++) await wire.create(`o${count}`)
  const busy = await quote({ pickup: pickupPlace, dropoff: dropoffPlace })
  expect(amount(busy)).toBeGreaterThan(amount(near))
  expect(String(busy['eta']) > String(near['eta'])).toBe(true)
  expect(await quote({ pickup: pickupPlace, dropoff: dropoffPlace })).toMatchObject({
    price: busy['price'],
  })
})

test('twenty concurrent calls for one order create one delivery', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => wire.create('o')))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(wire.facts('delivery.created')).toHaveLength(1)
})

test('[LOG-FLD-05] shows the courier from ASSIGNED on, moving along the route', async () => {
  await wire.create('o')
  expect(await wire.read('o')).not.toHaveProperty('courier')
  await wire.pass(3000)
  const first = await wire.read('o')
  expect(first.courier).toMatchObject({
    name: expect.any(String),
    phone: expect.stringMatching(/^\+55/),
    vehicle: expect.any(String),
    tracking: { latitude: expect.any(Number), longitude: expect.any(Number) },
  })
  await wire.ask('o', 'ready-for-pickup')
  const seen = [first]
  for (let count = 0; count < 12; count++) {
    await wire.pass(1000)
    seen.push(await wire.read('o'))
  }
  const ridden = seen.filter(({ status }) => status === 'IN_TRANSIT')
  const left = ridden.map(
    ({ courier }) =>
      (courier?.['tracking'] as Record<string, number> | undefined)?.['metresToDropoff'] ?? 0,
  )
  expect(left.length).toBeGreaterThan(3)
  expect(left).toEqual(left.toSorted((one, other) => other - one))
  // The position follows from the instant, without a fact.
  const looked = wire.session.facts().length
  await wire.read('o')
  expect(wire.session.facts().length).toBe(looked)
})
