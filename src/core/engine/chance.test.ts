import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Chance, createChance } from './chance.ts'

const draw = (chance: Chance, times = 20): readonly number[] =>
  Array.from({ length: times }, () => chance.below(1_000_000))

const seed = fc.nat(Number.MAX_SAFE_INTEGER)

test('the same seed and name give the same stream', () => {
  fc.assert(
    fc.property(seed, fc.string(), (of, name) => {
      expect(draw(createChance(of, name))).toEqual(draw(createChance(of, name)))
    }),
  )
})

test('another seed gives another stream, also when the seeds differ only above 32 bits', () => {
  fc.assert(
    fc.property(seed, seed, (one, other) => {
      fc.pre(one !== other)
      expect(draw(createChance(one))).not.toEqual(draw(createChance(other)))
    }),
  )
  expect(draw(createChance(5))).not.toEqual(draw(createChance(5 + 2 ** 32)))
})

test('a fork depends on its name and seed alone, not on what was drawn before', () => {
  const fresh = createChance(42)
  const used = createChance(42)
  draw(used, 1000)
  draw(used.fork('another'), 10)
  expect(draw(used.fork('events'))).toEqual(draw(fresh.fork('events')))
})

test('drawing from a fork leaves its parent where it was', () => {
  const alone = createChance(42)
  const parent = createChance(42)
  draw(parent.fork('events'), 100)
  expect(draw(parent)).toEqual(draw(alone))
})

test('forks are independent of each other: names that differ in one character share no draws', () => {
  const chance = createChance(42)
  const names = Array.from({ length: 200 }, (_, index) => `order-${index}`)
  const streams = names.map((name) => draw(chance.fork(name), 8))
  expect(new Set(streams.map((stream) => stream[0])).size).toBeGreaterThan(195)
  expect(new Set(streams.map(String)).size).toBe(names.length)
  expect(draw(chance.fork('a').fork('b'))).not.toEqual(draw(chance.fork('b').fork('a')))
})

test('numbers are roughly uniform, for small and odd bounds too', () => {
  for (const bound of [2, 3, 7, 10, 100]) {
    const chance = createChance(7, `bound ${bound}`)
    const counts = Array.from({ length: bound }, () => 0)
    const draws = 1000 * bound
    for (let index = 0; index < draws; index++) counts[chance.below(bound)]!++
    // Chi squared: its mean is bound - 1; six standard deviations above that are no coincidence.
    const chi = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0)
    expect(chi).toBeLessThan(bound - 1 + 6 * Math.sqrt(2 * bound))
  }
})

test('consecutive draws are not correlated', () => {
  const chance = createChance(11)
  let runs = 0
  let last = chance.below(2)
  for (let index = 0; index < 10_000; index++) {
    const next = chance.below(2)
    if (next !== last) runs++
    last = next
  }
  expect(runs).toBeGreaterThan(4700)
  expect(runs).toBeLessThan(5300)
})

test('between includes both bounds, and no value outside', () => {
  const chance = createChance(3)
  const seen = new Set(Array.from({ length: 500 }, () => chance.between(-2, 2)))
  expect([...seen].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2])
  expect(chance.between(5, 5)).toBe(5)
})

test('one in n is odds: never for 0, always for 1, about every fourth for 4', () => {
  const chance = createChance(9)
  const hits = (n: number): number =>
    Array.from({ length: 4000 }, () => chance.oneIn(n)).filter(Boolean).length
  expect(hits(0)).toBe(0)
  expect(hits(1)).toBe(4000)
  expect(hits(4)).toBeGreaterThan(850)
  expect(hits(4)).toBeLessThan(1150)
})

test('a uuid is of version 4 and unique', () => {
  const chance = createChance(1)
  const uuids = Array.from({ length: 5000 }, () => chance.uuid())
  for (const uuid of uuids)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(uuids).size).toBe(uuids.length)
})

test('a fraction lies in [0, 1)', () => {
  const chance = createChance(2)
  for (let index = 0; index < 10_000; index++) {
    const fraction = chance.fraction()
    expect(fraction >= 0 && fraction < 1).toBe(true)
  }
})

test('drawing from an empty list or range throws', () => {
  const chance = createChance(2)
  expect(() => chance.below(0)).toThrow(/cannot draw below 0/)
  expect(() => chance.below(Number.NaN)).toThrow(/cannot draw/)
  expect(() => chance.pick([])).toThrow(/pick from nothing/)
})
