/** The package as it is published, by publint and the resolution of types: its size, its `exports`, its types. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPackedPackage, type PackedPackage } from '../support/packed-package.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let project: PackedPackage

beforeAll(() => {
  project = installPackedPackage({ withTypes: true })
}, 120_000)

afterAll(() => project[Symbol.dispose]())

/**
 * The problems of a packed package, a line for each. In a process of its own, since Vitest resolves the checkers'
 * sources.
 */
const problemsOf = (file: string, ...limit: readonly string[]): readonly string[] =>
  execFileSync(process.execPath, [join(root, 'bin/build/check-package.ts'), file, ...limit], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line !== '')

test('publint and the resolution of types find nothing, and it is no larger than is published', () => {
  expect(problemsOf(project.tarball)).toEqual([])
})

test('a package that is too large, or whose exports are wrong, is refused', () => {
  expect(problemsOf(project.tarball, '1000')).toEqual([expect.stringMatching(/bytes as packed/)])
  const broken = mkdtempSync(join(project.folder, 'broken-'))
  const exports = { '.': { default: './index.js', types: './missing.d.ts' } }
  const manifest = { name: 'broken', version: '1.0.0', type: 'module', exports }
  writeFileSync(join(broken, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(broken, 'index.js'), 'export {}\n')
  execFileSync('npm', ['pack', '--silent'], { cwd: broken })
  const problems = problemsOf(join(broken, 'broken-1.0.0.tgz'))
  expect(problems).toContainEqual(expect.stringMatching(/^publint: .*missing\.d\.ts/))
  expect(problems).toContainEqual(expect.stringMatching(/^types: /))
})
