import { expect, test } from 'vitest'
import { addBounded, setBounded } from './bounded.ts'

test('a set over its bound lets go of the oldest, and says which', () => {
  const set = new Set<string>()
  expect(['a', 'b', 'a', 'c'].map((value) => addBounded(set, value, 2))).toEqual([
    undefined,
    undefined,
    undefined,
    'a',
  ])
  expect([...set]).toEqual(['b', 'c'])
})

test('a map over its bound lets go of the oldest key; a key that is set again keeps its age', () => {
  const map = new Map<string, number>()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    setBounded(map, key, value, 2)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ])
})

test('however many come and go, also by other ways, it is the oldest that leaves', () => {
  const most = 50
  const set = new Set<number>()
  const model: number[] = []
  for (let value = 0; value < 2000; value++) {
    // Every seventh comes back: it is as young as if it had never been there.
    const again = value % 7 === 0 ? model[3] : undefined
    if (again !== undefined) {
      set.delete(again)
      model.splice(3, 1)
    }
    model.push(again ?? value)
    const left = model.length > most ? model.shift() : undefined
    expect(addBounded(set, again ?? value, most)).toBe(left)
  }
  expect([...set]).toEqual(model)
})
