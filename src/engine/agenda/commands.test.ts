import { expect, test } from 'vitest'
import { noon, transcript, type Transcript } from '../../../test/support/transcript.ts'
import { plainOrder } from '../../../test/support/plain-order.ts'
import type { Command } from '../command.ts'

const news = (orderId: string): Command => ({ kind: 'order.track', orderId, update: {} })
const plan = (afterMs: number, command: Command = news('a')): Command => ({
  kind: 'agenda.plan',
  command,
  afterMs,
})

/** Three items: #1 in one second, #2 in two, #3 in three; and an order that they may be about. */
function three(): Transcript {
  const told = transcript()
  return told.given(
    { kind: 'order.create', order: plainOrder('a') },
    plan(1000),
    plan(2000),
    plan(3000, { kind: 'order.apply', orderId: 'a', trigger: 'confirm' }),
  )
}

test('a command planned by hand comes due when it was said to', () => {
  const told = transcript().given({ kind: 'order.create', order: plainOrder('a') })
  expect(told.when(plan(1500))).toEqual(['planned #1: a courier’s news at 15:00:01.500'])
  expect(told.take()).toEqual(['taken #1', 'courier’s news taken'])
  expect(told.engine.now()).toBe(noon + 1500)
  expect(told.take()).toEqual([])
})

test('a held item does not come due, however late it gets; released, it is due at once', () => {
  const told = three()
  expect(told.when({ kind: 'agenda.hold', id: 1 })).toEqual(['held #1'])
  expect(told.when({ kind: 'agenda.hold', id: 1 })).toEqual([])
  expect(told.take()[0]).toBe('taken #2')
  expect(told.take()[0]).toBe('taken #3')
  expect(told.take()).toEqual([])
  expect(told.when({ kind: 'agenda.release', id: 1 })).toEqual(['released #1'])
  expect(told.engine.world.agenda.byId.get(1)?.due).toBe(noon + 3000)
  expect(told.when({ kind: 'agenda.release', id: 1 })).toEqual([])
  expect(told.take()[0]).toBe('taken #1')
  expect(told.engine.now()).toBe(noon + 3000)
})

test('what is released together too late goes on in the order in which it was put, not in the one it was planned in', () => {
  const told = transcript().given(
    { kind: 'order.create', order: plainOrder('a') },
    plan(3000),
    plan(1000),
    plan(2000),
    plan(5000, { kind: 'session.open' }),
  )
  const held = [2, 3, 1] as const
  told.given({
    kind: 'agenda.batch',
    edits: held.map((id) => ({ kind: 'agenda.hold', id })),
  })
  const order = (): readonly number[] => told.plan().filter((id) => id < 4)
  told.engine.passTo(noon + 4000)
  const go: Command = {
    kind: 'agenda.batch',
    edits: held.map((id) => ({ kind: 'agenda.release', id })),
  }
  told.given(go)
  expect(order()).toEqual([2, 3, 1])
  told.given({ kind: 'agenda.undo' }, { kind: 'agenda.arrange', order: [3, 1, 2] }, go)
  expect(order()).toEqual([3, 1, 2])
  told.given({
    kind: 'agenda.batch',
    edits: held.map((id) => ({ kind: 'agenda.delay', id, byMs: 100 })),
  })
  expect(order()).toEqual([3, 1, 2])
  expect(told.engine.journal.foldTo(told.engine.journal.last())).toEqual(told.engine.world)
})

test('copies that were made while their item was held, or all at once, can be put in order like any others', () => {
  const told = three().given({ kind: 'agenda.hold', id: 1 })
  told.given({ kind: 'agenda.duplicate', id: 1 }, { kind: 'agenda.duplicate', id: 1 })
  told.given({
    kind: 'agenda.batch',
    edits: [
      { kind: 'agenda.duplicate', id: 2 },
      { kind: 'agenda.duplicate', id: 2 },
    ],
  })
  expect(told.plan()).toEqual([2, 6, 7, 3])
  told.given({ kind: 'agenda.move', id: 7, to: 'earlier' })
  expect(told.plan()).toEqual([2, 7, 6, 3])
  told.given({ kind: 'agenda.arrange', order: [6, 7, 2] })
  expect(told.plan()).toEqual([6, 7, 2, 3])
  told.given({ kind: 'agenda.arrange', order: [5, 1, 4] })
  told.engine.passTo(noon + 2500)
  const edits = ([1, 4, 5] as const).map((id) => ({ kind: 'agenda.release', id }) as const)
  told.given({ kind: 'agenda.batch', edits })
  expect(told.plan().filter((id) => [1, 4, 5].includes(id))).toEqual([5, 1, 4])
})

test('an item that is released before its time keeps it', () => {
  const told = three().given({ kind: 'agenda.hold', id: 2 }, { kind: 'agenda.release', id: 2 })
  expect(told.plan()).toEqual([1, 2, 3])
  expect(told.engine.world.agenda.byId.get(2)?.due).toBe(noon + 2000)
})

test('a dropped item does not happen', () => {
  const told = three()
  expect(told.when({ kind: 'agenda.drop', id: 3 })).toEqual(['dropped #3: confirm takes effect'])
  told.take()
  told.take()
  expect(told.take()).toEqual([])
  expect(told.engine.world.ordering.orders.get('a')?.status).toBe('CREATED')
})

test('a held item can be dropped', () => {
  const told = three().given({ kind: 'agenda.hold', id: 1 }, { kind: 'agenda.drop', id: 1 })
  expect(told.engine.world.agenda.byId.size).toBe(2)
  expect(told.engine.world.agenda.held.size).toBe(0)
})

test('a duplicate lies right behind its original, and both happen', () => {
  const told = three()
  expect(told.when({ kind: 'agenda.duplicate', id: 1 })).toEqual([
    'copy of 1 #4: a courier’s news at 15:00:01.000',
  ])
  expect(told.plan()).toEqual([1, 4, 2, 3])
  expect(told.take()).toEqual(['taken #1', 'courier’s news taken'])
  expect(told.take()).toEqual(['taken #4', 'courier’s news taken'])
})

test('copies of items at one instant stay between the original and what followed it', () => {
  const told = transcript().given(plan(1000), plan(1000), plan(1000))
  for (let copies = 0; copies < 60; copies++) told.given({ kind: 'agenda.duplicate', id: 1 })
  told.given({ kind: 'agenda.duplicate', id: 2 })
  const order = told.plan()
  expect(order).toHaveLength(64)
  expect(order[0]).toBe(1)
  expect(order.slice(-3)).toEqual([2, 64, 3])
})

test('a copy of a held item is held as well', () => {
  const told = three().given({ kind: 'agenda.hold', id: 1 }, { kind: 'agenda.duplicate', id: 1 })
  expect([...told.engine.world.agenda.held.keys()]).toEqual([1, 4])
  expect(told.plan()).toEqual([2, 3])
})

test('a delayed item is put off from its due time, or from now when that is past', () => {
  const told = three()
  expect(told.when({ kind: 'agenda.delay', id: 1, byMs: 5000 })).toEqual([
    'delayed #1 to 15:00:06.000',
  ])
  expect(told.plan()).toEqual([2, 3, 1])
  told.engine.passTo(noon + 60_000)
  expect(told.when({ kind: 'agenda.delay', id: 2, byMs: 10 })).toEqual([
    'delayed #2 to 15:01:00.010',
  ])
})

test('a moved item changes places with its neighbour: the instants stay, the order does not', () => {
  const told = three()
  told.when({ kind: 'agenda.move', id: 1, to: 'later' })
  expect(told.plan()).toEqual([2, 1, 3])
  told.when({ kind: 'agenda.move', id: 3, to: 'earlier' })
  expect(told.plan()).toEqual([2, 3, 1])
  const dues = told.plan().map((id) => told.engine.world.agenda.byId.get(id)!.due - noon)
  expect(dues).toEqual([1000, 2000, 3000])
})

test('an item moves to the place of another, and all between make room', () => {
  const told = three().given(plan(4000))
  told.when({ kind: 'agenda.move', id: 1, to: { place: 4 } })
  expect(told.plan()).toEqual([2, 3, 4, 1])
  told.when({ kind: 'agenda.move', id: 1, to: { place: 2 } })
  expect(told.plan()).toEqual([1, 2, 3, 4])
})

test('at the end of the list there is nowhere to move, and that is no error', () => {
  const told = three()
  expect(told.when({ kind: 'agenda.move', id: 1, to: 'earlier' })).toEqual([])
  expect(told.when({ kind: 'agenda.move', id: 3, to: 'later' })).toEqual([])
  expect(told.when({ kind: 'agenda.move', id: 2, to: { place: 2 } })).toEqual([])
})

test('a held item has no place to move from or to', () => {
  const told = three().given({ kind: 'agenda.hold', id: 2 })
  expect(told.when({ kind: 'agenda.move', id: 2, to: 'later' })).toEqual([
    'CONFLICT: item 2 is held and has no place; release it first',
  ])
  expect(told.when({ kind: 'agenda.move', id: 1, to: { place: 2 } })).toEqual([
    'CONFLICT: item 2 is held and has no place',
  ])
  expect(told.when({ kind: 'agenda.move', id: 1, to: { place: 99 } })).toEqual([
    'NOT_FOUND: the agenda has no item 99 to move to',
  ])
})

test('an edited item does something else of its kind', () => {
  const told = three()
  expect(told.when({ kind: 'agenda.edit', id: 3, change: { trigger: 'cancel' } })).toEqual([
    'edited #3: cancel takes effect',
  ])
  told.take()
  told.take()
  expect(told.take()).toEqual(['taken #3', 'CREATED > CANCELLED', 'CANCELLED emitted'])
})

test.each([
  [{ kind: 'order.track' }, 'UNPROCESSABLE: item 3 is a order.apply; its kind stays'],
  [{ speed: 3 }, 'UNPROCESSABLE: a order.apply has no field "speed"'],
  [{ trigger: 3 }, 'UNPROCESSABLE: "trigger" of a order.apply has another type'],
])('an edit to %j makes no sense, and changes nothing', (change, refusal) => {
  const told = three()
  expect(told.when({ kind: 'agenda.edit', id: 3, change })).toEqual([refusal])
  expect(told.engine.world.agenda.byId.get(3)?.edited).toBeUndefined()
})

test.each(['hold', 'release', 'drop', 'duplicate'] as const)(
  'nobody can %s what is not on the agenda',
  (verb) => {
    expect(three().when({ kind: `agenda.${verb}`, id: 9 })).toEqual([
      'NOT_FOUND: the agenda has no item 9: it was taken or dropped',
    ])
  },
)

test('an item that the world will not have is refused, and the next one comes', () => {
  const told = transcript().given(plan(0, news('nobody')), plan(0, { kind: 'session.open' }))
  expect(told.take()).toEqual(['taken #1', 'refused #1: there is no order nobody'])
  expect(told.take()[0]).toBe('taken #2')
})
