import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brokenRule } from '../../../test/support/scripted-schedules.ts'
import { type Bucket, bucketId } from '../investigation/bucket.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { CampaignState, estimateDiscovery } from './campaign-state.ts'
import { createSchedule, type ScheduledFault } from '../schedules/schedule.ts'

type ScheduleRecord = Extract<CampaignRecord, { readonly type: 'schedule' }>

const scheduleRecord = (index: number, more: Partial<ScheduleRecord> = {}): ScheduleRecord => ({
  type: 'schedule',
  index,
  strategy: 'dense',
  hash: `hash ${index}`,
  workload: 'delivery',
  faults: 1,
  exercised: ['drop CONFIRMED'],
  signature: `signature ${index % 3}`,
  broken: [],
  inconclusive: [],
  ...more,
})

const faultNamed = (name: string): ScheduledFault => ({
  name,
  match: { operation: 'getOrder', order: 'o1' },
  options: {},
})

function bucketOf(rule: string, names: readonly string[], more: Partial<Bucket> = {}): Bucket {
  const schedule = createSchedule('delivery', names.map(faultNamed))
  return {
    id: bucketId(rule, 'delivery o1', schedule),
    rule,
    role: 'delivery o1',
    status: 'confirmed',
    failed: 3,
    played: 3,
    schedule,
    failure: brokenRule(rule, 'o1'),
    alsoBroken: [],
    trace: '',
    runsToFind: 1,
    shrinkRuns: 4,
    hits: 1,
    ...more,
  }
}

const batch = (schedules: number, more: object = {}): CampaignRecord => ({
  type: 'batch',
  schedules,
  coverage: { 'call CREATED getOrder 2xx': schedules },
  premises: { 'SE-1': 1 },
  advice: {},
  tookMs: 60_000,
  pace: {},
  ...more,
})

function fold(records: readonly CampaignRecord[]): CampaignState {
  const state = new CampaignState()
  for (const record of records) state.apply(record)
  return state
}

describe('a campaign that has not begun', () => {
  test('knows nothing, and is certain that the next run is new', () => {
    const state = fold([])
    expect(state.phase()).toBe('steady')
    expect([state.runs(), state.sessionMs(), state.schedules.size, state.buckets.size]).toEqual([
      0, 0, 0, 0,
    ])
    expect(state.estimate().newProbability).toBe(1)
    expect(state.ended()).toBeUndefined()
  })
})

describe('the state of a campaign', () => {
  test('counts runs, session time, coverage and premises of all batches', () => {
    const state = fold([batch(16), batch(4, { pace: { pollMs: 900 } }), batch(1)])
    expect([state.runs(), state.sessionMs()]).toEqual([21, 180_000])
    expect(state.coverage.get('call CREATED getOrder 2xx')).toBe(21)
    expect(state.premises.get('SE-1')).toBe(3)
    expect(state.pace()).toEqual({ pollMs: 900 })
  })

  test('knows each schedule by number and by hash, and counts it once', () => {
    const state = fold([scheduleRecord(3), scheduleRecord(3), scheduleRecord(4)])
    expect([state.hasIndex(3), state.hasIndex(5)]).toEqual([true, false])
    expect([state.hasRun('hash 4'), state.hasRun('hash 5')]).toEqual([true, false])
    expect(state.estimate()).toEqual({ runs: 2, species: 2, newProbability: 1 })
  })

  test('has the kinds of faults that can be tried, and those that fired', () => {
    const state = fold([
      { type: 'space', classes: ['fail getOrder', 'drop CONFIRMED'], workloads: ['delivery'] },
      { type: 'space', classes: ['hang pollingEvents'], workloads: ['takeout'] },
      scheduleRecord(0),
    ])
    expect(state.classes()).toEqual(['drop CONFIRMED', 'fail getOrder', 'hang pollingEvents'])
    expect([...state.exercisedClasses()]).toEqual(['drop CONFIRMED'])
  })

  test('keeps what fails without faults by rule and workload, and which workloads are left out', () => {
    const state = fold([
      { type: 'phase', phase: 'steady' },
      { type: 'steady', workload: 'takeout', failures: [brokenRule('AK-6')] },
      { type: 'steady', workload: 'indoor', failures: [], leftOut: 'o1 did not come' },
      { type: 'phase', phase: 'search' },
    ])
    expect([...state.steadyFailures.keys()]).toEqual(['AK-6 takeout'])
    expect(Object.fromEntries(state.leftOut)).toEqual({ indoor: 'o1 did not come' })
    expect(state.phase()).toBe('search')
  })

  test('knows which earlier reproducers pass now, and how it ended', () => {
    const state = fold([
      { type: 'known', hash: 'a', broken: [] },
      { type: 'known', hash: 'b', broken: ['SE-1'] },
      { type: 'end', reason: 'done', tookMs: 12 },
    ])
    expect(Object.fromEntries(state.known)).toEqual({ a: [], b: ['SE-1'] })
    expect(state.ended()).toMatchObject({ reason: 'done', tookMs: 12 })
  })

  test('counts advice by rule', () => {
    const state = fold([batch(3, { advice: { 'RT-3': 2 } }), batch(1, { advice: { 'RT-3': 1 } })])
    expect(Object.fromEntries(state.advice)).toEqual({ 'RT-3': 3 })
  })

  test('counts inconclusive verdicts by rule', () => {
    const state = fold([
      scheduleRecord(0, { inconclusive: ['PO-1'] }),
      scheduleRecord(1, { inconclusive: ['PO-1', 'RT-2'] }),
    ])
    expect(Object.fromEntries(state.inconclusive)).toEqual({ 'PO-1': 2, 'RT-2': 1 })
  })

  test('gives up on a rule that no schedule alone explains after three times', () => {
    const unattributed: CampaignRecord = { type: 'unattributed', rule: 'TK-1' }
    const twice = fold([unattributed, unattributed])
    expect(twice.isUnattributable('TK-1')).toBe(false)
    twice.apply(unattributed)
    expect(twice.isUnattributable('TK-1')).toBe(true)
    expect(twice.isUnattributable('PO-1')).toBe(false)
  })
})

describe('buckets', () => {
  test('keep the smaller of two reproducers with the same id, whichever came first', () => {
    const small = bucketOf('SE-1', ['fail'], { trace: 'small' })
    const large = {
      ...small,
      schedule: createSchedule('two-of-one-customer', small.schedule.faults),
    }
    for (const records of [
      [small, large],
      [large, small],
    ]) {
      const state = fold(records.map((bucket) => ({ type: 'bucket', bucket })))
      expect(state.buckets.get(small.id)?.schedule).toEqual(small.schedule)
    }
  })

  test('count the failures that they explain', () => {
    const bucket = bucketOf('SE-1', ['fail'], { foundAt: 0 })
    const state = fold([
      scheduleRecord(0, { broken: ['SE-1'] }),
      scheduleRecord(1, { broken: ['SE-1'] }),
      scheduleRecord(2, { broken: ['CV-1'] }),
      { type: 'bucket', bucket },
      { type: 'hit', bucket: bucket.id, index: 1 },
      { type: 'hit', bucket: bucket.id },
    ])
    expect(state.buckets.get(bucket.id)?.hits).toBe(3)
    expect(state.unexplained()).toEqual([2])
  })

  test('of the same id that come from several schedules have the hits of all, and the certain one stands', () => {
    const flaky = bucketOf('SE-1', ['fail'], { status: 'flaky', failed: 4, played: 10, foundAt: 0 })
    const certain = { ...bucketOf('SE-1', ['fail'], { foundAt: 2 }), trace: 'certain' }
    const hit: CampaignRecord = { type: 'hit', bucket: flaky.id, index: 1 }
    for (const records of [
      [
        { type: 'bucket', bucket: flaky } as const,
        hit,
        { type: 'bucket', bucket: certain } as const,
      ],
      [
        { type: 'bucket', bucket: certain } as const,
        hit,
        { type: 'bucket', bucket: flaky } as const,
      ],
    ])
      expect([...fold(records).buckets.values()]).toEqual([{ ...certain, hits: 3 }])
  })

  test('that are doubtful give way to one that is confirmed of the same rule, whichever came first', () => {
    const suspected = bucketOf('CV-1', ['hang'], { status: 'suspected' })
    const seen = bucketOf('CV-1', ['reset', 'hang'], { status: 'seen' })
    const flaky = bucketOf('SE-1', ['hang'], { status: 'flaky' })
    const confirmed = bucketOf('CV-1', ['fail'])
    const orders = fc.shuffledSubarray([suspected, seen, flaky, confirmed], { minLength: 4 })
    fc.assert(
      fc.property(orders, (order) => {
        const state = fold(order.map((bucket) => ({ type: 'bucket', bucket })))
        expect([...state.buckets.keys()].sort()).toEqual([flaky.id, confirmed.id].sort())
      }),
    )
  })

  test('of which none is certain are one for each rule: the smallest', () => {
    const small = bucketOf('CV-1', ['hang'], { status: 'suspected' })
    const large = bucketOf('CV-1', ['hang', 'reset'], { status: 'seen' })
    for (const order of [
      [small, large],
      [large, small],
    ]) {
      const state = fold(order.map((bucket) => ({ type: 'bucket', bucket })))
      expect([...state.buckets.keys()]).toEqual([small.id])
    }
  })
})

describe('parts of a campaign', () => {
  const parts: readonly (readonly CampaignRecord[])[] = [
    [
      batch(2),
      scheduleRecord(0, { broken: ['SE-1'] }),
      scheduleRecord(1),
      { type: 'bucket', bucket: bucketOf('SE-1', ['fail'], { foundAt: 0 }) },
    ],
    [
      batch(1),
      scheduleRecord(2, { exercised: ['hang getOrder'] }),
      { type: 'bucket', bucket: bucketOf('SE-1', ['fail', 'hang']) },
    ],
    [
      batch(3),
      scheduleRecord(3),
      { type: 'bucket', bucket: bucketOf('CV-1', ['hang']) },
      { type: 'bucket', bucket: bucketOf('SE-1', ['reset'], { status: 'seen' }) },
      { type: 'unattributed', rule: 'TK-1' },
    ],
  ]
  const seenOf = (state: CampaignState) => ({
    buckets: [...state.buckets].sort(([one], [other]) => (one < other ? -1 : 1)),
    coverage: Object.fromEntries(state.coverage),
    premises: Object.fromEntries(state.premises),
    hashes: [...state.schedules.values()].map(({ hash }) => hash).sort(),
    exercised: [...state.exercisedClasses()].sort(),
    runs: state.runs(),
    estimate: state.estimate(),
    unexplained: state.unexplained(),
    unattributed: Object.fromEntries(state.unattributed),
  })

  test('merge to the same, whatever order they are merged in', () => {
    const whole = seenOf(fold(parts.flat()))
    const orders = fc.shuffledSubarray([0, 1, 2], { minLength: 3 })
    fc.assert(
      fc.property(orders, (order) => {
        expect(seenOf(fold(order.flatMap((part) => parts[part] ?? [])))).toEqual(whole)
      }),
    )
  })

  test('survive being written and read as JSON lines', () => {
    const records = parts.flat()
    const lines = records.map((record) => JSON.stringify(record))
    const read = lines.map((line) => JSON.parse(line) as CampaignRecord)
    expect(seenOf(fold(read))).toEqual(seenOf(fold(records)))
  })
})

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
