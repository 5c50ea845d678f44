/** `npm run release`, tried on a small package in a git repository of its own. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { commitOf } from '../../bin/build/commit.ts'

const release = fileURLToPath(new URL('../../bin/build/release.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sparring-release-test-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim()

const commitAll = (cwd: string, message: string): void => {
  git(cwd, 'add', '--all')
  git(cwd, 'commit', '--quiet', '--message', message)
}

/** A package that may be published, but for what is changed. */
function packageIn(name: string, change: { readonly [file: string]: string } = {}): string {
  const root = join(folder, name)
  mkdirSync(join(root, 'bin'), { recursive: true })
  const manifest = {
    name: 'small',
    version: '1.2.3',
    license: 'MIT',
    type: 'module',
    bin: { small: 'dist/small.js' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    homepage: 'https://small.example/',
    bugs: { url: 'https://small.example/issues' },
    repository: { type: 'git', url: 'git+https://small.example/small.git' },
    scripts: { 'test:all': 'node test.js', nightly: 'node nightly.js', build: 'node build.js' },
  }
  const files: { readonly [file: string]: string } = {
    'package.json': JSON.stringify(manifest),
    'CHANGELOG.md': '# Changelog\n\n## [1.2.3] - 2026-11-26\n\n- The first.\n',
    'test.js': 'import { writeFileSync } from "node:fs"; writeFileSync("tested.log", "")\n',
    'nightly.js':
      'import { writeFileSync } from "node:fs"; writeFileSync("nightly.log", process.argv[2])\n',
    'build.js': `
      import { execSync } from 'node:child_process'
      import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
      const commit = execSync('git describe --always --dirty --abbrev=7', { encoding: 'utf8' }).trim()
      mkdirSync('dist', { recursive: true })
      writeFileSync('dist/index.js', 'export const one = 1\\n')
      writeFileSync('dist/index.d.ts', 'export declare const one: 1\\n')
      writeFileSync('dist/small.js', '#!/usr/bin/env node\\nconsole.log("1.2.3 (' + commit + ')")\\n')
      chmodSync('dist/small.js', 0o755)`,
    '.gitignore': 'dist\n*.log\n',
    ...change,
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text)
  git(root, 'init', '--quiet')
  commitAll(root, 'first')
  git(root, 'tag', 'v1.2.3')
  return root
}

function runRelease(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { GITHUB_ACTIONS: _, GITLAB_CI: __, ...others } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [release, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...others, ...env },
  })
  return { status, stdout, stderr }
}

test('a dry run checks everything, tests and builds, and publishes nothing', () => {
  const root = packageIn('good')
  const { status, stdout, stderr } = runRelease(root, ['--dry-run'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.split('\n').map((line) => line.replace(/: .*/, ''))).toEqual([
    'ok  tree',
    'ok  tag',
    'ok  changelog',
    'ok  addresses',
    'ok  tests',
    'ok  build',
    'ok  package',
    'ok  commit',
    'ok  publish',
    '',
  ])
  expect(stdout).toContain('publish: not done: dry run of small 1.2.3')
  expect(readFileSync(join(root, 'tested.log'), 'utf8')).toBe('')
  expect(readFileSync(join(root, 'nightly.log'), 'utf8')).toBe('package')
})

test('a changed file, a missing tag and a changelog of another version are all said before anything runs', () => {
  const root = packageIn('unready', {
    'CHANGELOG.md': '## [1.2.2] - 2026-11-25\n\n- Before.\n',
  })
  git(root, 'tag', '--delete', 'v1.2.3')
  writeFileSync(join(root, 'more.txt'), '')
  const { status, stdout } = runRelease(root, ['--dry-run'])
  expect(status).toBe(1)
  expect(stdout).toMatch(/^WRONG {2}tree: .*\n\?\? more\.txt$/m)
  expect(stdout).toMatch(/^WRONG {2}tag: .*git tag v1\.2\.3$/m)
  expect(stdout).toMatch(/^WRONG {2}changelog: .* 1\.2\.2, not 1\.2\.3/m)
  expect(stdout).not.toContain('tests')
})

test('a section without a date, and an empty one, are refused', () => {
  const without = packageIn('undated', { 'CHANGELOG.md': '## [1.2.3] - Unreleased\n\n- It.\n' })
  expect(runRelease(without, ['--dry-run']).stdout).toMatch(/no date, but “Unreleased”/)
  const empty = packageIn('empty', { 'CHANGELOG.md': '## [1.2.3] - 2026-11-26\n\n' })
  expect(runRelease(empty, ['--dry-run']).stdout).toMatch(/says nothing/)
})

test('addresses that are missing, or still to be filled, are refused by their names', () => {
  const manifest = {
    name: 'small',
    version: '1.2.3',
    homepage: 'https://small.invalid/',
    repository: { url: 'git+https://small.example/small.git' },
  }
  const root = packageIn('homeless', { 'package.json': JSON.stringify(manifest) })
  const { status, stdout } = runRelease(root, ['--dry-run', '--tested'])
  expect(status).toBe(1)
  expect(stdout).toMatch(/^WRONG {2}addresses: .* no address yet for homepage, bugs: replace /m)
  expect(stdout).not.toContain('build')
})

test('outside of a CI job that can state the provenance nothing is published', () => {
  const root = packageIn('at-home')
  const { status, stdout } = runRelease(root, ['--tested'])
  expect(status).toBe(1)
  expect(stdout).toMatch(/^WRONG {2}provenance: .*id-token: write/m)
  expect(stdout).not.toContain('build')
})

test('a failing test, a build of another commit, and exports that are wrong end it', () => {
  const failing = packageIn('failing', { 'test.js': 'console.log("one is two"); process.exit(1)' })
  const failed = runRelease(failing, ['--dry-run'])
  expect(failed.status).toBe(1)
  expect(failed.stderr).toMatch(/^release: npm run test:all failed: [^]*one is two/)

  const other = packageIn('other', {
    'build.js': `
      import { mkdirSync, writeFileSync } from 'node:fs'
      mkdirSync('dist', { recursive: true })
      writeFileSync('dist/index.js', 'export const one = 1\\n')
      writeFileSync('dist/small.js', '#!/usr/bin/env node\\nconsole.log("1.2.3 (0000000)")\\n')`,
  })
  const { status, stdout } = runRelease(other, ['--dry-run', '--tested'])
  expect(status).toBe(1)
  expect(stdout).toMatch(/^WRONG {2}package: publint: .*index\.d\.ts/m)
  expect(stdout).toMatch(
    /^WRONG {2}commit: .* prints 1\.2\.3 \(0000000\), not 1\.2\.3 \([0-9a-f]{7}\)$/m,
  )
})

test('the commit of a build: short, marked where files differ, none outside of a repository of its own', () => {
  const root = packageIn('described')
  expect(commitOf(root)).toBe(git(root, 'rev-parse', '--short=7', 'HEAD'))
  writeFileSync(join(root, 'test.js'), '')
  expect(commitOf(root)).toMatch(/^[0-9a-f]{7,}-dirty$/)
  expect(commitOf(join(root, 'bin'))).toBeUndefined()
  expect(commitOf(folder)).toBeUndefined()
})
