/** Transitions of an order: the lifecycle calls of a Software Service, and those that the originator makes itself. */
import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import {
  orderConcludingMs,
  openOrdersWire,
  orderProcessingMs,
  eventTypesOf,
  type OrdersWire,
} from '../../../test/support/wire.ts'
import { orderEvents, type OrderEventType } from '../protocol/orders/events.ts'
import { progressionTriggers, orderStep } from '../protocol/orders/lifecycle.ts'
import { orderStatuses, type OrderStatus, orderTypes } from '../protocol/orders/order.ts'

/** Makes calls, lets them be processed, and returns the answers, the events and what GET shows. */
async function call(wire: OrdersWire, orderId: string, operation: string) {
  await wire.drain()
  const answered = await wire.ask(orderId, operation)
  await wire.pass(orderProcessingMs)
  const { status } = await wire.read(orderId)
  return [answered, eventTypesOf(await wire.drain(orderId)), status]
}

test('[ORD-TRA-02, ORD-OPS-05, ORD-EVT-02] confirm moves CREATED to CONFIRMED and announces it, in every profile', async () => {
  await using wire = await openOrdersWire()
  for (const type of orderTypes) {
    const orderId = await wire.create({ type })
    expect(await call(wire, orderId, 'confirm')).toEqual([202, ['CONFIRMED'], 'CONFIRMED'])
  }
})

test('[ORD-TRA-03, ORD-OPS-06, ORD-EVT-04] preparing moves CONFIRMED to PREPARING and announces it', async () => {
  await using wire = await openOrdersWire()
  for (const type of orderTypes) {
    const orderId = await wire.create({ type })
    await wire.bring(orderId, 'CONFIRMED')
    expect(await call(wire, orderId, 'preparing')).toEqual([202, ['PREPARING'], 'PREPARING'])
  }
})

test('[ORD-TRA-04, ORD-TRA-05, ORD-OPS-07, ORD-EVT-05] ready-for-pickup moves PREPARING, or CONFIRMED, to READY and announces it', async () => {
  await using wire = await openOrdersWire()
  for (const type of orderTypes)
    for (const from of ['CONFIRMED', 'PREPARING'] as const) {
      const orderId = await wire.create({ type })
      await wire.bring(orderId, from)
      expect(await call(wire, orderId, 'ready-for-pickup')).toEqual([
        202,
        ['READY_FOR_PICKUP'],
        'READY',
      ])
    }
})

test('[ORD-TRA-06, ORD-OPS-08, ORD-EVT-08] dispatch moves a READY delivery to IN_DELIVERY, and is refused for other profiles', async () => {
  await using wire = await openOrdersWire()
  const delivery = await wire.create({ type: 'DELIVERY' })
  await wire.bring(delivery, 'READY')
  expect(await call(wire, delivery, 'dispatch')).toEqual([202, ['DISPATCHED'], 'IN_DELIVERY'])
  for (const type of ['TAKEOUT', 'INDOOR'] as const) {
    const orderId = await wire.create({ type })
    await wire.bring(orderId, 'READY')
    expect(await call(wire, orderId, 'dispatch')).toEqual([409, [], 'READY'])
  }
})

test('[ORD-TRA-07, ORD-OPS-09, ORD-EVT-12] delivered moves READY to DELIVERED in every profile', async () => {
  await using wire = await openOrdersWire()
  for (const type of orderTypes) {
    const orderId = await wire.create({ type })
    await wire.bring(orderId, 'READY')
    expect(await call(wire, orderId, 'delivered')).toEqual([202, ['DELIVERED'], 'DELIVERED'])
  }
})

test('[ORD-TRA-07] when configured, delivered requires IN_DELIVERY for a delivery, and not for other profiles', async () => {
  await using wire = await openOrdersWire({ conduct: { deliveredNeedsDispatch: true } })
  const delivery = await wire.create({ type: 'DELIVERY' })
  await wire.bring(delivery, 'READY')
  expect(await call(wire, delivery, 'delivered')).toEqual([409, [], 'READY'])
  await wire.bring(delivery, 'IN_DELIVERY')
  expect(await call(wire, delivery, 'delivered')).toEqual([202, ['DELIVERED'], 'DELIVERED'])
  const takeout = await wire.create({ type: 'TAKEOUT' })
  await wire.bring(takeout, 'READY')
  expect(await call(wire, takeout, 'delivered')).toEqual([202, ['DELIVERED'], 'DELIVERED'])
})

test('[ORD-TRA-08, ORD-OPS-09, ORD-EVT-12] delivered moves IN_DELIVERY to DELIVERED and announces it', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'DELIVERY' })
  await wire.bring(orderId, 'IN_DELIVERY')
  expect(await call(wire, orderId, 'delivered')).toEqual([202, ['DELIVERED'], 'DELIVERED'])
})

test('[ORD-TRA-09, ORD-EVT-16] the originator cancels from each of the five open statuses, in every profile, and announces it', async () => {
  await using wire = await openOrdersWire({ listen: false })
  for (const type of orderTypes)
    for (const from of ['CREATED', 'CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY'] as const) {
      if (from === 'IN_DELIVERY' && type !== 'DELIVERY') continue
      const orderId = await wire.create({ type })
      await wire.bring(orderId, from)
      await wire.drain()
      await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
      await wire.pass(orderProcessingMs)
      expect([type, from, eventTypesOf(await wire.drain(orderId))]).toEqual([
        type,
        from,
        ['CANCELLED'],
      ])
      expect((await wire.read(orderId)).status).toBe('CANCELLED')
    }
})

test('[ORD-TRA-09] it never cancels a delivered or concluded order', async () => {
  await using wire = await openOrdersWire()
  for (const from of ['DELIVERED', 'CONCLUDED'] as const) {
    const orderId = await wire.create()
    await wire.bring(orderId, from)
    await wire.drain()
    await wire.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    await wire.pass(orderProcessingMs)
    expect((await wire.read(orderId)).status).toBe(from)
    expect(await wire.drain(orderId)).toEqual([])
  }
})

test('[ORD-TRA-10, ORD-TRA-11, ORD-EVT-17] a delivered or cancelled order is concluded after a while, by the originator', async () => {
  await using wire = await openOrdersWire()
  for (const from of ['DELIVERED', 'CANCELLED'] as const) {
    const orderId = await wire.create()
    await wire.bring(orderId, from)
    await wire.drain()
    expect((await wire.read(orderId)).status).toBe(from)
    await wire.pass(orderConcludingMs)
    expect((await wire.read(orderId)).status).toBe('CONCLUDED')
    expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CONCLUDED'])
  }
})

test('[ORD-TRA-10] the time of concluding is configurable, and no call concludes an order', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create()
  await wire.bring(orderId, 'DELIVERED')
  const { agenda } = await wire.session.look({ agenda: { limit: 10, orderId } })
  const conclusion = agenda.find(({ text }) => text.startsWith('conclude'))!
  await wire.session.submit({ kind: 'agenda.delay', id: conclusion.id, byMs: 3_600_000 })
  await wire.pass(orderConcludingMs)
  expect((await wire.read(orderId)).status).toBe('DELIVERED')
  for (const path of ['conclude', 'concluded', 'close'])
    expect(await wire.ask(orderId, path)).toBe(404)
  await wire.pass(3_600_000)
  expect((await wire.read(orderId)).status).toBe('CONCLUDED')
})

test('[ORD-RUL-01] a call whose target status is reached already is 202, without change or event', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ type: 'DELIVERY' })
  for (const [operation, status] of [
    ['confirm', 'CONFIRMED'],
    ['preparing', 'PREPARING'],
    ['ready-for-pickup', 'READY'],
    ['dispatch', 'IN_DELIVERY'],
    ['delivered', 'DELIVERED'],
  ] as const) {
    await call(wire, orderId, operation)
    expect(await call(wire, orderId, operation)).toEqual([202, [], status])
  }
})

test('[ORD-RUL-02] 202 is a receipt: the status follows after the configured processing time', async () => {
  await using wire = await openOrdersWire({
    counterparts: { 'ordering-application': { processing: '5s' } },
  })
  const orderId = await wire.create()
  expect(await wire.ask(orderId, 'confirm')).toBe(202)
  await wire.pass(4999)
  expect((await wire.read(orderId)).status).toBe('CREATED')
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CREATED'])
  await wire.pass(1)
  expect((await wire.read(orderId)).status).toBe('CONFIRMED')
  expect(eventTypesOf(await wire.drain(orderId))).toEqual(['CONFIRMED'])
})

test('[ORD-UND-04] a call without a transition is 409 by default with the error body, 422 when configured, and has no effect', async () => {
  for (const [given, expected] of [
    [undefined, 409],
    [409, 409],
    [422, 422],
  ] as const) {
    await using wire = await openOrdersWire({
      conduct: given === undefined ? {} : { invalidTransition: { orders: given } },
    })
    const orderId = await wire.create({ type: 'DELIVERY' })
    const answer = await wire.send('POST', `/orders/${orderId}/dispatch`)
    expect(answer.status).toBe(expected)
    expect(answer.json).toMatchObject({
      error: { code: 'INVALID_TRANSITION', message: expect.any(String), retryable: false },
    })
    await wire.pass(orderProcessingMs)
    expect((await wire.read(orderId)).status).toBe('CREATED')
    const takeout = await wire.create({ type: 'TAKEOUT' })
    await wire.bring(takeout, 'READY')
    expect(await wire.ask(takeout, 'dispatch')).toBe(expected)
    await wire.bring(orderId, 'CANCELLED')
    expect(await wire.ask(orderId, 'confirm')).toBe(expected)
  }
})

test('[ORD-UND-05] a call whose target status the order has passed is 202 without effect by default, 409 or 422 when configured', async () => {
  for (const [given, expected] of [
    [undefined, 202],
    [409, 409],
    [422, 422],
  ] as const) {
    await using wire = await openOrdersWire({
      conduct: given === undefined ? {} : { passedTarget: given },
    })
    const orderId = await wire.create({ type: 'DELIVERY' })
    await wire.bring(orderId, 'PREPARING')
    expect(await call(wire, orderId, 'confirm')).toEqual([expected, [], 'PREPARING'])
    await wire.bring(orderId, 'CONCLUDED')
    expect(await call(wire, orderId, 'preparing')).toEqual([expected, [], 'CONCLUDED'])
  }
})

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

test('[ORD-UND-13] the error codes of Orders: one for each kind of refusal', async () => {
  await using wire = await openOrdersWire()
  const orderId = await wire.create({ order: plainOrder('a') })
  const codeOf = async (path: string, body?: unknown): Promise<unknown> => {
    const answer = await wire.send('POST', `/orders/${orderId}/${path}`, body ? { body } : {})
    return (answer.json as { error: { code: string } }).error.code
  }
  expect(await codeOf('dispatch')).toBe('INVALID_TRANSITION')
  expect(await codeOf('items/burger/cancel')).toBe('UNPROCESSABLE')
  expect(await codeOf('requestCancellation', { mode: 'LATER' })).toBe('INVALID_PAYLOAD')
  expect(await codeOf('acceptCancellation')).toBe('NOT_FOUND')
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
