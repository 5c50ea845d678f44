import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import { noon, transcript, type Transcript } from '../../../test/support/transcript.ts'
import { mostSteps } from './edits.ts'
import type { Command } from '../command.ts'

const news = (orderId: string): Command => ({ kind: 'order.track', orderId, update: {} })

/** Four items that no hand planned: #1 in one second, #2 in two … */
function four(): Transcript {
  const told = transcript().given({ kind: 'order.create', order: plainOrder('a') })
  for (const afterMs of [1000, 2000, 3000, 4000])
    told.engine.submit({ kind: 'agenda.plan', command: news('a'), afterMs }, 'session')
  return told
}

const undo: Command = { kind: 'agenda.undo' }
const redo: Command = { kind: 'agenda.redo' }
const dueOf = ({ engine }: Transcript, id: number): number | undefined => {
  const due = engine.world.agenda.byId.get(id)?.due
  return due === undefined ? undefined : due - noon
}
/** The agenda as it is, whole. */
const agendaOf = ({ engine }: Transcript): string =>
  JSON.stringify([...engine.world.agenda.byId.values()].toSorted((a, b) => a.id - b.id))

test('what was dropped comes back to where it was, and can be dropped again', () => {
  const told = four().given({ kind: 'agenda.drop', id: 2 })
  expect(told.plan()).toEqual([1, 3, 4])
  expect(told.when(undo)).toEqual(['undone, drop: #2: a courier’s news'])
  expect(told.plan()).toEqual([1, 2, 3, 4])
  expect(told.when(redo)).toEqual(['done again, drop: #2 gone again'])
  expect(told.plan()).toEqual([1, 3, 4])
})

test('what comes back too late comes back in its order, whatever order it was planned in', () => {
  const told = transcript().given({ kind: 'order.create', order: plainOrder('a') })
  for (const afterMs of [3000, 1000, 2000])
    told.engine.submit({ kind: 'agenda.plan', command: news('a'), afterMs }, 'session')
  const drops = ([1, 2, 3] as const).map((id) => ({ kind: 'agenda.drop', id }) as const)
  expect(told.plan()).toEqual([2, 3, 1])
  told.given({ kind: 'agenda.batch', edits: drops })
  told.engine.passTo(noon + 5000)
  told.given(undo)
  expect(told.plan()).toEqual([2, 3, 1])
  expect([dueOf(told, 1), dueOf(told, 2), dueOf(told, 3)]).toEqual([5000, 5000, 5000])
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

test.each(edits)('a %s is undone and done again to the letter', (word, command) => {
  const told = four()
  const before = agendaOf(told)
  told.given(command)
  const after = agendaOf(told)
  expect(after).not.toBe(before)
  expect(told.when(undo)[0]).toContain(`undone, ${word}: `)
  expect(agendaOf(told)).toBe(before)
  expect(told.when(redo)[0]).toContain(`done again, ${word}: `)
  expect(agendaOf(told)).toBe(after)
})

test('steps are undone one after the other, and a new step ends what could be done again', () => {
  const told = four().given(
    { kind: 'agenda.drop', id: 1 },
    { kind: 'agenda.hold', id: 2 },
    { kind: 'agenda.delay', id: 3, byMs: 10 },
    undo,
    undo,
  )
  expect(told.engine.world.agenda.held.size).toBe(0)
  expect(told.plan()).toEqual([2, 3, 4])
  told.given({ kind: 'agenda.drop', id: 4 })
  expect(told.when(redo)).toEqual(['NOT_FOUND: nothing was undone that could be done again'])
  told.given(undo, undo)
  expect(told.plan()).toEqual([1, 2, 3, 4])
  expect(told.when(undo)).toEqual([
    'NOT_FOUND: nothing was done to the agenda by hand that could be undone',
  ])
})

test('an item that was taken meanwhile cannot be called back: that is said, and can be gone past', () => {
  const told = four().given(
    { kind: 'agenda.drop', id: 4 },
    { kind: 'agenda.delay', id: 1, byMs: 100 },
  )
  told.take()
  const said = 'CONFLICT: item 1 was taken meanwhile: the delay cannot be undone'
  expect(told.when(undo)).toEqual([said])
  // Nothing changed by that, so it is said again.
  expect(told.when(undo)).toEqual([said])
  expect(told.when({ kind: 'agenda.undo', past: true })).toEqual([
    'undone, drop: #4: a courier’s news',
  ])
  expect(told.when(undo)[0]).toContain('nothing was done')
})

test('of several items those come back that are still there; the others are named', () => {
  const told = four().given({
    kind: 'agenda.batch',
    edits: [1, 2, 3].map((id) => ({ kind: 'agenda.delay', id, byMs: 500 }) as const),
  })
  told.take()
  expect(told.when(undo)).toEqual(['undone, delay: #2 #3, #1 taken meanwhile'])
  expect([dueOf(told, 2), dueOf(told, 3)]).toEqual([2000, 3000])
})

test('a moved item goes back although its neighbour was taken meanwhile', () => {
  const told = four().given({ kind: 'agenda.move', id: 1, to: { place: 3 } })
  expect(told.plan()).toEqual([2, 3, 1, 4])
  told.take()
  expect(told.when(undo)[0]).toMatch(/^undone, move: #1 #3, #2 taken meanwhile/)
  expect(told.plan()).toEqual([1, 3, 4])
})

test('nothing comes back earlier than now', () => {
  const told = four().given({ kind: 'agenda.drop', id: 1 })
  told.engine.passTo(noon + 60_000)
  told.given(undo)
  expect(dueOf(told, 1)).toBe(60_000)
  expect(told.take()[0]).toBe('taken #2')
  expect(told.engine.now()).toBe(noon + 60_000)
})

test('a batch is all or nothing', () => {
  const told = four()
  const before = agendaOf(told)
  expect(
    told.when({
      kind: 'agenda.batch',
      edits: [
        { kind: 'agenda.drop', id: 1 },
        { kind: 'agenda.drop', id: 99 },
      ],
    }),
  ).toEqual(['NOT_FOUND: the agenda has no item 99: it was taken or dropped'])
  expect(agendaOf(told)).toBe(before)
})

test('items put into another order share out the places that they have', () => {
  const told = four().given({ kind: 'agenda.arrange', order: [4, 2, 1] })
  expect(told.plan()).toEqual([4, 2, 3, 1])
  expect([4, 2, 1].map((id) => dueOf(told, id))).toEqual([1000, 2000, 4000])
})

test('held items are put into another order too, and go on in it', () => {
  const told = four().given(...[1, 2, 3].map((id) => ({ kind: 'agenda.hold', id }) as const), {
    kind: 'agenda.arrange',
    order: [3, 1, 2],
  })
  expect(new Set(told.engine.world.agenda.held.keys())).toEqual(new Set([1, 2, 3]))
  told.engine.passTo(noon + 60_000)
  told.given(...[2, 1, 3].map((id) => ({ kind: 'agenda.release', id }) as const))
  expect(told.plan()).toEqual([4, 3, 1, 2])
})

test('an event that was changed by hand becomes what it was', () => {
  const told = four()
  const [eventId = ''] = told.engine.world.ordering.events.keys()
  const before = told.engine.world.ordering.events.get(eventId)
  told.given({ kind: 'event.alter', eventId, change: { createdAt: 'yesterday', colour: 'red' } })
  expect(told.engine.world.ordering.events.get(eventId)).toMatchObject({ createdAt: 'yesterday' })
  expect(told.when(undo)).toEqual(['undone, edit: CREATED as it was'])
  expect(told.engine.world.ordering.events.get(eventId)).toEqual(before)
  told.given(redo)
  expect(told.engine.world.ordering.events.get(eventId)).toMatchObject({ more: { colour: 'red' } })
})

test('what happens of its own accord is nobody’s step', () => {
  const told = four()
  told.engine.submit({ kind: 'agenda.hold', id: 1 }, 'session')
  told.engine.submit(
    { kind: 'agenda.plan', command: { kind: 'agenda.drop', id: 2 }, afterMs: 0 },
    'session',
  )
  told.take()
  expect(told.plan()).toEqual([3, 4])
  expect(told.when(undo)[0]).toContain('nothing was done')
})

test('only so many steps are remembered', () => {
  const told = four()
  for (let count = 0; count < mostSteps + 20; count++)
    told.given({ kind: 'agenda.delay', id: 4, byMs: 1 })
  for (let count = 0; count < mostSteps; count++) told.given(undo)
  expect(told.when(undo)[0]).toContain('nothing was done')
  expect(dueOf(told, 4)).toBe(4020)
  for (let count = 0; count < mostSteps; count++) told.given(redo)
  expect(dueOf(told, 4)).toBe(4120)
})
