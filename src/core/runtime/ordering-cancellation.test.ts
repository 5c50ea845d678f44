/**
 * How an order ends early: the originator cancels it, the merchant requests it, or its lines are cancelled one by one.
 */
import { expect, test } from 'vitest'
import { ordersTests } from '../../../test/support/orders-conversation.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { openOrdersWire, orderProcessingMs } from '../../../test/support/wire.ts'
import { merchantCancellationCodes } from '../protocol/orders/cancellation.ts'
import { sumProblems } from '../protocol/orders/totals.ts'

ordersTests(`
# [ORD-OPS-10] a <behaviour> application has answered a request after <time>: <answer>
with {counterparts: {ordering-application: {behaviour: <behaviour>}}}
plain a as o
POST /orders/$o/requestCancellation {} => 202
pass <time>
outcome $o => <answer>
| behaviour | time | answer
| prompt | 2s | CANCELLATION_REQUEST_ACCEPTED
| slow | 15s | none
| slow | 70s | CANCELLATION_REQUEST_ACCEPTED
| forgetful | 10m | none
| hostile | 1m | CANCELLATION_REQUEST_DENIED

# [ORD-OPS-10] an operator answers in place of a forgetful application
with {counterparts: {ordering-application: {behaviour: forgetful}}}
confirmed as o
POST /orders/$o/requestCancellation {}
pass 10s
events $o
submit {kind: cancellation.answer, orderId: $o, answer: deny} => {ok: true}
pass 0s
events $o => is [CANCELLATION_REQUEST_DENIED]

# a request after a final status is denied: it promises no CANCELLED
plain a as o
bring $o, READY
POST /orders/$o/requestCancellation {}
POST /orders/$o/delivered
pass 3s
events $o => is [CREATED, CONFIRMED, PREPARING, READY_FOR_PICKUP, CANCELLATION_REQUESTED, DELIVERED,
  CANCELLATION_REQUEST_DENIED]

# [ORD-CAN-05] an order cancelled while a request is pending grants it: ACCEPTED and then CANCELLED, each once
confirmed as o
POST /orders/$o/requestCancellation {}
apply $o, cancel
pass 3s
events $o => is [CANCELLATION_REQUESTED, CANCELLATION_REQUEST_ACCEPTED, CANCELLED]

# [ORD-TEN-02] when configured without the outcome, the order is cancelled all the same
with {conduct: {cancellationOutcome: false}}
confirmed as o
POST /orders/$o/requestCancellation {}
pass 3s
events $o => is [CANCELLATION_REQUESTED, CANCELLED]

# [ORD-TEN-02] the outcome is emitted by default: <answer>, <outcome>
confirmed as o
POST /orders/$o/requestCancellation {}
decide $o, <answer>
pass 3s
events $o => is [CANCELLATION_REQUESTED, <outcome>]
| answer | outcome
| accept | CANCELLATION_REQUEST_ACCEPTED, CANCELLED
| deny | CANCELLATION_REQUEST_DENIED

# [ORD-EVT-13] CANCELLATION_REQUESTED can be left out
with {conduct: {unsupportedEvents: [CANCELLATION_REQUESTED]}}
confirmed as o
POST /orders/$o/requestCancellation {}
pass 3s
events $o => is [CANCELLATION_REQUEST_ACCEPTED, CANCELLED]

# [ORD-TEN-01, ORD-UND-11] before confirmation a request is accepted by default, with the unavailable items
plain a as o
POST /orders/$o/requestCancellation {reason: acabou, code: UNAVAILABLE_ITEM, mode: AUTO, outOfStockItems: [burger]}
=> 202
pass 3s
bodies $o
=> [{eventType: CREATED}, {eventType: CANCELLATION_REQUESTED}, {eventType: CANCELLATION_REQUEST_ACCEPTED},
  {eventType: CANCELLED}] as events
value $events.1.metadata
=> is {reason: acabou, code: UNAVAILABLE_ITEM, mode: AUTO, outOfStockItems: [burger]}

# [ORD-TEN-01, ORD-UND-11] before confirmation a request is refused when configured
with {conduct: {earlyCancellation: refuse}}
plain a as o
POST /orders/$o/requestCancellation {code: UNAVAILABLE_ITEM} => 409
bring $o, CONFIRMED
POST /orders/$o/requestCancellation {code: UNAVAILABLE_ITEM} => 202

# [ORD-TEN-01] on demand the early request is denied, and the order can still be confirmed
plain a as o
POST /orders/$o/requestCancellation {code: UNAVAILABLE_ITEM}
decide $o, deny
pass 3s
read $o => {lastEvent: CANCELLATION_REQUEST_DENIED}
bring $o, CONFIRMED
read $o => {status: CONFIRMED}

# [ORD-BOD-01, ORD-BOD-02, ORD-BOD-03] reason, code and mode are accepted in any combination, or none: <body>
confirmed as o
POST /orders/$o/requestCancellation <body> => 202
| body
|
| {}
| {reason: sem entregador}
| {code: SOMETHING_OF_OURS}
| {mode: AUTO}
| {mode: MANUAL, extra: true}
${merchantCancellationCodes.map((code) => `| {code: ${code}}`).join('\n')}

# [ORD-BOD-03, ORD-BOD-01] a request with <body> is malformed: 400 without effect
with {listen: false}
confirmed as o
POST /orders/$o/requestCancellation <body> => 400
pass 3s
events $o => is []
| body
| {mode: LATER}
| {reason: 7}
| {code: {}}
| {outOfStockItems: burger}
| {outOfStockItems: [1]}

# a second request has no effect, and a final order cannot be cancelled
confirmed as o
POST /orders/$o/requestCancellation {}
POST /orders/$o/requestCancellation {} => 202
pass 3s
events $o => [CANCELLATION_REQUESTED, CANCELLATION_REQUEST_ACCEPTED, CANCELLED]
POST /orders/$o/requestCancellation {} => 202
confirmed b as other
bring $other, DELIVERED
POST /orders/$other/requestCancellation {} => 409

# [ORD-OPS-11, ORD-ITM-01, ORD-ITM-02, ORD-BOD-05, ORD-EVT-18] without a quantity the whole line of a <type> order is cancelled: 202, ITEM_CANCELLED, and no denial
confirmed a, <type> as o
POST /orders/$o/items/burger/cancel {reason: acabou, code: UNAVAILABLE_ITEM, mode: AUTO} => 202
read $o => {items: [{}, {}]} as before
value $before.items.0 => not {status: ANY}
pass 1s
bodies $o => [{eventType: ITEM_CANCELLED}] as events
value $events.0.metadata
=> is {itemId: burger, quantityCancelled: 2, quantityRemaining: 0, reason: acabou,
  code: UNAVAILABLE_ITEM, mode: AUTO}
read $o => {items: [{status: CANCELLED}, {}]}
| type
| DELIVERY
| TAKEOUT
| INDOOR

# [ORD-BOD-04] an item cancel accepts reason, code and mode as a request does: <status> for <body>
confirmed as o
POST /orders/$o/items/burger/cancel <body> => <status>
| body | status
|  | 202
| {} | 202
| {mode: MANUAL} | 202
| {code: OURS} | 202
| {mode: LATER} | 400
| {reason: 1} | 400
| {quantity: 0} | 400
| {quantity: -1} | 400
| {quantity: 0.5} | 400
| {quantity: "1"} | 400

# [ORD-ITM-05, ORD-UND-11] before confirmation no item can be cancelled: <status> with <conduct>
with {conduct: <conduct>}
plain a as o
POST /orders/$o/items/burger/cancel => <status> ~UNAVAILABLE_ITEM
pass 1s
read $o => {items: [{}, {}]} as order
value $order.items.0 => not {status: ANY}
| conduct | status
| {} | 422
| {earlyItemCancel: 409} | 409

# an invalid item cancel is refused, a repeated one is not
confirmed as o
POST /orders/$o/items/pizza/cancel => 404
POST /orders/$o/items/burger/cancel {quantity: 3} => 422
POST /orders/$o/items/burger/cancel
pass 1s
events
POST /orders/$o/items/burger/cancel => 202
pass 1s
events => is []

# [ORD-OPS-11] a session that withholds item cancels neither serves nor declares them
with {conduct: {withheldOperations: [partialItemCancellation]}}
confirmed as o
POST /orders/$o/items/burger/cancel => 404
GET /.well-known/protocol
=> 200 {capabilities: [{originator: {unsupportedOperations: [partialItemCancellation]}}]} as manifest
text $manifest.capabilities.0.operations => /^(?!.*partialItemCancellation)/

# [ORD-UND-06] an item cancel by the originator is applied internally and announced by ITEM_CANCELLED
confirmed as o
submit {kind: item.cancel, orderId: $o, itemId: lemonade, cancellation: {reason: o cliente mudou de ideia}}
pass 0s
bodies $o => [{eventType: ITEM_CANCELLED, metadata: {itemId: lemonade, quantityRemaining: 0}}]
read $o => {items: [{}, {status: CANCELLED}]}
facts call.placed => 0
`)

test('[ORD-ITM-03] the totals and payments are reduced by the amount cancelled', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ order: plainOrder('a') })
  await wire.bring(orderId, 'CONFIRMED')
  const amounts: unknown[] = []
  for (const [item, body] of [
    ['', {}],
    ['burger', { quantity: 1 }],
    ['lemonade', {}],
  ] as const) {
    if (item !== '') await wire.ask(orderId, `items/${item}/cancel`, body)
    await wire.pass(orderProcessingMs)
    const order = await wire.read(orderId)
    const { itemsPrice, otherFees, discount, orderAmount } = order.total
    amounts.push([itemsPrice, otherFees, discount, orderAmount].map(({ value }) => value))
    expect(sumProblems(order)).toEqual([])
  }
  expect(amounts).toEqual([
    [59.9, 7, 4, 62.9],
    [34.9, 7, 4, 37.9],
    [25, 7, 4, 28],
  ])
})
