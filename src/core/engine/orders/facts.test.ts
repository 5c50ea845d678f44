import { expect, test } from 'vitest'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import { transcript } from '../../../../test/support/transcript.ts'
import { apply } from '../fact.ts'
import { createWorld, worldBounds } from '../world.ts'

test('an order keeps its history: every status with its instant and trigger', () => {
  const session = transcript().given({ kind: 'order.create', order: plainOrder('a') })
  session.engine.advanceTo(session.engine.now() + 500)
  session.given(
    { kind: 'order.apply', orderId: 'a', trigger: 'confirm' },
    { kind: 'order.apply', orderId: 'a', trigger: 'cancel' },
  )
  const record = session.engine.world.ordering.orders.get('a')!
  const [created] = record.way
  expect(record.way).toEqual([
    { status: 'CREATED', at: created!.at },
    { status: 'CONFIRMED', at: created!.at + 500, trigger: 'confirm' },
    { status: 'CANCELLED', at: created!.at + 500, trigger: 'cancel' },
  ])
  expect(record.since).toBe(created!.at + 500)
  expect(record.eventIds).toHaveLength(3)
})

test('records are immutable: an old one stays as it was', () => {
  const session = transcript().given({ kind: 'order.create', order: plainOrder('a') })
  const before = session.engine.world.ordering.orders.get('a')!
  const copy = structuredClone(before)
  session.given(
    { kind: 'order.apply', orderId: 'a', trigger: 'confirm' },
    { kind: 'item.cancel', orderId: 'a', itemId: 'burger', cancellation: { quantity: 1 } },
  )
  expect(before).toEqual(copy)
})

test('when too many orders are finished, the oldest is evicted with its events', () => {
  const world = createWorld()
  const { ordering } = world
  const conclude = (orderId: string): void =>
    apply(
      world,
      { kind: 'order.moved', orderId, trigger: 'conclude', from: 'DELIVERED', to: 'CONCLUDED' },
      2,
    )
  for (const id of ['first', 'last'])
    apply(world, { kind: 'order.created', order: plainOrder(id) }, 1)
  const event = {
    eventId: 'e1',
    eventType: 'CREATED',
    orderId: 'first',
    merchantId: 'merchant-1',
    createdAt: '2026-01-05T15:00:00.000Z',
  } as const
  apply(world, { kind: 'event.emitted', event }, 0)
  apply(world, { kind: 'event.offered', eventId: 'e1' }, 0)
  apply(world, { kind: 'event.waiting', eventId: 'e1', attempt: 1 }, 0)
  conclude('first')
  for (let index = 1; index < worldBounds.ordersOver; index++) ordering.over.add(`filler ${index}`)
  expect(ordering.orders.has('first')).toBe(true)
  conclude('last')
  expect(ordering.over.size).toBe(worldBounds.ordersOver)
  expect([...ordering.orders.keys()]).toEqual(['last'])
  expect([ordering.events.size, ordering.mailbox.size, ordering.waiting.size]).toEqual([0, 0, 0])
})

test('facts about an evicted order change nothing', () => {
  const world = createWorld()
  const order = plainOrder('gone')
  apply(
    world,
    { kind: 'order.moved', orderId: 'gone', trigger: 'confirm', from: 'CREATED', to: 'CONFIRMED' },
    1,
  )
  apply(world, { kind: 'cancellation.requested', orderId: 'gone' }, 1)
  apply(
    world,
    {
      kind: 'item.cancelled',
      orderId: 'gone',
      itemId: 'burger',
      quantity: 1,
      items: order.items,
      total: order.total,
      payments: order.payments,
    },
    1,
  )
  expect(world.ordering).toEqual(createWorld().ordering)
})
