// @module-tag slow
/**
 * `sparring explore` against the reference service: what it finds and keeps, that sparring run plays what is kept, and how it
 * ends. What does not depend on sockets is played in this process, on virtual time.
 *
 * An Ordering Application in real time is left to the nightly: campaigns against it are played in this process by
 * role-campaigns.test.ts.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exploreFolder, runVerbIn, startVerb } from '../../../test/support/explore-verb.ts'
import {
  explored,
  rerun,
  search,
  startExplore,
  stateIn,
} from '../../../test/support/explored-in-process.ts'
import { type KeptDemo, startKeptDemo } from '../../../test/support/kept-demo.ts'
import { startPresignedBucket } from '../../../test/support/presigned-bucket.ts'
import { words } from '../../../test/support/shell-words.ts'
import { demoServiceCommand } from '../../../test/support/spawn-sparring.ts'
import type { Bucket } from '../investigation/bucket.ts'
import { reproducerName } from './corpus.ts'

const speed = 40

/** Flags for a service that runs. */
const serviceFlags = (
  { url, port }: Pick<KeptDemo, 'url' | 'port'>,
  itsSpeed = speed,
): readonly string[] =>
  words`--as software-service --subject ${url} --port ${port} --speed ${itsSpeed}`

/** A campaign that found anything shows its report. */
function expectNothingFound({ code, stdout }: { code: number; stdout: string }): void {
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('FAIL') })
}

const searchFlags = (maxRuns: number): readonly string[] =>
  words`--workload takeout --seed 3 --max-runs ${maxRuns} --concurrency 16 --out records.ndjson`

/** On a busy machine a session at a higher speed is late, and what depends on time does not fail each time. */
const slow = 15

test('a defect is found, kept with its recording, and sparring run plays what is kept: it fails with that rule', async () => {
  const defects = ['cancels-on-timeout'] as const
  const cwd = exploreFolder()
  const { ended, written, interrupt } = startExplore(search(3, 400), { defects, cwd })
  const fileOf = (bucket: Bucket): string => join('regressions', `${reproducerName(bucket)}.yaml`)
  const isPlayed = (bucket: Bucket): boolean =>
    existsSync(join(cwd, fileOf(bucket))) &&
    readFileSync(join(cwd, fileOf(bucket)), 'utf8').startsWith(
      '# Kept by sparring explore; played as this file it failed 3 of 3 times.\n',
    )
  const confirmed = async (): Promise<Bucket | undefined> =>
    [...(await stateIn(cwd)).state.buckets.values()].find(
      (each) => each.status === 'confirmed' && isPlayed(each),
    )
  await expect.poll(confirmed, { timeout: 120_000, interval: 250 }).toBeDefined()
  interrupt('SIGINT')
  expect(await ended).toBe(130)
  const bucket = await confirmed()
  if (!bucket) throw new Error(`nothing was kept: ${written().stdout}`)
  expect(bucket.schedule.faults.length).toBeLessThanOrEqual(2)
  const file = fileOf(bucket)
  expect(written().stdout).toContain(file)
  const recording = join(cwd, 'regressions', `${reproducerName(bucket)}.rec.ndjson`)
  expect(readFileSync(recording, 'utf8')).toContain('"_rec"')

  const again = await rerun(file, { defects, cwd })
  expect({ code: again.code, stdout: again.stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining(`${bucket.rule} failed:`),
  })
  const mended = await rerun(file, { cwd })
  expect(mended).toMatchObject({ code: 0, stdout: expect.stringContaining('1 run: 1 passed') })

  // What is interrupted while it is shrunk is kept as it is.
  const lines = readFileSync(join(cwd, 'records.ndjson'), 'utf8').split('\n')
  const until = lines.findIndex((line) => line.includes('"unfinished":true'))
  expect(until).toBeGreaterThan(0)
  const resumedIn = exploreFolder()
  const begun = lines.slice(0, until + 1).join('\n')
  writeFileSync(join(resumedIn, 'records.ndjson'), `${begun}\n`)
  const flags = { ...search(3, 400), resume: true } as const
  const resumed = startExplore(flags, { defects, cwd: resumedIn })
  // At once: it would be shrunk before a poll has seen that it goes on.
  resumed.interrupt('SIGINT')
  expect(await resumed.ended).toBe(130)
  expect(resumed.written().stderr).toContain('continuing records.ndjson')
  const [unfinished] = (await stateIn(resumedIn)).state.buckets.values()
  expect(unfinished).toMatchObject({ unfinished: true, status: 'confirmed' })
  expect(existsSync(join(resumedIn, unfinished ? fileOf(unfinished) : ''))).toBe(true)
}, 150_000)

test('a service that only polls needs no address; one that goes away is missed', async () => {
  await using demo = await startKeptDemo({ speed })
  const flags = words`--as software-service --port ${demo.port} --speed ${speed}`
  expectNothingFound(await runVerbIn(['explore', ...flags, ...searchFlags(4)]))
  await demo.stop()
  const gone = await runVerbIn([
    'explore',
    ...flags,
    ...searchFlags(4),
    ...words`--wait-for-subject 0.3`,
  ])
  expect(gone.code).toBe(3)
  expect(gone.stderr).toMatch(/it did not call within 0\.3 s; we are at ordering-application http/)
}, 60_000)

test('by webhook events are pushed, and none is polled for; the records are uploaded in the end', async () => {
  const cwd = exploreFolder()
  await using bucket = await startPresignedBucket()
  const upload = bucket.url('PUT', 'all.ndjson')
  const flags = {
    subject: 'http://127.0.0.1:9',
    channel: 'webhook',
    ...search(3, 4),
    upload,
  } as const
  expectNothingFound(await explored(flags, { cwd }))
  expect(bucket.objects.get('all.ndjson')).toBe(readFileSync(join(cwd, 'records.ndjson'), 'utf8'))
  const { state, header } = await stateIn(cwd)
  expect(header.channel).toBe('webhook')
  expect([...state.coverage.keys()].some((item) => item.startsWith('event '))).toBe(true)
  expect([...state.coverage.keys()].filter((item) => item.endsWith(' polling'))).toEqual([])
}, 60_000)

test(
  'an Ordering Application is asked for its orders, and what it does wrong is kept as a scenario that asks for them too',
  { tags: ['nightly'], timeout: 150_000 },
  async () => {
    const as = 'ordering-application'
    await using demo = await startKeptDemo({ as, defects: ['never-compensates'], speed: slow })
    const flags = words`--as ${as} --subject ${demo.url} --port ${demo.port} --speed ${slow}`
    const cwd = exploreFolder()
    const campaign = words`--workload cancelled-while-preparing --max-runs 1`
    const found = await runVerbIn(['explore', ...flags, ...campaign], cwd)
    expect({ code: found.code, stdout: found.stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/SE-4.*[\s\S]*never +\w/),
    })
    const [file = ''] = readdirSync(join(cwd, 'regressions')).filter((each) =>
      each.endsWith('.yaml'),
    )
    const kept = readFileSync(join(cwd, 'regressions', file), 'utf8')
    expect(kept).toContain('o1: { type: DELIVERY, at: 0s }')
    const again = await runVerbIn(['run', join('regressions', file), ...flags], cwd)
    expect({ code: again.code, stdout: again.stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('SE-4 failed:'),
    })
  },
)

test('a campaign whose time is over before any fault was tried has found nothing, and says that it searched nothing', async () => {
  const { code, end } = await explored({ workload: ['takeout'], 'max-time': '1ms' })
  expect(code).toBe(2)
  expect(end).toMatch(/the time was over before any fault was tried\. Give it more/)
}, 60_000)

/** A reproducer as it is kept: an order is picked up, and its reading fails once. */
const keptScenario = `name: RT-6 by fail on getOrder of o1
about: "An order is picked up."
subject: software-service
channel: polling
orders:
  o1: { type: TAKEOUT, at: 0s }
faults:
  - fail: { status: 503, effect: before, operation: getOrder, order: o1, nth: 1 }
steps:
  - advance: 5s
expect:
  invariants: [RT-6]
`

test('a correct service breaks nothing: exit code 0; a reproducer of an earlier campaign is played first and passes', async () => {
  const cwd = exploreFolder()
  mkdirSync(join(cwd, 'regressions'))
  writeFileSync(join(cwd, 'regressions', 'RT-6-0a1b2c3d.yaml'), keptScenario)
  writeFileSync(
    join(cwd, 'regressions', 'mine.yaml'),
    keptScenario.replace('advance: 5s', 'advance: 5s\n  - advance: 1s'),
  )
  const { code, stdout, stderr } = await explored(search(3, 4), { cwd })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('regressions/RT-6-0a1b2c3d.yaml'),
  })
  expect(stderr).toContain('regressions/mine.yaml is no schedule of this campaign')
  const { state, records } = await stateIn(cwd)
  expect([...state.known.values()]).toEqual([[]])
  expect(records.at(-1)).toMatchObject({ type: 'end', reason: 'done' })
}, 60_000)

test('a rule that is broken without faults is an exit code 1, and is kept as a scenario without faults', async () => {
  const { code, stdout, cwd } = await explored(search(3, 1), { defects: ['acks-nothing'] })
  expect(code).toBe(1)
  expect(stdout).toContain('AK-6')
  const [file = ''] = readdirSync(join(cwd, 'regressions')).filter((name) => name.endsWith('.yaml'))
  expect(file).toMatch(/^AK-6-/)
  expect(readFileSync(join(cwd, 'regressions', file), 'utf8')).toContain('faults: []')
}, 60_000)

test('an interruption ends with 130 and keeps the records; --resume plays what is left, each schedule once', async () => {
  const cwd = exploreFolder()
  const flags = search(3, 24)
  const { ended, interrupt } = startExplore({ ...flags, concurrency: 4 }, { cwd })
  const records = join(cwd, 'records.ndjson')
  await expect
    .poll(() => (existsSync(records) ? readFileSync(records, 'utf8') : ''), { timeout: 30_000 })
    .toContain('"type":"schedule"')
  interrupt('SIGINT')
  expect(await ended).toBe(130)
  const before = (await stateIn(cwd)).state.schedules.size
  expect(before).toBeLessThan(24)

  const subject = 'http://127.0.0.1:9'
  const other = await explored({ ...flags, resume: true, channel: 'both', subject }, { cwd })
  expect(other.end).toMatch(
    /continuing records\.ndjson: its channel is polling in records\.ndjson, and both in this command\. /,
  )
  expect((await explored(flags, { cwd })).end).toMatch(
    /it is there already\. Continue it with --resume/,
  )
  expectNothingFound(await explored({ ...flags, resume: true }, { cwd }))
  const { records: all } = await stateIn(cwd)
  const indices = all.flatMap((each) => (each.type === 'schedule' ? [each.index] : []))
  expect(indices.length).toBeGreaterThan(before)
  expect(new Set(indices).size).toBe(indices.length)
}, 60_000)

test('a service that cannot be reached, and one that goes away, end with 3; what was found is reported', async () => {
  const cwd = exploreFolder()
  await using demo = await startKeptDemo({ speed })
  const unreachable = ['--as', 'software-service', '--subject', 'http://127.0.0.1:1', '--port', '0']
  const away = await runVerbIn(['explore', ...unreachable, '--wait-for-subject', '0.2'], cwd)
  expect(away.code).toBe(3)
  expect(away.stderr).toMatch(/your service: it does not answer at http:\/\/127\.0\.0\.1:1 within/)

  const { ended, written } = startVerb(
    ['explore', ...serviceFlags(demo), ...searchFlags(400), '--wait-for-subject', '1'],
    cwd,
  )
  const records = join(cwd, 'records.ndjson')
  await expect
    .poll(() => (existsSync(records) ? readFileSync(records, 'utf8') : ''), { timeout: 30_000 })
    .toContain('"type":"schedule"')
  await demo.stop()
  expect(await ended).toBe(3)
  expect(written().stderr).toMatch(/your service: it does not answer/)
  expect(written().stdout).toMatch(/schedules?/)
  // No rule is blamed for what happened after it went.
  const { state } = await stateIn(cwd)
  expect([...state.schedules.values()].flatMap((each) => each.broken)).toEqual([])
  expect(state.buckets.size).toBe(0)
}, 60_000)

test('a service of --start is fresh for each session; with --reset it is started once, and reset before each', async () => {
  const start = `echo x >> starts; ${demoServiceCommand('--speed', '20', '--think', '200')}`
  const flags = ['--as', 'software-service', '--start', start, '--speed', '20']
  const count = (cwd: string, file: string): number =>
    existsSync(join(cwd, file)) ? readFileSync(join(cwd, file), 'utf8').length / 2 : 0

  const fresh = await runVerbIn(['explore', ...flags, ...searchFlags(1)])
  expectNothingFound(fresh)
  const sessions = count(fresh.cwd, 'starts')
  expect(sessions).toBeGreaterThan(1)

  const reset = ['--reset', 'echo x >> resets']
  const kept = await runVerbIn(['explore', ...flags, ...reset, ...searchFlags(1)])
  expectNothingFound(kept)
  expect(count(kept.cwd, 'starts')).toBe(1)
  expect(count(kept.cwd, 'resets')).toBeGreaterThan(0)

  const broken = ['--reset', 'echo no database; exit 4']
  const failing = await runVerbIn(['explore', ...flags, ...broken, ...searchFlags(2)])
  expect(failing.code).toBe(3)
  expect(failing.stderr).toMatch(
    /it could not be reset: the command of --reset ended with 4\. Correct --reset\.\n {2}\| no database\n/,
  )
}, 120_000)
