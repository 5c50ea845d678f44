import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createAgenda,
  firstItems,
  head,
  neighbour,
  nextDue,
  put,
  remove,
  replace,
  rotation,
  scheduled,
} from './agenda.ts'
import { applyAgenda } from './agenda-facts.ts'
import type { Item } from './item.ts'

const item = (id: number, due: number, more: Partial<Item> = {}): Item => ({
  id,
  due,
  rank: id,
  held: false,
  command: { kind: 'session.open' },
  cause: 0,
  background: false,
  ...more,
})

/** The same agenda as one sorted array, with no care for speed: what the chunks must agree with. */
interface Naive {
  readonly items: Map<number, Item>
}
const inOrder = (a: Item, b: Item): number => a.due - b.due || a.rank - b.rank || a.id - b.id
const sorted = ({ items }: Naive, held: boolean): readonly Item[] =>
  [...items.values()].filter((each) => held || !each.held).sort(inOrder)

type Edit =
  | { readonly kind: 'put'; readonly due: number; readonly rank?: number; readonly held: boolean }
  | { readonly kind: 'remove'; readonly which: number }
  | { readonly kind: 'change'; readonly which: number; readonly due: number; readonly held: boolean }
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

/** Does the same to both, and checks that they tell the same story. */
function play(edits: readonly Edit[], prefill: number): void {
  const agenda = createAgenda()
  const naive: Naive = { items: new Map() }
  const add = (each: Item): void => {
    put(agenda, each)
    naive.items.set(each.id, each)
  }
  for (let id = 1; id <= prefill; id++) add(item(id, (id * 7919) % 41, { background: id % 3 === 0 }))

  for (const each of edits) {
    const all = [...naive.items.values()]
    const chosen = 'which' in each ? all[each.which % Math.max(1, all.length)] : undefined
    if (each.kind === 'put') {
      const id = agenda.nextId
      add(item(id, each.due, { rank: each.rank ?? id, held: each.held }))
    } else if (!chosen) continue
    else if (each.kind === 'remove') {
      expect(remove(agenda, chosen.id)).toEqual(chosen)
      naive.items.delete(chosen.id)
    } else if (each.kind === 'change') {
      const changed = { ...chosen, due: each.due, held: each.held }
      replace(agenda, changed)
      naive.items.set(chosen.id, changed)
    } else if (!chosen.held) {
      const list = sorted(naive, false)
      const target = list[each.to % list.length]!
      if (target.id === chosen.id) continue
      const places = rotation(agenda, chosen, target)
      applyAgenda(agenda, { kind: 'agenda.moved', id: chosen.id, places })
      // A move keeps the list's instants and ranks, and shifts everybody between by one place.
      const slots = list.map(({ due: at, rank }) => ({ due: at, rank }))
      const order = list.filter(({ id }) => id !== chosen.id)
      order.splice(list.indexOf(target), 0, chosen)
      for (const [index, mover] of order.entries())
        naive.items.set(mover.id, { ...mover, ...slots[index]! })
    }
  }

  const expected = sorted(naive, false)
  expect([...scheduled(agenda)]).toEqual(expected)
  expect(head(agenda)).toEqual(expected[0])
  expect(nextDue(agenda)).toBe(expected[0]?.due)
  expect(agenda.byId.size).toBe(naive.items.size)
  expect(agenda.foreground).toBe(expected.filter(({ background }) => !background).length)
  expect(agenda.chunks.every((chunk) => chunk.length > 0)).toBe(true)
  for (const most of [0, 1, 7, 1000])
    expect(firstItems(agenda, most)).toEqual(sorted(naive, true).slice(0, most))
  const odd = ({ id }: Item): boolean => id % 2 === 1
  expect(firstItems(agenda, 5, odd)).toEqual(sorted(naive, true).filter(odd).slice(0, 5))
  for (const [index, each] of expected.entries()) {
    expect(neighbour(agenda, each, 'before')).toEqual(expected[index - 1])
    expect(neighbour(agenda, each, 'after')).toEqual(expected[index + 1])
  }
}

test('whatever is put, removed, changed and moved, the list is the one that sorting gives', () => {
  // Ranks that tie would make a move ambiguous only if the id did not decide; moves among ties are in the next test.
  const apart = edit.filter((each) => each.kind !== 'put' || each.rank === undefined)
  fc.assert(
    fc.property(fc.array(apart, { maxLength: 60 }), fc.nat(30), (edits, prefill) =>
      play(edits, prefill),
    ),
    { numRuns: 300 },
  )
})

test('it stays right when the list is long enough to lie in many chunks', () => {
  const apart = edit.filter((each) => each.kind !== 'put' || each.rank === undefined)
  fc.assert(
    fc.property(fc.array(apart, { minLength: 20, maxLength: 60 }), (edits) => play(edits, 1500)),
    { numRuns: 8 },
  )
})

test('items that share instant and rank keep the order of their ids, and none is lost', () => {
  const still = edit.filter((each) => each.kind !== 'move')
  fc.assert(
    fc.property(fc.array(still, { maxLength: 60 }), (edits) => play(edits, 3)),
    { numRuns: 200 },
  )
})

test('a held item has no place, but is shown where it would have been', () => {
  const agenda = createAgenda()
  for (const each of [item(1, 10), item(2, 20, { held: true }), item(3, 30)]) put(agenda, each)
  expect([...scheduled(agenda)].map(({ id }) => id)).toEqual([1, 3])
  expect(firstItems(agenda, 3).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(agenda.foreground).toBe(2)
})

test('what is not there cannot be removed, and that is no error', () => {
  const agenda = createAgenda()
  expect(remove(agenda, 7)).toBeUndefined()
  expect(head(agenda)).toBeUndefined()
  expect(nextDue(agenda)).toBeUndefined()
  expect(firstItems(agenda, 5)).toEqual([])
})

test('ids go up and are not given twice, even after the last item left', () => {
  const agenda = createAgenda()
  put(agenda, item(agenda.nextId, 1))
  remove(agenda, 1)
  expect(agenda.nextId).toBe(2)
})
