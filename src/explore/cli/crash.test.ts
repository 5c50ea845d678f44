// @module-tag slow
/**
 * Services of `--start` that go away while they are explored: a finding like others, after which the campaign goes on.
 *
 * What starts a dozen processes is left to the nightly: the same campaign is played in this process, and a process that
 * goes away is noticed by the others.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from '../../../bench/bundle-program.ts'
import { explored, search, stateIn } from '../../../test/support/explored-in-process.ts'
import { words } from '../../../test/support/shell-words.ts'
import { exploreFolder, runVerbIn, startVerb } from '../../../test/support/explore-verb.ts'

/** By the clock of the wall a phase of faults is so much shorter: a machine that is busy must still come to the message of a fault. */
const defaultSpeed = 20
const calmSpeed = 5

/** Bundled once: it is started dozens of times, and each start would compile its sources. */
const folder = mkdtempSync(join(tmpdir(), 'sparring-crash-'))
let program = ''
beforeAll(async () => {
  program = await bundleProgram('../test/support/crashing-service.ts', folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const flagsOf = (way: string, speed = defaultSpeed): readonly string[] =>
  words`--as software-service --speed ${speed} --start ${`exec ${process.execPath} ${program} ${way} ${speed}`}`

const searchFlags = (maxRuns: number, width = 16): readonly string[] =>
  words`--workload takeout --seed 2 --max-runs ${maxRuns} --concurrency ${width} --out records.ndjson`

const scenariosIn = (cwd: string): readonly string[] =>
  readdirSync(join(cwd, 'regressions')).filter((name) => name.endsWith('.yaml'))

const isReading = ({ method, url }: Request): boolean =>
  method === 'GET' && /\/orders\/[^/:]+$/.test(new URL(url).pathname)

/** The bucket of the crash, and the failures of what was run after it was found. */
async function expectCrashIn(cwd: string): Promise<void> {
  const { state, records } = await stateIn(cwd)
  const buckets = [...state.buckets.values()]
  expect(buckets).toMatchObject([
    {
      rule: 'CRASH',
      status: 'confirmed',
      schedule: { faults: [{ match: { operation: 'getOrder' } }] },
      failure: { because: 'Your service went away in the middle: it ended with code 1.' },
    },
  ])
  expect(buckets[0]?.failure.evidence.map(({ line }) => line)).toContainEqual(
    expect.stringMatching(/GET \/orders\/.* 50\d$/),
  )
  expect(buckets[0]?.failure.output).toContain('TypeError: the order has no body')
  expect(records.at(-1)).toMatchObject({ type: 'end', reason: 'done' })
  // What shared a session with it was run again, without what makes it crash.
  const after = records.slice(records.findIndex(({ type }) => type === 'bucket'))
  const run = after.flatMap((each) => (each.type === 'schedule' ? [each.broken] : []))
  expect(run.filter((broken) => broken.length === 0).length).toBeGreaterThan(0)
  // What is nothing but its trigger is run alone, a few times.
  expect([...new Set(run.flat())].filter((rule) => rule !== 'CRASH')).toEqual([])
}

test('a service that a failing reading ends, started for each session: a bucket, and the campaign goes on', async () => {
  const crashesOn = (called: Request, { status }: Response) => isReading(called) && status >= 500
  const { code, stdout, cwd } = await explored({ ...search(2, 12), concurrency: 12 }, { crashesOn })
  expect({ code, stdout }).toMatchObject({ code: 1 })
  await expectCrashIn(cwd)
})

test(
  'kept by --reset, as a process: the same, and its smallest reproducer fails against it alone',
  { tags: ['nightly'], timeout: 300_000 },
  async () => {
    const cwd = exploreFolder()
    const argv = ['explore', ...flagsOf('throws', calmSpeed), '--reset', 'echo x >> resets']
    const { code, stdout } = await runVerbIn([...argv, ...searchFlags(12, 12)], cwd)
    expect({ code, stdout }).toMatchObject({ code: 1 })
    await expectCrashIn(cwd)
    const file = join('regressions', scenariosIn(cwd)[0] ?? '')
    const again = await runVerbIn(['run', file, ...flagsOf('throws', calmSpeed)], cwd)
    expect({ code: again.code, stdout: again.stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('your service went away in the middle: it ended with code 1'),
    })
    expect((await runVerbIn(['run', file, ...flagsOf('none', calmSpeed)], cwd)).code).toBe(0)
  },
)

test('a service that is ended from outside has crashed, and no rule is blamed for it', async () => {
  const cwd = exploreFolder()
  const { ended, written } = startVerb(['explore', ...flagsOf('none'), ...searchFlags(16, 8)], cwd)
  const isSearching = async (): Promise<boolean> =>
    existsSync(join(cwd, 'records.ndjson')) &&
    readFileSync(join(cwd, 'records.ndjson'), 'utf8').includes('"type":"schedule"')
  await expect.poll(isSearching, { timeout: 60_000, interval: 20 }).toBe(true)
  writeFileSync(join(cwd, 'hold'), '')
  const held = (): string | undefined => readdirSync(cwd).find((name) => name.startsWith('held-'))
  await expect.poll(held, { timeout: 60_000 }).toBeDefined()
  process.kill(Number(held()?.slice('held-'.length)), 'SIGKILL')
  const code = await ended
  const { state } = await stateIn(cwd)
  const broken = [...state.schedules.values()].flatMap((each) => each.broken)
  const found = Array.from(state.buckets.values(), ({ rule }) => rule)
  expect({ code, broken, found }).toEqual({ code: 1, broken: [], found: [] })
  expect(state.crash()?.because).toContain('it was ended by SIGKILL')
  expect(written().stdout).toMatch(
    /CRASH {2}with several schedules side by side, and with none of them alone: .* it was ended by SIGKILL\./,
  )
}, 150_000)

test('a workload that ends the service without any fault is reported, and left out of the search', async () => {
  const { code, stdout, cwd } = await explored(search(2, 4), { crashesOn: isReading })
  expect({ code, stdout }).toMatchObject({ code: 1 })
  expect(stdout).toContain('takeout is left out: Your service went away in the middle')
  const { state } = await stateIn(cwd)
  expect([...state.buckets.values()]).toMatchObject([
    { rule: 'CRASH', status: 'confirmed', schedule: { faults: [] } },
  ])
})

test('a service that cannot be started at all is no finding: exit code 3', async () => {
  const argv = ['--as', 'software-service', '--start', 'echo no database; exit 7']
  const { code, stderr } = await runVerbIn(['explore', ...argv, ...searchFlags(4)])
  expect(code).toBe(3)
  expect(stderr).toMatch(/it ended with code 7 before it answered.*\n {2}\| no database/)
}, 60_000)

test('a service that runs and answers nothing any more fails a run, and no rule is named', async () => {
  const cwd = exploreFolder()
  const { code, stdout } = await runVerbIn(
    [
      'run',
      fileURLToPath(new URL('../../../test/support/failing-reading.yaml', import.meta.url)),
      ...flagsOf('hangs'),
    ],
    cwd,
  )
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(
      /your service went away in the middle: it does not answer at http\S+ any more/,
    ),
  })
  expect(stdout).not.toMatch(/[A-Z]{2}-\d+ failed/)
}, 150_000)

test('only a service that is started here is ended on purpose', async () => {
  const argv = words`--as software-service --subject http://127.0.0.1:1 --crashes`
  await expect(runVerbIn(['explore', ...argv, ...searchFlags(4)])).rejects.toThrow(
    'reading --crashes: only who started your service can end it and start it again. Say with --start',
  )
})
