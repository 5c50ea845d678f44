/** Report writers: reports are always completed, and unwritable ones are rejected before the first run. */
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problem } from '../../../core/base/problem.ts'
import { playInProcess } from '../../../../test/support/play-scenario-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { runInProcess } from '../../../../test/support/run-in-process.ts'
import { withLosses } from '../losses.ts'
import type { PlannedRun } from './plan.ts'
import { runScenarios } from './run-scenarios.ts'

const text = `name: A story
about: b
orders: { o1: { type: TAKEOUT } }
steps: [{ create: o1 }]
examples: [{ name: one }, { name: two }]
`

function running(
  reporter: readonly string[],
  before: (planned: PlannedRun) => void = () => undefined,
) {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-reports-'))
  writeFileSync(join(cwd, 's.yaml'), text)
  const { io, written } = createTestIo({ cwd })
  const ended = withLosses(io, (inner) =>
    runScenarios({ scenario: ['s.yaml'], reporter }, inner, () => async (planned) => {
      before(planned)
      return { kind: 'played', outcome: await playInProcess(planned.loaded.run, {}) }
    }),
  )
  return { cwd, ended, written }
}

test('a begun report is completed when a run throws', async () => {
  const { cwd, ended } = running(['junit=report.xml', 'json=report.json'], ({ number }) => {
    if (number === 2) throw problem('listening on port 7101', 'it is in use', 'Choose another.')
  })
  await expect(ended).rejects.toThrow('listening on port 7101: it is in use. Choose another.')
  const xml = readFileSync(join(cwd, 'report.xml'), 'utf8')
  expect(xml).toContain('<testcase name="A story [one]"')
  expect(xml).toContain('<error message="Sparring: listening on port 7101: it is in use.')
  expect(xml).toMatch(/<\/testsuites>\n$/)
  expect(JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
    ok: false,
    passed: 1,
    halted: expect.stringContaining('it is in use'),
  })
})

test('two reporters to one file, and an empty file name, are rejected before the first run', async () => {
  const played: number[] = []
  const wrong = (reporter: readonly string[]): Promise<unknown> =>
    running(reporter, ({ number }) => void played.push(number)).ended.catch(
      (error: unknown) => error,
    )
  expect(await wrong(['tap=a.txt', 'junit=./a.txt'])).toMatchObject({
    message:
      'reading --reporter: tap and junit cannot both be written to ./a.txt. Give each a file of its own.',
    exit: 2,
  })
  expect(await wrong(['junit='])).toMatchObject({
    message:
      'reading --reporter: "junit=" names no file. Write it as junit=report.junit, or as junit for stdout.',
    exit: 2,
  })
  expect(played).toEqual([])
})

test('a report folder that is deleted meanwhile is a problem, not a bug', async () => {
  const { cwd, ended, written } = running(['tap=out/report.tap', 'pretty'], () =>
    rmSync(join(cwd, 'out'), { recursive: true, force: true }),
  )
  expect(await ended).toBe(2)
  expect(written().stderr).toMatch(/^sparring: writing the report out\/report\.tap: /m)
  expect(written().stdout).toMatch(/^2 runs: 2 passed/m)
})

test('a report in a folder that cannot be created is rejected at once', async () => {
  const { ended } = running(['json=/proc/none/report.json'])
  await expect(ended).rejects.toThrow('writing the report /proc/none/report.json: ')
})

test('--json writes to stdout also when another report goes to a file', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-reports-'))
  writeFileSync(join(cwd, 's.yaml'), text)
  const { io, written } = createTestIo({ cwd })
  const options = { scenario: ['s.yaml'], json: true as const, reporter: ['tap=report.tap'] }
  await runScenarios(options, io, () => async ({ loaded }) => ({
    kind: 'played',
    outcome: await playInProcess(loaded.run, {}),
  }))
  expect(JSON.parse(written().stdout)).toMatchObject({ ok: true, passed: 2 })
  expect(readFileSync(join(cwd, 'report.tap'), 'utf8')).toMatch(/^TAP version 14\nok 1/)
})

test('output of a subject that never became ready is printed without escape sequences', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-reports-'))
  writeFileSync(join(cwd, 's.yaml'), text)
  const { io, written } = createTestIo({ cwd })
  const output = ['\u001b[31mred\u0007']
  await runScenarios(
    { scenario: ['s.yaml'] },
    io,
    () => () =>
      Promise.resolve({ kind: 'halted', because: 'it is gone', remedy: 'Start it.', output }),
  )
  expect(written().stderr).toContain(String.raw`  | \u001b[31mred\u0007`)
})

test('a scenario in which we play every role says nothing about a service that is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-reports-'))
  writeFileSync(join(folder, 's.yaml'), `${text}subject: none\n`)
  const run = ['run', 's.yaml', '--as', 'pos', '--subject', 'http://127.0.0.1:9']
  const { stdout } = await runInProcess(run, { cwd: folder })
  expect(stdout).toMatch(/^skip .*\n +we play every role in it \(subject: none\)/m)
  expect(stdout).toMatch(/^2 runs: 2 skipped/m)
})

test.skipIf(!existsSync('/dev/full'))(
  'a reporter on a full disk is said, and loses none of the others',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sparring-reports-'))
    writeFileSync(join(folder, 's.yaml'), `${text}subject: none\n`)
    const reporters = ['tap=/dev/full', 'json=a.json', 'junit=a.xml', 'pretty']
    const { code, stdout, stderr } = await runInProcess(
      ['run', 's.yaml', ...reporters.flatMap((each) => ['--reporter', each])],
      { cwd: folder },
    )
    expect(code).toBe(2)
    expect(stderr).toContain(
      'sparring: writing the report /dev/full: the disk is full (ENOSPC). Free some space.\n',
    )
    expect(stdout).toMatch(/^2 runs: 2 passed/m)
    const report: unknown = JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8'))
    expect(report).toMatchObject({ ok: true, passed: 2 })
    expect(readFileSync(join(folder, 'a.xml'), 'utf8')).toMatch(/<\/testsuites>\n$/)
  },
)

test.skipIf(!existsSync('/dev/full'))(
  'runs that cannot be recorded as a whole say so once, and do not end with 0',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sparring-reports-'))
    writeFileSync(join(folder, 's.yaml'), `${text}subject: none\n`)
    symlinkSync('/dev/full', join(folder, 'x.rec.ndjson'))
    writeFileSync(join(folder, 'c.yaml'), `recording: { file: ${join(folder, 'x.rec.ndjson')} }\n`)
    const { code, stdout, stderr } = await runInProcess(['run', 's.yaml', '--config', 'c.yaml'], {
      cwd: folder,
    })
    expect(code).toBe(2)
    expect(stdout).toMatch(/^2 runs: 2 passed/m)
    expect(stderr.match(/x\.rec\.ndjson is not whole: 0 of \d+ exchanges/g)).toHaveLength(1)
  },
)
