/**
 * Builds `dist` unless it is newer than everything that it is made from: npm runs this before `npm start`, after `npm ci`
 * and whenever npx links a clone.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

/** The exit code of a script of this folder. */
async function run(script: string, ...args: readonly string[]): Promise<unknown> {
  const path = join(root, 'bin/build', script)
  const child = spawn(process.execPath, [path, ...args], { cwd: root, stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as readonly unknown[]
  return code
}

/** Whether `dist` is newer than everything that it is made from. */
export const isBuilt = (): boolean =>
  changedAt(lastOutput) >= Math.max(...inputs.map((name) => newestChange(join(root, name))))

if (import.meta.main && !isBuilt()) {
  process.stderr.write('building…\n')
  const startedAt = new Date()
  // Side by side, and each in a folder of its own, since the code's is emptied first.
  const types = mkdtempSync(join(tmpdir(), 'sparring-types-'))
  const codes = await Promise.all([run('build.ts'), run('types.ts', types)])
  if (codes.every((code) => code === 0)) cpSync(types, join(root, 'dist'), { recursive: true })
  rmSync(types, { recursive: true })
  if (codes.some((code) => code !== 0)) process.exit(1)
  // A source that was edited during the build is newer than what was built from it.
  utimesSync(lastOutput, startedAt, startedAt)
}
