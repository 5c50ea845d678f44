/**
 * How an order ends early: the originator cancels it, the merchant requests it, or its lines are cancelled one by one.
 */
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import {
  openOrdersWire,
  orderProcessingMs,
  eventTypesOf,
  type OrdersWire,
} from '../../../test/support/wire.ts'
import { orderTypes } from '../protocol/orders/order.ts'
import { merchantCancellationCodes } from '../protocol/orders/cancellation.ts'
import { sumProblems } from '../protocol/orders/totals.ts'

/** Longer than the Ordering Application takes to answer a request and apply it. */
const answered = 3000

/** A confirmed order of two burgers and a lemonade, with an empty mailbox. */
async function confirmed(
  wire: OrdersWire,
  id = 'a',
  type: (typeof orderTypes)[number] = 'DELIVERY',
) {
  const orderId = await wire.create({ order: plainOrder(id, type) })
  await wire.bring(orderId, 'CONFIRMED')
  await wire.drain()
  return orderId
}

/** Changes the planned answer to a cancellation request, as a scenario would. */
async function decide(wire: OrdersWire, orderId: string, answer: 'accept' | 'deny' | 'open') {
  const { agenda } = await wire.session.look({ agenda: { limit: 20, orderId } })
  const item = agenda.find(({ kind }) => kind === 'cancellation.answer')!
  await wire.session.submit({ kind: 'agenda.edit', id: item.id, change: { answer } })
}

test('[ORD-CAN-01, ORD-EVT-16] the originator cancels only by event and status', async () => {
  await using wire = await openOrdersWire()
  const orderId = await confirmed(wire)
  await wire.session.submit({
    kind: 'order.apply',
    orderId,
    trigger: 'cancel',
    metadata: { code: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'o cliente desistiu' },
  })
  await wire.pass(orderProcessingMs)
  const events = await wire.drain(orderId)
  expect(eventTypesOf(events)).toEqual(['CANCELLED'])
  expect(events[0]!.metadata).toEqual({
    code: 'CONSUMER_CANCELLATION_REQUESTED',
    reason: 'o cliente desistiu',
  })
  expect((await wire.read(orderId)).status).toBe('CANCELLED')
  // It makes no call.
  expect(wire.session.facts().some(({ fact }) => fact.kind === 'call.placed')).toBe(false)
})

test('[ORD-CAN-03] acceptCancellation, denyCancellation and ORDER_CANCELLATION_REQUEST do not exist', async () => {
  await using wire = await openOrdersWire()
  const orderId = await confirmed(wire)
  for (const path of ['acceptCancellation', 'denyCancellation', 'cancellation', 'cancel'])
    expect([path, await wire.ask(orderId, path)]).toEqual([path, 404])
  await wire.ask(orderId, 'requestCancellation', { reason: 'x' })
  await wire.pass(answered)
  const manifest = (await wire.send('GET', '/.well-known/protocol')).text
  const events = JSON.stringify(await wire.drain())
  for (const gone of ['acceptCancellation', 'denyCancellation', 'ORDER_CANCELLATION_REQUEST"']) {
    expect(manifest).not.toContain(gone)
    expect(events).not.toContain(gone)
  }
})

test('[ORD-CAN-04, ORD-CAN-05, ORD-OPS-10, ORD-EVT-13, ORD-EVT-14] a request is accepted with 202, granted later, and only CANCELLED cancels', async () => {
  await using wire = await openOrdersWire()
  for (const [index, type] of orderTypes.entries()) {
    const orderId = await confirmed(wire, `order-${index}`, type)
    expect(await wire.ask(orderId, 'requestCancellation', { code: 'DELIVERY_PROBLEM' })).toBe(202)
    await wire.pass(0)
    expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CANCELLATION_REQUESTED'])
    expect((await wire.read(orderId)).status).toBe('CONFIRMED')

    // To the instant of the answer, with CANCELLED held back, to see that nothing else closes the order.
    const before = await wire.session.look({ agenda: { limit: 20, orderId } })
    const answer = before.agenda.find(({ kind }) => kind === 'cancellation.answer')!
    await wire.pass(answer.due - before.info.clock.now)
    const { agenda } = await wire.session.look({ agenda: { limit: 20, orderId } })
    const cancel = agenda.find(({ effect }) => effect === 'CONFIRMED > CANCELLED')!
    await wire.session.submit({ kind: 'agenda.delay', id: cancel.id, byMs: 60_000 })
    expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CANCELLATION_REQUEST_ACCEPTED'])
    expect((await wire.read(orderId)).status).toBe('CONFIRMED')

    await wire.pass(60_200)
    expect((await wire.read(orderId)).status).toBe('CANCELLED')
    expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CANCELLED'])
  }
})

test('[ORD-CAN-06, ORD-EVT-15] a denied request is announced, and the order goes on', async () => {
  await using wire = await openOrdersWire()
  for (const [index, type] of orderTypes.entries()) {
    const orderId = await confirmed(wire, `order-${index}`, type)
    expect(await wire.ask(orderId, 'requestCancellation', {})).toBe(202)
    await decide(wire, orderId, 'deny')
    await wire.pass(answered)
    expect(eventTypesOf(await wire.drain(orderId))).toEqual([
      'CANCELLATION_REQUESTED',
      'CANCELLATION_REQUEST_DENIED',
    ])
    expect((await wire.read(orderId)).status).toBe('CONFIRMED')
    await wire.bring(orderId, 'DELIVERED')
    expect((await wire.read(orderId)).status).toBe('DELIVERED')
  }
})

test('[ORD-OPS-10] grant, denial or delay depend on its behaviour profile, or on an operator’s command', async () => {
  const after = async (temperament: 'prompt' | 'slow' | 'forgetful' | 'hostile', ms: number) => {
    await using wire = await openOrdersWire({
      counterparts: { 'ordering-application': { temperament } },
    })
    const orderId = await wire.create({ order: plainOrder('a') })
    await wire.ask(orderId, 'requestCancellation', {})
    await wire.pass(ms)
    const events = eventTypesOf(await wire.drain(orderId))
    return events.find((type) => /ACCEPTED|DENIED/.test(type))
  }
  expect(await after('prompt', 2000)).toBe('CANCELLATION_REQUEST_ACCEPTED')
  expect(await after('slow', 15_000)).toBeUndefined()
  expect(await after('slow', 70_000)).toBe('CANCELLATION_REQUEST_ACCEPTED')
  expect(await after('forgetful', 600_000)).toBeUndefined()
  expect(await after('hostile', 60_000)).toBe('CANCELLATION_REQUEST_DENIED')

  await using wire = await openOrdersWire({
    counterparts: { 'ordering-application': { temperament: 'forgetful' } },
  })
  const orderId = await confirmed(wire)
  await wire.ask(orderId, 'requestCancellation', {})
  await wire.pass(10_000)
  await wire.session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' })
  await wire.pass(0)
  expect(eventTypesOf(await wire.drain(orderId))).toContain('CANCELLATION_REQUEST_DENIED')
})

test('a request after a final status is denied: it promises no CANCELLED', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ order: plainOrder('a') })
  await wire.bring(orderId, 'READY')
  await wire.ask(orderId, 'requestCancellation', {})
  await wire.ask(orderId, 'delivered')
  await wire.pass(answered)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual([
    'CREATED',
    'CONFIRMED',
    'PREPARING',
    'READY_FOR_PICKUP',
    'CANCELLATION_REQUESTED',
    'DELIVERED',
    'CANCELLATION_REQUEST_DENIED',
  ])
})

test('[ORD-CAN-05] an order cancelled while a request is pending grants it: ACCEPTED and then CANCELLED, each once', async () => {
  await using wire = await openOrdersWire()
  const orderId = await confirmed(wire)
  await wire.ask(orderId, 'requestCancellation', {})
  await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await wire.pass(answered)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual([
    'CANCELLATION_REQUESTED',
    'CANCELLATION_REQUEST_ACCEPTED',
    'CANCELLED',
  ])
})

test('[ORD-TEN-02] the outcome is emitted by default; when configured without, the order is cancelled all the same', async () => {
  await using wire = await openOrdersWire({ conduct: { cancellationOutcome: false } })
  const orderId = await confirmed(wire)
  await wire.ask(orderId, 'requestCancellation', {})
  await wire.pass(answered)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CANCELLATION_REQUESTED', 'CANCELLED'])

  await using always = await openOrdersWire()
  for (const [answer, outcome] of [
    ['accept', 'CANCELLATION_REQUEST_ACCEPTED'],
    ['deny', 'CANCELLATION_REQUEST_DENIED'],
  ] as const) {
    const other = await confirmed(always, answer)
    await always.ask(other, 'requestCancellation', {})
    await decide(always, other, answer)
    await always.pass(answered)
    expect(eventTypesOf(await always.drain(other))[1]).toBe(outcome)
  }
})

test('[ORD-EVT-13] CANCELLATION_REQUESTED can be left out', async () => {
  await using wire = await openOrdersWire({
    conduct: { unsupportedEvents: ['CANCELLATION_REQUESTED'] },
  })
  const orderId = await confirmed(wire)
  await wire.ask(orderId, 'requestCancellation', {})
  await wire.pass(answered)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual([
    'CANCELLATION_REQUEST_ACCEPTED',
    'CANCELLED',
  ])
})

test('[ORD-TEN-01, ORD-UND-11] before confirmation a request is accepted by default, with the unavailable items; refused when configured', async () => {
  const request = {
    reason: 'acabou',
    code: 'UNAVAILABLE_ITEM',
    mode: 'AUTO',
    outOfStockItems: ['burger'],
  }
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ order: plainOrder('a') })
  expect(await wire.ask(orderId, 'requestCancellation', request)).toBe(202)
  await wire.pass(answered)
  const events = await wire.drain(orderId)
  expect(eventTypesOf(events)).toEqual([
    'CREATED',
    'CANCELLATION_REQUESTED',
    'CANCELLATION_REQUEST_ACCEPTED',
    'CANCELLED',
  ])
  expect(events[1]!.metadata).toEqual(request)

  await using strict = await openOrdersWire({ conduct: { earlyCancellation: 'refuse' } })
  const other = await strict.create({ order: plainOrder('b') })
  expect(await strict.ask(other, 'requestCancellation', request)).toBe(409)
  await strict.bring(other, 'CONFIRMED')
  expect(await strict.ask(other, 'requestCancellation', request)).toBe(202)
})

test('[ORD-TEN-01] on demand the early request is denied, and the order can still be confirmed', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ order: plainOrder('a') })
  await wire.ask(orderId, 'requestCancellation', { code: 'UNAVAILABLE_ITEM' })
  await decide(wire, orderId, 'deny')
  await wire.pass(answered)
  expect((await wire.read(orderId)).lastEvent).toBe('CANCELLATION_REQUEST_DENIED')
  await wire.bring(orderId, 'CONFIRMED')
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
})

test('[ORD-BOD-01, ORD-BOD-02, ORD-BOD-03] reason, code and mode are accepted in any combination, or none of them', async () => {
  await using wire = await openOrdersWire()
  const bodies = [
    undefined,
    {},
    { reason: 'sem entregador' },
    { code: 'SOMETHING_OF_OURS' },
    { mode: 'AUTO' },
    { mode: 'MANUAL', extra: true },
    ...merchantCancellationCodes.map((code) => ({ code })),
  ]
  for (const [index, body] of bodies.entries()) {
    const orderId = await confirmed(wire, `order-${index}`)
    expect([body, await wire.ask(orderId, 'requestCancellation', body)]).toEqual([body, 202])
  }
})

test.each([
  { mode: 'LATER' },
  { reason: 7 },
  { code: {} },
  { outOfStockItems: 'burger' },
  { outOfStockItems: [1] },
])('[ORD-BOD-03, ORD-BOD-01] a request with %j is malformed: 400 without effect', async (body) => {
  await using wire = await openOrdersWire({ listen: false })
  const orderId = await confirmed(wire)
  expect(await wire.ask(orderId, 'requestCancellation', body)).toBe(400)
  await wire.pass(answered)
  expect(await wire.drain(orderId)).toEqual([])
})

test('a second request has no effect, and a final order cannot be cancelled', async () => {
  await using wire = await openOrdersWire()
  const orderId = await confirmed(wire)
  await wire.ask(orderId, 'requestCancellation', {})
  expect(await wire.ask(orderId, 'requestCancellation', {})).toBe(202)
  await wire.pass(answered)
  expect(eventTypesOf(await wire.drain(orderId))).toHaveLength(3)
  expect(await wire.ask(orderId, 'requestCancellation', {})).toBe(202)
  const other = await confirmed(wire, 'b')
  await wire.bring(other, 'DELIVERED')
  expect(await wire.ask(other, 'requestCancellation', {})).toBe(409)
})

test('[ORD-OPS-11, ORD-ITM-01, ORD-ITM-02, ORD-BOD-05, ORD-EVT-18] without a quantity the whole line is cancelled: 202, ITEM_CANCELLED, and no denial', async () => {
  await using wire = await openOrdersWire()
  for (const [index, type] of orderTypes.entries()) {
    const orderId = await confirmed(wire, `order-${index}`, type)
    const said = { reason: 'acabou', code: 'UNAVAILABLE_ITEM', mode: 'AUTO' }
    expect(await wire.ask(orderId, 'items/burger/cancel', said)).toBe(202)
    expect((await wire.read(orderId)).items[0]!.status).toBeUndefined()
    await wire.pass(orderProcessingMs)
    const events = await wire.drain(orderId)
    expect(eventTypesOf(events)).toEqual(['ITEM_CANCELLED'])
    expect(events[0]!.metadata).toEqual({
      itemId: 'burger',
      quantityCancelled: 2,
      quantityRemaining: 0,
      ...said,
    })
    expect((await wire.read(orderId)).items[0]!.status).toBe('CANCELLED')
  }
})

test('[ORD-BOD-05, ORD-ITM-02, ORD-RUL-03, ORD-EVT-18] a smaller quantity cancels a part of the line, and the order’s status is unchanged', async () => {
  await using wire = await openOrdersWire()
  for (const from of ['CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY'] as const) {
    const orderId = await wire.create({ order: plainOrder(from) })
    await wire.bring(orderId, from)
    await wire.drain()
    expect(await wire.ask(orderId, 'items/burger/cancel', { quantity: 1 })).toBe(202)
    await wire.pass(orderProcessingMs)
    const [event, ...others] = await wire.drain(orderId)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      eventType: 'ITEM_CANCELLED',
      metadata: { itemId: 'burger', quantityCancelled: 1, quantityRemaining: 1 },
    })
    const order = await wire.read(orderId)
    expect([order.status, order.items[0]!.status, order.lastEvent]).toEqual([
      from,
      'PARTIALLY_CANCELLED',
      'ITEM_CANCELLED',
    ])
  }
})

test('[ORD-ITM-03] the totals and payments are reduced by the amount cancelled', async () => {
  await using wire = await openOrdersWire()
  const orderId = await confirmed(wire)
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

test('[ORD-RUL-04] when the last line is cancelled the order is too: CANCELLED is emitted and set', async () => {
  await using wire = await openOrdersWire()
  const orderId = await confirmed(wire)
  await wire.ask(orderId, 'items/burger/cancel')
  await wire.pass(orderProcessingMs)
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  await wire.ask(orderId, 'items/lemonade/cancel')
  await wire.pass(orderProcessingMs)
  expect(eventTypesOf(await wire.drain(orderId))).toEqual([
    'ITEM_CANCELLED',
    'ITEM_CANCELLED',
    'CANCELLED',
  ])
  expect((await wire.read(orderId)).status).toBe('CANCELLED')
})

test('[ORD-BOD-04] an item cancel accepts reason, code and mode as a request does', async () => {
  await using wire = await openOrdersWire()
  for (const [index, body] of [undefined, {}, { mode: 'MANUAL' }, { code: 'OURS' }].entries()) {
    const orderId = await confirmed(wire, `order-${index}`)
    expect(await wire.ask(orderId, 'items/burger/cancel', body)).toBe(202)
  }
  const orderId = await confirmed(wire)
  for (const body of [
    { mode: 'LATER' },
    { reason: 1 },
    { quantity: 0 },
    { quantity: -1 },
    { quantity: 0.5 },
    { quantity: '1' },
  ])
    expect([body, await wire.ask(orderId, 'items/burger/cancel', body)]).toEqual([body, 400])
})

test('[ORD-ITM-05, ORD-UND-11] before confirmation no item can be cancelled: 422 by default, 409 when configured', async () => {
  for (const [given, expected] of [
    [undefined, 422],
    [409, 409],
  ] as const) {
    await using wire = await openOrdersWire({
      conduct: given === undefined ? {} : { earlyItemCancel: given },
    })
    const orderId = await wire.create({ order: plainOrder('a') })
    const answer = await wire.send('POST', `/orders/${orderId}/items/burger/cancel`)
    expect(answer.status).toBe(expected)
    expect(answer.text).toContain('UNAVAILABLE_ITEM')
    await wire.pass(orderProcessingMs)
    expect((await wire.read(orderId)).items[0]!.status).toBeUndefined()
  }
})

test('an invalid item cancel is refused, a repeated one is not', async () => {
  await using wire = await openOrdersWire()
  const orderId = await confirmed(wire)
  expect(await wire.ask(orderId, 'items/pizza/cancel')).toBe(404)
  expect(await wire.ask(orderId, 'items/burger/cancel', { quantity: 3 })).toBe(422)
  await wire.ask(orderId, 'items/burger/cancel')
  await wire.pass(orderProcessingMs)
  await wire.drain()
  expect(await wire.ask(orderId, 'items/burger/cancel')).toBe(202)
  await wire.pass(orderProcessingMs)
  expect(await wire.drain()).toEqual([])
})

test('[ORD-OPS-11] a session that withholds item cancels neither serves nor declares them', async () => {
  await using wire = await openOrdersWire({
    conduct: { withheldOperations: ['partialItemCancellation'] },
  })
  const orderId = await confirmed(wire)
  expect(await wire.ask(orderId, 'items/burger/cancel')).toBe(404)
  const { json } = await wire.send('GET', '/.well-known/protocol')
  const [orders] = (json as { capabilities: { operations: string[] }[] }).capabilities
  expect(orders!.operations).not.toContain('partialItemCancellation')
  expect(orders).toMatchObject({
    originator: { unsupportedOperations: ['partialItemCancellation'] },
  })
})

test('[ORD-UND-06] an item cancel by the originator is applied internally and announced by ITEM_CANCELLED', async () => {
  await using wire = await openOrdersWire()
  const orderId = await confirmed(wire)
  await wire.session.submit({
    kind: 'item.cancel',
    orderId,
    itemId: 'lemonade',
    cancellation: { reason: 'o cliente mudou de ideia' },
  })
  await wire.pass(0)
  const events = await wire.drain(orderId)
  expect(eventTypesOf(events)).toEqual(['ITEM_CANCELLED'])
  expect(events[0]!.metadata).toMatchObject({ itemId: 'lemonade', quantityRemaining: 0 })
  expect((await wire.read(orderId)).items[1]!.status).toBe('CANCELLED')
  expect(wire.session.facts().some(({ fact }) => fact.kind === 'call.placed')).toBe(false)
})
