/**
 * Failures become buckets: investigated with a scripted service, in which what a schedule breaks is a function of it.
 */
import { describe, expect, test } from 'vitest'
import { bucketStatusOf } from '../investigation/investigation.ts'
import { brokenRule, scriptedResult } from '../../../test/support/scripted-schedules.ts'
import type { InvariantKind } from '../../core/rules/invariants/verdict.ts'
import type { CampaignRecord } from './campaign-record.ts'
import { CampaignState } from './campaign-state.ts'
import { certaintyText } from './campaign-text.ts'
import { Failures, firstFailures } from './failures.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import {
  createSchedule,
  type Schedule,
  type ScheduledFault,
  scheduleText,
} from '../schedules/schedule.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { bucketParagraph } from '../investigation/scenario-of-bucket.ts'

const workloads = new Map(workloadsOf('software-service').map((each) => [each.name, each]))

const drop = (event: string): ScheduledFault => ({
  name: 'drop',
  match: { event, order: 'o1', channel: 'polling' },
  options: {},
})
const failing: ScheduledFault = {
  name: 'fail',
  match: { operation: 'getOrder', nth: 1, order: 'o1' },
  options: { status: 500, effect: 'before' },
}
const forged: ScheduledFault = {
  name: 'wrong-signature',
  match: { operation: 'receiveOrderEvent', event: 'CREATED', nth: 1, order: 'o1' },
  options: { how: 'none' },
}

/** What a schedule breaks; `attempt` when its scenario is played again. */
type Service = (schedule: Schedule, attempt: number | undefined) => readonly BrokenRule[]

const hasFault = ({ faults }: Schedule, name: string): boolean =>
  faults.some((each) => each.name === name)

function investigateWith(service: Service, kind: InvariantKind = 'safety', isBeside = false) {
  const state = new CampaignState()
  const records: CampaignRecord[] = []
  const played: string[] = []
  const failures = new Failures({
    state,
    workloads,
    kindOf: () => kind,
    sessions: () => 1,
    isBeside,
    record(record) {
      records.push(record)
      state.apply(record)
      return Promise.resolve()
    },
    run: (schedules) =>
      Promise.resolve(
        schedules.map((each) => {
          played.push(scheduleText(each))
          return scriptedResult(each, service(each, undefined))
        }),
      ),
    runAgain(schedule, attempt) {
      played.push(`again ${scheduleText(schedule)}`)
      return Promise.resolve(scriptedResult(schedule, service(schedule, attempt)))
    },
  })
  return {
    state,
    records,
    played,
    failures,
    find: async (schedule: Schedule, index: number): Promise<void> => {
      await failures.add(scriptedResult(schedule, service(schedule, undefined)), index)
    },
    end: async (): Promise<void> => {
      let rounds = 0
      while (await failures.advance()) expect(++rounds).toBeLessThan(100)
    },
  }
}

const dense = createSchedule('delivery', [
  ...['CONFIRMED', 'PREPARING', 'DISPATCHED', 'DELIVERED'].map(drop),
  failing,
])
const scheduleRecord = (index: number): CampaignRecord => ({
  type: 'schedule',
  index,
  strategy: 'dense',
  hash: 'f00d',
  workload: 'delivery',
  faults: 5,
  exercised: [],
  signature: 's',
  broken: ['SE-1'],
  inconclusive: [],
})

/** A read that fails is answered with a second effect. */
const retriesTwice: Service = (schedule) =>
  hasFault(schedule, 'fail') ? [brokenRule('SE-1', 'o1')] : []

describe('a failure', () => {
  test('becomes a bucket with its smallest reproducer, confirmed by playing it again', async () => {
    const { find, end, state } = investigateWith(retriesTwice)
    await find(dense, 7)
    await end()
    const [bucket, ...others] = state.buckets.values()
    expect(others).toEqual([])
    expect(bucket).toMatchObject({
      rule: 'SE-1',
      status: 'confirmed',
      failed: 3,
      played: 3,
      foundAt: 7,
      hits: 1,
      schedule: { workload: 'delivery', faults: [failing] },
      alsoBroken: [],
    })
    expect(bucket?.shrinkRuns).toBeGreaterThan(1)
    expect(state.unexplained()).toEqual([])
  })

  test('needs no fault when the workload alone breaks the rule', async () => {
    const { find, end, state } = investigateWith(() => [brokenRule('SE-1', 'o1')])
    await find(dense, 0)
    await end()
    expect([...state.buckets.values()].map(({ schedule }) => schedule.faults)).toEqual([[]])
  })

  test('with the triggers of a known bucket of the same rule counts to it, and is not investigated', async () => {
    const { find, end, state, records, played } = investigateWith(retriesTwice)
    await find(dense, 0)
    await end()
    const before = played.length
    await find(createSchedule('takeout', [failing, drop('CONFIRMED')]), 1)
    await find(createSchedule('delivery', [failing]), 2)
    await end()
    expect(played.length).toBe(before)
    const [bucket] = state.buckets.values()
    expect(bucket?.hits).toBe(3)
    expect(records.filter(({ type }) => type === 'hit')).toHaveLength(2)
  })

  test('of the same rule with another trigger has a bucket of its own', async () => {
    const { find, end, state } = investigateWith((schedule) =>
      hasFault(schedule, 'fail') || hasFault(schedule, 'wrong-signature')
        ? [brokenRule('SE-1', 'o1')]
        : [],
    )
    await find(dense, 0)
    await end()
    await find(createSchedule('delivery', [forged, drop('CONFIRMED')]), 1)
    await end()
    const names = [...state.buckets.values()].map(({ schedule }) =>
      schedule.faults.map(({ name }) => name),
    )
    expect(names).toEqual([['fail'], ['wrong-signature']])
  })

  test('that waits is explained by the bucket of the one before it: one investigation for each rule at a time', async () => {
    const { find, end, state, played } = investigateWith(retriesTwice)
    await find(dense, 0)
    const one = investigateWith(retriesTwice)
    await one.find(dense, 0)
    await one.end()
    await find(createSchedule('takeout', [failing]), 1)
    await find(createSchedule('indoor', [failing]), 2)
    await end()
    expect([...state.buckets.values()].map(({ hits }) => hits)).toEqual([3])
    expect(played).toEqual(one.played)
  })

  test('with two rules has an investigation for each, at the same time', async () => {
    const { find, end, state } = investigateWith((schedule) => [
      ...(hasFault(schedule, 'fail') ? [brokenRule('SE-1', 'o1')] : []),
      ...(hasFault(schedule, 'drop') ? [brokenRule('CV-3', 'o1')] : []),
    ])
    await find(dense, 0)
    await end()
    const found = [...state.buckets.values()].map(({ rule, schedule }) => [
      rule,
      schedule.faults.map(({ name }) => name),
    ])
    expect(found).toContainEqual(['SE-1', ['fail']])
    expect(found).toContainEqual(['CV-3', ['drop']])
  })

  test('that follows from another broken rule is shown with it only', async () => {
    const { find, end, state } = investigateWith((schedule) =>
      hasFault(schedule, 'fail')
        ? [brokenRule('SE-1', 'o1'), brokenRule('CV-1', 'o1', { follows: 'SE-1' })]
        : [],
    )
    await find(dense, 0)
    await end()
    const [bucket, ...others] = state.buckets.values()
    expect(others).toEqual([])
    expect([bucket?.rule, bucket?.alsoBroken]).toEqual(['SE-1', ['CV-1']])
  })

  test('of what a workload breaks without faults is left alone', async () => {
    const { find, end, state, played } = investigateWith(() => [brokenRule('AK-6')])
    state.apply({ type: 'steady', workload: 'delivery', failures: [brokenRule('AK-6')] })
    await find(dense, 0)
    await end()
    expect(played).toEqual([])
    expect(state.buckets.size).toBe(0)
  })

  test('that another rule of the shrunk schedule breaks does not lead astray', async () => {
    const { find, end, state } = investigateWith((schedule) =>
      hasFault(schedule, 'fail')
        ? [brokenRule('SE-1', 'o1')]
        : schedule.faults.length > 0
          ? [brokenRule('CV-1', 'o1')]
          : [],
    )
    await find(createSchedule('delivery', [failing, drop('CONFIRMED')]), 0)
    await end()
    const found = [...state.buckets.values()].find(({ rule }) => rule === 'SE-1')
    expect(found?.schedule.faults).toEqual([failing])
  })
})

describe('a failure that does not come each time', () => {
  const everySecond: Service = (schedule, attempt) =>
    hasFault(schedule, 'fail') && (attempt === undefined || attempt % 2 === 0)
      ? [brokenRule('CV-1', 'o1')]
      : []

  test('is flaky, with its rate over ten times', async () => {
    const { find, end, state } = investigateWith(everySecond, 'liveness')
    await find(dense, 0)
    await end()
    const [bucket] = state.buckets.values()
    expect(bucket).toMatchObject({ status: 'flaky', played: 10 })
    expect(bucket?.failed).toBeGreaterThan(3)
    expect(bucket?.failed).toBeLessThan(8)
  })

  test.each([
    ['liveness', 'suspected'],
    ['timing', 'suspected'],
    ['safety', 'seen'],
  ] as const)('and never again, of the kind %s, is %s', async (kind, status) => {
    const { failures, end, state } = investigateWith(() => [], kind)
    await failures.add(scriptedResult(dense, [brokenRule('CV-1', 'o1')]), 0)
    await end()
    expect([...state.buckets.values()]).toMatchObject([{ status, failed: 0 }])
  })

  test('once in ten tries is chance where it is a time limit, and no chance where something is lost', () => {
    expect(bucketStatusOf(1, 10, 'timing')).toBe('suspected')
    expect(bucketStatusOf(2, 10, 'timing')).toBe('flaky')
    expect(bucketStatusOf(1, 3, 'timing')).toBe('flaky')
    expect(bucketStatusOf(1, 10, 'liveness')).toBe('flaky')
    expect(bucketStatusOf(1, 10, 'safety')).toBe('flaky')
  })

  test.each([
    [2, undefined],
    [5, true],
  ] as const)(
    'with one fault, and does with %i, is shrunk once more by what fails each time',
    async (enough, unshrunk) => {
      const { find, end, state } = investigateWith((schedule, attempt) =>
        everySecond(schedule, schedule.faults.length >= enough ? 0 : attempt),
      )
      await find(dense, 0)
      await end()
      const [bucket] = state.buckets.values()
      expect(bucket).toMatchObject({ status: 'confirmed', failed: 3, played: 3 })
      expect(bucket?.schedule.faults).toHaveLength(enough)
      expect(bucket?.unshrunk).toBe(unshrunk)
    },
  )

  test('does not hide one with the same trigger that does: it is investigated too, and stands for both', async () => {
    let isSteady = false
    const { find, end, state } = investigateWith(
      (schedule, attempt) =>
        isSteady && hasFault(schedule, 'fail')
          ? [brokenRule('CV-1', 'o1')]
          : everySecond(schedule, attempt),
      'liveness',
    )
    await find(dense, 0)
    await end()
    expect([...state.buckets.values()]).toMatchObject([{ status: 'flaky' }])
    isSteady = true
    await find(createSchedule('delivery', [failing, drop('CONFIRMED')]), 1)
    await end()
    expect([...state.buckets.values()]).toMatchObject([
      { status: 'confirmed', failed: 3, played: 3, hits: 2 },
    ])
    await find(dense, 2)
    await end()
    expect([...state.buckets.values()]).toMatchObject([{ status: 'confirmed', hits: 3 }])
  })

  test('is investigated a few times, and counted from then on', async () => {
    const { find, end, state, played } = investigateWith(everySecond, 'liveness')
    for (let index = 0; index < 3; index++) {
      await find(dense, index)
      await end()
    }
    const before = played.length
    for (let index = 3; index < 8; index++) {
      await find(dense, index)
      await end()
    }
    expect(played.length).toBe(before)
    expect([...state.buckets.values()]).toMatchObject([{ status: 'flaky', hits: 8 }])
  })

  test('does not stand for another rule that its reproducer breaks each time', async () => {
    const flaky = investigateWith(everySecond)
    await flaky.find(dense, 0)
    await flaky.end()
    const [known] = flaky.state.buckets.values()
    if (!known) throw new Error('it is in no bucket')
    const { find, end, state } = investigateWith(retriesTwice)
    state.apply({ type: 'bucket', bucket: { ...known, alsoBroken: ['SE-1'] } })
    await find(dense, 1)
    await end()
    expect(Array.from(state.buckets.values(), ({ rule, status }) => [rule, status])).toEqual([
      ['CV-1', 'flaky'],
      ['SE-1', 'confirmed'],
    ])
  })

  test('counts to what is known of its rule for certain', async () => {
    const { find, failures, end, state } = investigateWith(retriesTwice)
    await find(dense, 0)
    await end()
    const once = createSchedule('delivery', [drop('CONFIRMED')])
    await failures.add(scriptedResult(once, [brokenRule('SE-1', 'o1')]), 1)
    await end()
    expect([...state.buckets.values()]).toMatchObject([{ status: 'confirmed', hits: 2 }])
  })
})

describe('a failure that was observed', () => {
  test('is played again before anything else, and recorded before it is shrunk', async () => {
    const { find, failures, end, records, played, state } = investigateWith(retriesTwice)
    await find(dense, 7)
    expect([failures.canAdvance('confirm'), failures.canAdvance('shrink')]).toEqual([true, false])
    await failures.advance(['confirm'])
    expect(played).toHaveLength(3)
    expect(played.every((text) => text.startsWith('again delivery'))).toBe(true)
    expect([...state.buckets.values()]).toMatchObject([
      { status: 'confirmed', failed: 3, played: 3, hits: 1, unfinished: true },
    ])
    // A campaign that is resumed investigates it again.
    state.apply(scheduleRecord(7))
    expect(state.unexplained()).toEqual([7])
    expect([failures.canAdvance('confirm'), failures.canAdvance('shrink')]).toEqual([false, true])
    await end()
    expect(state.unexplained()).toEqual([])
    expect(records.filter(({ type }) => type === 'bucket')).toHaveLength(2)
    const [bucket, ...others] = state.buckets.values()
    expect(others).toEqual([])
    expect(bucket).toMatchObject({ hits: 1, schedule: { faults: [failing] } })
    expect(bucket?.unfinished).toBeUndefined()
  })

  test('stays confirmed where there is no time to shrink it', async () => {
    const { find, failures, state } = investigateWith(retriesTwice)
    await find(dense, 7)
    await failures.advance(['confirm'])
    await failures.advance(['shrink'])
    await failures.giveUp()
    const [bucket, ...others] = state.buckets.values()
    expect(others).toEqual([])
    expect(bucket).toMatchObject({ status: 'confirmed', failed: 3, played: 3, hits: 1 })
    expect(bucket?.unfinished).toBeUndefined()
    expect(bucket?.schedule.faults).toHaveLength(dense.faults.length)
    const workload = workloads.get('delivery')
    if (!bucket || !workload) throw new Error('it is in no bucket')
    expect(certaintyText(bucket)).toMatch(
      /; not shrunk: which of these faults are needed is not known$/,
    )
    expect(bucketParagraph(bucket, workload, undefined)).toMatch(
      / It failed with drop:\S+ and .*, not shrunk: which of these faults are needed is not known\. /,
    )
  })

  test.each([
    ['liveness', 'unplayed', 'failed once; it was not played again'],
    ['timing', 'unplayed', 'failed once; it was not played again'],
    ['safety', 'seen', 'seen once; it was not played again'],
  ] as const)('and not played again, of the kind %s, is %s: %s', async (kind, status, text) => {
    const { find, failures, state } = investigateWith(retriesTwice, kind)
    await find(dense, 0)
    await failures.giveUp()
    const [bucket, ...others] = state.buckets.values()
    expect(others).toEqual([])
    expect(bucket).toMatchObject({ status, failed: 0, played: 0 })
    expect(bucket && certaintyText(bucket)).toMatch(new RegExp(`^${text}`))
  })
})

test('nothing is to be done where nothing failed', async () => {
  const { find, failures, played } = investigateWith(() => [])
  await find(dense, 0)
  expect(await failures.advance()).toBe(false)
  expect(played).toEqual([])
})

test('the first causes of a run are one of each rule, without what follows from them', () => {
  const result = scriptedResult(dense, [
    brokenRule('SE-1', 'o1'),
    brokenRule('SE-1', 'o2'),
    brokenRule('CV-1', 'o1', { follows: 'SE-1' }),
    brokenRule('CV-3', 'o1', { follows: 'RT-6' }),
  ])
  expect(firstFailures(result).map(({ rule, slot }) => [rule, slot])).toEqual([
    ['SE-1', 'o1'],
    ['CV-3', 'o1'],
  ])
})

describe('of a schedule that is still played', () => {
  test('what it breaks is investigated at once, and not again when it has ended', async () => {
    const { failures, end, state } = investigateWith(retriesTwice)
    const result = scriptedResult(dense, retriesTwice(dense, undefined))
    await failures.addEarly(result, 7)
    expect(failures.canAdvance('confirm')).toBe(true)
    await end()
    expect(await failures.add(result, 7)).toEqual([...state.buckets.values()])
    expect(failures.areOpen()).toBe(false)
    expect([...state.buckets.values()].map(({ foundAt, hits }) => [foundAt, hits])).toEqual([
      [7, 1],
    ])
  })

  test('one that does not fail again holds up no other workload in which its rule was broken', async () => {
    const flaky: Service = ({ workload, faults }, attempt) =>
      attempt === undefined || workload === 'takeout' || faults.length > 9
        ? [brokenRule('SE-1', 'o1')]
        : []
    const firstRound = async (isBeside: boolean): Promise<readonly string[]> => {
      const { find, failures, played } = investigateWith(flaky, 'safety', isBeside)
      await find(dense, 1)
      await find(createSchedule('takeout', [failing]), 2)
      await find(createSchedule('takeout', [drop('CONFIRMED')]), 3)
      await failures.advance(['confirm'])
      return [...new Set(played.map((each) => each.split(' ')[1] ?? ''))]
    }
    expect(await firstRound(true)).toEqual(['delivery', 'takeout'])
    expect(await firstRound(false)).toEqual(['delivery'])
  })
})

test('what workloads break without faults is shown by the one that breaks it again, and is one finding', async () => {
  const byChance: Service = ({ workload }, attempt) =>
    attempt === undefined || workload !== 'delivery' ? [brokenRule('SE-9', 'o1')] : []
  const { failures, end, state } = investigateWith(byChance, 'safety', true)
  for (const name of ['delivery', 'takeout', 'indoor']) {
    const schedule = createSchedule(name, [])
    failures.addSteady(scriptedResult(schedule, byChance(schedule, undefined)))
  }
  await end()
  const found = [...state.buckets.values()].map(({ status, schedule }) => [
    status,
    schedule.workload,
  ])
  expect(found).toEqual([['confirmed', 'takeout']])
})

describe('what may be broken, where Sparring was late', () => {
  const inCompany = (schedule: Schedule) => ({
    ...scriptedResult(schedule, []),
    inconclusive: ['SE-1'],
    doubts: [brokenRule('SE-1', 'o1')],
  })

  test('is a finding when it fails alone, and nothing otherwise', async () => {
    for (const [service, found] of [
      [retriesTwice, ['confirmed']],
      [() => [], []],
    ] as const) {
      const { failures, end, state } = investigateWith(service, 'safety', true)
      failures.addDoubts(inCompany(dense), 7)
      await end()
      expect([...state.buckets.values()].map(({ status }) => status)).toEqual(found)
    }
  })

  test('is no finding when there was no time to play it again', async () => {
    const { failures, state } = investigateWith(retriesTwice, 'safety', true)
    failures.addDoubts(inCompany(dense), 7)
    await failures.giveUp()
    expect([...state.buckets.values()]).toEqual([])
  })
})

test('[AUT-TOK-04] what is about no single order is played again with several of them first', async () => {
  const { failures, find, played } = investigateWith(() => [brokenRule('TK-2')])
  await find(createSchedule('takeout', [failing]), 1)
  await find(createSchedule('several-at-once', [failing]), 2)
  await failures.advance(['confirm'])
  expect([...new Set(played.map((each) => each.split(' ')[1]))]).toEqual(['several-at-once'])
})
