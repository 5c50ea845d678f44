import { expect, test } from 'vitest'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import { noon, transcript, type Transcript } from '../../../../test/support/transcript.ts'
import { maxUndoSteps } from './edits.ts'
import type { Command } from '../command.ts'

const news = (orderId: string): Command => ({ kind: 'order.track', orderId, update: {} })

/** Four items not planned by hand: #1 in one second, #2 in two … */
function four(): Transcript {
  const session = transcript().given({ kind: 'order.create', order: plainOrder('a') })
  for (const afterMs of [1000, 2000, 3000, 4000])
    session.engine.submit({ kind: 'agenda.plan', command: news('a'), afterMs }, 'session')
  return session
}

const undo: Command = { kind: 'agenda.undo' }
const redo: Command = { kind: 'agenda.redo' }
const dueOf = ({ engine }: Transcript, id: number): number | undefined => {
  const due = engine.world.agenda.byId.get(id)?.due
  return due === undefined ? undefined : due - noon
}
/** The complete agenda. */
const agendaOf = ({ engine }: Transcript): string =>
  JSON.stringify([...engine.world.agenda.byId.values()].toSorted((a, b) => a.id - b.id))

test('undo of a drop restores the item’s position, and redo drops it again', () => {
  const session = four().given({ kind: 'agenda.drop', id: 2 })
  expect(session.plan()).toEqual([1, 3, 4])
  expect(session.when(undo)).toEqual(['undone, drop: #2: a courier update'])
  expect(session.plan()).toEqual([1, 2, 3, 4])
  expect(session.when(redo)).toEqual(['done again, drop: #2 removed'])
  expect(session.plan()).toEqual([1, 3, 4])
})

test('overdue items restored by undo keep their arranged order, whatever order they were planned in', () => {
  const session = transcript().given({ kind: 'order.create', order: plainOrder('a') })
  for (const afterMs of [3000, 1000, 2000])
    session.engine.submit({ kind: 'agenda.plan', command: news('a'), afterMs }, 'session')
  const drops = ([1, 2, 3] as const).map((id) => ({ kind: 'agenda.drop', id }) as const)
  expect(session.plan()).toEqual([2, 3, 1])
  session.given({ kind: 'agenda.batch', edits: drops })
  session.engine.advanceTo(noon + 5000)
  session.given(undo)
  expect(session.plan()).toEqual([2, 3, 1])
  expect([dueOf(session, 1), dueOf(session, 2), dueOf(session, 3)]).toEqual([5000, 5000, 5000])
})

const edits: readonly (readonly [string, Command])[] = [
  ['hold', { kind: 'agenda.hold', id: 2 }],
  ['drop', { kind: 'agenda.drop', id: 2 }],
  ['duplicate', { kind: 'agenda.duplicate', id: 2 }],
  ['delay', { kind: 'agenda.delay', id: 2, byMs: 5000 }],
  ['move', { kind: 'agenda.move', id: 4, to: { place: 1 } }],
  ['move', { kind: 'agenda.arrange', order: [3, 1, 2] }],
  ['edit', { kind: 'agenda.edit', id: 2, change: { orderId: 'b' } }],
  ['plan', { kind: 'agenda.plan', command: news('b'), afterMs: 10 }],
  [
    'drop',
    {
      kind: 'agenda.batch',
      edits: [
        { kind: 'agenda.drop', id: 1 },
        { kind: 'agenda.drop', id: 3 },
      ],
    },
  ],
  [
    'duplicate',
    {
      kind: 'agenda.batch',
      edits: [
        { kind: 'agenda.duplicate', id: 1 },
        { kind: 'agenda.delay', id: 1, byMs: 7 },
        { kind: 'agenda.duplicate', id: 3 },
      ],
    },
  ],
]

test.each(edits)('undo and redo of a %s restore the agenda exactly', (word, command) => {
  const session = four()
  const before = agendaOf(session)
  session.given(command)
  const after = agendaOf(session)
  expect(after).not.toBe(before)
  expect(session.when(undo)[0]).toContain(`undone, ${word}: `)
  expect(agendaOf(session)).toBe(before)
  expect(session.when(redo)[0]).toContain(`done again, ${word}: `)
  expect(agendaOf(session)).toBe(after)
})

test('steps are undone one by one, and a new step clears the redo list', () => {
  const session = four().given(
    { kind: 'agenda.drop', id: 1 },
    { kind: 'agenda.hold', id: 2 },
    { kind: 'agenda.delay', id: 3, byMs: 10 },
    undo,
    undo,
  )
  expect(session.engine.world.agenda.held.size).toBe(0)
  expect(session.plan()).toEqual([2, 3, 4])
  session.given({ kind: 'agenda.drop', id: 4 })
  expect(session.when(redo)).toEqual(['NOT_FOUND: nothing was undone that could be done again'])
  session.given(undo, undo)
  expect(session.plan()).toEqual([1, 2, 3, 4])
  expect(session.when(undo)).toEqual([
    'NOT_FOUND: nothing was done to the agenda by hand that could be undone',
  ])
})

test('undo of an item taken meanwhile is refused, and can be skipped', () => {
  const session = four().given(
    { kind: 'agenda.drop', id: 4 },
    { kind: 'agenda.delay', id: 1, byMs: 100 },
  )
  session.take()
  const said = 'CONFLICT: item 1 was taken meanwhile: the delay cannot be undone'
  expect(session.when(undo)).toEqual([said])
  // The refusal changed nothing, so it repeats.
  expect(session.when(undo)).toEqual([said])
  expect(session.when({ kind: 'agenda.undo', past: true })).toEqual([
    'undone, drop: #4: a courier update',
  ])
  expect(session.when(undo)[0]).toContain('nothing was done')
})

test('undo of several items restores those not taken meanwhile, and names the others', () => {
  const session = four().given({
    kind: 'agenda.batch',
    edits: [1, 2, 3].map((id) => ({ kind: 'agenda.delay', id, byMs: 500 }) as const),
  })
  session.take()
  expect(session.when(undo)).toEqual(['undone, delay: #2 #3, #1 taken meanwhile'])
  expect([dueOf(session, 2), dueOf(session, 3)]).toEqual([2000, 3000])
})

test('a move is undone although the neighbour was taken meanwhile', () => {
  const session = four().given({ kind: 'agenda.move', id: 1, to: { place: 3 } })
  expect(session.plan()).toEqual([2, 3, 1, 4])
  session.take()
  expect(session.when(undo)[0]).toMatch(/^undone, move: #1 #3, #2 taken meanwhile/)
  expect(session.plan()).toEqual([1, 3, 4])
})

test('no item is restored with a due instant before now', () => {
  const session = four().given({ kind: 'agenda.drop', id: 1 })
  session.engine.advanceTo(noon + 60_000)
  session.given(undo)
  expect(dueOf(session, 1)).toBe(60_000)
  expect(session.take()[0]).toBe('taken #2')
  expect(session.engine.now()).toBe(noon + 60_000)
})

test('a batch of edits is applied completely or not at all', () => {
  const session = four()
  const before = agendaOf(session)
  expect(
    session.when({
      kind: 'agenda.batch',
      edits: [
        { kind: 'agenda.drop', id: 1 },
        { kind: 'agenda.drop', id: 99 },
      ],
    }),
  ).toEqual(['NOT_FOUND: the agenda has no item 99: it was taken or dropped'])
  expect(agendaOf(session)).toBe(before)
})

test('arranged items exchange their positions', () => {
  const session = four().given({ kind: 'agenda.arrange', order: [4, 2, 1] })
  expect(session.plan()).toEqual([4, 2, 3, 1])
  expect([4, 2, 1].map((id) => dueOf(session, id))).toEqual([1000, 2000, 4000])
})

test('held items can be arranged too, and run in that order after release', () => {
  const session = four().given(...[1, 2, 3].map((id) => ({ kind: 'agenda.hold', id }) as const), {
    kind: 'agenda.arrange',
    order: [3, 1, 2],
  })
  expect(new Set(session.engine.world.agenda.held.keys())).toEqual(new Set([1, 2, 3]))
  session.engine.advanceTo(noon + 60_000)
  session.given(...[2, 1, 3].map((id) => ({ kind: 'agenda.release', id }) as const))
  expect(session.plan()).toEqual([4, 3, 1, 2])
})

test('undo restores an event that was altered by hand', () => {
  const session = four()
  const [eventId = ''] = session.engine.world.ordering.events.keys()
  const before = session.engine.world.ordering.events.get(eventId)
  session.given({ kind: 'event.alter', eventId, change: { createdAt: 'yesterday', colour: 'red' } })
  expect(session.engine.world.ordering.events.get(eventId)).toMatchObject({
    createdAt: 'yesterday',
  })
  expect(session.when(undo)).toEqual(['undone, edit: CREATED as it was'])
  expect(session.engine.world.ordering.events.get(eventId)).toEqual(before)
  session.given(redo)
  expect(session.engine.world.ordering.events.get(eventId)).toMatchObject({
    more: { colour: 'red' },
  })
})

test('facts that were not caused by hand are no undo steps', () => {
  const session = four()
  session.engine.submit({ kind: 'agenda.hold', id: 1 }, 'session')
  session.engine.submit(
    { kind: 'agenda.plan', command: { kind: 'agenda.drop', id: 2 }, afterMs: 0 },
    'session',
  )
  session.take()
  expect(session.plan()).toEqual([3, 4])
  expect(session.when(undo)[0]).toContain('nothing was done')
})

test('the number of undo steps is bounded', () => {
  const session = four()
  for (let count = 0; count < maxUndoSteps + 20; count++)
    session.given({ kind: 'agenda.delay', id: 4, byMs: 1 })
  for (let count = 0; count < maxUndoSteps; count++) session.given(undo)
  expect(session.when(undo)[0]).toContain('nothing was done')
  expect(dueOf(session, 4)).toBe(4020)
  for (let count = 0; count < maxUndoSteps; count++) session.given(redo)
  expect(dueOf(session, 4)).toBe(4120)
})
