/** What each strategy promises, over many draws from one search space. */
import { describe, expect, test } from 'vitest'
import {
  drawMany,
  emptySpace,
  exampleSpace,
  exampleSpaceWith,
} from '../../../../test/support/search-space.ts'
import { createChance } from '../../../core/engine/chance.ts'
import { faultClass, type ScheduledFault, scheduledFaultText } from '../../schedules/schedule.ts'
import { cancellationRaces } from './cancellation-races.ts'
import { dense, denseFaults } from './dense.ts'
import { firstEvents } from './first-events.ts'
import { lostEvents } from './lost-events.ts'
import { pairs } from './pairs.ts'
import { permanent, permanentLater } from '../group-forms.ts'
import { reorderings } from './reordering.ts'
import { laterVersions, namedOnly, singles } from './singles.ts'
import {
  candidatesByClass,
  type DrawnFaults,
  type FaultSite,
  isFailure,
  pickByName,
  sitesOf,
  type Strategy,
} from './strategy.ts'
import { transport } from '../../../../bench/explore/transport.ts'

const all: readonly Strategy[] = [
  cancellationRaces,
  dense,
  firstEvents,
  laterVersions,
  lostEvents,
  pairs,
  permanent,
  reorderings,
  singles,
  transport,
]

/** By workload: every fault at its messages as text, with its burst and without, and without its attempt. */
const possibleFaults: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  exampleSpace.workloads.map((workload) => [
    workload,
    new Set(
      sitesOf(exampleSpace, workload).flatMap(({ choices }) =>
        choices.flatMap((fault) => {
          const { burst: _burst, ...withoutBurst } = fault
          const { nth: _nth, ...everyAttempt } = fault.match
          const further = Array.from({ length: 16 }, (_, nth) => ({
            ...withoutBurst,
            match: { ...everyAttempt, nth },
          }))
          const isRead = everyAttempt.operation === 'getOrder'
          const every = { ...withoutBurst, match: everyAttempt }
          // Readings recur: there is always a further one.
          const forms = [fault, withoutBurst, every, ...(isRead ? further : [])]
          return forms.map(scheduledFaultText)
        }),
      ),
    ),
  ]),
)

const ordersOf = (faults: readonly ScheduledFault[]): ReadonlySet<string | undefined> =>
  new Set(faults.map(({ match }) => match.order))

describe.each(all.map((strategy) => [strategy.name, strategy] as const))(
  '%s',
  (_name, strategy) => {
    test('draws faults that the messages of its workload have', () => {
      for (const { workload, faults } of drawMany(strategy, 200)) {
        const texts = faults.map(scheduledFaultText)
        expect(texts.filter((each) => !possibleFaults.get(workload)?.has(each))).toEqual([])
      }
    })

    test('draws the same with the same chance', () => {
      expect(drawMany(strategy, 50)).toEqual(drawMany(strategy, 50))
    })

    test('draws from every workload', () => {
      const drawn = new Set(drawMany(strategy, 200).map(({ workload }) => workload))
      expect([...drawn].sort()).toEqual(['one', 'two'])
    })

    test('draws no fault where there is no message', () => {
      for (const { faults } of drawMany(strategy, 20, emptySpace)) expect(faults).toEqual([])
    })

    test('says in a sentence what it draws', () => {
      expect(strategy.about.split(' ').length).toBeGreaterThan(3)
    })
  },
)

describe('dense faults', () => {
  const drawn = drawMany(dense, 400)

  test('are few at some times and many at others, and none now and then', () => {
    const counts = drawn.map(({ faults }) => faults.length)
    expect(Math.min(...counts)).toBe(0)
    expect(Math.max(...counts)).toBeGreaterThan(12)
  })

  test('distort each message at most once', () => {
    const sites = sitesOf(exampleSpace, 'one')
    for (let draw = 0; draw < 100; draw++) {
      const faults = denseFaults(sites, createChance(draw, 'dense'))
      const places = faults.map((fault) =>
        sites.findIndex(({ choices }) => choices.includes(fault)),
      )
      expect(new Set(places).size).toBe(places.length)
    }
  })

  test('leave out about half of the kinds of faults in each schedule, and none over many', () => {
    const every = new Set(drawn.flatMap(({ faults }) => faults.map(({ name }) => name)))
    const sites = sitesOf(exampleSpace, 'one')
    const possible = new Set(sites.flatMap(({ choices }) => choices.map(({ name }) => name)))
    expect([...possible].filter((name) => !every.has(name))).toEqual([])
    const names = drawn.map(({ faults }) => new Set(faults.map(({ name }) => name)).size)
    expect(Math.max(...names)).toBeLessThan(possible.size)
  })

  test('leave out an order of several now and then', () => {
    const ofTwo = drawn.filter(({ workload, faults }) => workload === 'two' && faults.length > 6)
    expect(ofTwo.some(({ faults }) => ordersOf(faults).size === 1)).toBe(true)
    expect(ofTwo.some(({ faults }) => ordersOf(faults).size === 2)).toBe(true)
  })

  test('hit the attempt after one that failed more often than others', () => {
    const after: boolean[] = []
    for (const { faults } of drawn)
      for (const { name, match, burst } of faults) {
        if (!isFailure({ name }) || burst !== undefined || match.nth === undefined) continue
        if (match.operation !== 'getOrder' || match.nth > 4) continue
        const isNext = (other: ScheduledFault): boolean =>
          other.match.operation === match.operation &&
          other.match.order === match.order &&
          other.match.nth === (match.nth ?? 0) + 1
        after.push(faults.some(isNext))
      }
    expect(after.length).toBeGreaterThan(50)
    expect(after.filter(Boolean).length / after.length).toBeGreaterThan(0.35)
  })
})

describe('what is searched where it is named', () => {
  const written = exampleSpaceWith(['evolve'])
  const namesOf = (drawn: readonly DrawnFaults[]): ReadonlySet<string> =>
    new Set(drawn.flatMap(({ faults }) => faults.map(({ name }) => name)))

  test('is drawn nowhere else', () => {
    expect(drawMany(namedOnly, 20)).toEqual([])
  })

  test('[ORD-EVR-05] is every try of each message, with what no document knows or in other characters', () => {
    const drawn = drawMany(namedOnly, 40, written)
    for (const [turn, { workload, faults, faultPhaseMs }] of drawn.entries()) {
      const isWritten = turn % 2 === 0
      const ofWebhooks = faults.filter(({ match }) => match.operation === 'receiveOrderEvent')
      expect(faults.every(({ match }) => match.nth === undefined)).toBe(true)
      expect(namesOf([{ workload, faults }])).toEqual(
        new Set(isWritten ? ['evolve'] : ['unknown-event', 'unknown-field']),
      )
      const orders = workload === 'one' ? 1 : 2
      expect(ofWebhooks).toHaveLength(isWritten ? orders * 5 : 0)
      expect(faultPhaseMs).toBe(isWritten ? 150_000 : undefined)
    }
  })

  test('takes turns with another app of the store, each as often as the other', () => {
    expect(namesOf(drawMany(namedOnly, 20, exampleSpaceWith(['ghost'])))).toEqual(
      new Set(['ghost']),
    )
    const both = drawMany(namedOnly, 20, exampleSpaceWith(['ghost', 'evolve']))
    const isOfApp = both.map(({ faults }) => faults.every(({ name }) => name === 'ghost'))
    expect(isOfApp).toEqual(Array.from({ length: 20 }, (_, turn) => turn % 2 === 0))
  })
})

describe('singles', () => {
  test('are one fault, and each kind of fault has its turn in each round', () => {
    const kinds = [...candidatesByClass(exampleSpace).keys()]
    const drawn = drawMany(singles, 2 * kinds.length)
    expect(drawn.every(({ faults }) => faults.length === 1)).toBe(true)
    const classes = drawn.flatMap(({ faults }) => faults.map(faultClass))
    expect(classes).toEqual([...kinds, ...kinds])
  })

  test('are found once for a space', () => {
    expect(candidatesByClass(exampleSpace)).toBe(candidatesByClass(exampleSpace))
  })
})

describe('pairs', () => {
  const drawn = drawMany(pairs, 300)

  test('are about one order', () => {
    for (const { faults } of drawn) {
      expect(faults.length).toBeGreaterThan(0)
      expect(ordersOf(faults).size).toBe(1)
    }
  })

  test('fail two attempts of one call in different ways', () => {
    const twice = drawn.filter(({ faults: [one, other] }) => {
      const attempts = new Set([one?.match.nth, other?.match.nth])
      return (
        one?.match.operation !== undefined &&
        one.match.operation === other?.match.operation &&
        one.match.event === other.match.event &&
        attempts.has(1) &&
        attempts.has(2)
      )
    })
    expect(twice.length).toBeGreaterThan(60)
    const kinds = twice.filter(({ faults: [one, other] }) => one?.name !== other?.name)
    expect(kinds.length).toBeGreaterThan(50)
  })
})

describe('permanent faults', () => {
  const drawn = drawMany(permanent, 200)

  test('fail or hang at every call of one operation about one order, without an end of their own', () => {
    for (const { faults } of drawn) {
      expect(faults).toHaveLength(1)
      const [{ name, match, burst } = { name: '', match: {} }] = faults
      expect(['fail', 'hang']).toContain(name)
      expect(match.operation).toBeDefined()
      expect(match.order).toBeDefined()
      expect([match.nth, burst]).toEqual([undefined, undefined])
    }
    const names = new Set(drawn.flatMap(({ faults }) => faults.map(({ name }) => name)))
    expect([...names].sort()).toEqual(['fail', 'hang'])
  })

  test('are about an order that comes later, where there is one', () => {
    const later = drawMany(permanentLater, 100)
    expect(later.every(({ workload }) => workload === 'two')).toBe(true)
    expect(new Set(later.flatMap(({ faults }) => [...ordersOf(faults)]))).toEqual(new Set(['o2']))
  })

  test('last longer than other orders take, which must not suffer', () => {
    for (const { faultPhaseMs } of drawn) expect(faultPhaseMs).toBeGreaterThan(60_000)
    const several = drawn.filter(({ workload }) => workload === 'two')
    expect(several.length).toBeGreaterThan(drawn.length / 2)
  })
})

describe('reorderings', () => {
  const drawn = drawMany(reorderings, 300)

  test('move one or two events of one order, and lose none', () => {
    for (const { faults } of drawn) {
      expect([1, 2]).toContain(faults.length)
      expect(ordersOf(faults).size).toBe(1)
      for (const { name, match } of faults) {
        expect(['reorder', 'duplicate-late', 'both-channels']).toContain(name)
        expect(match.event).toBeDefined()
      }
    }
    expect(drawn.filter(({ faults }) => faults.length === 2).length).toBeGreaterThan(50)
  })
})

test('transport faults are slow, hanging and reset connections, at about a tenth of the messages', () => {
  const drawn = drawMany(transport, 400).filter(({ workload }) => workload === 'one')
  const faults = drawn.flatMap((each) => each.faults)
  expect([...new Set(faults.map(({ name }) => name))].sort()).toEqual([
    'hang',
    'reset',
    'slow-body',
    'slow-response',
  ])
  expect(faults.filter(({ burst }) => burst !== undefined)).toEqual([])
  const wire = sitesOf(exampleSpace, 'one').filter(({ choices }) =>
    choices.some(({ name }) => name === 'reset'),
  )
  const rate = faults.length / (drawn.length * wire.length)
  expect(rate).toBeGreaterThan(0.08)
  expect(rate).toBeLessThan(0.12)
})

describe('a fault is picked by its name', () => {
  const sized = (name: string, by: number): ScheduledFault => ({ name, match: {}, options: { by } })
  const site: FaultSite = {
    slot: 'o1',
    choices: [...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((by) => sized('delay', by)), sized('drop', 0)],
  }

  test('whatever number of sizes a fault has', () => {
    const names = Array.from(
      { length: 400 },
      (_, draw) => pickByName(site.choices, createChance(draw, 'names'))?.name,
    )
    const drops = names.filter((name) => name === 'drop').length
    expect(drops).toBeGreaterThan(150)
    expect(drops).toBeLessThan(250)
  })

  test('and there may be none', () => {
    expect(pickByName([], createChance(1, 'none'))).toBeUndefined()
  })
})
