/** How an order begins: created internally, readable, announced, polled, acknowledged. */
import { expect, test } from 'vitest'
import { ordersTests } from '../../../test/support/orders-conversation.ts'
import { receiverManifest } from '../../../test/support/webhook-receiver.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { openOrdersWire, eventTypesOf } from '../../../test/support/wire.ts'
import type { OrderEvent } from '../protocol/orders/event.ts'

ordersTests(`
# [ORD-UND-09] an empty mailbox is <status> <body> with <conduct>
with {conduct: <conduct>}
GET /events:polling => <status> <body>
| conduct | status | body
| {} | 204 | NO_BODY
| {emptyPoll: 200} | 200 | is []

# [ORD-UND-09] a poll answers a bare JSON array, and at most a batch
with {conduct: {pollBatch: 2}}
create
create
create
create
create
GET /events:polling => 200 [{}, {}]
events => is [CREATED, CREATED, CREATED, CREATED, CREATED]

# [ORD-UND-09] an acknowledgment by <form> is accepted
create
create
poll as events
POST /events/acknowledgment <form> => 202
poll => is []
| form
| {eventIds: [$events.0.eventId, $events.1.eventId]}
| [$events.0.eventId, $events.1.eventId]
| [{id: $events.0.eventId, eventType: CREATED}, {id: $events.1.eventId, eventType: CREATED}]
| [{eventId: $events.0.eventId}, {eventId: $events.1.eventId}]

# [ORD-UND-09] when configured only {eventIds} is accepted, and unknown events are refused
with {conduct: {acknowledgment: eventIds, unknownAcknowledgment: refuse}}
create
poll as events
POST /events/acknowledgment [$events.0.eventId] => 400
POST /events/acknowledgment {eventIds: [unknown]} => 404
// One unknown id invalidates the whole body: no event is acknowledged.
POST /events/acknowledgment {eventIds: [$events.0.eventId, unknown]} => 404
poll => [{}]
POST /events/acknowledgment {eventIds: [$events.0.eventId]} => 202
poll => is []

# [ORD-UND-09] by default an acknowledgment of an unknown event is accepted without effect
POST /events/acknowledgment {eventIds: [x]} => 202

# a poll may filter by types and by merchants
plain here as here
whole there, {merchant: {id: merchant-2}}
bring $here, CONFIRMED
GET /events:polling with {x-polling-merchants: "merchant-2,merchant-3"} => 200 [{orderId: there}]
GET /events:polling?eventType=CONFIRMED&eventType=CANCELLED => 200 [{eventType: CONFIRMED}]
// Events that a filter excludes count as acknowledged.
poll => [{eventType: CONFIRMED}]
GET /events:polling?${'eventType=CREATED&'.repeat(20)}eventType=CREATED => 400

# [ORD-EVT-01] a poll for <type>, which is no event type, is 400 with the nearest one, and takes no event
create
GET /events:polling?eventType=<type> => 400 ~"<words>"
poll => [{eventType: CREATED}]
| type | words
| created | eventType created is no event type; is CREATED meant?
| CREATED,CONFIRMD | eventType CONFIRMD is no event type; is CONFIRMED meant?
| PICKED_UP | eventType PICKED_UP is no event type
| ORDER_TELEPORTED | eventType ORDER_TELEPORTED is no event type

# a poll for over a hundred merchants is 400, and takes no event
create
GET /events:polling with {x-polling-merchants: "${Array.from({ length: 101 }, (_, index) => `m${index}`).join()}"} => 400
poll => [{eventType: CREATED}]

# the colon of the polling path may be written as %3A
create
GET /events%3Apolling => 200

# [ORD-OPS-04] GET answers 404 with the error body for an unknown order
GET /orders/no-such-order
=> 404 is {error: {code: NOT_FOUND, message: there is no order no-such-order, retryable: false}}

# a read records no fact
create as o
GET /orders/$o => 200
count as facts
GET /orders/$o => 200
GET /orders/no-such-order => 404
count => $facts
`)

test.each(['polling', 'webhook', 'both'] as const)(
  '[ORD-GEN-04] it originates an order and emits its events by %s',
  async (channel) => {
    const hooks: string[] = []
    await using wire = await openOrdersWire({
      listen: false,
      counterparts: { 'ordering-application': { channel } },
      async handler(request) {
        const { pathname } = new URL(request.url)
        if (pathname === '/oauth/token')
          return Response.json({ access_token: 't', token_type: 'bearer', expires_in: 3600 })
        if (pathname === '/.well-known/protocol') return Response.json(receiverManifest())
        if (!pathname.startsWith('/webhooks/')) return new Response(null, { status: 404 })
        hooks.push(((await request.json()) as OrderEvent).eventType)
        return new Response(null, { status: 204 })
      },
    })
    const orderId = await wire.create({ type: 'DELIVERY' })
    await wire.bring(orderId, 'DELIVERED')
    const all = ['CREATED', 'CONFIRMED', 'PREPARING', 'READY_FOR_PICKUP', 'DELIVERED']
    const polled = (await wire.send('GET', '/events:polling')).status
    if (channel === 'webhook') expect(polled).not.toBe(200)
    else expect(eventTypesOf(await wire.drain(orderId))).toEqual(all)
    expect(hooks).toEqual(channel === 'polling' ? [] : all)
  },
)

test('a credential of one merchant gives access to that merchant’s orders and events only', async () => {
  const client = { clientId: 'one', clientSecret: 'store', role: 'software-service' } as const
  for (const unknownAcknowledgment of ['ignore', 'refuse'] as const) {
    await using wire = await openOrdersWire({
      conduct: { unknownAcknowledgment },
      clients: [{ ...client, merchants: ['merchant-1'] }],
    })
    const issued = await wire.send('POST', '/oauth/token', {
      token: null,
      body: { client_id: client.clientId, client_secret: client.clientSecret },
    })
    const { access_token: token } = issued.json as { access_token: string }
    await wire.create({ order: plainOrder('mine') })
    await wire.create({ order: { ...plainOrder('theirs'), merchant: { id: 'merchant-2' } } })
    const all = await wire.poll()
    expect(all.map(({ orderId }) => orderId)).toEqual(['mine', 'theirs'])

    const polled = await wire.send('GET', '/events:polling', { token })
    expect(polled.json).toEqual(all.slice(0, 1))
    const asked = { token, headers: { 'x-polling-merchants': 'merchant-2' } }
    expect((await wire.send('GET', '/events:polling', asked)).status).toBe(204)
    expect((await wire.send('GET', '/orders/mine', { token })).status).toBe(200)
    expect((await wire.send('GET', '/orders/theirs', { token })).status).toBe(404)
    expect((await wire.send('POST', '/orders/theirs/confirm', { token })).status).toBe(404)

    const body = { eventIds: all.map(({ eventId }) => eventId) }
    const acknowledged = await wire.send('POST', '/events/acknowledgment', { token, body })
    expect(acknowledged.status).toBe(unknownAcknowledgment === 'ignore' ? 202 : 404)
    const left = (await wire.poll()).map(({ orderId }) => orderId)
    expect(left).toEqual(unknownAcknowledgment === 'ignore' ? ['theirs'] : ['mine', 'theirs'])
  }
})

test.each(['', '{}', '{"eventIds":"x"}', '[{"name":"x"}]', '{"eventIds":[1]}', '{"eventIds":['])(
  'an acknowledgment of %j is malformed: 400 with the error body',
  async (text) => {
    await using wire = await openOrdersWire({ listen: false })
    const headers = { 'content-type': 'application/json' }
    const answer = await wire.send('POST', '/events/acknowledgment', { text, headers })
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: { code: 'INVALID_PAYLOAD', retryable: false } })
  },
)
