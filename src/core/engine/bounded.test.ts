import { expect, test } from 'vitest'
import { addBounded, deleteSized, setBounded, setSized } from './bounded.ts'

test('a set over its bound evicts the oldest value and returns it', () => {
  const set = new Set<string>()
  expect(['a', 'b', 'a', 'c'].map((value) => addBounded(set, value, 2))).toEqual([
    undefined,
    undefined,
    undefined,
    'a',
  ])
  expect([...set]).toEqual(['b', 'c'])
})

test('a map over its bound evicts the oldest key; setting a key again does not refresh its age', () => {
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

test('a map of limited characters evicts the oldest beyond them, also after it was copied, and never the newest', () => {
  const max = { maxEntries: 4, maxSize: 10, sizeOf: ({ length }: string) => length }
  const map = new Map<string, string>()
  const set = (key: string, value: string) => setSized(map, [key, value], max)
  expect(['a', 'b', 'c'].flatMap((key) => set(key, 'xxx'))).toEqual([])
  expect(set('d', 'xxx')).toEqual(['xxx'])
  expect(set('b', 'xxxx')).toEqual([])
  deleteSized(map, 'c', max)
  expect(set('e', 'xxx')).toEqual([])
  expect([...map.keys()]).toEqual(['b', 'd', 'e'])
  const copy = new Map(map)
  expect(setSized(copy, ['f', 'x'], max)).toEqual(['xxxx'])
  expect(setSized(copy, ['g', 'x'.repeat(99)], max)).toEqual(['xxx', 'xxx', 'x'])
  for (const key of 'hijkl') setSized(copy, [key, ''], max)
  expect([...copy.keys()].join('')).toBe('ijkl')
})

test('the oldest key is evicted, however many keys were added and also deleted elsewhere', () => {
  const max = 50
  const set = new Set<number>()
  const model: number[] = []
  for (let value = 0; value < 2000; value++) {
    // Every seventh key is added again: its age starts anew.
    const again = value % 7 === 0 ? model[3] : undefined
    if (again !== undefined) {
      set.delete(again)
      model.splice(3, 1)
    }
    model.push(again ?? value)
    const left = model.length > max ? model.shift() : undefined
    expect(addBounded(set, again ?? value, max)).toBe(left)
  }
  expect([...set]).toEqual(model)
})
