import { expect, test } from 'vitest'
import { querySession } from '../model/query.ts'
import type { Message } from '../model/message.ts'
import { chosenItem, initialModel, type Model } from '../model/model.ts'
import { createFakeSession } from '../../../../test/support/dashboard/fake-session.ts'
import { newRowCount } from '../model/order-list.ts'
import { updateModel } from './update.ts'
import { selectedIds } from './marks.ts'

/** A model with a snapshot of a session with orders, deeply frozen: a mutation would throw. */
async function modelWithSnapshot(): Promise<Model> {
  const face = createFakeSession({ mode: 'stepped' })
  for (let count = 0; count < 3; count++) await face.createOrder({})
  face.poll()
  let model = initialModel(150, 45)
  for (let round = 0; round < 2; round++)
    model = updateModel(model, { kind: 'snapshot', snapshot: await querySession(face, model) })
  return deepFreeze(model)
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}

const everyMessage: readonly Message[] = [
  { kind: 'pressed', key: 'j' },
  { kind: 'resized', columns: 80, rows: 24 },
  { kind: 'lost', because: 'connection refused' },
  { kind: 'notice', notice: { text: 'done', tone: 'plain' } },
  { kind: 'focused', pane: 'agenda' },
  { kind: 'cycled', by: -1 },
  { kind: 'moved', motion: { kind: 'rows', by: 1 } },
  { kind: 'moved', motion: { kind: 'last' } },
  { kind: 'followed' },
  { kind: 'chosen', orderId: 'order-1' },
  { kind: 'picked', id: 2 },
  { kind: 'narrowed' },
  { kind: 'travelled', by: -1 },
  { kind: 'returned' },
  { kind: 'opened' },
  { kind: 'helped' },
  { kind: 'peeled' },
  { kind: 'prompted', prompt: { kind: 'new-order' } },
  { kind: 'answered' },
  { kind: 'typed', text: 'x' },
  { kind: 'erased', all: false },
  { kind: 'background' },
  { kind: 'leaving' },
  { kind: 'marked' },
  { kind: 'ranged' },
  { kind: 'unmarked' },
  { kind: 'pinned' },
  { kind: 'pin-visited', by: 1 },
  { kind: 'listed', overlay: { kind: 'faults', chosen: undefined, top: 0 } },
  { kind: 'jumped', seq: 1 },
  { kind: 'resent', original: 1, seq: 2 },
  { kind: 'stuck' },
]

test('updateModel never mutates the model and is deterministic', async () => {
  const model = await modelWithSnapshot()
  const before = JSON.stringify(model)
  for (const message of everyMessage)
    expect(updateModel(model, message)).toEqual(updateModel(structuredClone(model), message))
  expect(JSON.stringify(model)).toBe(before)
})

test('every message is accepted before the first snapshot', () => {
  const model = deepFreeze(initialModel(80, 24))
  expect(everyMessage.map((message) => typeof updateModel(model, message).layout.columns)).toEqual(
    everyMessage.map(() => 'number'),
  )
})

test('the newest order is selected until the cursor is moved; from then on new ones are counted', async () => {
  const model = await modelWithSnapshot()
  expect(model.orderId).toMatch(/^00000003/)
  const face = createFakeSession()
  for (let count = 0; count < 5; count++) await face.createOrder({})
  const after = async (from: Model): Promise<Model> =>
    updateModel(from, { kind: 'snapshot', snapshot: await querySession(face, from) })
  const followed = await after(model)
  expect(followed.orderId).toMatch(/^00000005/)
  const focused = updateModel(followed, { kind: 'focused', pane: 'orders' })
  const moved = await after(
    updateModel(focused, { kind: 'moved', motion: { kind: 'rows', by: 1 } }),
  )
  for (let count = 0; count < 3; count++) await face.createOrder({})
  const later = await after(moved)
  expect(later.orderId).toMatch(/^00000004/)
  expect(newRowCount(later)).toBe(3)
  const back = await after(updateModel(later, { kind: 'moved', motion: { kind: 'first' } }))
  expect(back.orderId).toMatch(/^00000008/)
  expect(newRowCount(back)).toBe(0)
})

test('when the chosen item is gone, the item at its index is chosen', async () => {
  const model = await modelWithSnapshot()
  const chosen = [1, 2, 3].reduce(
    (each) => updateModel(each, { kind: 'moved', motion: { kind: 'rows', by: 1 } }),
    updateModel(model, { kind: 'focused', pane: 'agenda' }),
  )
  expect(chosenItem(chosen)?.id).toBe(3)
  const snapshot = chosen.snapshot!
  const without = { ...snapshot, agenda: snapshot.agenda.filter(({ id }) => id !== 3) }
  expect(chosenItem(updateModel(chosen, { kind: 'snapshot', snapshot: without }))?.id).toBe(2)
})

test('the clock mode before a stop is the mode that is resumed', async () => {
  const face = createFakeSession({ mode: 'virtual' })
  const model = initialModel(80, 24)
  const running = updateModel(model, {
    kind: 'snapshot',
    snapshot: await querySession(face, model),
  })
  await face.setClock({ mode: 'stepped' })
  const standing = updateModel(running, {
    kind: 'snapshot',
    snapshot: await querySession(face, running),
  })
  expect(standing.resume).toBe('virtual')
})

test('a lost session is cleared by the next snapshot', async () => {
  const model = updateModel(await modelWithSnapshot(), {
    kind: 'lost',
    because: 'connection refused',
  })
  expect(model.lost).toBe('connection refused')
  const snapshot = model.snapshot!
  expect(updateModel(model, { kind: 'snapshot', snapshot }).lost).toBeUndefined()
})

test('a range spans from the anchor to the cursor; once ended, it no longer follows the cursor', async () => {
  const moved = (model: Model, by: number): Model =>
    updateModel(model, { kind: 'moved', motion: { kind: 'rows', by } })
  const start = moved(
    updateModel(await modelWithSnapshot(), { kind: 'focused', pane: 'agenda' }),
    -9,
  )
  const [a = 0, b = 0, c = 0] = (start.snapshot?.agenda ?? []).map(({ id }) => id)
  const ranged = moved(updateModel(start, { kind: 'ranged' }), 1)
  expect(selectedIds(ranged)).toEqual([a, b])
  const kept = moved(updateModel(ranged, { kind: 'ranged' }), 1)
  expect(selectedIds(kept)).toEqual([a, b])
  expect(selectedIds(updateModel(kept, { kind: 'marked' }))).toEqual([a, b, c])
  expect(selectedIds(updateModel(kept, { kind: 'peeled' }))).toEqual([])
})

test('an item that was taken is no longer marked', async () => {
  const model = updateModel(await modelWithSnapshot(), { kind: 'focused', pane: 'agenda' })
  const marked = updateModel(model, { kind: 'marked' })
  const [id] = selectedIds(marked)
  const snapshot = marked.snapshot!
  const without = { ...snapshot, agenda: snapshot.agenda.filter((row) => row.id !== id) }
  expect(selectedIds(updateModel(marked, { kind: 'snapshot', snapshot: without }))).toEqual([])
})

test('verdicts that a query leaves out keep their previous value', async () => {
  const model = await modelWithSnapshot()
  const snapshot = model.snapshot!
  const verdicts = [{ id: 'SE-1' } as never]
  const judged = updateModel(model, { kind: 'snapshot', snapshot: { ...snapshot, verdicts } })
  const asked = { ...snapshot.query, includesVerdicts: false }
  const later = updateModel(judged, {
    kind: 'snapshot',
    snapshot: { ...snapshot, verdicts: [], query: asked },
  })
  expect(later.snapshot?.verdicts).toEqual(verdicts)
})
