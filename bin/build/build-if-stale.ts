/**
 * Builds `dist` unless it is newer than everything that it is made from: npm runs this before `npm start`, after `npm ci`
 * and whenever npx links a clone.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const inputs = ['src', 'bin/build', 'package.json', 'package-lock.json', 'tsconfig.json']
/** The last file of a build: it is absent when the build has failed. */
const lastOutput = join(root, 'dist/index.d.ts')

const changedAt = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity

/** When a file or folder below the path changed last; a folder changes when a file in it appears or goes. */
function newestChange(path: string): number {
  const below = statSync(path).isDirectory() ? readdirSync(path) : []
  return Math.max(changedAt(path), ...below.map((name) => newestChange(join(path, name))))
}

if (changedAt(lastOutput) < Math.max(...inputs.map((name) => newestChange(join(root, name))))) {
  process.stderr.write('building…\n')
  const startedAt = new Date()
  const shell = process.platform === 'win32'
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell,
  })
  if (status !== 0) process.exit(status ?? 1)
  // A source that was edited during the build is newer than what was built from it.
  utimesSync(lastOutput, startedAt, startedAt)
}
