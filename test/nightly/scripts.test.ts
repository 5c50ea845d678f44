/** Scripts of package.json that take minutes or write files anew, in a clone of the last commit. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scriptPlaces } from '../support/script-places.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sparring-scripts-'))

const run = (script: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--run', script, '--', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', root, folder])
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const { status, output } = run('build')
  if (status !== 0) throw new Error(output)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scripts = Object.entries(scriptPlaces).flatMap(([name, place]) =>
  place.runBy === 'nightly' ? [{ name, ...place }] : [],
)

test.each(scripts)(
  'npm run $name',
  ({ name, args = [], prints }) => {
    expect(run(name, ...args)).toEqual({ status: 0, output: expect.stringMatching(prints) })
  },
  900_000,
)

test.each(['docs', 'picture'])('npm run %s writes what is committed, byte for byte', (name) => {
  expect(run(name).status).toBe(0)
  const written = ['docs', 'bench', 'llms.txt', 'llms-full.txt']
  const args = ['status', '--porcelain', '--', ...written]
  expect(execFileSync('git', args, { cwd: folder, encoding: 'utf8' })).toBe('')
})
