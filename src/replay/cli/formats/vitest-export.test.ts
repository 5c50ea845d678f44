// @module-tag slow
/** Runs the exported test file with Vitest. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from '../../../../bench/bundle-program.ts'
import { recordHarness } from '../../../../test/support/recorded-session.ts'
import { scenarioFormat, vitestFormat } from './all-formats.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { Format } from '../../formats/format.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
let folder = ''
let content: RecordingContent

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sparring-vitest-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  ;({ content } = await recordHarness({}, async (harness) => {
    await harness.order('TAKEOUT')
    await harness.pass(120_000)
  }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function exported(format: Format, name: string): string {
  const exporter = format.exporter?.({ name })
  if (!exporter) throw new Error(format.name)
  const line = { _rec: {} } as never
  return (
    exporter.begin(content.header, []) +
    content.exchanges.map((each) => exporter.exchange(each, line, '')).join('') +
    exporter.end()
  )
}

interface Ended {
  readonly code: number
  readonly output: string
}

const run = (
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const all = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env }
    execFile(
      process.execPath,
      [join(root, file), ...args],
      { cwd: folder, env: all },
      (error, out, err) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
          output: out + err,
        }),
    )
  })

const vitest = (env?: Record<string, string>): Promise<Ended> =>
  run('node_modules/vitest/vitest.mjs', ['run', '--root', folder], env)

test('the exported test passes for the recorded service and fails for one with a defect', async () => {
  writeFileSync(join(folder, 'lunch.test.ts'), exported(vitestFormat, 'a lunch */ in a comment'))
  // Compiled once, and not by each Vitest.
  const program = '../test/support/exported-test-library.ts'
  const library = JSON.stringify(await bundleProgram(program, join(folder, 'library/bundle')))
  // Two folders up, as of the sources.
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { resolve: { alias: { sparring: ${library} } }, test: { include: ['*.test.ts'], server: { deps: { external: [/library/] } } } }\n`,
  )
  const [good, bad] = await Promise.all([vitest(), vitest({ DEFECTS: 'never-acks' })])
  expect(good.output).toContain('1 passed')
  expect(good.code).toBe(0)
  expect(bad.output).toContain('1 failed')
  expect(bad.code).toBe(1)
}, 60_000)

test('the exported scenario is deterministic', () => {
  const text = exported(scenarioFormat, 'lunch')
  expect(text).toContain('o1')
  expect(exported(scenarioFormat, 'lunch')).toBe(text)
})
