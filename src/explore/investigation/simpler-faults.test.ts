import { describe, expect, test } from 'vitest'
import { exampleSpace } from '../../../test/support/search-space.ts'
import { faultPort } from '../../core/faults/port.ts'
import { faultSpecOf, type ScheduledFault, scheduledFaultText } from '../schedules/schedule.ts'
import { simplerFaults } from './simpler-faults.ts'

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
