/** Pending work is read from the current world: undone edits of the agenda do not count. */
import { expect, test } from 'vitest'
import { plan } from '../../../partners/counterparts/planning.ts'
import type { Reactor } from '../../../engine/engine.ts'
import { plainOrder } from '../../../../../test/support/plain-order.ts'
import { transcript } from '../../../../../test/support/transcript.ts'
import {
  openFaultyEngine,
  type FaultyEngineOptions,
} from '../../../../../test/support/faulty-engine.ts'
import { pendingWorkIn } from './pending-work.ts'

function looked(options: FaultyEngineOptions = {}) {
  const faulty = openFaultyEngine(options)
  const { world } = faulty.engine
  const eventOf = (orderId: string): string => world.ordering.orders.get(orderId)?.eventIds[0] ?? ''
  const ids = () => [...world.agenda.byId.keys()]
  const coming = () => pendingWorkIn(world, 'software-service')
  const comes = (...orderIds: string[]) =>
    orderIds.map((orderId) => coming().event(eventOf(orderId)))
  return { ...faulty, eventOf, ids, coming, comes }
}

test('an event is pending while its handover is planned, and until it leaves the mailbox', () => {
  const { order, submit: say, pass, eventOf, comes } = looked()
  order('a')
  expect(comes('a')).toEqual([true])
  pass(0)
  expect(comes('a')).toEqual([true])
  say({ kind: 'events.acknowledge', eventIds: [eventOf('a')] })
  expect(comes('a')).toEqual([false])
})

test('a handover dropped and restored is pending again', () => {
  const { order, submit: say, ids, comes } = looked()
  order('a')
  const [id = 0] = ids()
  say({ kind: 'agenda.drop', id })
  expect(comes('a')).toEqual([false])
  say({ kind: 'agenda.undo' })
  expect(comes('a')).toEqual([true])
})

test('an edited item makes only its new event pending', () => {
  const { order, submit: say, pass, ids, eventOf, comes } = looked()
  order('a')
  order('b')
  const [id = 0, other = 0] = ids()
  say({ kind: 'agenda.drop', id: other })
  expect(comes('a', 'b')).toEqual([true, false])
  say({ kind: 'agenda.edit', id, change: { eventId: eventOf('b') } })
  expect(comes('a', 'b')).toEqual([false, true])
  pass(0)
  expect(comes('a', 'b')).toEqual([false, true])
})

test('an accepted transition is pending until it takes effect; concluding an order is not', () => {
  const soon: Reactor = (fact) =>
    fact.kind === 'order.requested'
      ? [plan({ kind: 'order.apply', orderId: fact.orderId, trigger: fact.trigger }, 500)]
      : fact.kind === 'order.moved'
        ? [plan({ kind: 'order.apply', orderId: fact.orderId, trigger: 'conclude' }, 5000)]
        : []
  const { engine, given } = transcript({ reactors: [soon] })
  const come = () =>
    ['a', 'b'].map((orderId) =>
      pendingWorkIn(engine.world, 'software-service').affectsOrder(orderId),
    )
  for (const id of ['a', 'b']) given({ kind: 'order.create', order: plainOrder(id) })
  expect(come()).toEqual([false, false])
  given({ kind: 'order.request', orderId: 'a', trigger: 'confirm' })
  expect(come()).toEqual([true, false])
  engine.take()
  expect(engine.world.ordering.orders.get('a')?.status).toBe('CONFIRMED')
  expect(engine.world.agenda.byId.size).toBe(1)
  expect(come()).toEqual([false, false])
})
