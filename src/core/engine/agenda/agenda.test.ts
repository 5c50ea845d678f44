import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createAgenda,
  firstItems,
  headItem,
  neighbourItem,
  nextDue,
  putItem,
  removeItem,
  replaceItem,
  rotatedPositions,
  scheduledItems,
} from './agenda.ts'
import type { AgendaItem } from './item.ts'
import { apply } from '../fact.ts'
import { createWorld } from '../world.ts'

const item = (id: number, due: number, more: Partial<AgendaItem> = {}): AgendaItem => ({
  id,
  due,
  rank: id,
  held: false,
  command: { kind: 'session.open' },
  cause: 0,
  background: false,
  ...more,
})

/** The reference model: the same agenda as one sorted array, without regard for speed. */
interface SortedModel {
  readonly items: Map<number, AgendaItem>
}
const compareItems = (a: AgendaItem, b: AgendaItem): number =>
  a.due - b.due || a.rank - b.rank || a.id - b.id
const sorted = ({ items }: SortedModel, held: boolean): readonly AgendaItem[] =>
  [...items.values()].filter((each) => held || !each.held).sort(compareItems)

type Edit =
  | { readonly kind: 'put'; readonly due: number; readonly rank?: number; readonly held: boolean }
  | { readonly kind: 'remove'; readonly which: number }
  | {
      readonly kind: 'change'
      readonly which: number
      readonly due: number
      readonly held: boolean
    }
  | { readonly kind: 'move'; readonly which: number; readonly to: number }

const due = fc.nat(40)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        kind: fc.constant('put' as const),
        due,
        rank: fc.integer({ min: 0, max: 8 }),
        held: fc.boolean(),
      },
      { requiredKeys: ['kind', 'due', 'held'] },
    ),
  },
  fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('change' as const), which: fc.nat(), due, held: fc.boolean() }),
  fc.record({ kind: fc.constant('move' as const), which: fc.nat(), to: fc.nat() }),
)

/** Edits that leave every item a distinct position: a move among items of one position would change nothing. */
const apart = edit.filter((each) => each.kind !== 'put' || each.rank === undefined)

/** The results of all queries of an agenda. */
interface Story {
  readonly scheduled: readonly AgendaItem[]
  readonly head: readonly [AgendaItem | undefined, number | undefined]
  readonly known: number
  readonly foreground: number
  readonly firsts: readonly (readonly AgendaItem[])[]
  readonly odd: readonly AgendaItem[]
  readonly before: readonly (AgendaItem | undefined)[]
  readonly after: readonly (AgendaItem | undefined)[]
  readonly emptyChunks: number
}

/** Applies an edit to agenda and model, and compares their queries. */
function play(edits: readonly Edit[], prefill: number): { ours: Story; sorting: Story } {
  const agenda = createAgenda()
  const model: SortedModel = { items: new Map() }
  const add = (each: AgendaItem): void => {
    putItem(agenda, each)
    model.items.set(each.id, each)
  }
  for (let id = 1; id <= prefill; id++)
    add(item(id, (id * 7919) % 41, { background: id % 3 === 0 }))

  for (const each of edits) {
    const all = [...model.items.values()]
    const chosen = 'which' in each ? all[each.which % Math.max(1, all.length)] : undefined
    if (each.kind === 'put') {
      const id = agenda.nextId
      add(item(id, each.due, { rank: each.rank ?? id, held: each.held }))
    } else if (!chosen) continue
    else if (each.kind === 'remove') {
      removeItem(agenda, chosen.id)
      model.items.delete(chosen.id)
    } else if (each.kind === 'change') {
      const changed = { ...chosen, due: each.due, held: each.held }
      replaceItem(agenda, changed)
      model.items.set(chosen.id, changed)
    } else if (!chosen.held) {
      const row = sorted(model, false)
      const target = row[each.to % row.length]!
      if (target.id === chosen.id) continue
      const places = rotatedPositions(agenda, chosen, target)
      const { command } = chosen
      apply(
        { ...createWorld(), agenda },
        { kind: 'agenda.moved', id: chosen.id, command, places },
        0,
      )
      // A move keeps the list's instants and ranks, and shifts every item between by one position.
      const slots = row.map(({ due: at, rank }) => ({ due: at, rank }))
      const order = row.filter((other) => other.id !== chosen.id)
      order.splice(row.indexOf(target), 0, chosen)
      for (const [index, mover] of order.entries())
        model.items.set(mover.id, { ...mover, ...slots[index]! })
    }
  }

  const list = sorted(model, false)
  const whole = sorted(model, true)
  const odd = ({ id }: AgendaItem): boolean => id % 2 === 1
  const ours: Story = {
    scheduled: [...scheduledItems(agenda)],
    head: [headItem(agenda), nextDue(agenda)],
    known: agenda.byId.size,
    foreground: agenda.foreground,
    firsts: [0, 1, 7, 1000].map((max) => firstItems(agenda, max)),
    odd: firstItems(agenda, 5, odd),
    before: list.map((each) => neighbourItem(agenda, each, 'before')),
    after: list.map((each) => neighbourItem(agenda, each, 'after')),
    emptyChunks: agenda.chunks.filter((chunk) => chunk.length === 0).length,
  }
  const sorting: Story = {
    scheduled: list,
    head: [list[0], list[0]?.due],
    known: model.items.size,
    foreground: list.filter(({ background }) => !background).length,
    firsts: [0, 1, 7, 1000].map((max) => whole.slice(0, max)),
    odd: whole.filter(odd).slice(0, 5),
    before: list.map((_, index) => list[index - 1]),
    after: list.map((_, index) => list[index + 1]),
    emptyChunks: 0,
  }
  return { ours, sorting }
}

test('after random puts, removals, changes and moves the list equals the sorted model', () => {
  fc.assert(
    fc.property(fc.array(apart, { maxLength: 60 }), fc.nat(30), (edits, prefill) => {
      const { ours, sorting } = play(edits, prefill)
      expect(ours).toEqual(sorting)
    }),
    { numRuns: 300 },
  )
})

test('the order holds when the list spans many chunks', () => {
  fc.assert(
    fc.property(fc.array(apart, { minLength: 20, maxLength: 60 }), (edits) => {
      const { ours, sorting } = play(edits, 1500)
      expect(ours).toEqual(sorting)
    }),
    { numRuns: 8 },
  )
})

test('items with equal instant and rank are ordered by id, and none is lost', () => {
  const still = edit.filter((each) => each.kind !== 'move')
  fc.assert(
    fc.property(fc.array(still, { maxLength: 60 }), (edits) => {
      const { ours, sorting } = play(edits, 3)
      expect(ours).toEqual(sorting)
    }),
    { numRuns: 200 },
  )
})

test('a held item is not scheduled, but is listed where it would have been', () => {
  const agenda = createAgenda()
  for (const each of [item(1, 10), item(2, 20, { held: true }), item(3, 30)]) putItem(agenda, each)
  expect([...scheduledItems(agenda)].map(({ id }) => id)).toEqual([1, 3])
  expect(firstItems(agenda, 3).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(agenda.foreground).toBe(2)
})

test('removing an unknown item is no error', () => {
  const agenda = createAgenda()
  expect(removeItem(agenda, 7)).toBeUndefined()
  expect(headItem(agenda)).toBeUndefined()
  expect(nextDue(agenda)).toBeUndefined()
  expect(firstItems(agenda, 5)).toEqual([])
})

test('ids ascend and are never reused, even after the last item was removed', () => {
  const agenda = createAgenda()
  putItem(agenda, item(agenda.nextId, 1))
  removeItem(agenda, 1)
  expect(agenda.nextId).toBe(2)
})
