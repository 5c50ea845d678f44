import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateDiscovery } from './estimate.ts'

test('before the first run the next is certain to look new', () => {
  expect(estimateDiscovery(new Map())).toEqual({ runs: 0, species: 0, newProbability: 1 })
})

test('the chance of something new is the share of the runs that looked like no other', () => {
  const signatures = new Map([
    ['a', 5],
    ['b', 1],
    ['c', 2],
    ['d', 1],
    ['e', 1],
  ])
  expect(estimateDiscovery(signatures)).toEqual({ runs: 10, species: 5, newProbability: 0.3 })
})

test('it is a probability, 1 when every run was new and 0 when every one was seen twice', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(counts, (all) => {
      const { runs, species, newProbability } = estimateDiscovery(
        new Map(all.map((count, index) => [String(index), count])),
      )
      expect(species).toBe(all.length)
      expect(runs).toBe(all.reduce((sum, count) => sum + count, 0))
      expect(newProbability).toBeGreaterThanOrEqual(0)
      expect(newProbability).toBeLessThanOrEqual(1)
      expect(newProbability === 1).toBe(all.every((count) => count === 1))
      expect(newProbability === 0).toBe(all.every((count) => count > 1))
    }),
  )
})
