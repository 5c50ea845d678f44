import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { transcript } from '../../../test/support/transcript.ts'
import { scheduledItems } from './agenda/agenda.ts'
import { snapshotWorld } from './snapshot.ts'

const create = (id: string) => ({ kind: 'order.create', order: plainOrder(id) }) as const
const plan = { kind: 'agenda.plan', command: { kind: 'session.open' }, afterMs: 5 } as const

test('a snapshot restores the world as it was, whatever has happened since', () => {
  const session = transcript().given(create('a'), create('b'), plan)
  const { world } = session.engine
  const eventIds = [...world.ordering.events.keys()]
  for (const eventId of eventIds) session.given({ kind: 'event.offer', eventId })
  const snapshot = snapshotWorld(world)

  session.given(create('c'), plan, { kind: 'events.acknowledge', eventIds: [eventIds[0]!] })
  session.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  session.take()

  const past = snapshot.restore()
  expect([...past.ordering.orders.keys()]).toEqual(['a', 'b'])
  expect(past.ordering.orders.get('a')?.status).toBe('CREATED')
  expect([...past.ordering.mailbox.keys()]).toEqual(eventIds)
  expect(Array.from(scheduledItems(past.agenda), ({ id }) => id)).toEqual([1])
  expect(past.agenda.nextId).toBe(2)
})

test('two restored worlds are independent of each other', () => {
  const session = transcript().given(create('a'), plan)
  const snapshot = snapshotWorld(session.engine.world)
  const first = snapshot.restore()
  first.ordering.orders.clear()
  first.agenda.chunks[0]?.pop()
  first.nextCallId = 99
  expect(snapshot.restore()).toEqual(session.engine.world)
})

test('records are shared, and the size is the sum of all maps and sets', () => {
  const { world } = transcript().given(create('a'), create('b')).engine
  const snapshot = snapshotWorld(world)
  expect(snapshot.restore().ordering.orders.get('a')).toBe(world.ordering.orders.get('a'))
  // Two orders, their events, and both maps of their slots.
  expect(snapshot.size).toBe(8)
})
