import { describe, expect, test } from 'vitest'
import { Scenario } from '../../core/scenario/schema.ts'
import { roles } from '../../core/protocol/role.ts'
import { scenarioOfSchedule } from '../schedules/scenario-of-schedule.ts'
import { createSchedule } from '../schedules/schedule.ts'
import {
  createWorkload,
  laterSlots,
  placementOrder,
  trimWorkload,
  type WorkloadInput,
} from './workload.ts'
import { workloadsOf } from './workloads.ts'

const input: WorkloadInput = {
  name: 'two',
  about: 'Two orders.',
  subjects: ['software-service'],
  orders: { o1: { type: 'TAKEOUT', at: '3s' }, o2: { type: 'DELIVERY' }, o3: { type: 'TAKEOUT' } },
  steps: [{ advance: '1s' }, { advance: '2s' }, { advance: '3s' }],
}

describe('a workload', () => {
  test('places its orders at their times, those without one at once', () => {
    const { orders } = createWorkload(input)
    expect(Object.values(orders).map(({ at }) => at)).toEqual([3000, 0, 0])
    expect(placementOrder({ orders })).toEqual(['o2', 'o3', 'o1'])
  })

  test('runs beside others, unless steps place its orders, it has settings, or the subject places some as it likes', () => {
    const isExclusive = (more: Partial<WorkloadInput>): boolean =>
      createWorkload({ ...input, ...more }).isExclusive
    expect(isExclusive({})).toBe(false)
    expect(isExclusive({ steps: [{ create: 'o1' }] })).toBe(true)
    expect(isExclusive({ steps: [{ crowd: { times: 3, type: 'TAKEOUT' } }] })).toBe(true)
    expect(isExclusive({ session: { tolerances: { grace: '1s' } } })).toBe(true)
    const subjects = ['ordering-application'] as const
    expect(isExclusive({ subjects })).toBe(false)
    expect(isExclusive({ subjects, orders: {} })).toBe(true)
  })

  test('is played without faults only where it says so', () => {
    expect(createWorkload(input).isFaultFree).toBe(false)
    expect(createWorkload({ ...input, faultFree: true }).isFaultFree).toBe(true)
  })
})

describe('a trimmed workload', () => {
  const workload = createWorkload(input)

  test('has only its first steps, and only some orders, as written too', () => {
    const trimmed = trimWorkload(workload, { steps: 1, orders: ['o2', 'o3'] })
    expect(trimmed.steps).toEqual(workload.steps.slice(0, 1))
    expect(Object.keys(trimmed.orders)).toEqual(['o2', 'o3'])
    expect(trimmed.written).toEqual({
      orders: { o2: { type: 'DELIVERY' }, o3: { type: 'TAKEOUT' } },
      steps: [{ advance: '1s' }],
    })
  })

  test('is itself without a trim, and all of it with one that cuts nothing', () => {
    expect(trimWorkload(workload, undefined)).toBe(workload)
    expect(trimWorkload(workload, { faultPhaseMs: 1000 })).toEqual(workload)
  })
})

describe.each(roles.map((role) => [role] as const))('the workloads of %s', (role) => {
  test('have names of their own, and are for that role', () => {
    const workloads = workloadsOf(role)
    expect(workloads.length).toBeGreaterThan(0)
    expect(new Set(workloads.map(({ name }) => name)).size).toBe(workloads.length)
    for (const { subjects } of workloads) expect(subjects).toEqual([role])
  })

  test('are scenarios that sparring run reads', () => {
    for (const workload of workloadsOf(role)) {
      const scenario = scenarioOfSchedule({
        schedule: createSchedule(workload.name, []),
        workload,
        channel: 'polling',
        faultPhaseMs: 1500,
      })
      const read = Scenario.parse(scenario)
      expect(read.orders).toEqual(workload.orders)
      expect(read.steps).toEqual([...workload.steps, { advance: 2000 }])
    }
  })
})

test('orders that are placed when others are under way are distinguished from those at the beginning', () => {
  const later = (name: string): readonly string[] =>
    workloadsOf('software-service').flatMap((each) =>
      each.name === name ? [...laterSlots(each)] : [],
    )
  expect(later('one-after-the-other')).toEqual(['o2', 'o3'])
  expect(later('several-at-once')).toEqual([])
})
