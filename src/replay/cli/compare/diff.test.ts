// @module-tag slow
/** `sparring diff` on real files: the output of each reporter and the exit codes. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordRepeatedRun, writeRepeatedRun } from '../../../../test/support/repeated-run.ts'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { runProgram } from '../../../sparring/verbs/support/program.ts'
import { diffVerb } from '../verbs.ts'
import { reportOfReplay } from './comparison-report.ts'
import { openComparisonReport, writeComparisonReport } from './write-report.ts'
import { words } from '../../../../test/support/shell-words.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-diff-'))
const named = { name: 'sparring', summary: '', version: '0.1.0', verbs: [diffVerb] }
const file = (name: string) => join(folder, name)

/** Reports a replay; returns the exit code. */
async function writeReplayReport(
  report: ReplayReport,
  { unstable = false, quiet = false }: { unstable?: boolean; quiet?: boolean },
  io: Io,
) {
  const comparison = reportOfReplay(report, { version: '0.1.0', unstable })
  return writeComparisonReport(comparison, await openComparisonReport({ quiet }, io))
}

/** Runs a command; returns its output and exit code. */
async function type(line: readonly string[], given: Partial<Io> = {}) {
  const { io, written } = createTestIo({ cwd: folder, ...given })
  const code = await runProgram(named, ['diff', ...line], io)
  return { code, ...written() }
}

/** One order has one burger less in the response to the subject, and one call was answered with 409. */
function spoilt(exchanges: readonly RecordedExchange[]): readonly RecordedExchange[] {
  const dispatch = exchanges.find(({ operation }) => operation === 'dispatchOrder')
  return exchanges.map((each) => {
    if (!each.reply) return each
    if (each === dispatch) return { ...each, reply: { ...each.reply, status: 409 } }
    if (each.operation !== 'getOrder' || each.orderId !== dispatch?.orderId) return each
    const body = (each.reply.body ?? '').replace('"quantity":2', '"quantity":1')
    return { ...each, reply: { ...each.reply, body } }
  })
}

beforeAll(async () => {
  const first = await recordRepeatedRun(1)
  await writeRepeatedRun(file('first.rec.ndjson'), first)
  await writeRepeatedRun(file('again.rec.ndjson'), await recordRepeatedRun(2))
  await writeRepeatedRun(file('spoilt.rec.ndjson'), spoilt(await recordRepeatedRun(3)))
})

test('an unreadable line is reported with its line number, an unreadable file with its name', async () => {
  const whole = readFileSync(file('first.rec.ndjson'))
  const lines = whole.toString('utf8').trimEnd().split('\n')
  writeFileSync(
    file('odd.rec.ndjson'),
    [...lines.slice(0, 4), '{', ...lines.slice(4), ''].join('\n'),
  )
  const odd = await type(['first.rec.ndjson', 'odd.rec.ndjson'])
  expect(odd.stderr).toMatch(/^sparring: odd\.rec\.ndjson, line 5: .*; it is left out\n$/)
  const packed = gzipSync(whole)
  writeFileSync(file('torn.rec.ndjson.gz'), packed.subarray(0, packed.length >> 1))
  const torn = await type(['first.rec.ndjson', 'torn.rec.ndjson.gz'])
  expect(torn.stderr).toMatch(
    /^sparring: torn\.rec\.ndjson\.gz: it cannot be decompressed beyond byte/,
  )
  expect(torn.stderr).not.toContain('line 0')
})

test('two sessions of the same orders with different seeds have no difference and exit with 0', async () => {
  const { code, stdout, stderr } = await type(['first.rec.ndjson', 'again.rec.ndjson'])
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^no difference beyond noise: \d+ exchanges/)
  expect(stdout).toMatch(
    /left out: \d+ and \d+ idle polls and readings, 1 and 1 fetchings of tokens/,
  )
  expect(code).toBe(0)
  expect(await type(['first.rec.ndjson', 'again.rec.ndjson', '--quiet'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
})

test('differences are shown side by side with the first divergence marked, and the exit code is 1', async () => {
  const { code, stdout } = await type(['first.rec.ndjson', 'spoilt.rec.ndjson'], { columns: 60 })
  expect(code).toBe(1)
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(
    /^first > changed {2}#\d+ {2}software-service > ordering-application {2}getOrder {2}order /,
  )
  expect(stdout).toMatch(/ {4}reply \/body\/items\/0\/quantity\n {6}2 +\| 1\n/)
  expect(stdout).toMatch(/ {4}reply \/status\n {6}202 +\| 409\n/)
  expect(lines.filter((line) => line.startsWith('first > '))).toHaveLength(1)
  // Accepted differences are hidden without --all.
  expect(stdout).not.toContain('protocol rule')
})

test('--all shows accepted differences dimmed, with the rule that accepts them', async () => {
  const { stdout } = await type(['first.rec.ndjson', 'again.rec.ndjson', '--all'], { color: true })
  expect(stdout).toContain('\u001b[90m    reply /body/displayId')
  expect(stdout).toContain(
    'protocol rule, shape: The short number of an order is made up for people.',
  )
  const plain = await type(['first.rec.ndjson', 'again.rec.ndjson', '--all', '--no-color'], {
    color: true,
  })
  expect(plain.stdout).not.toContain('\u001b')
})

test('--json writes a line per exchange and a final summary', async () => {
  const { code, stdout } = await type(['first.rec.ndjson', 'spoilt.rec.ndjson', '--json'])
  expect(code).toBe(1)
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const summary = lines.at(-1)
  const exchanges = lines.slice(0, -1)
  expect(exchanges.every((line) => line['type'] === 'exchange' && line['version'] === 1)).toBe(true)
  expect(summary).toMatchObject({
    type: 'summary',
    version: 1,
    ok: false,
    exit: 1,
    exchanges: exchanges.length,
    signature: { kind: 'difference', standing: 'changed', operation: 'getOrder' },
  })
  expect(exchanges[Number(summary?.['first'])]).toMatchObject({ standing: 'changed', first: true })
  const dispatch = exchanges.filter(
    (line) =>
      line['standing'] === 'changed' &&
      (line['recorded'] as { operation: string }).operation === 'dispatchOrder',
  )
  expect(dispatch).toMatchObject([
    {
      differences: expect.arrayContaining([
        expect.objectContaining({ where: '/status', recorded: 202, live: 409 }),
      ]),
    },
  ])
})

test('JUnit and SARIF reports are written to files alongside the terminal report', async () => {
  const { code, stdout } = await type([
    'first.rec.ndjson',
    'spoilt.rec.ndjson',
    ...['pretty', 'junit=out/report.xml', 'sarif=out/report.sarif'].flatMap((each) => [
      '--reporter',
      each,
    ]),
  ])
  expect(code).toBe(1)
  expect(stdout).toContain('they differ')
  const xml = readFileSync(file('out/report.xml'), 'utf8')
  expect(xml).toMatch(
    /<testsuites name="sparring" tests="\d+" failures="([1-9]\d*)" errors="0" skipped="0">/,
  )
  expect(xml).toContain('reply /status: 202, now 409')
  const { runs } = JSON.parse(readFileSync(file('out/report.sarif'), 'utf8')) as {
    runs: { results: { ruleId: string; level: string; properties: { first: boolean } }[] }[]
  }
  const results = runs[0]?.results ?? []
  expect(results.length).toBeGreaterThan(1)
  expect(results.every(({ ruleId, level }) => ruleId === 'changed' && level === 'error')).toBe(true)
  expect(results.filter(({ properties }) => properties.first)).toHaveLength(1)
})

describe('user rules', () => {
  const rules = (at: string) =>
    JSON.stringify({
      version: 1,
      rules: [{ at, compare: 'ignore', reason: 'the kitchen decides' }],
    })

  test('the rules file next to the recording is the default, --rules names another one', async () => {
    writeFileSync(file('kitchen.json'), rules('$.body..quantity'))
    const { stdout } = await type(
      words`first.rec.ndjson spoilt.rec.ndjson --rules kitchen.json --all`,
    )
    expect(stdout).toContain('user rule, ignore: the kitchen decides')
    expect(stdout).toMatch(/first > changed {2}#\d+ .*dispatchOrder/)
    await writeRepeatedRun(file('ruled.rec.ndjson'), await recordRepeatedRun(1))
    writeFileSync(file('ruled.rules.json'), rules("$['status','body']"))
    expect((await type(['ruled.rec.ndjson', 'spoilt.rec.ndjson'])).code).toBe(0)
  })

  test('an invalid rule is reported with its location', async () => {
    writeFileSync(file('bad.json'), rules('$.body[?]'))
    await expect(
      type(['first.rec.ndjson', 'again.rec.ndjson', '--rules', 'bad.json']),
    ).rejects.toMatchObject({
      exit: 2,
      message: expect.stringMatching(
        /^reading the rules .*bad\.json: rules\.0\.at will not do: "\$\.body\[\?\]" is no JSONPath/,
      ),
    })
  })
})

test('a missing file, or one that is no recording, is named and exits with 2', async () => {
  writeFileSync(file('list.txt'), 'milk\neggs\n')
  for (const [a, b, wrong] of [
    ['first.rec.ndjson', 'gone.rec.ndjson', 'gone.rec.ndjson: there is no such file'],
    ['list.txt', 'again.rec.ndjson', 'list.txt: it has no header'],
  ] as const)
    await expect(type([a, b])).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining(wrong),
    })
})

test('replays use the same reporters and show failed rules and blocked exchanges', async () => {
  const { io, written } = createTestIo()
  const oneOfTwoEvents = {
    standing: 'same',
    recorded: { ...sampleExchange(1), recordId: 'r1' },
    live: sampleExchange(1),
    differences: [],
  } as const
  const report: ReplayReport = {
    recording: 'first.rec.ndjson',
    driver: 'client',
    seed: 1,
    exchanges: [
      oneOfTwoEvents,
      oneOfTwoEvents,
      {
        standing: 'unresolved',
        recorded: { ...sampleExchange(2), recordId: 'r2' },
        differences: [],
        because: 'the new name of order o1 was never learned',
      },
    ],
    counts: { same: 2, unresolved: 1 },
    strategies: { exact: 2 },
    unused: ['r3'],
    conflicts: [],
    map: [],
    failedRules: [],
    timing: {
      sends: 2,
      perSecond: 1,
      lateness: { p50: 1, p99: 2, most: 3 },
      latency: { p50: 1, p99: 2, most: 3 },
      distrust: 'the service answered too slowly',
    },
  }
  expect(await writeReplayReport(report, {}, io)).toBe(4)
  const { stdout } = written()
  expect(stdout).toContain('the new name of order o1 was never learned')
  expect(stdout).toContain('2 exchanges in 3 parts, one for each event, 2 same, 1 unresolved')
  expect(stdout).toContain('1 recorded exchanges were not asked for')
  expect(stdout).toContain('times cannot be trusted: the service answered too slowly')
  expect(await writeReplayReport(report, { unstable: true, quiet: true }, io)).toBe(5)
  const failedRules = [{ invariant: 'orders.quiet', because: 'it called again' }]
  expect(await writeReplayReport({ ...report, failedRules }, {}, io)).toBe(1)
  expect(await writeReplayReport({ ...report, interrupted: true }, {}, io)).toBe(130)
})
