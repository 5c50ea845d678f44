/** Which buckets of several parts are one cause. */
import { expect, test } from 'vitest'
import type { Bucket } from '../investigation/bucket.ts'
import { createSchedule, type ScheduledFault } from '../schedules/schedule.ts'
import { mergeBuckets } from './run-merge.ts'

const dropOf = (event: string): ScheduledFault => ({
  name: 'drop',
  match: { event, order: 'o1', channel: 'polling' },
  options: {},
})

const bucket = (id: string, events: readonly string[], more: Partial<Bucket> = {}): Bucket => ({
  id,
  rule: 'CV-1',
  status: 'confirmed',
  failed: 3,
  played: 3,
  schedule: createSchedule('takeout', events.map(dropOf)),
  failure: { rule: 'CV-1', because: 'It is stuck.', evidence: [] },
  alsoBroken: [],
  trace: '',
  foundAt: 0,
  runsToFind: 1,
  shrinkRuns: 1,
  hits: 1,
  ...more,
})

const idsOf = (buckets: readonly Bucket[]): readonly string[] => buckets.map(({ id }) => id)

test('what was found first explains what was found later and holds all its faults', () => {
  const first = bucket('aa', ['READY_FOR_PICKUP'], { foundAt: 3 })
  const later = bucket('bb', ['READY_FOR_PICKUP', 'DELIVERED'], { foundAt: 40, hits: 5 })
  const other = bucket('cc', ['DELIVERED'], { foundAt: 50 })
  const merged = mergeBuckets([other, later, first])
  expect(idsOf(merged)).toEqual(['aa', 'cc'])
  expect(merged[0]?.hits).toBe(6)
})

test('of equal ids the smaller reproducer stays, with the failures of both', () => {
  const long = bucket('aa', ['DELIVERED', 'PREPARING'], { hits: 2 })
  const short = bucket('aa', ['DELIVERED'], { foundAt: 9, hits: 3 })
  const [merged] = mergeBuckets([long, short])
  expect(merged).toMatchObject({ schedule: short.schedule, hits: 5 })
})

test('of equal ids a certain reproducer stays before a smaller one that is not', () => {
  const certain = bucket('aa', ['DELIVERED', 'PREPARING'], { foundAt: 9 })
  const flaky = bucket('aa', ['DELIVERED'], { status: 'flaky', hits: 3 })
  const [merged] = mergeBuckets([flaky, certain])
  expect(merged).toMatchObject({ status: 'confirmed', schedule: certain.schedule, hits: 4 })
})

test('what one part was still shrinking is explained by what another part has shrunk', () => {
  const open = bucket('aa', ['DELIVERED', 'PREPARING'], { foundAt: 3, unfinished: true })
  const shrunk = bucket('bb', ['DELIVERED'], { foundAt: 40 })
  expect(idsOf(mergeBuckets([open, shrunk]))).toEqual(['bb'])
  expect(mergeBuckets([open])).toEqual([open])
})

test('what is not certain gives way to what is; of one rule at most five causes are told apart', () => {
  const events = ['CONFIRMED', 'PREPARING', 'DELIVERED', 'CONCLUDED', 'DISPATCHED', 'CANCELLED']
  const many = events.map((event, index) => bucket(`a${index}`, [event], { foundAt: index }))
  const flaky = bucket('ff', ['READY_FOR_PICKUP'], { status: 'flaky', foundAt: 0 })
  const merged = mergeBuckets([flaky, ...many])
  expect(idsOf(merged)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'])
  expect(merged[0]?.hits).toBe(3)
  expect(idsOf(mergeBuckets([flaky]))).toEqual(['ff'])
})
