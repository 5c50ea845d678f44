/** Playing several runs: --bail, --repeat, comparison of groups, and exit codes. */
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DefectName } from '../../../demo/defects.ts'
import { playInProcess } from '../../../../test/support/play-scenario-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import type { PlannedRun } from './plan.ts'
import { type EnvironmentSelector, runScenarios } from './run-scenarios.ts'
import type { RunOptions } from './run-flags.ts'

const scenario = (name: string, more = ''): string =>
  `name: ${name}\nabout: b\n${more}orders: { o1: { type: TAKEOUT } }\nsteps:\n  - create: o1\n  - await: { status: DELIVERED, order: o1 }\n`

/** The reference subject in this process, which makes the given mistakes in the given runs. */
const mistaken =
  (mistakes: (planned: PlannedRun) => readonly DefectName[]): EnvironmentSelector =>
  () =>
  async (planned, { enough }) => ({
    kind: 'played',
    outcome: await playInProcess(planned.loaded.run, { defects: mistakes(planned), enough }),
  })

async function ran(
  files: Readonly<Record<string, string>>,
  mistakes: (planned: PlannedRun) => readonly DefectName[],
  options: Partial<RunOptions> = {},
  environments: EnvironmentSelector = mistaken(mistakes),
) {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-loop-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const { io, written } = createTestIo({ cwd })
  const code = await runScenarios(
    { scenario: ['*.yaml'], json: true, ...options },
    io,
    environments,
  )
  const { stdout } = written()
  const report = (options.reporter ? undefined : JSON.parse(stdout)) as
    | {
        unstable: readonly string[]
        runs: readonly { title: string; result: string; failures: readonly { because: string }[] }[]
      }
    | undefined
  return { code, report, stdout, results: report?.runs.map(({ result }) => result) }
}

const two = { 'a.yaml': scenario('first'), 'b.yaml': scenario('second') }

test('exits with 1 when a run fails; the others are still played, except with --bail', async () => {
  const first = ({ number }: PlannedRun): readonly DefectName[] =>
    number === 1 ? ['confirms-unread'] : []
  expect(await ran(two, first)).toMatchObject({ code: 1, results: ['failed', 'passed'] })
  expect(await ran(two, first, { bail: true })).toMatchObject({ code: 1, results: ['failed'] })
  expect(await ran(two, () => [])).toMatchObject({ code: 0, results: ['passed', 'passed'] })
})

test('--parallel plays side by side, and reports in order; with --bail what is under way is left', async () => {
  const three = { ...two, 'c.yaml': scenario('third') }
  const both = Promise.withResolvers<undefined>()
  let begun = 0
  let isCut = false
  /** The first run ends when the second one has begun, which, where runs are cut, goes on until it is left. */
  const meeting: EnvironmentSelector =
    () =>
    async ({ loaded, number }, { enough }) => {
      begun++
      if (number === 2) both.resolve(undefined)
      if (number === 1) await both.promise
      if (number === 2 && isCut) await once(enough, 'abort')
      const defects: readonly DefectName[] = number === 1 ? ['confirms-unread'] : []
      return { kind: 'played', outcome: await playInProcess(loaded.run, { defects, enough }) }
    }
  const all = await ran(three, () => [], { parallel: 2 }, meeting)
  expect(all.report?.runs.map(({ title, result }) => [title, result])).toEqual([
    ['first', 'failed'],
    ['second', 'passed'],
    ['third', 'passed'],
  ])
  begun = 0
  isCut = true
  const cut = await ran(three, () => [], { parallel: 2, bail: true }, meeting)
  expect({ code: cut.code, results: cut.results }).toEqual({ code: 1, results: ['failed'] })
  expect(begun).toBe(2)
})

test('exits with 5 and the title when a repeated run has different results', async () => {
  const sometimes = ({ repetition }: PlannedRun): readonly DefectName[] =>
    repetition === 2 ? ['confirms-unread'] : []
  const { code, report } = await ran({ 'a.yaml': scenario('first') }, sometimes, { repeat: 3 })
  expect({ code, unstable: report?.unstable }).toEqual({ code: 5, unstable: ['a.yaml: first'] })
  const always = await ran({ 'a.yaml': scenario('first') }, () => ['confirms-unread'], {
    repeat: 2,
  })
  expect(always).toMatchObject({ code: 1, report: { unstable: [] } })
})

test('runs of one group must have the same outcome', async () => {
  const text = scenario('first', 'variants: { channels: [polling, webhook] }\n').replace(
    'TAKEOUT',
    'DELIVERY',
  )
  const { code, report } = await ran({ 'a.yaml': text }, () => ['trusts-webhook-status'])
  expect(code).toBe(1)
  const reasons = report?.runs[1]?.failures.map(({ because }) => because).join('\n')
  expect(reasons).toMatch(/CV-12 failed: o1 ended differently by webhook/)
})

test('several reporters write at once, each to its own target', async () => {
  const { stdout } = await ran(two, () => [], {
    reporter: ['pretty', 'github', 'tap=t.tap', 'sarif=s.json'],
  })
  expect(stdout).toMatch(/^ok {4}first .*\nok {4}second .*\n2 runs: 2 passed, in .* s\n$/)
})

const rows = `examples: [{ name: row, type: TAKEOUT }, { name: row, type: DELIVERY }]\n`
const ofRow = (more = ''): string =>
  `name: a\nabout: b\n${rows}${more}orders: { o1: { type: '\${type}' } }\nsteps:\n  - create: o1\n  - await: { status: DELIVERED, order: o1, within: 2m }\n`

test('two rows with the same name are separate runs: different results are not unstable', async () => {
  const { code, report } = await ran({ 'a.yaml': ofRow() }, ({ number }) =>
    number === 1 ? ['confirms-unread'] : [],
  )
  expect(report).toMatchObject({ unstable: [], runs: [{ result: 'failed' }, { result: 'passed' }] })
  expect(code).toBe(1)
})

test('two rows with the same name are not compared with each other', async () => {
  const variants = 'variants: { channels: [polling, webhook] }\n'
  const { code, report } = await ran({ 'a.yaml': ofRow(variants) }, () => [])
  expect(report?.runs.flatMap(({ failures }) => failures)).toEqual([])
  expect(code).toBe(0)
})

test('a later round that is cut off is compared with the rounds before', async () => {
  const { code, report } = await ran(
    two,
    ({ number }) => (number === 3 ? ['confirms-unread'] : []),
    { repeat: 3, bail: true },
  )
  expect({ code, unstable: report?.unstable }).toEqual({ code: 5, unstable: ['a.yaml: first'] })
})
