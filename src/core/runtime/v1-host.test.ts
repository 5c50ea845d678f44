/** Our Ordering Application as a V1 partner, as a service built for V1 sees it. */
import { expect, test } from 'vitest'
import { V1Order } from '../protocol/v1/order.ts'
import { ordersTests } from '../../../test/support/orders-conversation.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { openSoftwareServiceSession } from '../../../test/support/software-service-session.ts'
import { type Answer, openOrdersWire, type OrdersWire } from '../../../test/support/wire.ts'
import type { HostSessionOptions } from '../../../test/support/host-session.ts'

const v1Tests = (text: string): void => ordersTests(text, { dialect: 'v1', capabilities: {} })

v1Tests(`
# [MIG-VER-01] paths of V1 are served, under /v1, and none of V2; the token endpoint is at the root
create as o
GET /v1/orders/$o => 200
GET /orders/$o => 404
GET /events:polling => 404
GET /v1/oauth/token => 404
GET /merchants => 404
GET /.well-known/protocol => 404
GET /customers => 404
GET /logistics/delivery/x => 404
v1 $o, ready-for-pickup => 404
POST /v1/orders/$o/items/x/cancel => 404

# [MIG-CUS-01, MIG-IND-01] V2 additions are absent: no CRM, no platform, no accounts
hosts => is [ordering-application]

# what clients begin with is accepted, and has no effect: their merchant, its menu, its status
PUT /v1/merchantOnboarding?merchantId=m-1 {getMerchantURL: {baseURL: x}, ordersWebhookURL: x}
=> 201 {orderingAppMerchantId: TEXT}
PUT /v1/merchantOnboarding => 201
POST /v1/merchantUpdate => 204
POST /v1/merchantUpdate {merchantStatus: AVAILABLE} => 204
GET /v1/merchantStatus?merchantId=m-1 => 200 {status: SUCCESS, lastRead: TEXT}
PUT /v1/merchantOnboarding {ordersWebhookURL: 1} => 400 ~ordersWebhookURL

# it can be left out
with {conduct: {v1: {merchantStubs: false}}}
PUT /v1/merchantOnboarding?merchantId=m-1 {} => 404
POST /v1/merchantUpdate => 404
GET /v1/merchantStatus?merchantId=m-1 => 404

# discovery names versions and event channels
GET /v1/versions/orderingApp
=> 200 is {merchant: {version: 1.7.0}, order: {version: 1.7.0, availableEventsMethods: [POLLING]}}

# an order can leave out the optional lastEvent
with {conduct: {v1: {lastEvent: false}}}
create as o
GET /v1/orders/$o => 200 not {lastEvent: ANY}

# [MIG-ORD-10] DELIVERY: confirmed, prepared, ready, dispatched, delivered, concluded
create {type: DELIVERY} as o
calls $o, confirm, preparing, readyForPickup, dispatch, delivered
pass 1m
heard $o => is [CREATED, CONFIRMED, PREPARING, READY_FOR_PICKUP, DISPATCHED, DELIVERED, CONCLUDED]

# [MIG-ORD-03] TAKEOUT: the customer picks it up
create {type: TAKEOUT} as o
calls $o, confirm, readyForPickup, pickedUp
heard $o => is [CREATED, CONFIRMED, READY_FOR_PICKUP, PICKED_UP]
v1 $o, delivered => 422

# [MIG-ORD-10, MIG-ORD-11] calls that a <type> order does not require are 422, and it reaches its end without them
with {conduct: {v1: {sends: {preparing: false, delivered: false, pickedUp: false, tracking: false}}}}
create {type: <type>} as o
calls $o, confirm
POST /v1/orders/$o/preparing => 422 is {title: /sendPreparing/, status: 422}
calls $o, readyForPickup
v1 $o, delivered => 422
v1 $o, pickedUp => 422
v1 $o, tracking => 422
calls $o<further>
pass 2m
last-heard $o => CONCLUDED
| type | further
| DELIVERY | , dispatch
| TAKEOUT |
| INDOOR |

# [MIG-ORD-10] where the marketplace delivers, the merchant’s part ends when the food is ready
with {conduct: {v1: {deliveredBy: MARKETPLACE}}}
create {type: DELIVERY} as o
GET /v1/orders/$o => 200 {delivery: {deliveredBy: MARKETPLACE}, sendDelivered: false}
calls $o, confirm, preparing, readyForPickup
pass 3m
heard $o => [CREATED, CONFIRMED, PREPARING, READY_FOR_PICKUP, DISPATCHED, DELIVERED, CONCLUDED]

# an order whose timing is <timing> is prepared when that is asked for, and another at once
create {order: {fulfillment: {orderType: INDOOR}, timing: {orderTiming: <timing>}}} as o
calls $o, confirm
pass 2s
heard $o => is [<heard>]
| timing | heard
| ONDEMAND | CREATED, CONFIRMED, PREPARATION_REQUESTED
| INSTANT | CREATED, CONFIRMED

# [MIG-ORD-05] a second confirm is 422
create as o
calls $o, confirm
v1 $o, confirm => 422

# [MIG-ORD-05] a second confirm repeats the event when configured
with {conduct: {v1: {repeated: announce}}}
create as o
calls $o, confirm, confirm
heard $o => is [CREATED, CONFIRMED, CONFIRMED]

# [MIG-ORD-10] V1 has no state machine: a merchant leaves out calls before <calls>, and no rule minds
create {type: <type>} as o
heard $o
GET /v1/orders/$o => 200
calls $o, confirm
heard $o
calls $o, <calls>
pass 1m
last-heard $o => CONCLUDED
outcomes SE-6, SE-8, CV-1 => is [passed, passed, passed]
| type | calls
| DELIVERY | dispatch, delivered
| DELIVERY | preparing, dispatch, delivered
| DELIVERY | delivered
| DELIVERY | preparing, delivered
| TAKEOUT | pickedUp
| TAKEOUT | preparing, pickedUp

# the next steps of a V1 order are those that it may skip to
create {type: DELIVERY} as o
calls $o, confirm
moves $o => is [preparing, ready-for-pickup, cancel, dispatch, delivered, ask-to-cancel]

# a merchant who is strict about it has V2’s state machine in V1, too
with {conduct: {v1: {lifecycle: strict}}}
create {type: DELIVERY} as o
calls $o, confirm
v1 $o, dispatch => 422
v1 $o, delivered => 422
moves $o => is [preparing, ready-for-pickup, cancel, ask-to-cancel]
calls $o, preparing
v1 $o, dispatch => 422
calls $o, readyForPickup, dispatch, delivered

# without a state machine, too, <call> is 422 for a <type> order after <before>
create {type: <type>} as o
calls $o<before>
v1 $o, <call> => 422
| type | before | call
| DELIVERY | | dispatch
| DELIVERY | | delivered
| DELIVERY | | readyForPickup
| TAKEOUT | | pickedUp
| TAKEOUT | , confirm | dispatch
| INDOOR | , confirm | dispatch
| DELIVERY | , confirm, dispatch | readyForPickup
| DELIVERY | , confirm, dispatch | confirm
| DELIVERY | , confirm, dispatch, delivered | dispatch
| DELIVERY | , confirm, requestCancellation | delivered

# and where delivered needs a dispatch, it needs one
with {conduct: {deliveredNeedsDispatch: true}}
create {type: DELIVERY} as o
calls $o, confirm
moves $o => is [preparing, ready-for-pickup, cancel, dispatch, ask-to-cancel]
v1 $o, delivered => 422
calls $o, dispatch, delivered

# a refused step says what is possible, as V1 calls it: <possible>
create {type: <type>} as o
calls $o, confirm
POST /v1/orders/$o/<call> {} => 422 {title: "/<call> is not possible for the <type> order .* in CONFIRMED: .* possible now: <possible>$/"}
| type | call | possible
| TAKEOUT | dispatch | preparing, readyForPickup, requestCancellation, pickedUp
| INDOOR | dispatch | preparing, readyForPickup, requestCancellation

# a step without a transition, or a passed one, is 422 in the shape of V1
create {type: TAKEOUT} as o
POST /v1/orders/$o/dispatch => 422 is {title: TEXT, status: 422}
calls $o, confirm, readyForPickup
v1 $o, confirm => 422

# <call> has V1’s required fields, or is 400 with the field: <field>
create as o
POST /v1/orders/$o/<call> <body> => 400 {title: /<field>/, status: 400}
heard $o => is [CREATED]
| call | body | field
| confirm | {} | createdAt
| confirm | {createdAt: now, orderExternalCode: "1"} | createdAt
| confirm | {createdAt: "2026-01-05T15:00:00Z"} | orderExternalCode
| requestCancellation | {reason: x, mode: AUTO} | code
| requestCancellation | {reason: x, code: RISK_AREA, mode: NEVER} | mode
| denyCancellation | {reason: x, code: NO} | code

# [MIG-ORD-01] the originator requests, the merchant accepts, and the order is cancelled
create as o
calls $o, confirm
submit {kind: handshake.offer, orderId: $o} => {ok: true}
pass 0s
GET /v1/events:polling => 200 [{}, {}, {eventType: ORDER_CANCELLATION_REQUEST,
  metadata: {code: CONSUMER_CANCELLATION_REQUESTED, reason: TEXT}}]
heard $o
v1 $o, acceptCancellation => 204
pass 10s
heard $o => is [CANCELLED]

# [MIG-ORD-01, ORD-UND-04] between an accepted cancellation and CANCELLED a step is refused as configured: <status>
with {conduct: {invalidTransition: {orders: <status>}}}
create as asked
submit {kind: handshake.offer, orderId: $asked}
v1 $asked, acceptCancellation => 204
create as requested
v1 $requested, requestCancellation => 202
submit {kind: cancellation.answer, orderId: $requested, answer: accept}
v1 $asked, confirm => <status>
v1 $requested, confirm => <status>
pass 10s
history $asked => is [CREATED, CANCELLED]
history $requested => is [CREATED, CANCELLED]
| status
| 422
| 409

# [MIG-ORD-02] a merchant requests with a code of V1’s closed list only
create as o
POST /v1/orders/$o/requestCancellation {reason: sem luz, code: FOO, mode: AUTO} => 400 ~code
POST /v1/orders/$o/requestCancellation {reason: sem luz, code: RISK_AREA, mode: AUTO} => 202

# [MIG-ORD-01] the originator requests, the merchant denies, and the order goes on from its status
create {type: TAKEOUT} as o
calls $o, confirm
submit {kind: handshake.offer, orderId: $o}
v1 $o, denyCancellation => 204
pass 10s
heard $o => is [CREATED, CONFIRMED, ORDER_CANCELLATION_REQUEST, CANCELLED_DENIED]
calls $o, readyForPickup, pickedUp
heard $o => is [READY_FOR_PICKUP, PICKED_UP]

# [MIG-ORD-01] an answer without a request is refused
create as o
v1 $o, acceptCancellation => 422
v1 $o, denyCancellation => 422
submit {kind: handshake.offer, orderId: $o}
v1 $o, denyCancellation => 204
v1 $o, acceptCancellation => 422
submit {kind: handshake.offer, orderId: $o}
apply $o, cancel
v1 $o, acceptCancellation => 422
submit {kind: handshake.offer, orderId: $o} => {ok: true}
submit {kind: handshake.offer, orderId: unknown} => {ok: false}

# [MIG-ORD-02] the merchant requests, and gets CANCELLED without an acceptance before it
create as o
calls $o, confirm, requestCancellation
pass 20s
heard $o => [CREATED, CONFIRMED, CANCELLATION_REQUESTED, CANCELLED]
POST /v1/orders/$o/requestCancellation {reason: sem luz, code: SYSTEMIC_ISSUES, mode: AUTO}
=> 422 {status: 422, cancellationStatus: CANCELLED}

# [MIG-ORD-02] the merchant requests, and gets a denial, also when it requests again
create as o
calls $o, confirm
v1 $o, requestCancellation => 202
POST /v1/orders/$o/requestCancellation {reason: sem luz, code: SYSTEMIC_ISSUES, mode: AUTO}
=> xxx not {cancellationStatus: ANY}
submit {kind: cancellation.answer, orderId: $o, answer: deny}
pass 20s
last-heard $o => CANCELLATION_REQUEST_DENIED
POST /v1/orders/$o/requestCancellation {reason: sem luz, code: SYSTEMIC_ISSUES, mode: AUTO}
=> xxx {cancellationStatus: CANCELLATION_REQUEST_DENIED}

# events are named by an acknowledgment in V1’s form; an unknown one is 404
create as o
POST /v1/events/acknowledgment [{id: x, orderId: y, eventType: CREATED}] => 404
heard $o => is [CREATED]
GET /v1/events:polling => 204

# at Pedizap an acknowledgment of an unknown one is 202, and details and codes have paths of their own
with {dialect: pedizap}
create {type: TAKEOUT} as o
POST /v1/events/acknowledgment [{id: x, orderId: y, eventType: CREATED}] => 202
PATCH /v1/orders/$o {observations: sem cebola} => 200
document $o as order
POST /v1/orders/$o/validateCode/$order.fulfillment.takeout.pickupCode
=> 200 is {orderId: $o, deliveryCode: $order.fulfillment.takeout.pickupCode}
POST /v1/orders/$o/validateCode/0 => 400

# a poll filters by up to fifteen types: <status> for <count>
GET /v1/events:polling?${'eventType=PICKED_UP&'.repeat(14)}eventType=PICKED_UP<more> => <status>
| count | more | status
| fifteen | | 204
| sixteen | &eventType=PICKED_UP | 400

# a poll filters by types of V1 only; its other name of CANCELLED_DENIED means the same
create as o
GET /v1/events:polling?eventType=ITEM_CANCELLED => 400
submit {kind: handshake.offer, orderId: $o}
pass 0s
v1 $o, denyCancellation => 204
pass 0s
GET /v1/events:polling?eventType=CANCELLATION_DENIED => 200 [{eventType: CANCELLED_DENIED}]
`)

/** V2, where no dialect is spoken. */
ordersTests(`
# [MIG-VER-01] paths of V1 are unknown without the dialect, where those of V2 are served
create as o
GET /v1/orders/$o => 404
GET /v1/events:polling => 404
GET /v1/versions/orderingApp => 404
POST /orders/$o/readyForPickup {} => 404
POST /orders/$o/pickedUp {} => 404
POST /orders/$o/acceptCancellation {} => 404
POST /orders/$o/denyCancellation {} => 404

# [MIG-ORD-05] V2 accepts a second confirm without effect
create as o
POST /orders/$o/confirm => 202
pass 1s
POST /orders/$o/confirm => 202
events $o => is [CREATED, CONFIRMED]
`)

const open = (options: HostSessionOptions = {}): Promise<OrdersWire> =>
  openOrdersWire({ dialect: 'v1', capabilities: {}, ...options })

interface V1Event {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
  readonly orderURL: string
  readonly metadata?: Readonly<Record<string, string>>
}

const poll = async (wire: OrdersWire): Promise<readonly V1Event[]> => {
  const answer = await wire.send('GET', '/v1/events:polling')
  return answer.status === 204 ? [] : (answer.json as V1Event[])
}

const acknowledge = (wire: OrdersWire, events: readonly V1Event[]): Promise<Answer> =>
  wire.send('POST', '/v1/events/acknowledgment', {
    body: events.map(({ eventId, orderId, eventType }) => ({ id: eventId, orderId, eventType })),
  })

test('to a token need a form without a scope; the one scope covers everything', async () => {
  await using wire = await open()
  const form = await wire.send('POST', '/oauth/token', {
    text: 'client_id=subject&client_secret=secret&grant_type=client_credentials',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    token: null,
  })
  expect(form.json).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  const { access_token: token } = form.json as { access_token: string }
  expect((await wire.send('GET', '/v1/events:polling', { token })).status).toBe(204)
  const all = await wire.token('od.all')
  expect((await wire.send('GET', '/v1/events:polling', { token: all })).status).toBe(204)
})

test('[MIG-ORD-07, MIG-ORD-08] are V1 documents, and the URL of an event leads to them', async () => {
  await using wire = await open()
  for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const) {
    const id = await wire.create({ type })
    const [event] = await poll(wire)
    expect(event).toMatchObject({ eventType: 'CREATED', orderId: id })
    expect(event?.orderURL).toBe(`${wire.base}/v1/orders/${id}`)
    const { json } = await wire.send('GET', event?.orderURL ?? '')
    expect(V1Order.safeParse(json).error).toBeUndefined()
    expect(json).toMatchObject({ id, type, lastEvent: 'CREATED' })
    await acknowledge(wire, await poll(wire))
  }
})

test.each<[string, NonNullable<HostSessionOptions['conduct']>, string]>([
  ['at a path of its own', { paths: { getOrderV1: '/api/pedidos/{orderId}' } }, '/api/pedidos/'],
  ['under another base path', { basePath: '/v4/opendelivery/v1' }, '/v4/opendelivery/v1/orders/'],
  ['at the path of the merchant', { paths: { getOrderV1: '/m/{merchantId}/o/{orderId}' } }, '/m/'],
])('the URL of an event leads to its order %s', async (_where, conduct, path) => {
  await using wire = await open({ conduct })
  const id = await wire.create({ type: 'DELIVERY' })
  const polling = `${conduct.basePath ?? '/v1'}/events:polling`
  const [event] = (await wire.send('GET', polling)).json as V1Event[]
  expect(event?.orderURL.startsWith(`${wire.base}${path}`)).toBe(true)
  const order = await wire.send('GET', event?.orderURL ?? '')
  expect([order.status, order.json]).toEqual([200, expect.objectContaining({ id })])
})

test('[MIG-ORD-01] an automatic cancellation by the originator requests first, or does not, as configured', async () => {
  for (const originatorCancel of ['handshake', 'direct'] as const) {
    await using wire = await open({
      conduct: { v1: { originatorCancel } },
      counterparts: { 'ordering-application': { behaviour: 'hostile' } },
    })
    for (let count = 0; count < 40; count++) await wire.create()
    await wire.pass(30_000)
    const kinds = wire.session.facts().map(({ fact }) => fact.kind)
    expect(kinds.includes('handshake.offered')).toBe(originatorCancel === 'handshake')
  }
})

test('must have all three fields in strict V1', async () => {
  await using wire = await open({ conduct: { acknowledgment: 'v1' } })
  await wire.create()
  const events = await poll(wire)
  for (const body of [
    events.map(({ eventId }) => ({ id: eventId })),
    events.map(({ eventId }) => eventId),
    { eventIds: events.map(({ eventId }) => eventId) },
  ])
    expect((await wire.send('POST', '/v1/events/acknowledgment', { body })).status).toBe(400)
  expect((await acknowledge(wire, events)).status).toBe(202)
})

test('[MIG-ORD-06] are sent by webhook to /v1/newEvent, with the signature and without a token, and 200 is as good as 204', async () => {
  for (const status of [200, 204]) {
    await using receiver = await openReceiver({ reply: () => ({ status }) })
    await using wire = await open({
      subject: { url: receiver.url, webhooks: { orders: '/webhooks/v1/newEvent' } },
      counterparts: { 'ordering-application': { channel: 'webhook' } },
    })
    const id = await wire.create()
    await wire.pass(1000)
    const [received] = receiver.received
    expect(received?.event).toMatchObject({ orderId: id, eventType: 'CREATED' })
    expect(received?.headers['x-app-signature']).toMatch(/^[0-9a-f]{64}$/)
    expect(received?.headers).not.toHaveProperty('authorization')
    // No manifest was requested: V1 has none.
    expect(receiver.others).toEqual([])
    expect(wire.session.facts().some(({ fact }) => fact.kind === 'event.pushed')).toBe(true)
  }
  await using wire = await open()
  expect(wire.session.urls.size).toBe(1)
})

test('details are accepted later, in part, and the order has them from then on', async () => {
  await using wire = await open()
  const id = await wire.create({ type: 'DELIVERY' })
  const path = `/v1/orders/${id}/details`
  const begin = '2026-01-05T16:30:00.000Z'
  const patched = await wire.send('PATCH', path, { body: { preparationStartDateTime: begin } })
  expect([patched.status, patched.json]).toMatchObject([
    200,
    { id, preparationStartDateTime: begin },
  ])
  const remark = { observations: 'entregar na portaria' }
  expect((await wire.send('PATCH', path, { body: remark })).status).toBe(200)
  const order = V1Order.parse((await wire.send('GET', `/v1/orders/${id}`)).json)
  expect(order).toMatchObject({ preparationStartDateTime: begin })
  expect(JSON.stringify(order)).toContain(remark.observations)
  expect((await wire.send('PATCH', path, { body: {} })).status).toBe(400)
  const wrong = await wire.send('PATCH', path, { body: { preparationStartDateTime: 'soon' } })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('preparationStart')])
  const nowhere = await wire.send('PATCH', '/v1/orders/nobody/details', { body: remark })
  expect(nowhere.status).toBe(404)
  expect((await wire.send('PATCH', `/v1/orders/${id}`, { body: remark })).status).toBe(404)
})

test('only the customer’s delivery code is accepted', async () => {
  await using wire = await open()
  const id = await wire.create({ type: 'DELIVERY' })
  const { order } = await wire.session.look({ orderId: id })
  const { customer } = order!.document as { customer: { phone: { number: string } } }
  const code = customer.phone.number.slice(-4)
  const validate = (query: string) => wire.send('POST', `/v1/orders/${id}/validateCode${query}`)
  const right = await validate(`?deliveryCode=${code}`)
  expect([right.status, right.json]).toEqual([200, { orderId: id, deliveryCode: code }])
  expect((await validate(`?deliveryCode=${code}0`)).status).toBe(400)
  expect((await validate('')).status).toBe(400)
})

test('a merchant’s software registers its address', async () => {
  await using store = await openSoftwareServiceSession({ dialect: 'v1', capabilities: {} })
  const answer = await store.send('GET', '/v1/versions/merchant')
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      merchantEndpoint: `${store.base}/v1`,
      ordersWebhook: `${store.base}/v1/newEvent`,
    },
  ])
})
