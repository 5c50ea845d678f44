import { describe, expect, test } from 'vitest'
import { createPlaceFinder } from './group-forms.ts'
import { smallGroupsFirst } from './neighbours.ts'
import { strategyOfTurn } from './turns.ts'

const turns = Array.from({ length: 200 }, (_, turn) => strategyOfTurn(turn))

describe('the turns of strategies', () => {
  test('count how often each has drawn before, without a gap', () => {
    const counts = new Map<string, number>()
    for (const [{ name }, before] of turns) {
      expect(before).toBe(counts.get(name) ?? 0)
      counts.set(name, before + 1)
    }
  })

  test('repeat themselves in the end, and every strategy has many', () => {
    const names = turns.map(([{ name }]) => name)
    expect(names.slice(80, 92)).toEqual(names.slice(92, 104))
    for (const name of new Set(names))
      expect(names.filter((each) => each === name).length).toBeGreaterThan(10)
  })
})

describe('the place of a schedule', () => {
  test('is the same whatever was asked before', () => {
    const numbers = [500, 3, 47, 8, 120, 0]
    const together = createPlaceFinder(smallGroupsFirst)
    for (const number of numbers)
      expect(together(number)).toEqual(createPlaceFinder(smallGroupsFirst)(number))
  })

  test('counts the schedules that are drawn in the same way, across groups', () => {
    const placeOf = createPlaceFinder(smallGroupsFirst)
    const places = Array.from({ length: 600 }, (_, index) => placeOf(index))
    const byStrategy = Map.groupBy(places, ({ form }) => form.only)
    expect(byStrategy.size).toBe(3)
    for (const ofStrategy of byStrategy.values())
      expect(ofStrategy.map(({ turn }) => turn)).toEqual([...ofStrategy.keys()])
  })

  test('is in no group that needs longer than there is', () => {
    const formsWithin = (maxPhaseMs?: number) => {
      const placeOf = createPlaceFinder(smallGroupsFirst, maxPhaseMs)
      return new Set(Array.from({ length: 600 }, (_, index) => placeOf(index).form.only?.name))
    }
    expect(formsWithin(60_000)).toEqual(new Set([undefined]))
    expect(formsWithin(150_000)).toEqual(new Set([undefined, 'permanent', 'permanent-later']))
  })
})
