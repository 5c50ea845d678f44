import { describe, expect, test } from 'vitest'
import { exampleSpace } from '../../../test/support/search-space.ts'
import { CampaignState } from './campaign-state.ts'
import { createDrawnSchedules, type DrawnSchedulesOptions } from './drawn-schedules.ts'
import type { Shard } from '../../terminal/cli/shards/shard.ts'
import { createSchedule, scheduleHash, sessionKey } from '../schedules/schedule.ts'
import {
  createScheduleGenerator,
  type DrawnSchedule,
  type ScheduleGenerator,
} from '../search/schedule-generator.ts'
import type { GroupSizes } from '../search/neighbours.ts'

/** The schedules of the example space, each with a fault of its own: no two are equal. */
const distinct: ScheduleGenerator = {
  drawn(index) {
    const drawn = createScheduleGenerator(exampleSpace, { seed: 2 }).drawn(index)
    const { workload: name, faults, trim } = drawn.schedule
    const own = { name: 'delay', match: { order: 'o1' }, options: { by: index } }
    return { ...drawn, schedule: createSchedule(name, [...faults, own], trim) }
  },
}

const options = (more: Partial<DrawnSchedulesOptions> = {}): DrawnSchedulesOptions => ({
  generator: distinct,
  state: new CampaignState(),
  maxRuns: 96,
  ...more,
})

function takeAll(given: DrawnSchedulesOptions, width = 16): readonly (readonly DrawnSchedule[])[] {
  const schedules = createDrawnSchedules(given)
  const batches: (readonly DrawnSchedule[])[] = []
  while (!schedules.isEmpty()) batches.push(schedules.take(width))
  expect(schedules.take(width)).toEqual([])
  return batches
}

const numbersIn = (batches: readonly (readonly DrawnSchedule[])[]): readonly number[] =>
  batches.flat().map(({ index }) => index)

const numbersTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index)

/** A state in which these were run. */
function ran(
  indices: readonly number[],
  hashOf = (index: number): string => `hash ${index}`,
  more: { readonly cutShort?: true } = {},
) {
  const state = new CampaignState()
  for (const index of indices)
    state.apply({
      type: 'schedule',
      index,
      strategy: 'dense',
      hash: hashOf(index),
      workload: 'one',
      faults: 0,
      exercised: [],
      signature: '',
      broken: [],
      inconclusive: [],
      ...more,
    })
  return state
}

describe('the schedules of a campaign', () => {
  test('are taken in the order of their numbers, up to the last', () => {
    expect(numbersIn(takeAll(options()))).toEqual(numbersTo(96))
    expect(numbersIn(takeAll(options({ maxRuns: 21 })))).toEqual(numbersTo(21))
  })

  test('are taken again where they were cut short', () => {
    const hashOf = (index: number): string => scheduleHash(distinct.drawn(index).schedule)
    const indices = [0, 3, 4]
    expect(numbersIn(takeAll(options({ state: ran(indices, hashOf), maxRuns: 6 })))).toEqual([
      1, 2, 5,
    ])
    const state = ran(indices, hashOf, { cutShort: true })
    expect(numbersIn(takeAll(options({ state, maxRuns: 6 })))).toEqual(numbersTo(6))
  })

  test('are taken as many at a time as run side by side', () => {
    expect(takeAll(options({ maxRuns: 32 }), 5).map((batch) => batch.length)).toEqual([
      5, 3, 5, 3, 5, 3, 5, 3,
    ])
  })

  test('are the same where it was looked at before which they are', () => {
    const schedules = createDrawnSchedules(options({ maxRuns: 24 }))
    const peeked = schedules.peek(2, 5).map((batch) => batch.length)
    expect(peeked).toEqual([5, 3])
    expect(numbersIn(schedules.peek(99, 5))).toEqual(numbersTo(24))
    expect(schedules.isEmpty()).toBe(false)
    const taken = Array.from({ length: 6 }, () => schedules.take(5))
    expect(numbersIn(taken)).toEqual(numbersTo(24))
    expect(schedules.isEmpty()).toBe(true)
  })

  test('of one batch can run in one session', () => {
    for (const batch of takeAll(options({ maxRuns: 320 })))
      expect(new Set(batch.map(({ schedule }) => sessionKey(schedule))).size).toBe(1)
  })

  test('that were run already are left out: by number, and equal ones by hash', () => {
    const first = numbersTo(10)
    expect(numbersIn(takeAll(options({ state: ran(first) })))).toEqual(numbersTo(96).slice(10))
    const hashes = ran([500], () => scheduleHash(distinct.drawn(3).schedule))
    expect(numbersIn(takeAll(options({ state: hashes })))).toEqual(
      numbersTo(96).filter((index) => index !== 3),
    )
  })

  test('are each run once, though two of one batch are equal', () => {
    const equal = createSchedule('one', [])
    const generator = {
      drawn: (index: number) => ({ index, strategy: 'dense', schedule: equal }),
    }
    const schedules = createDrawnSchedules(options({ generator, maxRuns: 16 }))
    expect(schedules.take(16).map(({ index }) => index)).toEqual([0])
    expect(schedules.isEmpty()).toBe(true)
  })

  test('may all be equal', () => {
    const equal = createSchedule('one', [])
    const generator = {
      drawn: (index: number) => ({ index, strategy: 'dense', schedule: equal }),
    }
    const state = ran([1000], () => scheduleHash(equal))
    expect(takeAll(options({ generator, state })).flat()).toEqual([])
  })
})

describe('parts of a campaign', () => {
  const partOf = (shard: Shard, groupSizes?: GroupSizes): readonly number[] =>
    numbersIn(takeAll(options({ maxRuns: 500, shard, groupSizes })))

  test.each([2, 3, 8])('are disjoint, and together the whole: %i parts', (of) => {
    for (const groupSizes of [undefined, { first: 16, groupsPerSize: 1, max: 64 }]) {
      const parts = numbersTo(of).map((index) => partOf({ part: index + 1, of }, groupSizes))
      expect(parts.flat().sort((one, other) => one - other)).toEqual(numbersTo(500))
    }
  })

  test('have shares of a limit that differ by one at most, also where it is less than a group of neighbours', () => {
    for (const maxRuns of [8, 30, 96, 500]) {
      const sizes = numbersTo(8).map(
        (index) =>
          numbersIn(takeAll(options({ maxRuns, shard: { part: index + 1, of: 8 } }))).length,
      )
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
    }
  })

  test('have neighbours that stay together where there is no limit', () => {
    const endless = createDrawnSchedules(options({ maxRuns: undefined, shard: { part: 2, of: 8 } }))
    const numbers: number[] = []
    while (numbers.length < 9) numbers.push(...endless.take(1).map(({ index }) => index))
    expect(numbers).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 96])
  })

  test('may have nothing to do', () => {
    expect(numbersIn(takeAll(options({ maxRuns: 1, shard: { part: 1, of: 2 } })))).toEqual([])
  })
})
