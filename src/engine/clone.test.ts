import { expect, test } from 'vitest'
import { plainOrder } from '../../test/support/plain-order.ts'
import { transcript } from '../../test/support/transcript.ts'
import { scheduled } from './agenda/agenda.ts'
import { keepWorld } from './clone.ts'

const create = (id: string) => ({ kind: 'order.create', order: plainOrder(id) }) as const
const plan = { kind: 'agenda.plan', command: { kind: 'session.open' }, afterMs: 5 } as const

test('a world that was put away comes out as it was, whatever has happened since', () => {
  const told = transcript().given(create('a'), create('b'), plan)
  const { world } = told.engine
  const eventIds = [...world.ordering.events.keys()]
  for (const eventId of eventIds) told.given({ kind: 'event.offer', eventId })
  const kept = keepWorld(world)

  told.given(create('c'), plan, { kind: 'events.acknowledge', eventIds: [eventIds[0]!] })
  told.given({ kind: 'order.apply', orderId: 'a', trigger: 'confirm' })
  told.take()

  const past = kept.restore()
  expect([...past.ordering.orders.keys()]).toEqual(['a', 'b'])
  expect(past.ordering.orders.get('a')?.status).toBe('CREATED')
  expect([...past.ordering.mailbox.keys()]).toEqual(eventIds)
  expect(Array.from(scheduled(past.agenda), ({ id }) => id)).toEqual([1])
  expect(past.agenda.nextId).toBe(2)
})

test('what came out once is a stranger to what comes out next', () => {
  const told = transcript().given(create('a'), plan)
  const kept = keepWorld(told.engine.world)
  const first = kept.restore()
  first.ordering.orders.clear()
  first.agenda.chunks[0]?.pop()
  first.nextCallId = 99
  expect(kept.restore()).toEqual(told.engine.world)
})

test('records are shared, and the size is that of all maps and sets', () => {
  const { world } = transcript().given(create('a'), create('b')).engine
  const kept = keepWorld(world)
  expect(kept.restore().ordering.orders.get('a')).toBe(world.ordering.orders.get('a'))
  // Two orders, their events, and their slots both ways round.
  expect(kept.size).toBe(8)
})
