import { describe, expect, test } from 'vitest'
import {
  createSchedule,
  faultSpecOf,
  type Schedule,
  type ScheduledFault,
  scheduledFaultText,
  scheduleText,
} from '../schedules/schedule.ts'
import { shrink, simplerFaults } from './shrink.ts'
import { createWorkload, type Workload } from '../workloads/workload.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { exampleSpace } from '../../../test/support/search-space.ts'
import { faultPort } from '../../core/faults/port.ts'

const three = createWorkload({
  name: 'three',
  about: 'Three orders, and two steps.',
  subjects: ['software-service'],
  orders: { o1: { type: 'TAKEOUT' }, o2: { type: 'TAKEOUT' }, o3: { type: 'TAKEOUT' } },
  steps: [{ advance: '1s' }, { advance: '2s' }],
})
const workloads: ReadonlyMap<string, Workload> = new Map(
  [three, ...workloadsOf('software-service')].map((each) => [each.name, each]),
)

const fail = (order: string, nth?: number): ScheduledFault => ({
  name: 'fail',
  match: { operation: 'getOrder', ...(nth === undefined ? {} : { nth }), order },
  options: { status: 500, effect: 'before' },
})
const drop = (event: string, order: string): ScheduledFault => ({
  name: 'drop',
  match: { event, order, channel: 'polling' },
  options: {},
})
const poll: ScheduledFault = {
  name: 'fail',
  match: { operation: 'pollingEvents', nth: 1 },
  options: { status: 500, effect: 'before' },
}

interface Shrunk {
  readonly smallest: Schedule
  readonly rounds: readonly (readonly Schedule[])[]
}

function shrinkUntil(
  schedule: Schedule,
  fails: (candidate: Schedule) => boolean,
  { slot = 'o1', exercised = schedule.faults.map(() => true) }: ShrinkTrial = {},
): Shrunk {
  const rounds: (readonly Schedule[])[] = []
  const shrinking = shrink({ schedule, exercised, slot, workloads })
  let step = shrinking.next()
  while (step.done !== true) {
    rounds.push(step.value)
    step = shrinking.next(step.value.map(fails))
  }
  return { smallest: step.value, rounds }
}

interface ShrinkTrial {
  readonly slot?: string
  readonly exercised?: readonly boolean[]
}

const has = ({ faults }: Schedule, fault: ScheduledFault): boolean =>
  faults.map(scheduledFaultText).includes(scheduledFaultText(fault))

/** It is still about the failing order. */
const isOf = (name: string) => (schedule: Schedule) => schedule.workload === name

test('what happens once, such as a crash, becomes no crash at each message', () => {
  const crash: ScheduledFault = {
    name: 'crash',
    match: { operation: 'confirmOrder' },
    options: { when: 'after-answer', signal: 'KILL', down: 5000, limit: 1 },
  }
  const simpler = simplerFaults(crash)
  expect(simpler.length).toBeGreaterThan(0)
  for (const { options } of simpler) expect(options).toMatchObject({ limit: 1 })
})

describe('a failing schedule', () => {
  const many = createSchedule('three', [
    ...['CREATED', 'CONFIRMED', 'PREPARING', 'DISPATCHED'].flatMap((event) => [
      drop(event, 'o1'),
      drop(event, 'o2'),
    ]),
    fail('o1'),
    poll,
  ])

  test('loses all faults but the one that it needs', () => {
    const needed = drop('PREPARING', 'o1')
    const { smallest } = shrinkUntil(many, (each) => isOf('three')(each) && has(each, needed))
    expect(smallest.faults).toEqual([needed])
  })

  test('keeps two faults that only fail together', () => {
    const pair = [drop('PREPARING', 'o1'), fail('o1')]
    const { smallest } = shrinkUntil(
      many,
      (each) => isOf('three')(each) && pair.every((fault) => has(each, fault)),
    )
    expect(smallest.faults).toEqual(createSchedule('three', pair).faults)
  })

  test('keeps a fault at messages about no single order, and leaves out those of orders', () => {
    const { smallest } = shrinkUntil(many, (each) => has(each, poll))
    expect(smallest.faults).toEqual([poll])
  })

  test('is asked without any fault first', () => {
    const { smallest, rounds } = shrinkUntil(many, isOf('three'))
    expect(rounds[0]?.[0]?.faults).toEqual([])
    expect(smallest.faults).toEqual([])
  })

  test('loses the faults that distorted nothing in one question', () => {
    const exercised = many.faults.map(({ match }) => match.event === 'DISPATCHED')
    const { rounds } = shrinkUntil(many, () => false, { exercised })
    expect(rounds[0]?.map(({ faults }) => faults.length)).toContain(2)
  })

  test('stays as it is when nothing smaller fails', () => {
    expect(shrinkUntil(many, () => false).smallest).toEqual(many)
  })

  test('never grows, and every candidate is in canonical form', () => {
    const { rounds } = shrinkUntil(many, (each) => has(each, fail('o1')))
    for (const candidate of rounds.flat()) {
      expect(candidate.faults.length).toBeLessThanOrEqual(many.faults.length)
      const { workload, faults, trim } = candidate
      expect(createSchedule(workload, faults, trim)).toEqual(candidate)
    }
  })
})

describe('its workload', () => {
  test('becomes one with a single order, the order named as it is there', () => {
    const schedule = createSchedule('three', [fail('o2')])
    const { smallest } = shrinkUntil(schedule, ({ faults }) => faults.length === 1, { slot: 'o2' })
    expect(smallest.workload).toBe('delivery')
    expect(smallest.faults).toEqual([fail('o1')])
  })

  test('keeps how long its faults stay in force', () => {
    const schedule = createSchedule('three', [fail('o2')], { faultPhaseMs: 150_000 })
    const { smallest } = shrinkUntil(
      schedule,
      ({ faults, trim }) => faults.length === 1 && trim?.faultPhaseMs === 150_000,
      { slot: 'o2' },
    )
    expect(smallest.workload).toBe('delivery')
  })

  test('keeps the orders that faults name or that failed, and those before them', () => {
    const schedule = createSchedule('three', [fail('o1')])
    const { smallest } = shrinkUntil(
      schedule,
      ({ workload, faults }) => workload === 'three' && faults.length === 1,
      { slot: 'o2' },
    )
    expect(smallest.trim).toEqual({ orders: ['o1', 'o2'] })
  })

  test('loses its steps where the failure does not need them', () => {
    const schedule = createSchedule('three', [fail('o3')])
    const { smallest } = shrinkUntil(
      schedule,
      ({ workload, faults, trim }) =>
        workload === 'three' && faults.length === 1 && (trim?.steps ?? 2) >= 1,
      { slot: 'o3' },
    )
    expect(smallest.trim).toEqual({ steps: 1 })
  })

  test('is not changed when two orders are distorted', () => {
    const schedule = createSchedule('three', [fail('o1'), fail('o2')])
    const { rounds } = shrinkUntil(schedule, ({ faults }) => faults.length === 2)
    expect(new Set(rounds.flat().map(({ workload }) => workload))).toEqual(new Set(['three']))
  })
})

test('parameters become smaller: a burst becomes one attempt, and an effect none', () => {
  const burst: ScheduledFault = {
    ...fail('o1'),
    options: { status: 500, effect: 'after' },
    burst: 'outlast',
  }
  const { smallest } = shrinkUntil(
    createSchedule('delivery', [burst]),
    ({ faults }) => faults.length === 1,
  )
  expect(scheduleText(smallest)).toBe(
    'delivery | fail:status=500,effect=after,operation=getOrder,nth=1,order=o1',
  )
})

const all: readonly ScheduledFault[] = [
  ...(exampleSpace.own.get('one') ?? []),
  ...exampleSpace.shared,
].flatMap(({ choices }) => choices)

const failing: ScheduledFault = {
  name: 'fail',
  match: { operation: 'confirmOrder', order: 'o1' },
  options: { status: 500, effect: 'after' },
}
const texts = (fault: ScheduledFault): readonly string[] =>
  simplerFaults(fault).map(scheduledFaultText)

describe('a simpler form of a fault', () => {
  test('is another one, and a valid fault specification', () => {
    for (const fault of all)
      for (const simpler of simplerFaults(fault)) {
        expect(scheduledFaultText(simpler)).not.toBe(scheduledFaultText(fault))
        expect(simpler.name).toBe(fault.name)
        expect(faultPort.check(faultSpecOf(simpler)).ok).toBe(true)
      }
  })

  test('leads to an end: there is a fault from which nothing simpler is left', () => {
    for (const fault of all) {
      let current = fault
      let steps = 0
      for (let [next] = simplerFaults(current); next; [next] = simplerFaults(current)) {
        current = next
        expect(++steps).toBeLessThan(20)
      }
    }
  })

  test('is one of at most six', () => {
    for (const fault of all) expect(simplerFaults(fault).length).toBeLessThanOrEqual(6)
  })

  test('fails a single attempt first, then two', () => {
    const burst = { ...failing, burst: 'outlast' } as const
    expect(texts(burst).slice(0, 2)).toEqual([
      'fail:status=500,effect=after,operation=confirmOrder,nth=1,order=o1',
      'fail:status=500,effect=after,operation=confirmOrder,order=o1,burst=2',
    ])
    expect(texts({ ...failing, burst: 2 })).not.toContain(
      scheduledFaultText({ ...failing, burst: 2 }),
    )
  })

  test('has no effect instead of one that the caller does not hear of', () => {
    expect(texts(failing)).toContain(
      'fail:status=500,effect=before,operation=confirmOrder,order=o1',
    )
    expect(texts({ ...failing, options: { status: 500, effect: 'before' } })).not.toContain(
      scheduledFaultText(failing),
    )
  })

  test('is shorter: the shortest of a delay first', () => {
    const delays = all.filter(({ name }) => name === 'delay')
    const byMs = ({ options: { by } }: ScheduledFault): number => Number(by)
    const longest = delays.toSorted((one, other) => byMs(other) - byMs(one))[0] ?? failing
    const simpler = simplerFaults(longest).map(byMs)
    expect(simpler.length).toBeGreaterThan(0)
    expect(simpler).toEqual([...simpler].sort((one, other) => one - other))
    expect(Math.max(...simpler)).toBeLessThan(byMs(longest))
  })

  test('distorts the first such message instead of a later one', () => {
    const third = { ...failing, match: { ...failing.match, nth: 3 } }
    expect(texts(third)[0]).toBe(
      'fail:status=500,effect=after,operation=confirmOrder,nth=1,order=o1',
    )
  })

  test('does not exist for a fault that is not in the catalogue', () => {
    expect(simplerFaults({ name: 'earthquake', match: {}, options: {} })).toEqual([])
  })
})
