// @module-tag slow
/** Transitions of an order: the lifecycle calls of a Software Service, and those that the originator makes itself. */
import { expect, test } from 'vitest'
import { ordersTests } from '../../../test/support/orders-conversation.ts'
import {
  eventTypesOf,
  openOrdersWire,
  orderProcessingMs,
  type OrdersWire,
} from '../../../test/support/wire.ts'
import { orderEvents, type OrderEventType } from '../protocol/orders/events.ts'
import { progressionTriggers, orderLifecycles } from '../protocol/orders/lifecycle.ts'
import { orderStatuses, type OrderStatus, orderTypes } from '../protocol/orders/order.ts'

const { step: orderStep } = orderLifecycles.strict

/** Makes calls, lets them be processed, and returns the answers, the events and what GET shows. */
async function call(wire: OrdersWire, orderId: string, operation: string) {
  await wire.drain()
  const answered = await wire.ask(orderId, operation)
  await wire.pass(orderProcessingMs)
  const { status } = await wire.read(orderId)
  return [answered, eventTypesOf(await wire.drain(orderId)), status]
}

ordersTests(`
# [<clauses>] <call> answers <answer> to a <type> order that is <from>: <events>, and it is <to>
create {type: <type>} as o
bring $o, <from>
events
POST /orders/$o/<call> => <answer>
pass 1s
read $o => {status: <to>}
events $o => is [<events>]
| clauses | type | from | call | answer | events | to
| ORD-TRA-02, ORD-OPS-05, ORD-EVT-02 | DELIVERY | CREATED | confirm | 202 | CONFIRMED | CONFIRMED
| ORD-TRA-02, ORD-OPS-05, ORD-EVT-02 | TAKEOUT | CREATED | confirm | 202 | CONFIRMED | CONFIRMED
| ORD-TRA-02, ORD-OPS-05, ORD-EVT-02 | INDOOR | CREATED | confirm | 202 | CONFIRMED | CONFIRMED
| ORD-TRA-03, ORD-OPS-06, ORD-EVT-04 | DELIVERY | CONFIRMED | preparing | 202 | PREPARING | PREPARING
| ORD-TRA-03, ORD-OPS-06, ORD-EVT-04 | TAKEOUT | CONFIRMED | preparing | 202 | PREPARING | PREPARING
| ORD-TRA-03, ORD-OPS-06, ORD-EVT-04 | INDOOR | CONFIRMED | preparing | 202 | PREPARING | PREPARING
| ORD-TRA-04, ORD-OPS-07, ORD-EVT-05 | DELIVERY | CONFIRMED | ready-for-pickup | 202 | READY_FOR_PICKUP | READY
| ORD-TRA-04, ORD-OPS-07, ORD-EVT-05 | TAKEOUT | CONFIRMED | ready-for-pickup | 202 | READY_FOR_PICKUP | READY
| ORD-TRA-04, ORD-OPS-07, ORD-EVT-05 | INDOOR | CONFIRMED | ready-for-pickup | 202 | READY_FOR_PICKUP | READY
| ORD-TRA-05, ORD-OPS-07, ORD-EVT-05 | DELIVERY | PREPARING | ready-for-pickup | 202 | READY_FOR_PICKUP | READY
| ORD-TRA-05, ORD-OPS-07, ORD-EVT-05 | TAKEOUT | PREPARING | ready-for-pickup | 202 | READY_FOR_PICKUP | READY
| ORD-TRA-05, ORD-OPS-07, ORD-EVT-05 | INDOOR | PREPARING | ready-for-pickup | 202 | READY_FOR_PICKUP | READY
| ORD-TRA-06, ORD-OPS-08, ORD-EVT-08 | DELIVERY | READY | dispatch | 202 | DISPATCHED | IN_DELIVERY
| ORD-TRA-06, ORD-OPS-08, ORD-EVT-08 | TAKEOUT | READY | dispatch | 409 |  | READY
| ORD-TRA-06, ORD-OPS-08, ORD-EVT-08 | INDOOR | READY | dispatch | 409 |  | READY
| ORD-TRA-07, ORD-OPS-09, ORD-EVT-12 | DELIVERY | READY | delivered | 202 | DELIVERED | DELIVERED
| ORD-TRA-07, ORD-OPS-09, ORD-EVT-12 | TAKEOUT | READY | delivered | 202 | DELIVERED | DELIVERED
| ORD-TRA-07, ORD-OPS-09, ORD-EVT-12 | INDOOR | READY | delivered | 202 | DELIVERED | DELIVERED
| ORD-TRA-08, ORD-OPS-09, ORD-EVT-12 | DELIVERY | IN_DELIVERY | delivered | 202 | DELIVERED | DELIVERED
// A call whose target status is reached already.
| ORD-RUL-01 | DELIVERY | CONFIRMED | confirm | 202 |  | CONFIRMED
| ORD-RUL-01 | DELIVERY | PREPARING | preparing | 202 |  | PREPARING
| ORD-RUL-01 | DELIVERY | READY | ready-for-pickup | 202 |  | READY
| ORD-RUL-01 | DELIVERY | IN_DELIVERY | dispatch | 202 |  | IN_DELIVERY
| ORD-RUL-01 | DELIVERY | DELIVERED | delivered | 202 |  | DELIVERED

# [ORD-TRA-07] when configured, delivered requires IN_DELIVERY for a delivery: <answer> to a <type> order that is <from>
with {conduct: {deliveredNeedsDispatch: true}}
create {type: <type>} as o
bring $o, <from>
events
POST /orders/$o/delivered => <answer>
pass 1s
events $o => is [<events>]
read $o => {status: <to>}
| type | from | answer | events | to
| DELIVERY | READY | 409 |  | READY
| DELIVERY | IN_DELIVERY | 202 | DELIVERED | DELIVERED
| TAKEOUT | READY | 202 | DELIVERED | DELIVERED

# [ORD-TRA-09, ORD-EVT-16] the originator cancels a <type> order that is <from>: <events>, and it is <to>
with {listen: false}
create {type: <type>} as o
bring $o, <from>
events
apply $o, cancel
pass 1s
events $o => is [<events>]
read $o => {status: <to>}
| type | from | events | to
| DELIVERY | CREATED | CANCELLED | CANCELLED
| DELIVERY | CONFIRMED | CANCELLED | CANCELLED
| DELIVERY | PREPARING | CANCELLED | CANCELLED
| DELIVERY | READY | CANCELLED | CANCELLED
| DELIVERY | IN_DELIVERY | CANCELLED | CANCELLED
| TAKEOUT | CREATED | CANCELLED | CANCELLED
| TAKEOUT | CONFIRMED | CANCELLED | CANCELLED
| TAKEOUT | PREPARING | CANCELLED | CANCELLED
| TAKEOUT | READY | CANCELLED | CANCELLED
| INDOOR | CREATED | CANCELLED | CANCELLED
| INDOOR | CONFIRMED | CANCELLED | CANCELLED
| INDOOR | PREPARING | CANCELLED | CANCELLED
| INDOOR | READY | CANCELLED | CANCELLED
| DELIVERY | DELIVERED |  | DELIVERED
| DELIVERY | CONCLUDED |  | CONCLUDED

# [ORD-TRA-10] the time of concluding is configurable, and no call concludes an order
create as o
bring $o, DELIVERED
planned $o, conclude as item
submit {kind: agenda.delay, id: $item, byMs: 3600000}
pass 31s
read $o => {status: DELIVERED}
POST /orders/$o/conclude => 404
POST /orders/$o/concluded => 404
POST /orders/$o/close => 404
pass 1h
read $o => {status: CONCLUDED}

# [ORD-RUL-02] 202 is a receipt: the status follows after the configured processing time
with {counterparts: {ordering-application: {processing: 5s}}}
create as o
POST /orders/$o/confirm => 202
pass 4999ms
read $o => {status: CREATED}
events $o => is [CREATED]
pass 1ms
read $o => {status: CONFIRMED}
events $o => is [CONFIRMED]

# [ORD-UND-04] a call without a transition is <status> with <conduct>, with the error body and without effect
with {conduct: <conduct>}
create {type: DELIVERY} as o
POST /orders/$o/dispatch
=> <status> {error: {code: INVALID_TRANSITION, message: TEXT, retryable: false}}
pass 1s
read $o => {status: CREATED}
create {type: TAKEOUT} as takeout
bring $takeout, READY
POST /orders/$takeout/dispatch => <status>
bring $o, CANCELLED
POST /orders/$o/confirm => <status>
| conduct | status
| {} | 409
| {invalidTransition: {orders: 409}} | 409
| {invalidTransition: {orders: 422}} | 422

# [ORD-UND-05] a call whose target status the order has passed is <status> without effect with <conduct>
with {conduct: <conduct>}
create {type: DELIVERY} as o
bring $o, PREPARING
events
POST /orders/$o/confirm => <status>
pass 1s
events $o => is []
read $o => {status: PREPARING}
bring $o, CONCLUDED
events
POST /orders/$o/preparing => <status>
pass 1s
events $o => is []
read $o => {status: CONCLUDED}
| conduct | status
| {} | 202
| {passedTarget: 409} | 409
| {passedTarget: 422} | 422

# [ORD-UND-13] the error codes of Orders: one for each kind of refusal
plain a as o
POST /orders/$o/dispatch => 409 INVALID_TRANSITION
POST /orders/$o/items/burger/cancel => 422 UNPROCESSABLE
POST /orders/$o/requestCancellation {mode: LATER} => 400 INVALID_PAYLOAD
POST /orders/$o/acceptCancellation => 404 NOT_FOUND
`)

test('[ORD-UND-08] a lifecycle call accepts any body, an empty one, and none', async () => {
  const bodies = [undefined, {}, { estimatedPreparationTimeMinutes: 20 }, [1], 'text', null]
  await using wire = await openOrdersWire()
  for (const body of bodies) {
    const orderId = await wire.create()
    expect([body, await wire.ask(orderId, 'confirm', body)]).toEqual([body, 202])
    await wire.pass(orderProcessingMs)
    expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  }
})

test('[ORD-OPS-05, ORD-UND-13] an unknown order is 404 with the error body, for every call', async () => {
  await using wire = await openOrdersWire()
  for (const operation of [...progressionTriggers, 'requestCancellation', 'items/1/cancel']) {
    const answer = await wire.send('POST', `/orders/nobody/${operation}`)
    expect([operation, answer.status]).toEqual([operation, 404])
    expect(answer.json).toEqual({
      error: { code: 'NOT_FOUND', message: 'there is no order nobody', retryable: false },
    })
  }
})

test('fifty concurrent confirms are one transition and one CONFIRMED', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create()
  await wire.drain()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => wire.send('POST', `/orders/${orderId}/confirm`)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 202))
  await wire.pass(orderProcessingMs)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CONFIRMED'])
  const moves = wire.session.facts().filter(({ fact }) => fact.kind === 'order.moved')
  expect(moves).toHaveLength(1)
})

test('a confirm and a concurrent cancellation lead to one end, not two', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create()
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await wire.pass(orderProcessingMs)
  expect((await wire.read(orderId)).status).toBe('CANCELLED')
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED', 'CANCELLED'])
})

const cells = orderTypes.flatMap((profile) =>
  orderStatuses.flatMap((status) =>
    reachable(status, profile) ? [[profile, status] as const] : [],
  ),
)

function reachable(status: OrderStatus, profile: string): boolean {
  return status !== 'IN_DELIVERY' || profile === 'DELIVERY'
}

test.each(cells)(
  '[ORD-STA-01, ORD-EVR-05] a %s order in %s: every call follows the transition table, and its event agrees with GET',
  async (profile, from) => {
    await using wire = await openOrdersWire({ listen: false })
    for (const trigger of progressionTriggers) {
      const orderId = await wire.create({ type: profile })
      await wire.bring(orderId, from)
      const next = orderStep(from, trigger, profile)
      const [answered, announced, status] = await call(wire, orderId, trigger)
      const name = `${profile} ${from} ${trigger}`
      expect([name, answered]).toEqual([name, next.kind === 'refused' ? 409 : 202])
      const moves = next.kind === 'moves'
      expect([name, announced]).toEqual([name, moves ? [next.row.emits] : []])
      expect([name, status]).toEqual([name, moves ? next.row.to : from])
      for (const type of announced as OrderEventType[])
        expect(orderEvents[type].projects).toBe(status)
    }
  },
)
