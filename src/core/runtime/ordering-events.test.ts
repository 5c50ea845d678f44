/** The events of the Ordering Application beside the lifecycle, and those it leaves out, repeats or loses on demand. */
import { expect, test } from 'vitest'
import { ordersTests } from '../../../test/support/orders-conversation.ts'
import { eventTypesOf, openOrdersWire } from '../../../test/support/wire.ts'
import type { OrderEvent } from '../protocol/orders/event.ts'
import { orderTypes } from '../protocol/orders/order.ts'

ordersTests(`
# <event> [<clause>] for a <type> order that is <at>: <result>, and it changes no status
create {type: <type>} as o
bring $o, <at>
events
emit $o, <event> => <result>
events => is [<events>]
read $o => {status: <at>, lastEvent: <last>}
| event | clause | type | at | result | events | last
| PICKUP_ONGOING | ORD-EVT-06 | DELIVERY | READY | emitted | PICKUP_ONGOING | PICKUP_ONGOING
| PICKUP_ONGOING | ORD-EVT-06 | TAKEOUT | READY | EVENT_NOT_ALLOWED |  | READY_FOR_PICKUP
| PICKUP_ONGOING | ORD-EVT-06 | INDOOR | READY | EVENT_NOT_ALLOWED |  | READY_FOR_PICKUP
| RIDER_ARRIVED_AT_STORE | ORD-EVT-07 | DELIVERY | READY | emitted | RIDER_ARRIVED_AT_STORE | RIDER_ARRIVED_AT_STORE
| RIDER_ARRIVED_AT_STORE | ORD-EVT-07 | TAKEOUT | READY | EVENT_NOT_ALLOWED |  | READY_FOR_PICKUP
| RIDER_ARRIVED_AT_STORE | ORD-EVT-07 | INDOOR | READY | EVENT_NOT_ALLOWED |  | READY_FOR_PICKUP
| DELIVERY_ONGOING | ORD-EVT-10 | DELIVERY | READY | emitted | DELIVERY_ONGOING | DELIVERY_ONGOING
| DELIVERY_ONGOING | ORD-EVT-10 | TAKEOUT | READY | EVENT_NOT_ALLOWED |  | READY_FOR_PICKUP
| DELIVERY_ONGOING | ORD-EVT-10 | INDOOR | READY | EVENT_NOT_ALLOWED |  | READY_FOR_PICKUP
| ARRIVED_AT_CUSTOMER | ORD-EVT-11 | DELIVERY | READY | emitted | ARRIVED_AT_CUSTOMER | ARRIVED_AT_CUSTOMER
| ARRIVED_AT_CUSTOMER | ORD-EVT-11 | TAKEOUT | READY | EVENT_NOT_ALLOWED |  | READY_FOR_PICKUP
| ARRIVED_AT_CUSTOMER | ORD-EVT-11 | INDOOR | READY | EVENT_NOT_ALLOWED |  | READY_FOR_PICKUP
| PREPARATION_REQUESTED | ORD-EVT-03 | DELIVERY | CREATED | emitted | PREPARATION_REQUESTED | PREPARATION_REQUESTED
| PREPARATION_REQUESTED | ORD-EVT-03 | TAKEOUT | CREATED | emitted | PREPARATION_REQUESTED | PREPARATION_REQUESTED
| PREPARATION_REQUESTED | ORD-EVT-03 | INDOOR | CREATED | EVENT_NOT_ALLOWED |  | CREATED

# [ORD-EVT-09, ORD-TEN-03] when the courier collects a <type> order, ORDER_COLLECTED leads to IN_DELIVERY as well
create {type: <type>} as o
bring $o, READY
events
apply $o, collect
pass 0s
events => is [<events>]
read $o => {status: <status>}
| type | events | status
| DELIVERY | ORDER_COLLECTED | IN_DELIVERY
| TAKEOUT |  | READY
| INDOOR |  | READY

# [ORD-TEN-03] the later of DISPATCHED and ORDER_COLLECTED changes nothing
create {type: DELIVERY} as o
bring $o, IN_DELIVERY
events
emit $o, ORDER_COLLECTED => emitted
events => is [ORDER_COLLECTED]
read $o => {status: IN_DELIVERY}
bring $o, DELIVERED
emit $o, DISPATCHED => emitted
read $o => {status: DELIVERED}
create {type: DELIVERY} as collected
bring $collected, READY
apply $collected, collect
pass 0s
events
POST /orders/$collected/dispatch => 202
pass 1s
events $collected => is []

# [ORD-EVR-07] a forbidden event is emitted as a fault
create {type: TAKEOUT} as o
events
emit $o, DISPATCHED, true => emitted
events => is [DISPATCHED]
read $o => {status: CREATED}

# [ORD-EVR-08] PICKED_UP cannot be declared, supported or not
GET /.well-known/protocol => 200 ~ORDER_COLLECTED as manifest
text $manifest => /^(?!.*PICKED_UP)/

# <event> [<clause>] can be left out, and the status moves without it
with {conduct: {unsupportedEvents: [<event>]}}
create {type: DELIVERY} as o
bring $o, <status>
read $o => {status: <status>}
events $o as types
text $types => /^(?!.*"<event>")/
// Events left out are declared as unsupported.
GET /.well-known/protocol as manifest
text $manifest => /"unsupportedEvents":\\["<event>"\\]/
| event | clause | status
| PREPARING | ORD-EVT-04 | PREPARING
| READY_FOR_PICKUP | ORD-EVT-05 | READY
| DISPATCHED | ORD-EVT-08 | IN_DELIVERY
| CONCLUDED | ORD-EVT-17 | CONCLUDED

# [ORD-EVR-01, ORD-EVR-06] a dropped event is lost, and GET is still right
create as o
events
apply $o, confirm
planned $o, event.offer as item
submit {kind: agenda.drop, id: $item} => {ok: true}
pass 10m
events $o => is []
read $o => {status: CONFIRMED, lastEvent: CONFIRMED}

# [ORD-EVR-04, ORD-EVR-01] events can be handed over out of order, and GET is still right
create as o
events
apply $o, confirm
planned $o, event.offer as item
submit {kind: agenda.delay, id: $item, byMs: 5000} => {ok: true}
bring $o, PREPARING
pass 5s
events $o => is [PREPARING, CONFIRMED]
read $o => {status: PREPARING, lastEvent: PREPARING}

# [ORD-EVR-03, ORD-EVF-01] an event can be handed over twice: the same id, the same content
create as o
events
apply $o, confirm
planned $o, event.offer as item
submit {kind: agenda.duplicate, id: $item} => {ok: true}
pass 0s
poll => [{eventType: CONFIRMED}, {eventType: CONFIRMED}] as both
value $both.0 => is $both.1
acknowledge $both => 202
poll => is []

# [ORD-UND-07] a courier event is accepted with 202 and changes no status, however often it is sent
create {type: DELIVERY} as o
bring $o, IN_DELIVERY
POST /orders/$o/tracking <body> => 202
POST /orders/$o/tracking <body> => 202
pass 1s
read $o => {status: IN_DELIVERY}
POST /orders/unknown/tracking <body> => 404
| body
| {deliveryTrackingInfo: {event: {type: ARRIVED, datetime: "2026-01-05T15:00:00Z"}, deliveryPerson: {name: Joana},
  geoLocalization: {latitude: -23.5, longitude: -46.6}, anythingElse: {of: [ours]}}}
| {}
|

# [ORD-UND-07] it is off unless declared
with {conduct: {withheldOperations: [sendOrderTracking]}}
create as o
POST /orders/$o/tracking {} => 404
GET /.well-known/protocol
=> 200 {capabilities: [{originator: {unsupportedOperations: [sendOrderTracking]}}]}
`)

test('[ORD-UND-12] a forgetful application leaves out optional events of a profile, and never required ones', async () => {
  await using wire = await openOrdersWire({
    listen: false,
    counterparts: { 'ordering-application': { behaviour: 'forgetful', processing: 100 } },
  })
  const lives = { DELIVERY: [] as string[], TAKEOUT: [] as string[], INDOOR: [] as string[] }
  for (const type of orderTypes)
    for (let count = 0; count < 12; count++) {
      const orderId = await wire.create({ type })
      await wire.bring(orderId, 'DELIVERED')
      expect((await wire.read(orderId)).status).toBe('DELIVERED')
      lives[type].push(...eventTypesOf(await wire.drain(orderId)))
    }
  const times = (type: keyof typeof lives, event: string): number =>
    lives[type].filter((each) => each === event).length
  for (const type of orderTypes) {
    // Each reached CREATED and CONFIRMED, so both events are required.
    expect([times(type, 'CREATED'), times(type, 'CONFIRMED')]).toEqual([12, 12])
    expect(times(type, 'PREPARING')).toBeGreaterThan(0)
    expect(times(type, 'PREPARING')).toBeLessThan(12)
    // None reached CANCELLED, so its event is not required.
    expect(times(type, 'CANCELLED')).toBe(0)
  }
  expect(times('TAKEOUT', 'READY_FOR_PICKUP')).toBe(12)
  expect(times('DELIVERY', 'READY_FOR_PICKUP')).toBeLessThan(12)
  expect([times('DELIVERY', 'DELIVERED'), times('TAKEOUT', 'DELIVERED')]).toEqual([12, 12])
  expect(times('INDOOR', 'DELIVERED')).toBeLessThan(12)
})

test('[ORD-OPS-02] to acknowledge an event of an earlier session is no finding, to acknowledge an unknown id breaks AK-3', async () => {
  const outcomeOf = async (events: readonly OrderEvent[]) => {
    await using wire = await openOrdersWire()
    expect((await wire.acknowledge(events)).status).toBe(202)
    const { verdicts } = await wire.session.look({ verdicts: true })
    return verdicts?.find(({ id }) => id === 'AK-3')?.outcome
  }
  await using earlier = await openOrdersWire({ seed: 2 })
  await earlier.create()
  const [event] = await earlier.poll()
  if (!event) throw new Error('no event was polled')
  expect(await outcomeOf([event])).toBe('passed')
  expect(await outcomeOf([{ ...event, eventId: event.orderId }])).toBe('failed')
})
