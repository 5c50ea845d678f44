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
