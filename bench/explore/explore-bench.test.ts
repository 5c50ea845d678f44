// @module-tag nightly
/** The bench of exploration with tiny sizes: what it measures is real, whole and printed. */
import { describe, expect, test } from 'vitest'
import { workloadsOf } from '../../src/explore/workloads/workloads.ts'
import { failedCanary, measureExploration } from './explore-bench.ts'
import { builtInWorkloads, measureKill } from './kill.ts'
import { type ExploreBenchOptions, readExploreOptions } from './options.ts'
import { exploreJson, exploreTable } from './report.ts'
import { comparedStrategies } from './strategies.ts'
import {
  type DefectRow,
  medianRuns,
  needsFault,
  quantileOf,
  reproducerTotals,
  strategyTotals,
} from './summary.ts'

const optionsOf = (...argv: readonly string[]): ExploreBenchOptions => {
  const options = readExploreOptions(argv)
  if (!options) throw new Error('these are options')
  return options
}
const tiny = [
  '--seeds',
  '1',
  '--max-runs',
  '16',
  '--false-alarms',
  '8',
  '--channel=polling',
] as const
/** An order that is picked up: the cheapest one. */
const workloads = workloadsOf('software-service').filter(({ name }) => name === 'takeout')
const parts = {
  workloads,
  showProgress: () => undefined,
  canaries: { dies: 'never-acks', lives: [], runs: 8 },
} as const

describe('the options', () => {
  test('name defects, strategies, seeds and budgets', () => {
    const options = optionsOf(
      'acts-on-202',
      '--seeds=2',
      '--first-seed=7',
      '--strategies=dense,ours',
      '--max-runs=50',
      '--false-alarms=0',
      '--channel=polling',
      '--crashes',
      '--ghosts',
      '--json',
    )
    expect(options).toMatchObject({
      crashes: true,
      ghosts: true,
      evolution: false,
      defects: ['acts-on-202'],
      seeds: [7, 8],
      maxRuns: 50,
      falseAlarmRuns: 0,
      channel: 'polling',
      json: true,
    })
    expect(options.strategies.map(({ name }) => name)).toEqual(['dense', 'ours'])
  })

  test('are all defects and all strategies without any', () => {
    const { defects, seeds, strategies, maxRuns, falseAlarmRuns } = optionsOf()
    expect(defects.length).toBeGreaterThan(90)
    expect(strategies).toBe(comparedStrategies)
    expect([seeds.length, maxRuns, falseAlarmRuns]).toEqual([3, 200, 2000])
    expect(readExploreOptions(['--help'])).toBeUndefined()
  })

  test.each([
    [['--seeds', 'many'], '--seeds is many'],
    [['--max-runs', '0'], '--max-runs is 0'],
    [['--channel', 'pigeon'], '--channel is pigeon'],
    [['--strategies', 'luck'], 'there is no strategy luck'],
    [['eats-orders'], 'there is no defect eats-orders'],
    [['--fast'], '--fast'],
  ])('%j is an error that says so', (argv, message) => {
    expect(() => readExploreOptions(argv)).toThrow(message)
  })
})

test('defects are measured under every strategy, shrunk, played again and reported', async () => {
  const options = optionsOf(
    ...tiny,
    'never-acks',
    'cancels-on-timeout',
    'repeats-refused-at-reconcile',
  )
  const result = await measureExploration(options, parts)
  const [acks, cancels, refused] = result.rows

  expect(acks && needsFault(acks)).toBe(false)
  for (const { name } of comparedStrategies) expect(acks && medianRuns(acks, name)).toBe(1)

  expect(cancels && needsFault(cancels)).toBe(true)
  expect(cancels && medianRuns(cancels, 'ours')).toBeLessThanOrEqual(16)
  const { reproducers = [], replays } = cancels?.shrunk ?? {}
  expect(reproducers.length).toBeGreaterThan(0)
  expect(replays?.played).toBe(10)

  expect(refused && medianRuns(refused, 'ours')).toBe(Number.POSITIVE_INFINITY)
  expect(result.falseAlarms.alarms).toEqual([])
  expect(result.falseAlarms.schedules).toBe(8)
  expect(result.doubtful).toEqual([])

  const table = exploreTable(result)
  expect(table).toMatch(/^never-acks +1 +1 +1 +1 {2}AK-1.* without faults$/m)
  expect(table).toMatch(/^repeats-refused-at-reconcile +never +never +never +never$/m)
  expect(table).toContain('never shown: repeats-refused-at-reconcile')
  expect(table).toContain('correct service: 0 false alarms in 8 schedules')
  const json = JSON.parse(exploreJson(result)) as Record<string, unknown>
  expect(json).toMatchObject({
    name: 'explore',
    seeds: [1],
    maxRuns: 16,
    shown: comparedStrategies.map(({ name }) => ({ strategy: name })),
  })
})

describe.each(['polling', 'webhook'] as const)('by %s, soon and in few faults', (channel) => {
  const measured = (most: number, ...argv: readonly string[]) =>
    measureExploration(
      optionsOf(
        '--seeds=3',
        '--strategies=ours',
        '--false-alarms=100',
        `--max-runs=${most}`,
        `--channel=${channel}`,
        ...argv,
      ),
      { ...parts, workloads: builtInWorkloads },
    )

  test('what a process forgets when it dies is found', { timeout: 900_000 }, async () => {
    const { rows, falseAlarms } = await measured(
      15,
      '--crashes',
      'stores-what-it-has-read',
      'writes-ids-first',
      'claims-for-ever',
      'resumes-nothing',
      'dedupes-in-memory',
    )
    expect(falseAlarms.alarms).toEqual([])
    for (const row of rows) {
      expect([row.defect, medianRuns(row, 'ours') <= 15]).toEqual([row.defect, true])
      const { reproducers = [], replays } = row.shrunk ?? {}
      const confirmed = reproducers.filter(({ status }) => status === 'confirmed')
      expect(confirmed.length).toBeGreaterThan(0)
      // What else it breaks by the way, such as a courier for a cancelled order, may take more.
      const [{ rule: first } = { rule: '' }] = confirmed
      for (const { faults } of confirmed.filter(({ rule }) => rule === first))
        expect(faults).toBeLessThanOrEqual(2)
      expect(replays).toMatchObject({ failed: 10, played: 10 })
    }
  })

  test('what was never found is found', { timeout: 900_000 }, async () => {
    const { rows, falseAlarms } = await measured(
      30,
      'drops-events-of-unknown-orders',
      'retries-in-step',
      'repeats-refused-at-reconcile',
      ...(channel === 'polling' ? ['handles-first-twenty', 'skips-page-after-full-page'] : []),
    )
    expect(falseAlarms.alarms).toEqual([])
    for (const row of rows)
      expect([row.defect, medianRuns(row, 'ours') <= 30]).toEqual([row.defect, true])
  })
})

describe('the canary', () => {
  const options = { ...optionsOf(...tiny), strategies: comparedStrategies.slice(2, 3) }

  test('holds when one defect dies at once and the correct service never', async () => {
    expect(await failedCanary(options, parts)).toBeUndefined()
  })

  test('fails when that defect survives its first schedule', async () => {
    const canaries = { dies: 'repeats-refused-at-reconcile', lives: [], runs: 8 } as const
    expect(await failedCanary(options, { canaries, workloads })).toBe(
      'dense does not find repeats-refused-at-reconcile in its first schedule',
    )
  })

  test('fails when the service that must live is blamed', async () => {
    const canaries = { dies: 'never-acks', lives: ['acks-nothing'], runs: 8 } as const
    expect(await failedCanary(options, { canaries, workloads })).toContain(
      'dense blames the correct service: AK-6',
    )
  })
})

test('the same seed gives the same kill', async () => {
  const campaign = {
    defects: ['cancels-on-timeout'],
    seed: 1,
    maxRuns: 16,
    channel: 'polling',
    workloads,
  } as const
  const one = await measureKill(campaign)
  expect(one.kill.kind).toBe('killed')
  expect(await measureKill(campaign)).toEqual(one)
})

describe('totals', () => {
  const killed = (runs: number) =>
    ({ kind: 'killed', runs, strategy: 'dense', rules: ['SE-1'] }) as const
  const survived = { kind: 'survived' } as const
  const rows: readonly DefectRow[] = [
    {
      defect: 'acts-on-202',
      kills: new Map([
        ['transport', [killed(30), survived, survived]],
        ['ours', [killed(4), killed(2), killed(9)]],
      ]),
      shrunk: {
        reproducers: [{ rule: 'SE-1', status: 'confirmed', faults: 1, orders: 1, executions: 8 }],
        replays: { rule: 'SE-1', failed: 10, played: 10 },
      },
    },
    {
      defect: 'never-acks',
      kills: new Map([
        ['transport', [{ kind: 'steady', rules: ['AK-1'] }]],
        ['ours', [{ kind: 'steady', rules: ['AK-1'] }]],
      ]),
    },
    {
      defect: 'one-queue',
      kills: new Map([
        ['transport', [killed(20), killed(10)]],
        ['ours', [killed(6), survived]],
      ]),
      shrunk: {
        reproducers: [{ rule: 'CV-13', status: 'flaky', faults: 3, orders: 2, executions: 20 }],
        replays: { rule: 'CV-13', failed: 7, played: 10 },
      },
    },
  ]

  test('take the median of the seeds, and what most of them never find counts as the budget', () => {
    const [transport, ours] = strategyTotals(rows, {
      strategies: ['transport', 'ours'],
      maxRuns: 100,
    })
    expect(transport).toMatchObject({ killed: 2, medianRuns: 20, meanRuns: 121 / 3, ratio: 1 })
    expect(transport?.mostRuns).toBe(Number.POSITIVE_INFINITY)
    expect(ours).toMatchObject({ killed: 2, medianRuns: 4, meanRuns: 35 })
    expect(ours?.ratio).toBeCloseTo(105 / 121)
  })

  test('of reproducers are medians and what nine in ten have at most', () => {
    expect(reproducerTotals(rows)).toEqual({
      reproducers: 2,
      statuses: { confirmed: 1, flaky: 1 },
      faults: [1, 3],
      orders: [1, 2],
      executions: [8, 20],
      replayedAlways: 1,
      replayed: 2,
    })
    expect(reproducerTotals([])).toBeUndefined()
  })

  test('know quantiles', () => {
    const ten = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    expect([0, 0.5, 0.9, 1].map((share) => quantileOf(ten, share))).toEqual([1, 5, 9, 10])
    expect(quantileOf([], 0.5)).toBeUndefined()
  })
})
