// @module-tag slow
/**
 * What is kept of a bucket, as the file that it is: red while its rule is broken, green when nothing breaks it, and without
 * a promise where the file does not show the failure.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exploreFolder } from '../../../test/support/explore-verb.ts'
import { rerun } from '../../../test/support/explored-in-process.ts'
import type { DefectName } from '../../demo/defects.ts'
import type { Bucket } from '../investigation/bucket.ts'
import { createSchedule, type ScheduledFault } from '../schedules/schedule.ts'
import { workloadsByName } from '../workloads/workload.ts'
import { workloadsOf } from '../workloads/workloads.ts'
import { type BucketStore, type BucketStoreOptions, createBucketStore } from './bucket-store.ts'
import { keptTexts } from '../campaign/campaign-text.ts'
import { bucketDetails } from './build-report.ts'
import { createCorpusWriter } from './corpus.ts'
import { createFilePlayer, type FileRun } from './play-kept-file.ts'
import type { CampaignHeader } from './record-schema.ts'

const workloads = workloadsByName(workloadsOf('software-service'))

const bucketOf = (
  rule: string,
  faults: readonly ScheduledFault[],
  workload = 'takeout',
): Bucket => ({
  id: '0a1b2c3d',
  rule,
  status: 'confirmed',
  failed: 3,
  played: 3,
  schedule: createSchedule(workload, faults, { faultPhaseMs: 30_000 }),
  failure: { rule, because: 'The service did it.', evidence: [] },
  alsoBroken: [],
  trace: '',
  runsToFind: 1,
  shrinkRuns: 1,
  hits: 1,
})

const storeIn = (
  cwd: string,
  players: Pick<BucketStoreOptions, 'playFile' | 'record'> = {},
): BucketStore =>
  createBucketStore({
    corpus: createCorpusWriter('regressions', cwd),
    workloads,
    channel: 'polling',
    convergeMs: () => undefined,
    faultPhaseMs: () => 30_000,
    ...players,
  })

type Call = NonNullable<ScheduledFault['match']['operation']>

/** Each attempt of a call about o1. */
const always = (operation: Call, name: string, options: object): readonly ScheduledFault[] => [
  { name, match: { operation, order: 'o1' }, options: { ...options }, burst: 'outlast' },
]
const once = (operation: Call, name: string, options: object): readonly ScheduledFault[] => [
  { name, match: { operation, nth: 1 }, options: { ...options } },
]
const lost = (event: string): readonly ScheduledFault[] => [
  { name: 'drop', match: { event, order: 'o1' }, options: {} },
]
const failing = { status: 503, effect: 'before' }

const kept: readonly (readonly [rule: string, DefectName, readonly ScheduledFault[]])[] = [
  ['SE-7', 'confirms-unread', []],
  ['AK-6', 'acks-nothing', []],
  ['TK-1', 'token-per-call', []],
  ['SE-5', 'cancels-on-timeout', always('confirmOrder', 'reset', { effect: 'before' })],
  ['RT-6', 'fire-and-forget', once('confirmOrder', 'fail', failing)],
  ['PO-1', 'poll-dies-on-error', once('pollingEvents', 'fail', failing)],
  ['RT-7', 'no-client-timeout', once('getOrder', 'hang', {})],
  ['CV-1', 'never-reconciles', lost('CONFIRMED')],
  ['RT-1', 'retries-without-pause', always('getOrder', 'fail', failing)],
]

test.for(kept)(
  'the scenario of %s is red with the defect %s, and green without it',
  async ([rule, defect, faults]) => {
    const cwd = exploreFolder()
    const store = storeIn(cwd)
    await store.keep(bucketOf(rule, faults))
    const { file = '' } = store.kept.get('0a1b2c3d') ?? {}
    const red = await rerun(file, { defects: [defect], cwd })
    expect({ code: red.code, stdout: red.stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining(`${rule} failed: `),
    })
    const mended = await rerun(file, { cwd })
    expect({ code: mended.code, stdout: mended.stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('1 run: 1 passed'),
    })
  },
)

test('a service that comes to no refusal keeps RT-5, and the run says that it was not exercised', async () => {
  const cwd = exploreFolder()
  const store = storeIn(cwd)
  await store.keep(bucketOf('RT-5', lost('CONFIRMED')))
  const { file = '' } = store.kept.get('0a1b2c3d') ?? {}
  const { code, stdout } = await rerun(file, { cwd })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      /^ok .*; RT-5 not exercised: it is checked when .*\n1 run: 1 passed.*\n$/m,
    ),
  })
})

test('a file names the clause and the remedy of what was found before those of its rule', async () => {
  const cwd = exploreFolder()
  const store = storeIn(cwd)
  const bucket = bucketOf('HO-1', [])
  const clauses = ['ORD-EVF-03']
  await store.keep({ ...bucket, failure: { ...bucket.failure, clauses, remedy: 'Read orderURL.' } })
  const text = readFileSync(join(cwd, store.kept.get(bucket.id)?.file ?? ''), 'utf8')
  expect(text).toMatch(/about: .*\n?.*Read\s+orderURL\./)
  expect(text).toMatch(/clauses:\s+(?:- |\[ ?)ORD-EVF-03/)
})

test('a file says that it was not shrunk, until it turns out that all of it is needed', async () => {
  const cwd = exploreFolder()
  const store = storeIn(cwd)
  const bucket = bucketOf('SE-7', [...lost('CONFIRMED'), ...lost('PREPARING')])
  const text = () => readFileSync(join(cwd, store.kept.get(bucket.id)?.file ?? ''), 'utf8')
  await store.keep({ ...bucket, unshrunk: true })
  expect(text().replace(/\s+/g, ' ')).toContain(
    'Found by sparring explore as 0a1b2c3d, not shrunk: which of these faults are needed is not known.',
  )
  await store.keep(bucket)
  expect(text()).not.toContain('shrunk')
})

/** What is kept by a player whose runs end like this, and what is said about it. */
async function keptBy(ends: readonly FileRun[]) {
  const cwd = exploreFolder()
  const played: string[] = []
  const store = storeIn(cwd, {
    playFile(file, _rule, recording) {
      writeFileSync(recording, `${played.length}`)
      played.push(readFileSync(join(cwd, file), 'utf8').split('\n').slice(2).join('\n'))
      return Promise.resolve(ends[played.length - 1] ?? 'stopped')
    },
  })
  const bucket = bucketOf('SE-7', [])
  await store.keep(bucket)
  const header = { type: 'campaign', seed: 7, flags: ['--speed', '5'] } as unknown as CampaignHeader
  const details = bucketDetails(bucket, {
    header,
    workloads,
    clauses: new Map(),
    kept: store.kept,
  })
  const text = readFileSync(join(cwd, details.file ?? ''), 'utf8')
  // Each run played the file as it stays, but for what its first line says.
  for (const each of played) expect(text.endsWith(each)).toBe(true)
  const { recording } = details
  return {
    recorded: recording && Number(readFileSync(join(cwd, recording), 'utf8')),
    first: text.split('\n')[0],
    again: details.again,
    texts: keptTexts(details),
    played,
  }
}

test('a file is played three times before it promises anything', async () => {
  const shown = await keptBy(['failed', 'failed', 'failed', 'failed'])
  expect(shown).toMatchObject({
    first: '# Kept by sparring explore; played as this file it failed 3 of 3 times.',
    again: 'sparring run regressions/SE-7-0a1b2c3d.yaml --speed 5',
  })
  expect(shown.recorded).toBe(0)
  expect(shown.played).toHaveLength(3)
  expect(shown.texts).toContain('  played as this file it failed 3 of 3 times')
})

test('a file that does not show the failure is kept without a promise, and one that shows it sometimes says how often', async () => {
  expect(await keptBy(['held', 'held', 'held'])).toMatchObject({
    first:
      '# Kept by sparring explore; not reproduced by its file: played as this file it failed 0 of 3 times.',
    again: 'sparring explore --seed 7 --speed 5',
  })
  expect(await keptBy(['held', 'failed', 'held'])).toMatchObject({
    recorded: 1,
    first: '# Kept by sparring explore; played as this file it failed 1 of 3 times.',
    again: 'sparring run regressions/SE-7-0a1b2c3d.yaml --speed 5',
  })
})

test('a campaign that ends meanwhile keeps the file, and does not say that it was played', async () => {
  expect(await keptBy(['stopped'])).toMatchObject({
    first: '# Kept by sparring explore; not played as this file, so that it promises nothing.',
  })
})

test('a campaign that ends while the schedule of such a file is recorded still says how often the file was played', async () => {
  const cwd = exploreFolder()
  const store = storeIn(cwd, {
    playFile: () => Promise.resolve('held'),
    record: () => Promise.reject(new Error('the time is over')),
  })
  await expect(store.keep(bucketOf('SE-7', []))).rejects.toThrow('the time is over')
  const { file = '', replays } = store.kept.get('0a1b2c3d') ?? {}
  expect(replays).toEqual({ failed: 0, played: 3, late: 0 })
  expect(readFileSync(join(cwd, file), 'utf8')).toContain('it failed 0 of 3 times')
})

test('a session for a file that is opened when the time is over is not waited for', async () => {
  const cwd = exploreFolder()
  const store = storeIn(cwd)
  await store.keep(bucketOf('SE-7', []))
  const { file = '' } = store.kept.get('0a1b2c3d') ?? {}
  const over = new AbortController()
  const play = createFilePlayer({
    plan: { base: {} },
    service: {
      async open(_request, { enough } = {}) {
        over.abort()
        enough?.throwIfAborted()
        throw new Error('it waited for the service')
      },
    },
    start: undefined,
    io: { cwd },
    enough: over.signal,
  })
  expect(await play(file, 'SE-7', join(cwd, 'run.rec.ndjson'))).toBe('stopped')
})

test('one that a smaller reproducer replaces while it is played is not played again', async () => {
  const cwd = exploreFolder()
  const bucket = bucketOf('SE-7', lost('CONFIRMED'))
  const smaller = bucketOf('SE-7', [])
  let plays = 0
  const store = storeIn(cwd, {
    async playFile(_file, _rule, recording) {
      writeFileSync(recording, '')
      if (++plays === 1) await store.keep(smaller)
      return 'failed'
    },
  })
  await store.keep(bucket)
  expect(plays).toBe(4)
  const { file = '', replays } = store.kept.get('0a1b2c3d') ?? {}
  expect(replays).toEqual({ failed: 3, played: 3, late: 0 })
  const text = readFileSync(join(cwd, file), 'utf8')
  expect(text).toContain('it failed 3 of 3 times')
  expect(text).not.toContain('drop')
})

test('a machine that is too busy to judge time limits is named', async () => {
  expect(await keptBy(['late', 'failed', 'late'])).toMatchObject({
    first:
      '# Kept by sparring explore; played as this file it failed 1 of 3 times, and in 2 of them Sparring itself was late.',
  })
})

describe('of a scenario and a smaller one', () => {
  /** What is left of both when the files end like this. */
  async function left(endOfFirst: FileRun, endOfSmaller: FileRun) {
    const cwd = exploreFolder()
    const first = bucketOf('SE-7', lost('CONFIRMED'))
    const smaller = { ...bucketOf('SE-7', []), id: '4e5f6a7b' }
    const store = storeIn(cwd, {
      playFile(file, _rule, recording) {
        writeFileSync(recording, '')
        return Promise.resolve(file.includes(first.id) ? endOfFirst : endOfSmaller)
      },
      record: () => Promise.reject(new Error('no recording is asked for')),
    })
    const keeping = store.keep(first)
    await store.keep(smaller, first.id)
    await keeping
    const files = readdirSync(join(cwd, 'regressions')).filter((each) => each.endsWith('.yaml'))
    return { files, shown: [...store.kept].map(([id, { file }]) => [id, basename(file)]) }
  }

  test('the smaller one stays when it fails', async () => {
    expect(await left('failed', 'failed')).toEqual({
      files: ['SE-7-4e5f6a7b.yaml'],
      shown: [['4e5f6a7b', 'SE-7-4e5f6a7b.yaml']],
    })
  })

  test('the smaller one stays alone when another failure led to it, for which it is still played', async () => {
    const cwd = exploreFolder()
    const first = bucketOf('SE-7', lost('CONFIRMED'))
    const smaller = { ...bucketOf('SE-7', []), id: '4e5f6a7b' }
    const { promise: isTime, resolve: play } = Promise.withResolvers<undefined>()
    const store = storeIn(cwd, {
      async playFile(file, _rule, recording) {
        if (!file.includes(first.id)) await isTime
        writeFileSync(recording, '')
        return 'failed'
      },
    })
    await store.keep(first)
    const keeping = [store.keep(smaller), store.keep(smaller, first.id)]
    play(undefined)
    await Promise.all(keeping)
    const files = readdirSync(join(cwd, 'regressions')).filter((each) => each.endsWith('.yaml'))
    expect(files).toEqual(['SE-7-4e5f6a7b.yaml'])
  })

  test('the first one stays when there was no time for the smaller one', async () => {
    expect(await left('failed', 'stopped')).toEqual({
      files: ['SE-7-0a1b2c3d.yaml'],
      shown: [['4e5f6a7b', 'SE-7-0a1b2c3d.yaml']],
    })
  })
})
