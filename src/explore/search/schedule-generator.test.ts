import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  emptySpace,
  exampleSpace,
  messagesOf,
  sharedMessages,
} from '../../../test/support/search-space.ts'
import { nextGroup, type NeighbourGroup, smallGroupsFirst } from './neighbours.ts'
import { createScheduleGenerator, type DrawnSchedule } from './schedule-generator.ts'
import { faultPort } from '../../core/faults/port.ts'
import { endsService } from '../schedules/fault-traits.ts'
import {
  createSchedule,
  faultSpecOf,
  isSharedFault,
  scheduledFaultText,
  scheduleHash,
  sessionKey,
} from '../schedules/schedule.ts'
import { processFaults } from './fault-choices.ts'
import { restrictedSpace } from './search-space.ts'
import { singles } from './strategies/singles.ts'
import { candidatesByClass, type SearchSpace, type Strategy } from './strategies/strategy.ts'
import { transport } from '../../../bench/explore/transport.ts'

const draw = (
  seed: number,
  indices: readonly number[],
  strategies?: readonly Strategy[],
): readonly DrawnSchedule[] => {
  const { drawn } = createScheduleGenerator(exampleSpace, { seed, strategies })
  return indices.map((index) => drawn(index))
}

const indicesTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index)

function groups(count: number): readonly NeighbourGroup[] {
  const all = [nextGroup(smallGroupsFirst)]
  while (all.length < count) all.push(nextGroup(smallGroupsFirst, all.at(-1)))
  return all
}

const sharedOf = ({ schedule }: DrawnSchedule) => schedule.faults.filter(isSharedFault)

describe('the schedule with a number', () => {
  test('is the same for the same seed, whatever was drawn before', () => {
    const seed = fc.integer({ min: 1, max: 1_000_000 })
    const numbers = fc.uniqueArray(fc.nat({ max: 400 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(seed, numbers, (campaign, indices) => {
        const backwards = draw(campaign, indices.toReversed()).toReversed()
        expect(draw(campaign, indices)).toEqual(backwards)
        for (const index of indices)
          expect(draw(campaign, [index])).toEqual(draw(campaign, [index]))
      }),
      { numRuns: 25 },
    )
  })

  test('differs from seed to seed, and nearly always from number to number', () => {
    const hashesOf = (seed: number): readonly string[] =>
      draw(seed, indicesTo(160)).map(({ schedule }) => scheduleHash(schedule))
    const [one, other] = [hashesOf(1), hashesOf(2)]
    expect(one.filter((hash, index) => hash !== other[index]).length).toBeGreaterThan(140)
    expect(new Set(one).size).toBeGreaterThan(120)
  })

  test('is in canonical form, and names a workload of the space', () => {
    for (const { schedule } of draw(3, indicesTo(320))) {
      expect(createSchedule(schedule.workload, schedule.faults, schedule.trim)).toEqual(schedule)
      expect(exampleSpace.workloads).toContain(schedule.workload)
    }
  })

  test('names the strategy that drew it, and every strategy has its turn', () => {
    const names = new Set(draw(1, indicesTo(300)).map(({ strategy }) => strategy))
    expect([...names].sort()).toEqual([
      'cancellation-races',
      'dense',
      'first-events',
      'lost-events',
      'pairs',
      'permanent',
      'permanent-later',
      'reorderings',
      'singles',
    ])
  })

  test('exists though the space has nothing that can fail', () => {
    const { drawn } = createScheduleGenerator(emptySpace, { seed: 1 })
    for (const index of indicesTo(200))
      expect(drawn(index).schedule).toMatchObject({ workload: 'none', faults: [] })
  })
})

describe('parts of a campaign', () => {
  test('are disjoint, and together the whole', () => {
    const whole = draw(7, indicesTo(320)).map(({ schedule }) => scheduleHash(schedule))
    for (const parts of [1, 2, 3, 8]) {
      const merged = Array.from({ length: parts }, (_, part) =>
        indicesTo(320).filter((index) => Math.floor(index / 16) % parts === part),
      )
        .flatMap((indices) => draw(7, indices))
        .sort((one, other) => one.index - other.index)
      expect(new Set(merged.map(({ index }) => index)).size).toBe(320)
      expect(merged.map(({ schedule }) => scheduleHash(schedule))).toEqual(whole)
    }
  })
})

describe('neighbours', () => {
  test('have the same faults at messages about no single order, and run in one session', () => {
    for (const { begin, end } of groups(40)) {
      const indices = indicesTo(end - begin).map((place) => begin + place)
      expect(new Set(draw(5, indices).map(({ schedule }) => sessionKey(schedule))).size).toBe(1)
    }
  })

  test('have none of these, one, or many, from group to group', () => {
    const counts = groups(24).map(({ begin }) => {
      const [first] = draw(5, [begin])
      return first ? sharedOf(first).length : -1
    })
    expect(counts).toContain(0)
    expect(counts).toContain(1)
    expect(Math.max(...counts)).toBeGreaterThan(2)
  })

  test('reach polls, acknowledgments and token requests within a few hundred schedules', () => {
    const operations = groups(12)
      .flatMap(({ begin }) => draw(5, [begin]))
      .flatMap(sharedOf)
      .map(({ match }) => match.operation)
    expect(new Set(operations)).toEqual(
      new Set(['acknowledgeEvents', 'issueToken', 'pollingEvents']),
    )
  })
})

test('neighbours in which the token is revoked have slow token requests, and no other shared faults', () => {
  const shared = groups(24).flatMap(({ begin }) => {
    const faults = draw(5, [begin]).flatMap(sharedOf)
    const isRevoked = faults.some(({ options }) => options['revoke'] === true)
    const isSlow = faults.some(
      ({ name, match }) => match.operation === 'issueToken' && name.startsWith('slow-'),
    )
    return isRevoked && isSlow ? [faults] : []
  })
  const renewals = shared.filter((faults) =>
    faults.every(({ name, options, match }) =>
      match.operation === 'issueToken' ? name.startsWith('slow-') : options['revoke'] === true,
    ),
  )
  expect(renewals.length).toBeGreaterThanOrEqual(2)
  const operations = new Set(renewals.flat().map(({ match }) => match.operation))
  expect(operations).toEqual(new Set(['acknowledgeEvents', 'issueToken', 'pollingEvents']))
})

describe('strategies that are given', () => {
  test('take turns, and receive how often each has drawn', () => {
    const turns: [string, number][] = []
    const counting = (name: string): Strategy => ({
      name,
      about: 'nothing',
      draw(_space, turn) {
        turns.push([name, turn])
        return { workload: 'one', faults: [] }
      },
    })
    const [one, other] = [counting('a'), counting('b')]
    const drawn = draw(1, indicesTo(7), [one, other, one])
    expect(drawn.map(({ strategy }) => strategy)).toEqual(['a', 'b', 'a', 'a', 'b', 'a', 'a'])
    expect(turns).toEqual([
      ['a', 0],
      ['b', 0],
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['a', 3],
      ['a', 4],
    ])
  })

  test('give way to dense faults where they have nothing to draw', () => {
    const idle: Strategy = { name: 'idle', about: 'nothing', draw: () => undefined }
    const faults = draw(1, indicesTo(16), [idle]).map(({ schedule }) => schedule.faults.length)
    expect(Math.max(...faults)).toBeGreaterThan(1)
  })

  test('draw the shared faults of a group themselves, if they can', () => {
    const drawn = draw(1, indicesTo(160), [transport])
    const names = new Set(drawn.flatMap(sharedOf).map(({ name }) => name))
    expect([...names].sort()).toEqual(['hang', 'reset', 'slow-body', 'slow-response'])
  })

  test('show within one round that each kind of fault was tried', () => {
    const kinds = candidatesByClass(exampleSpace)
    const alone: Strategy = { ...singles, drawShared: () => [] }
    const drawn = draw(1, indicesTo(kinds.size), [alone])
    expect(drawn.every(({ schedule }) => schedule.faults.length === 1)).toBe(true)
    const tried = drawn.flatMap(({ schedule }) => schedule.faults)
    const known = [...kinds.values()].flat().map(({ fault }) => fault)
    expect(tried.every((fault) => known.includes(fault))).toBe(true)
  })
})

describe('crashes', () => {
  const channels = ['polling', 'webhook'] as const
  const crashes = processFaults([...messagesOf(['o1', 'o2']), ...sharedMessages()], channels)
  const space: SearchSpace = { ...exampleSpace, crashes }

  test('are those of each kind of message, once in a session, whatever order it is about', () => {
    expect(crashes.map(scheduledFaultText)).toContain(
      'crash:when=during-call,signal=KILL,down=2000,limit=1,operation=confirmOrder',
    )
    expect(crashes.every(isSharedFault)).toBe(true)
    expect(new Set(crashes.map(scheduledFaultText)).size).toBe(crashes.length)
    for (const fault of crashes) expect(faultPort.check(faultSpecOf(fault)).ok).toBe(true)
  })

  test('are searched only where the service is ours to start', () => {
    expect(restrictedSpace(space, 1e6).crashes).toEqual([])
    expect(restrictedSpace(space, 1e6, () => true).crashes).toEqual(crashes)
  })

  test('take turns, one of each form in a group, and change no draw of what is drawn without them', () => {
    const crashing = createScheduleGenerator(space, { seed: 3 })
    const without = createScheduleGenerator(exampleSpace, { seed: 3 })
    const drawn = new Set<string>()
    const last = groups(4 * crashes.length).at(-1)?.end ?? 0
    for (const index of indicesTo(last)) {
      const { faults } = crashing.drawn(index).schedule
      const ofProcess = faults.filter(endsService)
      expect(ofProcess.length).toBeLessThanOrEqual(3)
      for (const fault of ofProcess) drawn.add(scheduledFaultText(fault))
      expect(faults.filter((fault) => !endsService(fault))).toEqual(
        without.drawn(index).schedule.faults,
      )
    }
    expect([...drawn].toSorted()).toEqual(crashes.map(scheduledFaultText).toSorted())
  })

  test('are in the first session one at what the service takes over, at what it reads and at what it changes', () => {
    const { faults } = createScheduleGenerator(space, { seed: 3 }).drawn(0).schedule
    const met = faults.filter(endsService).map(({ match }) => match.event ?? match.operation)
    expect(new Set(met)).toEqual(new Set(['acknowledgeEvents', 'confirmOrder', 'getOrder']))
  })
})
