import { expect, test } from 'vitest'
import { createChance } from '../../engine/chance.ts'
import { drawOptional, drawSubset, drawWeighted } from './draw.ts'

test('drawWeighted: frequencies follow the weights', () => {
  const chance = createChance(1)
  const table = [
    { weight: 6, value: 'often' },
    { weight: 1, value: 'rarely' },
    { weight: 0, value: 'never' },
  ]
  const drawn = Array.from({ length: 7000 }, () => drawWeighted(chance, table))
  expect(drawn.filter((value) => value === 'often').length).toBeGreaterThan(5700)
  expect(drawn.filter((value) => value === 'rarely').length).toBeGreaterThan(800)
  expect(drawn).not.toContain('never')
})

test('drawSubset: distinct values in list order, each with the same probability', () => {
  const chance = createChance(2)
  const values = [1, 2, 3, 4, 5]
  const counts = new Map<number, number>()
  for (let round = 0; round < 5000; round++) {
    const chosen = drawSubset(chance, values, 2)
    expect(chosen).toHaveLength(2)
    expect(chosen[0]).toBeLessThan(chosen[1]!)
    for (const value of chosen) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  for (const value of values) expect(counts.get(value)).toBeGreaterThan(1850)
  expect(drawSubset(chance, values, 9)).toEqual(values)
  expect(drawSubset(chance, values, 0)).toEqual([])
})

test('drawOptional: an absent result spreads to no member', () => {
  const chance = createChance(3)
  const made = Array.from({ length: 400 }, () => ({
    ...drawOptional(chance, 4, () => ({ note: 'oi' })),
  }))
  const without = made.filter((each) => Object.keys(each).length === 0)
  expect(without.length).toBeGreaterThan(250)
  expect(without.length).toBeLessThan(350)
  expect({ ...drawOptional(chance, 0, () => ({ note: 'oi' })) }).toEqual({})
})
