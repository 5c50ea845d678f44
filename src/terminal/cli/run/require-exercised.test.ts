/** Rules that a scenario claims, and that its run did not exercise: said beside its result, and a failure on demand. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playInProcess } from '../../../../test/support/play-scenario-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import type { RunOptions } from './run-flags.ts'
import { type EnvironmentSelector, runScenarios } from './run-scenarios.ts'

const scenario = (name: string, tests: string): string => `name: ${name}
about: An order is concluded.
orders: { o1: { type: TAKEOUT } }
steps:
  - create: o1
  - await: { status: CONCLUDED, order: o1 }
expect:
  statuses: { o1: CONCLUDED }
  tests: ${tests}
`

/** Against the reference service in this process. */
const environments: EnvironmentSelector =
  () =>
  async ({ loaded }, { onPlayed }) => ({
    kind: 'played',
    outcome: await playInProcess(loaded.run, {
      after: ({ session }, outcome) => onPlayed(session, outcome),
    }),
  })

function folder(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-claims-'))
  writeFileSync(join(cwd, 'claims.yaml'), scenario('Claims couriers', '[SE-6, SE-2, SE-4]'))
  writeFileSync(join(cwd, 'keeps.yaml'), scenario('Keeps what it claims', '[SE-6, CV-1]'))
  return cwd
}

async function run(cwd: string, options: Partial<RunOptions> = {}) {
  const { io, written } = createTestIo({ cwd })
  const scenarios = ['claims.yaml', 'keeps.yaml']
  const code = await runScenarios({ scenario: scenarios, ...options }, io, environments)
  return { code, stdout: written().stdout }
}

const required = { 'require-exercised': true } as const

test('a pass names the claimed rules that it says nothing about, and the end sums them up', async () => {
  const { code, stdout } = await run(folder())
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^ok {4}Claims couriers .* of the session; SE-2 not exercised: it needs logistics; SE-4 not exercised: it needs logistics$/m,
  )
  expect(stdout).toMatch(/^ok {4}Keeps what it claims .* of the session$/m)
  expect(stdout).toMatch(/\n2 runs: 2 passed, in .* s\n2 claims not exercised in 1 scenario\n$/)
})

test('--require-exercised fails such a scenario at the line of its claim, and is in the command that plays it again', async () => {
  const { code, stdout } = await run(folder(), { ...required, reporter: ['pretty', 'junit=j.xml'] })
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^FAIL {2}Claims couriers .*\n {6}SE-2 not exercised: it needs logistics {2}claims\.yaml:9:17\n {6}SE-4 not exercised: /,
  )
  expect(stdout).toMatch(/again: sparring run claims\.yaml .* --require-exercised$/m)
  expect(stdout).toMatch(/\n2 runs: 1 passed, 1 failed, in /)
  const bailed = await run(folder(), { ...required, bail: true })
  expect(bailed.stdout).toMatch(/\n1 run: 1 failed, in /)
})

test('what an earlier run has passed is held to it when the run is continued', async () => {
  const cwd = folder()
  expect((await run(cwd, { out: 'all.ndjson' })).code).toBe(0)
  const kept = readFileSync(join(cwd, 'all.ndjson'), 'utf8')
  const continued = { out: 'all.ndjson', resume: true } as const
  expect(await run(cwd, continued)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 claims not exercised in 1 scenario\n'),
  })
  const held = await run(cwd, { ...continued, ...required })
  expect(held.code).toBe(1)
  expect(held.stdout).toMatch(/^FAIL {2}Claims couriers .*\n {6}SE-2 not exercised: /)
  expect(readFileSync(join(cwd, 'all.ndjson'), 'utf8').startsWith(kept)).toBe(true)
})

test('a scenario whose order was over before its step is skipped, with the step that came too late', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-missed-'))
  const late = scenario('Cancelled', '[SE-6]').replace(
    'expect:',
    '  - trigger: { order: o1, move: cancel }\n  - await: { event: CANCELLED, order: o1 }\nexpect:',
  )
  writeFileSync(join(cwd, 'late.yaml'), late)
  const { io, written } = createTestIo({ cwd })
  expect(await runScenarios({ scenario: ['late.yaml'] }, io, environments)).toBe(0)
  expect(written().stdout).toMatch(
    /^skip {2}Cancelled; step 3 \(cancel of o1\): it came too late: it was CONCLUDED already\n.* no mistake of your service\n1 run: 1 skipped/,
  )
})
