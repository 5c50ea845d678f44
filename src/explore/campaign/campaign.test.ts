// @module-tag slow
/** Campaigns against the reference service in this process, from the first run without faults to the last bucket. */
import { describe, expect, test } from 'vitest'
import { exploreReference } from '../../../test/support/explore-reference.ts'
import { isSoak, runsFor } from '../../../test/support/soak.ts'
import { createReferenceRunner } from '../../../test/support/reference-runner.ts'
import { brokenRule } from '../../../test/support/scripted-schedules.ts'
import { twoWorkloads } from '../../../test/support/written-workloads.ts'
import type { DefectName } from '../../demo/defects.ts'
import { type CampaignOptions, runCampaign } from './campaign.ts'
import type { CampaignRecord } from './campaign-record.ts'
import type { BatchEntry } from '../batch/schedule-runner.ts'
import type { CampaignState } from './campaign-state.ts'
import { createSchedule } from '../schedules/schedule.ts'
import { createWorkload } from '../workloads/workload.ts'
import { workloadsOf } from '../workloads/workloads.ts'

/** Two workloads of one order, so that a batch takes little time. */
const workloads = [
  createWorkload({
    name: 'delivery',
    about: 'An order is delivered.',
    subjects: ['software-service'],
    orders: { o1: { type: 'DELIVERY' } },
  }),
  createWorkload({
    name: 'cancelled',
    about: 'The customer cancels.',
    subjects: ['software-service'],
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [
      { advance: '1500ms' },
      {
        trigger: {
          order: 'o1',
          move: 'cancel',
          code: 'CONSUMER_CANCELLATION_REQUESTED',
          reason: 'the customer changed their mind',
        },
      },
    ],
  }),
]

/** Schedules of a whole campaign, and of one on the correct service. */
const wholeRuns = runsFor(24, 32)
const correctRuns = runsFor(8, 12)

interface Recorded {
  readonly records: readonly CampaignRecord[]
  readonly state: CampaignState
}

interface RecordedOptions extends Pick<CampaignOptions, 'resume' | 'known'> {
  readonly defect?: DefectName
  readonly seed?: number
  readonly maxRuns?: number
  /** Ends it with the record for which this is true. */
  readonly until?: (record: CampaignRecord) => boolean
}

async function record({
  defect,
  seed = 1,
  maxRuns = wholeRuns,
  until = () => false,
  ...options
}: RecordedOptions): Promise<Recorded> {
  const records: CampaignRecord[] = []
  const enough = new AbortController()
  const state = await runCampaign({
    seed,
    channels: ['polling', 'webhook'],
    workloads,
    runner: createReferenceRunner({ seed, defects: defect ? [defect] : [] }),
    budget: { maxRuns },
    now: () => 0,
    kindOf: () => 'safety',
    enough: enough.signal,
    onRecord(each) {
      records.push(each)
      if (until(each)) enough.abort()
    },
    ...options,
  })
  return { records, state }
}

/** What is measured on the wall clock left out. */
function lasting(each: CampaignRecord): unknown {
  if (each.type !== 'batch') return each
  const { answerMs: _answerMs, ...pace } = each.pace
  return { ...each, pace }
}

const hashesOf = ({ schedules }: CampaignState): readonly string[] =>
  [...new Set(Array.from(schedules.values(), ({ hash }) => hash))].sort()

const bucketsOf = ({ buckets }: CampaignState) =>
  Array.from(buckets.values(), ({ id, rule, role, status }) => ({ id, rule, role, status })).sort(
    (one, other) => (one.id < other.id ? -1 : 1),
  )

/** It asks to cancel an order whose call failed four times. */
const whole = await record({ defect: 'cancels-on-timeout' })

describe('a campaign against a service with a defect', () => {
  test('finds it, shrinks it and confirms it', () => {
    const { buckets } = whole.state
    expect(buckets.size).toBeGreaterThan(0)
    for (const bucket of buckets.values()) {
      expect(bucket).toMatchObject({ rule: 'SE-5', status: 'confirmed', failed: 3, played: 3 })
      expect(bucket.schedule.faults.length).toBeLessThanOrEqual(3)
      expect(bucket.failure.because).toContain('cancel')
      expect(bucket.shrinkRuns).toBeGreaterThan(1)
    }
    expect(whole.state.unexplained()).toEqual([])
  })

  test('plays the workloads without faults first, then draws schedules, and says when it is done', () => {
    const types = whole.records.map((each) => each.type)
    expect(whole.records.filter(({ type }) => type === 'phase')).toEqual([
      { type: 'phase', phase: 'steady' },
      { type: 'phase', phase: 'search' },
    ])
    expect(types.indexOf('steady')).toBeLessThan(types.indexOf('schedule'))
    expect(types.indexOf('space')).toBeLessThan(types.indexOf('schedule'))
    expect(types.at(-1)).toBe('end')
    expect(whole.state.ended()?.reason).toBe('done')
    expect(whole.state.steadyFailures.size).toBe(0)
  })

  test('runs as many schedules as it may, each equal one once', () => {
    const drawn = whole.records.filter(({ type }) => type === 'schedule')
    expect(drawn.length).toBeGreaterThan(0.75 * wholeRuns)
    expect(drawn.length).toBeLessThanOrEqual(wholeRuns)
    expect(hashesOf(whole.state)).toHaveLength(drawn.length)
    expect(whole.state.runs()).toBeGreaterThan(drawn.length)
  })

  test('exercises kinds of faults of every sort, and knows those that it never tried', () => {
    const { state } = whole
    expect(state.classes().length).toBeGreaterThan(100)
    expect(state.exercisedClasses().size).toBeGreaterThan(0.3 * wholeRuns)
    expect([...state.exercisedClasses()].filter((each) => !state.classes().includes(each))).toEqual(
      [],
    )
    const { runs, species, newProbability } = whole.state.estimate()
    expect(species).toBeLessThanOrEqual(runs)
    expect(newProbability).toBeGreaterThan(0)
  })
})

test('the same seed and service give the same records, and another seed others', async () => {
  const options = { defect: 'cancels-on-timeout', maxRuns: 8 } as const
  const [one, again, other] = [
    await record(options),
    await record(options),
    await record({ ...options, seed: 2 }),
  ]
  expect(again.records.map(lasting)).toEqual(one.records.map(lasting))
  expect(hashesOf(other.state)).not.toEqual(hashesOf(one.state))
})

describe('a campaign on the correct service', () => {
  test.each(['polling', 'webhook', 'both'] as const)(
    'finds nothing in any schedule of the built-in workloads by %s',
    async (channel) => {
      // By both channels it is all of them, and another app of the store acts first.
      const some =
        channel === 'both' ? ({ ghosts: true } as const) : isSoak ? {} : { workloads: twoWorkloads }
      const { state, buckets } = await exploreReference({ channel, maxRuns: correctRuns, ...some })
      expect([...buckets]).toEqual([])
      expect([...state.steadyFailures]).toEqual([])
      expect([...state.leftOut.keys()].filter((name) => name !== 'evening-at-tables')).toEqual([])
      expect([...state.unattributed]).toEqual([])
      expect(state.schedules.size).toBeGreaterThan(0.8 * correctRuns)
      expect(Array.from(state.schedules.values(), ({ broken }) => broken).flat()).toEqual([])
    },
  )
})

describe('a campaign that is interrupted', () => {
  test('says so, and draws no further schedule', async () => {
    const { state } = await record({ until: ({ type }) => type === 'schedule' })
    expect(state.ended()?.reason).toBe('interrupted')
    expect(state.schedules.size).toBeGreaterThan(0)
    expect(state.schedules.size).toBeLessThanOrEqual(16)
  })

  test('in the middle of an investigation goes on from its records, and ends with the same schedules and buckets', async () => {
    const last = whole.records.findLastIndex(({ type }) => type === 'bucket')
    const before = whole.records.slice(0, last)
    const indicesIn = (list: readonly CampaignRecord[]): ReadonlySet<number> =>
      new Set(list.flatMap((each) => (each.type === 'schedule' ? [each.index] : [])))
    const played = indicesIn(before)
    expect(played.size).toBeLessThan(0.9 * wholeRuns)
    expect(before.some(({ type }) => type === 'bucket')).toBe(true)
    const { state, records } = await record({ defect: 'cancels-on-timeout', resume: before })
    // A failure that had no bucket yet is run again; everything else is new.
    expect([...indicesIn(records)].filter((each) => !played.has(each)).length).toBe(
      whole.state.schedules.size - played.size,
    )
    expect(hashesOf(state)).toEqual(hashesOf(whole.state))
    expect(bucketsOf(state)).toEqual(bucketsOf(whole.state))
    expect(state.unexplained()).toEqual([])
  })
})

describe('reproducers of earlier campaigns', () => {
  const known = Array.from(whole.state.buckets.values(), ({ schedule }) => schedule).slice(0, 1)

  test('are played first, and what they show is known before anything is drawn', async () => {
    const { records, state } = await record({ defect: 'cancels-on-timeout', known, maxRuns: 1 })
    const played = records.find((each) => each.type === 'known')
    expect(played).toMatchObject({ broken: ['SE-5'] })
    expect(state.buckets.size).toBe(1)
  })

  test('are reported to pass when the defect is gone', async () => {
    const { state } = await record({ known, maxRuns: 1 })
    expect([...state.known.values()]).toEqual([[]])
    expect(state.buckets.size).toBe(0)
  })
})

test('what fails without any fault is reported, and left out of the search', async () => {
  const { state } = await record({ defect: 'acks-nothing', maxRuns: 1 })
  expect([...state.steadyFailures.keys()].sort()).toEqual(['AK-6 cancelled', 'AK-6 delivery'])
  const faultFree = [...state.buckets.values()]
  expect(faultFree.map(({ rule, schedule }) => [rule, schedule.faults])).toEqual([['AK-6', []]])
})

test('what breaks a rule only with many orders gets a bucket, of a workload that has so many', async () => {
  const crowd = createWorkload({
    name: 'crowd',
    about: 'Four orders are placed at once.',
    subjects: ['software-service'],
    faultFree: true,
    steps: [{ crowd: { times: 4, type: 'TAKEOUT', items: 1 } }, { advance: '1s' }],
  })
  const runner = createReferenceRunner({ seed: 1 })
  const many = brokenRule('RT-2')
  const isMany = (entries: readonly BatchEntry[]): boolean =>
    entries.some(({ schedule }) => schedule.faults.length > 0) &&
    (entries.length > 1 || entries.some(({ workload }) => workload.name === 'crowd'))
  const state = await runCampaign({
    seed: 1,
    channels: ['polling', 'webhook'],
    workloads: [...workloads.slice(1), crowd],
    runner: {
      ...runner,
      async play(entries, how) {
        const batch = await runner.play(entries, how)
        return isMany(entries) ? { ...batch, unattributed: [many] } : batch
      },
      async playAgain(entry, attempt, rule) {
        const result = await runner.playAgain(entry, attempt, rule)
        return isMany([entry]) ? { ...result, failures: [many] } : result
      },
    },
    budget: { maxRuns: 8 },
    now: () => 0,
    kindOf: () => 'timing',
    enough: new AbortController().signal,
    onRecord: () => undefined,
  })
  expect([...state.unattributed]).toEqual([])
  const [bucket, ...others] = state.buckets.values()
  expect(others).toEqual([])
  expect(bucket).toMatchObject({
    rule: 'RT-2',
    status: 'confirmed',
    schedule: { workload: 'crowd', faults: [expect.anything()] },
  })
  expect(bucket?.schedule.faults.every(({ match }) => match.order === undefined)).toBe(true)
})

describe('a campaign that is asked for more', () => {
  test('ends the service and starts it again: what it forgets is found, and takes one crash', async () => {
    const one = { channel: 'polling', workloads: twoWorkloads, maxRuns: 8, seed: 1 } as const
    const options = { ...one, crashes: true } as const
    const { buckets } = await exploreReference({ ...options, defects: ['resumes-nothing'] })
    const certain = buckets.filter(({ status }) => status === 'confirmed')
    expect(certain.map(({ rule }) => rule)).toContain('CV-1')
    for (const { schedule, runsToFind } of certain) {
      expect(schedule.faults.map(({ name }) => name)).toContain('crash')
      expect(schedule.faults.length).toBeLessThanOrEqual(2)
      expect(runsToFind).toBeLessThan(60)
    }
    const correct = await exploreReference(options)
    expect([...correct.buckets]).toEqual([])
  })

  test('has another app of the store act first: what the service misses then is found', async () => {
    const { buckets } = await exploreReference({
      channel: 'polling',
      ghosts: true,
      maxRuns: 8,
      seed: 1,
      defects: ['drops-events-of-unknown-orders'],
      workloads: twoWorkloads,
    })
    expect(buckets).toMatchObject([
      {
        rule: 'CV-1',
        status: 'confirmed',
        alsoBroken: expect.arrayContaining(['CV-2']),
        schedule: { faults: [{ name: 'ghost', match: { event: 'CREATED' } }] },
      },
    ])
  })
})

test.each([
  ['another-app', 'drops-events-of-unknown-orders', 'CV-2'],
  ['cancellation-takes-long', 'repeats-refused-at-reconcile', 'RT-5'],
  ['stumble', 'retries-in-step', 'RT-2 as advice'],
] as const)('without faults %s shows %s: %s', async (name, defect, rule) => {
  const [workload] = workloadsOf('software-service').filter((each) => each.name === name)
  if (!workload) throw new Error(`there is no workload ${name}`)
  const brokenBy = async (defects: readonly DefectName[], channel: 'polling' | 'webhook') => {
    const runner = createReferenceRunner({ seed: 1, channel, defects })
    const entry = { schedule: createSchedule(name, []), workload }
    const { results, advice, unattributed } = await runner.play([entry])
    expect(results.flatMap(({ stepFailures }) => stepFailures)).toEqual([])
    const broken = [...results.flatMap(({ failures }) => failures), ...unattributed]
    return [
      ...broken.map((each) => each.rule),
      ...Object.keys(advice).map((each) => `${each} as advice`),
    ]
  }
  for (const channel of ['polling', 'webhook'] as const) {
    expect(await brokenBy([defect], channel)).toContain(rule)
    expect(await brokenBy([], channel)).toEqual([])
  }
})
