import { expect, test } from 'vitest'
import { noon, transcript, type Transcript } from '../../../../test/support/transcript.ts'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import type { Command } from '../command.ts'

const news = (orderId: string): Command => ({ kind: 'order.track', orderId, update: {} })
const plan = (afterMs: number, command: Command = news('a')): Command => ({
  kind: 'agenda.plan',
  command,
  afterMs,
})

/** Three items: #1 in one second, #2 in two, #3 in three; and an order for them. */
function three(): Transcript {
  const session = transcript()
  return session.given(
    { kind: 'order.create', order: plainOrder('a') },
    plan(1000),
    plan(2000),
    plan(3000, { kind: 'order.apply', orderId: 'a', trigger: 'confirm' }),
  )
}

test('a command planned by hand comes due after its delay', () => {
  const session = transcript().given({ kind: 'order.create', order: plainOrder('a') })
  expect(session.when(plan(1500))).toEqual(['planned #1: a courier update at 15:00:01.500'])
  expect(session.take()).toEqual(['taken #1', 'courier update applied'])
  expect(session.engine.now()).toBe(noon + 1500)
  expect(session.take()).toEqual([])
})

test('a held item does not come due, however late; when released, it is due at once', () => {
  const session = three()
  expect(session.when({ kind: 'agenda.hold', id: 1 })).toEqual(['held #1'])
  expect(session.when({ kind: 'agenda.hold', id: 1 })).toEqual([])
  expect(session.take()[0]).toBe('taken #2')
  expect(session.take()[0]).toBe('taken #3')
  expect(session.take()).toEqual([])
  expect(session.when({ kind: 'agenda.release', id: 1 })).toEqual(['released #1'])
  expect(session.engine.world.agenda.byId.get(1)?.due).toBe(noon + 3000)
  expect(session.when({ kind: 'agenda.release', id: 1 })).toEqual([])
  expect(session.take()[0]).toBe('taken #1')
  expect(session.engine.now()).toBe(noon + 3000)
})

test('overdue items released together run in the order into which they were arranged, not in that of planning', () => {
  const session = transcript().given(
    { kind: 'order.create', order: plainOrder('a') },
    plan(3000),
    plan(1000),
    plan(2000),
    plan(5000, { kind: 'session.open' }),
  )
  const held = [2, 3, 1] as const
  session.given({
    kind: 'agenda.batch',
    edits: held.map((id) => ({ kind: 'agenda.hold', id })),
  })
  const order = (): readonly number[] => session.plan().filter((id) => id < 4)
  session.engine.advanceTo(noon + 4000)
  const go: Command = {
    kind: 'agenda.batch',
    edits: held.map((id) => ({ kind: 'agenda.release', id })),
  }
  session.given(go)
  expect(order()).toEqual([2, 3, 1])
  session.given({ kind: 'agenda.undo' }, { kind: 'agenda.arrange', order: [3, 1, 2] }, go)
  expect(order()).toEqual([3, 1, 2])
  session.given({
    kind: 'agenda.batch',
    edits: held.map((id) => ({ kind: 'agenda.delay', id, byMs: 100 })),
  })
  expect(order()).toEqual([3, 1, 2])
  expect(session.engine.journal.foldTo(session.engine.journal.last())).toEqual(session.engine.world)
})

test('copies made of a held item, or in one batch, can be arranged like any items', () => {
  const session = three().given({ kind: 'agenda.hold', id: 1 })
  session.given({ kind: 'agenda.duplicate', id: 1 }, { kind: 'agenda.duplicate', id: 1 })
  session.given({
    kind: 'agenda.batch',
    edits: [
      { kind: 'agenda.duplicate', id: 2 },
      { kind: 'agenda.duplicate', id: 2 },
    ],
  })
  expect(session.plan()).toEqual([2, 6, 7, 3])
  session.given({ kind: 'agenda.move', id: 7, to: 'earlier' })
  expect(session.plan()).toEqual([2, 7, 6, 3])
  session.given({ kind: 'agenda.arrange', order: [6, 7, 2] })
  expect(session.plan()).toEqual([6, 7, 2, 3])
  session.given({ kind: 'agenda.arrange', order: [5, 1, 4] })
  session.engine.advanceTo(noon + 2500)
  const edits = ([1, 4, 5] as const).map((id) => ({ kind: 'agenda.release', id }) as const)
  session.given({ kind: 'agenda.batch', edits })
  expect(session.plan().filter((id) => [1, 4, 5].includes(id))).toEqual([5, 1, 4])
})

test('an item released before its due instant keeps that instant', () => {
  const session = three().given({ kind: 'agenda.hold', id: 2 }, { kind: 'agenda.release', id: 2 })
  expect(session.plan()).toEqual([1, 2, 3])
  expect(session.engine.world.agenda.byId.get(2)?.due).toBe(noon + 2000)
})

test('a dropped item does not run', () => {
  const session = three()
  expect(session.when({ kind: 'agenda.drop', id: 3 })).toEqual(['dropped #3: confirm takes effect'])
  session.take()
  session.take()
  expect(session.take()).toEqual([])
  expect(session.engine.world.ordering.orders.get('a')?.status).toBe('CREATED')
})

test('a held item can be dropped', () => {
  const session = three().given({ kind: 'agenda.hold', id: 1 }, { kind: 'agenda.drop', id: 1 })
  expect(session.engine.world.agenda.byId.size).toBe(2)
  expect(session.engine.world.agenda.held.size).toBe(0)
})

test('a duplicate comes right behind its original, and both run', () => {
  const session = three()
  expect(session.when({ kind: 'agenda.duplicate', id: 1 })).toEqual([
    'copy of 1 #4: a courier update at 15:00:01.000',
  ])
  expect(session.plan()).toEqual([1, 4, 2, 3])
  expect(session.take()).toEqual(['taken #1', 'courier update applied'])
  expect(session.take()).toEqual(['taken #4', 'courier update applied'])
})

test('copies of items at one instant stay between the original and the next item', () => {
  const session = transcript().given(plan(1000), plan(1000), plan(1000))
  for (let copies = 0; copies < 60; copies++) session.given({ kind: 'agenda.duplicate', id: 1 })
  session.given({ kind: 'agenda.duplicate', id: 2 })
  const order = session.plan()
  expect(order).toHaveLength(64)
  expect(order[0]).toBe(1)
  expect(order.slice(-3)).toEqual([2, 64, 3])
})

test('a copy of a held item is held as well', () => {
  const session = three().given({ kind: 'agenda.hold', id: 1 }, { kind: 'agenda.duplicate', id: 1 })
  expect([...session.engine.world.agenda.held.keys()]).toEqual([1, 4])
  expect(session.plan()).toEqual([2, 3])
})

test('a delayed item is postponed from its due instant, or from now when that is past', () => {
  const session = three()
  expect(session.when({ kind: 'agenda.delay', id: 1, byMs: 5000 })).toEqual([
    'delayed #1 to 15:00:06.000',
  ])
  expect(session.plan()).toEqual([2, 3, 1])
  session.engine.advanceTo(noon + 60_000)
  expect(session.when({ kind: 'agenda.delay', id: 2, byMs: 10 })).toEqual([
    'delayed #2 to 15:01:00.010',
  ])
})

test('a moved item swaps positions with its neighbour: the instants stay, the order changes', () => {
  const session = three()
  session.when({ kind: 'agenda.move', id: 1, to: 'later' })
  expect(session.plan()).toEqual([2, 1, 3])
  session.when({ kind: 'agenda.move', id: 3, to: 'earlier' })
  expect(session.plan()).toEqual([2, 3, 1])
  const dues = session.plan().map((id) => session.engine.world.agenda.byId.get(id)!.due - noon)
  expect(dues).toEqual([1000, 2000, 3000])
})

test('an item moves to the position of another, and all items between shift', () => {
  const session = three().given(plan(4000))
  session.when({ kind: 'agenda.move', id: 1, to: { place: 4 } })
  expect(session.plan()).toEqual([2, 3, 4, 1])
  session.when({ kind: 'agenda.move', id: 1, to: { place: 2 } })
  expect(session.plan()).toEqual([1, 2, 3, 4])
})

test('a sleep of the service between them stays as long as it is, an answer of ours that waits shifts', () => {
  const dueOf = (whose: 'subject' | 'answer'): number => {
    const session = three().given(plan(2500, { kind: 'pause.end', pause: 1, whose }))
    session.when({ kind: 'agenda.move', id: 3, to: { place: 1 } })
    expect(session.plan().filter((id) => id < 4)).toEqual([3, 1, 2])
    return session.engine.world.agenda.byId.get(4)!.due - noon
  }
  expect(dueOf('subject')).toBe(2500)
  expect(dueOf('answer')).toBe(3000)
})

test('no move takes the place of a sleep of the service, by one place or by its name', () => {
  const sleeping = () =>
    three().given(plan(2500, { kind: 'pause.end', pause: 1, whose: 'subject' }))
  const dues = (session: ReturnType<typeof sleeping>): readonly number[] =>
    [1, 2, 3, 4].map((id) => session.engine.world.agenda.byId.get(id)!.due - noon)
  const later = sleeping()
  later.when({ kind: 'agenda.move', id: 2, to: 'later' })
  expect(dues(later)).toEqual([1000, 3000, 2000, 2500])
  const earlier = sleeping()
  earlier.when({ kind: 'agenda.move', id: 3, to: 'earlier' })
  expect(dues(earlier)).toEqual([1000, 3000, 2000, 2500])
  const named = sleeping()
  expect(named.when({ kind: 'agenda.move', id: 1, to: { place: 4 } })).toEqual([
    'UNPROCESSABLE: item 4 is a pause of your service, whose place is its own; name an item beside it',
  ])
  expect(dues(named)).toEqual([1000, 2000, 3000, 2500])
})

test('moving past the end of the list is no error', () => {
  const session = three()
  expect(session.when({ kind: 'agenda.move', id: 1, to: 'earlier' })).toEqual([])
  expect(session.when({ kind: 'agenda.move', id: 3, to: 'later' })).toEqual([])
  expect(session.when({ kind: 'agenda.move', id: 2, to: { place: 2 } })).toEqual([])
})

test('a held item can be neither moved nor the target of a move', () => {
  const session = three().given({ kind: 'agenda.hold', id: 2 })
  expect(session.when({ kind: 'agenda.move', id: 2, to: 'later' })).toEqual([
    'CONFLICT: item 2 is held and has no place; release it first',
  ])
  expect(session.when({ kind: 'agenda.move', id: 1, to: { place: 2 } })).toEqual([
    'CONFLICT: item 2 is held and has no place',
  ])
  expect(session.when({ kind: 'agenda.move', id: 1, to: { place: 99 } })).toEqual([
    'NOT_FOUND: the agenda has no item 99 to move to',
  ])
})

test('an edited item runs its command with the changed fields', () => {
  const session = three()
  expect(session.when({ kind: 'agenda.edit', id: 3, change: { trigger: 'cancel' } })).toEqual([
    'edited #3: cancel takes effect',
  ])
  session.take()
  session.take()
  expect(session.take()).toEqual(['taken #3', 'CREATED > CANCELLED', 'CANCELLED emitted'])
})

test.each([
  [{ kind: 'order.track' }, 'UNPROCESSABLE: item 3 is a order.apply; its kind stays'],
  [{ speed: 3 }, 'UNPROCESSABLE: a order.apply has no field "speed"'],
  [{ trigger: 3 }, 'UNPROCESSABLE: "trigger" of a order.apply has another type'],
])('an edit to %j makes no sense, and changes nothing', (change, refusal) => {
  const session = three()
  expect(session.when({ kind: 'agenda.edit', id: 3, change })).toEqual([refusal])
  expect(session.engine.world.agenda.byId.get(3)?.edited).toBeUndefined()
})

test.each(['hold', 'release', 'drop', 'duplicate'] as const)(
  '%s of an unknown item is refused',
  (verb) => {
    expect(three().when({ kind: `agenda.${verb}`, id: 9 })).toEqual([
      'NOT_FOUND: the agenda has no item 9: it was taken or dropped',
    ])
  },
)

test('an item whose command is refused does not stop the next one', () => {
  const session = transcript().given(plan(0, news('nobody')), plan(0, { kind: 'session.open' }))
  expect(session.take()).toEqual(['taken #1', 'refused #1: there is no order nobody'])
  expect(session.take()[0]).toBe('taken #2')
})
